"""PsychoPy and PsychoJS: objects ranked by clicks, or one of them clicked."""

import re

import pandas as pd

from closerthan._core.shown import shown
from closerthan_lab.files.columns import plain
from closerthan_lab.files.sources.source import (
    Source,
    as_list,
    each,
    name_stimuli,
    picked_of_three,
)

OF_PSYCHOPY = {"psychopyversion", "expname"}
_STIMULUS = re.compile(r"stim\d+")


class PsychoPy(Source):
    """Read clicks on `stim1`, `stim2`, ..., beside a reference `ref` if there is one.

    `clicks` is a list of column names in the order of the clicks; the first is the most similar.
    `mouse.clicked_name` has the name of the one clicked component, such as `stim2_main`.
    """

    name, title = "psychopy", "PsychoPy"

    def recognizes(self, titles, path):
        is_clicked = bool(titles & OF_PSYCHOPY) and any(map(_is_click, titles))
        return {"stim1", "stim2"} <= titles and (is_clicked or {"ref", "clicks"} <= titles)

    def translate(self, rows):
        clicked = next(filter(_is_click, rows.frame), None)
        if clicked and "clicks" not in rows.frame:
            return self._of_one_click(rows, clicked)
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

    def _of_one_click(self, rows, name):
        """Return questions of which one component was clicked; its name has that of a stimulus."""
        stimuli = sorted(filter(_STIMULUS.fullmatch, rows.frame), key=lambda title: int(title[4:]))
        rows = rows.keep(~rows.empty("stim1"))
        titles = each(rows.frame[name], _clicked)
        bad = ~titles.isin(stimuli) & ~rows.empty(name)
        for row, cell in rows.frame.loc[bad, name].items():
            rows.refuse(row, f"{name}: {shown(str(cell))} names none of {', '.join(stimuli)}")
        rows, titles = rows.keep(~bad), titles[~bad]
        chosen = [
            row.get(title, "")
            for title, (_, row) in zip(titles, rows.frame.iterrows(), strict=True)
        ]
        table = pd.DataFrame({"picked": chosen}, rows.frame.index, dtype=object)
        if "ref" in rows.frame:
            parts = [f"candidate_{n}" for n, _ in enumerate(stimuli, 1)]
            if len(stimuli) == 2:
                parts = ["first", "second"]
            table = table.assign(anchor=rows.frame["ref"]).rename(columns={"picked": "chosen"})
        else:
            parts = [f"object_{n}" for n, _ in enumerate(stimuli, 1)]
            table = table.rename(columns={"picked": picked_of_three(rows)})
        table[parts] = rows.frame[stimuli]
        kind = each(titles, lambda title: "" if title else "unanswered")
        return name_stimuli(table, rows.faults).assign(**rows.people(), kind=kind)


def _is_click(title):
    return title.endswith("clickedname")


def _clicked(cell):
    """Return the column of the one component that was clicked, or nothing."""
    names = set(as_list(cell) or [cell]) if cell else set()
    found = _STIMULUS.search(plain(str(names.pop()))) if len(names) == 1 else None
    return found[0] if found else ""
