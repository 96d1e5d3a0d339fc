"""psiz: displays of a query, the chosen ones in order and the others; facts in a second file."""

import numpy as np
import pandas as pd

from closerthan_lab.files.faults import Faults
from closerthan_lab.files.sources.source import Source, seconds
from closerthan_lab.files.text import open_text
from closerthan_lab.files.values import truth

_DISPLAYS, _FACTS = "judged_displays", "display_info"
_NEEDED = ["assignment_id", "n_select", "is_ranked", "response_time_s"]
_NOTHING = {"-1", "", "nan"}  # fill the rows of smaller displays


class Psiz(Source):
    """Read `judged_displays.txt` with the file `display_info.txt` beside it.

    A row is the query, the chosen objects in their order and the others; -1 or NaN fills short
    rows. The second file says, for each row, who answered, how many were chosen, whether in order,
    and the seconds.
    """

    name, title, has_header = "psiz", "psiz", False

    def recognizes(self, titles, path):
        return _DISPLAYS in path.name

    def translate(self, rows):
        facts = self._facts(rows)
        table, n_chosen = rows.frame.to_numpy(), facts["n_select"].astype(int).to_numpy()
        is_none = np.vectorize(lambda cell: cell.strip().lower() in _NOTHING)(table)
        gap = (is_none[:, :-1] & ~is_none[:, 1:]).any(axis=1)
        n_objects = (~is_none).sum(axis=1)
        good = ~gap & (n_chosen <= n_objects - 2)
        for row in np.flatnonzero(~good):
            too_many = "n_select is as large as the number of objects to choose from"
            rows.refuse(row, "an empty cell before others that are not" if gap[row] else too_many)
        rows, facts, n_chosen = rows.keep(good), facts[good], n_chosen[good]
        cells = [row[:n].tolist() for row, n in zip(table[good], n_objects[good], strict=True)]
        ranked = set(facts["is_ranked"][n_chosen > 1].map(truth))  # one choice is a ranking, too
        if len(ranked) > 1:
            raise rows.faults.error("some displays are ranked and others are not; split the files")
        table = rows.frame[[]].assign(
            anchor=[row[0] for row in cells],
            participant=facts["assignment_id"],
            time=facts["response_time_s"].map(seconds),
        )
        if ranked != {False}:
            return table.assign(ranking=[row[1:] for row in cells], top=facts["n_select"])
        chosen = [row[1 : n + 1] for row, n in zip(cells, n_chosen, strict=True)]
        return table.assign(candidates=[row[1:] for row in cells], chosen=chosen)

    def _facts(self, rows):
        """Return the table of the second file, checked."""
        path = rows.path.parent / rows.path.name.replace(_DISPLAYS, _FACTS)
        if _DISPLAYS not in rows.path.name or not path.is_file():
            raise rows.faults.error(
                f"the file {path.name} must lie beside it; it says who answered and how many "
                "objects were chosen"
            )
        if rows.faults.n:  # the rows of the two files can't be matched
            line, sentence = rows.faults.listed[0]
            raise rows.faults.error(f"{sentence}; mend this row, and all others match", line)
        with open_text(path, Faults(path)) as stream:
            try:
                facts = pd.read_csv(stream, dtype=str, keep_default_na=False, index_col=False)
            except pd.errors.ParserError as error:
                raise ValueError(f"{path}: not a table ({' '.join(str(error).split())})") from None
        facts = facts.rename(columns={"n_selected": "n_select"})  # until 2018
        missing = [name for name in _NEEDED if name not in facts]
        if missing:
            raise ValueError(f"{path}: there is no column {missing[0]}")
        if len(facts) != len(rows.frame):
            raise ValueError(
                f"{path}: {len(facts):,} rows, but {rows.path.name} has {len(rows.frame):,}; one "
                "of the two may be cut off"
            )
        for name, bad in (
            ("n_select", ~facts["n_select"].str.fullmatch(r"[1-9]\d{0,2}")),
            ("is_ranked", facts["is_ranked"].map(truth).isna()),
        ):
            if bad.any():
                row = bad.idxmax()
                raise ValueError(f"{path}, line {row + 2}: {name}: {facts[name][row]!r}")
        return facts
