"""Check that a run compares every printed number with its own, and judges every claim."""

import pandas as pd

from closerthan_study.claims.scoreboard import COLUMNS, PART_COLUMNS
from closerthan_study.printed import BESIDE
from closerthan_study.reported import KEYS
from closerthan_study.reports import make_claims


def check_printed_numbers(spec, files, folder):
    """Check that each number of some files has a row, although nothing was run."""
    names = ("scoreboard", "parts", "readings", "printed")
    spec.missing = dict.fromkeys(spec.wanted())  # as if no data could be had
    make_claims(spec, *(folder / f"{name}.csv" for name in names))
    board = pd.read_csv(folder / "scoreboard.csv", keep_default_na=False)
    assert list(board) == COLUMNS and set(board.verdict) == {"not yet judged"}
    why = board.why[board.study.isin(spec.studies)]
    assert why.str.fullmatch("not yet run: no scores of .+ on .+").all()
    assert list(pd.read_csv(folder / "parts.csv")) == PART_COLUMNS
    table = pd.read_csv(folder / "printed.csv", dtype=str, keep_default_na=False)
    assert list(table) == BESIDE
    files = pd.concat(pd.read_csv(path, dtype=str).melt(KEYS, var_name="setting") for path in files)
    files = files.dropna(subset="value").fillna("").set_index([*KEYS[1:], "setting"]).value
    cells = table.set_index([*KEYS[1:], "setting"])
    cells = cells.printed.where(cells.printed_status == "value", cells.printed_status)
    assert len(cells) == len(files) and cells.index.is_unique
    for cell, printed in zip(cells, files[cells.index], strict=True):
        assert cell == printed or float(cell) == float(printed)
    assert table.status.str.startswith("not run here: ").all()
