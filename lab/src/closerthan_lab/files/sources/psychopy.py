"""PsychoPy and PsychoJS: objects ranked by clicks, or one of them clicked."""

import re
from dataclasses import replace

from closerthan._core.shown import shown
from closerthan_lab.files.cells import as_list
from closerthan_lab.files.columns import plain
from closerthan_lab.files.sources.source import (
    Source,
    map_cells,
    name_stimuli,
    picked,
    picked_of_three,
)

OF_PSYCHOPY = {"psychopyversion", "expname"}
_STIMULUS = re.compile(r"stim\d+")
_CLICKED = "clickedname"  # ends the name of a column


class PsychoPy(Source):
    """Read clicks on `stim1`, `stim2`, ..., beside a reference `ref` if there is one.

    `clicks` is a list of column names in the order of the clicks; the first is the most similar.
    `mouse.clicked_name` has the name of the one clicked component, such as `stim2_main`.
    """

    name, title = "psychopy", "PsychoPy"

    def recognizes(self, titles, path):
        is_clicked = bool(titles & OF_PSYCHOPY) and any(t.endswith(_CLICKED) for t in titles)
        return {"stim1", "stim2"} <= titles and (is_clicked or {"ref", "clicks"} <= titles)

    def translate(self, rows):
        clicked = next((title for title in rows.frame if title.endswith(_CLICKED)), None)
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
        strange = [f"{shown(click)} is no stimulus" for click in clicks if click not in shown_ones]
        strange += [f"{title} was not clicked" for title in shown_ones if title not in clicks]
        if strange:
            rows.refuse(line, f"clicks: {strange[0]}")
        return None if strange else [row[click] for click in clicks]

    def _of_one_click(self, rows, name):
        """Return questions of which one component was clicked; its name has that of a stimulus."""
        rows = rows.keep(~rows.empty("stim1"))
        stimuli = sorted(filter(_STIMULUS.fullmatch, rows.frame), key=lambda title: int(title[4:]))
        clicks = map_cells(rows.frame[name], lambda cell: _place(cell, stimuli))
        rows = replace(rows, frame=rows.frame.assign(**{name: clicks}))
        table = name_stimuli(rows.frame[stimuli], rows.faults)
        meaning, part = ("chosen", "candidate") if "ref" in rows.frame else ("", "object")
        parts = [f"{part}_{n}" for n in range(len(stimuli))]
        if meaning and len(stimuli) == 2:
            parts = ["first", "second"]
        meaning = meaning or picked_of_three(rows)
        chosen = picked(rows, meaning, table.to_numpy(), name, from_zero=True)
        table = table.set_axis(parts, axis="columns").join(chosen, how="right")
        anchor = name_stimuli(rows.frame.filter(["ref"]), rows.faults)
        return table.assign(**anchor.rename(columns={"ref": "anchor"}), **rows.people())


def _place(cell, stimuli):
    """Return the place of the stimulus whose name is in that of a component, as text."""
    clicks = set(as_list(cell) or [cell]) if isinstance(cell, str) else {cell}
    found = _STIMULUS.search(plain(str(*clicks))) if len(clicks) == 1 else None
    return str(stimuli.index(found[0])) if found and found[0] in stimuli else cell
