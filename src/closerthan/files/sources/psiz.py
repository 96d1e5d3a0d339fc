"""psiz: displays of a query, the chosen ones in order and the others; facts in a second file."""

from closerthan.files.sources.source import Source

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
        table = rows.frame.to_numpy()
        cells = [[cell for cell in row if cell.strip().lower() not in _NOTHING] for row in table]
        n_chosen = facts["n_select"].astype(int)
        ranked = set(facts["is_ranked"][n_chosen > 1].str.lower())  # one choice is a ranking, too
        if len(ranked) > 1:
            raise rows.faults.error("some displays are ranked and others are not; split the files")
        table = rows.frame[[]].assign(
            anchor=[row[0] for row in cells],
            participant=facts["assignment_id"].to_numpy(),
            time=facts["response_time_s"].to_numpy(),
        )
        if not ranked & {"0", "false"}:
            return table.assign(
                ranking=[row[1:] for row in cells], top=facts["n_select"].to_numpy()
            )
        chosen = [row[1 : n + 1] for row, n in zip(cells, n_chosen, strict=True)]
        return table.assign(candidates=[row[1:] for row in cells], chosen=chosen)

    def _facts(self, rows):
        """Return the table of the second file, checked."""
        import pandas as pd

        path = rows.path.parent / rows.path.name.replace(_DISPLAYS, _FACTS)
        if _DISPLAYS not in rows.path.name or not path.is_file():
            raise rows.faults.error(
                f"the file {path.name} must lie beside it; it says who answered and how many "
                "objects were chosen"
            )
        with path.open("rb") as stream:
            facts = pd.read_csv(stream, dtype=str, keep_default_na=False)
        facts = facts.rename(columns={"n_selected": "n_select"})  # until 2018
        missing = [name for name in _NEEDED if name not in facts]
        if missing:
            raise ValueError(f"{path}: there is no column {missing[0]}")
        if len(facts) != len(rows.frame):
            raise ValueError(
                f"{path}: {len(facts):,} rows, but {rows.path.name} has {len(rows.frame):,}; one "
                "of the two may be cut off"
            )
        bad = ~facts["n_select"].str.fullmatch(r"\d{1,3}")
        if bad.any():
            row = bad.idxmax()
            raise ValueError(f"{path}, line {row + 2}: n_select: {facts['n_select'][row]!r}")
        return facts
