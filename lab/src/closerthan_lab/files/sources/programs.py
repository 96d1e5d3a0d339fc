"""Programs whose columns only have other names, a row each, and those whose files are refused."""

from dataclasses import dataclass
from pathlib import Path

from closerthan_lab.files.sources.source import Source, name_stimuli, picked

_QUESTION = ("anchor", "first", "second", "chosen")
_THREE = ("object_1", "object_2", "object_3")


@dataclass(frozen=True)
class Renamed(Source):
    """Read the files of a program by a table of its column names.

    Attributes
    ----------
    columns : tuple of str
        Plain column names, between blanks: anchor, left, right and the chosen one, or three
        objects and the position, from 0, of the odd one. The first entry that is whole counts.
    marks : tuple of str
        A file with all columns of one entry is of this program.
    excluded : str or None
        A file with this column is not.
    time : str
        How the name of the column of times begins.
    per_second : int or None
        The unit of times; None if their median tells seconds from milliseconds.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    marks: tuple[str, ...]
    excluded: str | None = None
    time: str = ""
    per_second: int | None = 1
    has_sides: bool = True

    def recognizes(self, titles, path):
        whole = any(titles.issuperset(mark.split()) for mark in self.marks)
        return whole and self.excluded not in titles

    def translate(self, rows):
        named = [names.split() for names in self.columns]
        names = next((some for some in named if set(some) <= set(rows.frame)), named[-1])
        if self.has_sides:
            table = name_stimuli(rows.frame[names].set_axis(_QUESTION, axis=1), rows.faults)
            table = _with_shown_winner(table, rows.frame)
        else:
            *names, position = names
            table = name_stimuli(rows.frame[names].set_axis(_THREE, axis=1), rows.faults)
            odd = picked(rows, "odd", table.to_numpy(), position, from_zero=True)
            table = table.join(odd, how="right")
        titles = [title for title in rows.frame if self.time and title.startswith(self.time)]
        times = rows.seconds(titles[0], self.per_second) if titles else {}
        return table.assign(**rows.people(), **times)


class Spose(Source):
    """Read odd-one-out answers of SPoSE and VICE, as text or as a .npy array.

    Nothing in the file tells them from triplets, so they are never recognized.
    """

    name, title, has_header = "spose", "SPoSE or VICE (the odd one last)", False
    has_places = False

    def recognizes(self, titles, path):
        return False

    def translate(self, rows):
        if rows.frame.shape[1] != 3:
            raise rows.faults.error(f"{rows.frame.shape[1]} columns; SPoSE and VICE write three")
        names = ["object_1", "object_2", "object_3"]
        return rows.frame.set_axis(names, axis=1).assign(odd=rows.frame.iloc[:, 2])


def _with_shown_winner(table, frame):
    """Return questions whose chosen one was shown.

    In rare rows of Salmon the winner was not on the screen; it still won over the second.
    """
    if "loser" in frame:
        is_second = (frame["loser"] == frame["right"]) & (table["chosen"] != table["second"])
        table["first"] = table["first"].mask(is_second, table["chosen"])
    return table


_ROLES = "head{0} left{0} right{0} winner{0}"
_TARGETS, _CENTER = "targetcenter targetleft targetright targetwinner", "center left right answer"
_STIMULI = ("stim0 stim1 stim2 selected",)
_MARKS = {
    "next": (_TARGETS, f"{_CENTER} alglabel"),
    "salmon": ("head left right winner puid",),
    "triplet-tools": (f"{_CENTER} head winner loser",),
}
_SALMON = tuple(map(_ROLES.format, ("filename", "html", "object", "")))
_THREE_CHOICES = "three-choices", "triplets (stim_0, stim_1, stim_2, selected)"
_TOOLS = "triplet-tools", "tripletTools"

RENAMED = [
    Renamed("next", "NEXT", (_TARGETS, _CENTER), _MARKS["next"], "head", "responsetime", None),
    Renamed("salmon", "Salmon", _SALMON, _MARKS["salmon"], time="responsetime"),
    Renamed(*_THREE_CHOICES, _STIMULI, _STIMULI, has_sides=False),
    Renamed(*_TOOLS, (_CENTER,), _MARKS["triplet-tools"], time="rt", per_second=1000),
]

_OF_MEADOWS = ("tasks token", "task trials stimuli", "task participation stim1id stim1name")


def refused(titles: set[str], path: Path) -> str | None:
    """Return why a file does not say what was compared, or None."""
    if any(titles.issuperset(mark.split()) for mark in _OF_MEADOWS):
        return (
            "files of Meadows compare nothing, or do not say what was asked; write choices as a "
            "table with the columns object_1, object_2, object_3 and odd (or anchor, near, far)"
        )
    if any(part in path.name for part in ("judged_displays", "display_info")):
        return (
            "psiz keeps displays and their facts apart; write a table with the columns anchor, "
            "rank_1, rank_2, ... (or anchor, chosen_1, ..., candidate_1, ...)"
        )
    return None
