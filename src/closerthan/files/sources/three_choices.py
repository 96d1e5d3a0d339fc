"""Triplets of pwdonh: three objects and the position, from 0, of the odd one out."""

from closerthan.files.sources.source import Source, name_stimuli, positions

_OBJECTS = ["stim0", "stim1", "stim2"]


class ThreeChoices(Source):
    """Read the files of the Python package triplets (P. W. Donhauser and D. Klein).

    `selected` is the position of the odd one among `stim_0`, `stim_1` and `stim_2`. `rater` is the
    participant.
    """

    name, title = "three-choices", "triplets (stim_0, stim_1, stim_2, selected)"

    def recognizes(self, titles, path):
        return {*_OBJECTS, "selected"} <= titles

    def translate(self, rows):
        pressed = positions(rows, "selected", [3] * len(rows.frame), from_zero=True)
        table = name_stimuli(rows.frame[_OBJECTS], rows.faults)
        cells = zip(table.to_numpy(), pressed, strict=True)
        odd = [row[place or 0] for row, place in cells]
        names = {title: f"object_{place}" for place, title in enumerate(_OBJECTS, start=1)}
        kind = ["unanswered" if place is None else "" for place in pressed]
        table = table.rename(columns=names).assign(odd=odd, kind=kind, **rows.people())
        return table[[place is None or place >= 0 for place in pressed]]
