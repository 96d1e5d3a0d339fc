"""The reports station: the judged claims and the pages of the studies.

The same results give the same bytes at the same commit, which pages name, except in `index.html`
and `provenance.json`. docs/study.md describes the files. Each function imports
what it needs when it is called.
"""

from pathlib import Path

import pandas as pd

from closerthan_study.files import write_csv


def make_claims(spec, scoreboard, parts, readings, printed):
    """Judge the papers' claims from the scores, and compare our numbers with theirs, as CSV."""
    from closerthan_study.claims.scoreboard import judge_all, scores_of_run
    from closerthan_study.printed import compare_printed

    places = spec.pairs()
    board, *others = judge_all(spec, scores_of_run(spec, places))
    judged = board.assign(published=_published(spec, board)), *others
    for path, table in zip((scoreboard, parts, readings), judged, strict=True):
        write_rows(table, path)
    write_csv(printed, compare_printed(spec, places))


def _published(spec, board):
    """Return the published verdicts, at the papers' sizes, for a run that is smaller."""
    path = spec.root / "results" / "published" / "scoreboard.csv"
    if spec.scale == "paper" or not path.exists():
        return ""
    published = pd.read_csv(path, index_col=["study", "claim"]).verdict
    return published.reindex(pd.MultiIndex.from_frame(board[["study", "claim"]])).to_numpy()


def write_rows(table, path):
    """Write judged claims or their parts as CSV."""
    write_csv(path, table, float_format="%.6g")


def make_page(spec, name):
    """Execute the notebook of a study or of the scoreboard, which draws its figures and tables.

    Both folders are made, even if the notebook has no figure or no table.
    """
    from closerthan_study.report.notebooks import run_notebook

    for kind in ("figures", "tables"):
        Path(spec.results, "reports", kind, name).mkdir(parents=True, exist_ok=True)
    page = Path(spec.results, "reports", "notebooks", name)
    run_notebook(
        spec.notebook(name),
        page.with_suffix(".ipynb"),
        page.with_suffix(".html"),
        parameters={"config": spec.config.model_dump()},
    )
