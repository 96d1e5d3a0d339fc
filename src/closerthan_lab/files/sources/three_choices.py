"""Triplets of pwdonh: three objects and the position, from 0, of the odd one out."""

from closerthan_lab.files.sources.source import Source, name_stimuli, picked

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
        names = {title: f"object_{place}" for place, title in enumerate(_OBJECTS, start=1)}
        table = name_stimuli(rows.frame[_OBJECTS], rows.faults).rename(columns=names)
        odd = picked(rows, "odd", table.to_numpy(), "selected", from_zero=True)
        return table.assign(**rows.people()).join(odd, how="right")
