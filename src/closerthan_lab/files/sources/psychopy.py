"""PsychoPy and PsychoJS: objects ranked by clicks, the most similar to a reference first."""

import re

from closerthan._core.shown import shown
from closerthan_lab.files.sources.source import Source, as_list, name_stimuli

_STIMULUS = re.compile(r"stim\d+")


class PsychoPy(Source):
    """Read rankings by clicks: `ref`, `stim1`, `stim2`, ... and `clicks`.

    `clicks` is a list of column names in the order of the clicks; the first is the most similar.
    """

    name, title = "psychopy", "PsychoPy"

    def recognizes(self, titles, path):
        return {"ref", "stim1", "stim2", "clicks"} <= titles

    def translate(self, rows):
        rows = rows.keep(~rows.empty("clicks") & ~rows.empty("ref"))
        rankings = {line: self._ranking(rows, line, row) for line, row in rows.frame.iterrows()}
        rows = rows.keep(rows.frame.index.map(lambda line: rankings[line] is not None))
        ranking = [rankings[line] for line in rows.frame.index]
        table = rows.frame[[]].assign(anchor=rows.frame["ref"], ranking=ranking)
        return name_stimuli(table, rows.faults).assign(**rows.people())

    def _ranking(self, rows, line, row):
        """Return the objects of a row in the order of the clicks; note a faulty row."""
        clicks = list(dict.fromkeys(as_list(row["clicks"]) or [row["clicks"]]))
        shown_ones = [title for title in row.index if _STIMULUS.fullmatch(title) and row[title]]
        if sorted(clicks) == sorted(shown_ones):
            return [row[click] for click in clicks]
        other = next((click for click in clicks if click not in shown_ones), None)
        missing = next((title for title in shown_ones if title not in clicks), None)
        why = f"{shown(other)} is no stimulus" if other else f"{missing} was not clicked"
        rows.refuse(line, f"clicks: {why}")
        return None
