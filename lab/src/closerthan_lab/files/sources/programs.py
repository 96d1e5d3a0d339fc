"""Programs whose columns only have other names, and those whose files are refused: a row each."""

from dataclasses import dataclass

import pandas as pd

from closerthan_lab.files.sources.source import Source, name_stimuli, picked

_QUESTION = ("anchor", "first", "second", "chosen")
_THREE = ("object_1", "object_2", "object_3")
_LONGEST = 100  # seconds; a larger median is in milliseconds


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
        return table.assign(**rows.people(), **self._seconds(rows))

    def _seconds(self, rows):
        title = next(
            (title for title in rows.frame if self.time and title.startswith(self.time)), ""
        )
        if self.per_second is not None:
            return rows.seconds(title, self.per_second)
        told = rows.seconds(title)
        median = pd.to_numeric(pd.Series(told.get("time")), errors="coerce").median()
        return rows.seconds(title, 1000) if median > _LONGEST else told


@dataclass(frozen=True)
class Refused(Source):
    """Refuse files that do not say what was compared, and say why."""

    title: str
    reason: str
    marks: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    has_header: bool = False

    def recognizes(self, titles, path):
        marked = any(titles.issuperset(mark.split()) for mark in self.marks)
        return marked or any(file in path.name for file in self.files)

    def translate(self, rows):
        raise rows.faults.error(self.reason)


def _with_shown_winner(table, frame):
    """Return questions whose chosen one was shown.

    In rare rows of Salmon the winner was not on the screen; it still won over the second.
    """
    if "loser" in frame:
        is_second = (frame["loser"] == frame["right"]) & (table["chosen"] != table["second"])
        table["first"] = table["first"].mask(is_second, table["chosen"])
    return table


_ROLES = "head{0} left{0} right{0} winner{0}"
_MEADOWS = "task participation stim1id stim1name"

RENAMED = [
    Renamed(
        "next",
        "NEXT",
        ("targetcenter targetleft targetright targetwinner", "center left right answer"),
        ("targetcenter targetleft targetright targetwinner", "center left right answer alglabel"),
        excluded="head",
        time="responsetime",
        per_second=None,
    ),
    Renamed(
        "salmon",
        "Salmon",
        tuple(map(_ROLES.format, ("filename", "html", "object", ""))),
        ("head left right winner puid",),
        time="responsetime",
    ),
    Renamed(
        "three-choices",
        "triplets (stim_0, stim_1, stim_2, selected)",
        ("stim0 stim1 stim2 selected",),
        ("stim0 stim1 stim2 selected",),
        has_sides=False,
    ),
    Renamed(
        "triplet-tools",
        "tripletTools",
        ("center left right answer",),
        ("center left right answer head winner loser",),
        time="rt",
        per_second=1000,
    ),
]

REFUSED = [
    Refused(
        "Meadows",
        "a file of arrangements of Meadows: people placed stimuli on a plane, which gives "
        "dissimilarities and no comparisons; use them with closerthan.mds, such as SMACOF",
        ("tasks token", "task trials stimuli"),
    ),
    Refused(
        "Meadows",
        "a file of choices of Meadows, which does not say whether the picked stimulus is the odd "
        "one or the most similar one; write a table with the columns object_1, object_2, object_3 "
        "and odd (or anchor, near, far)",
        (f"{_MEADOWS} stim2name",),
    ),
    Refused(
        "Meadows",
        "a file of annotations of Meadows: each row describes one stimulus and compares nothing; "
        "it can be joined to a map as attributes",
        (_MEADOWS,),
    ),
    Refused(
        "psiz",
        "a file of psiz, which keeps displays and their facts apart; write a table with the "
        "columns anchor, rank_1, rank_2, ... (or anchor, chosen_1, ..., candidate_1, ...)",
        files=("judged_displays", "display_info"),
    ),
]
