"""Define what a source is, and what several of them need: names of stimuli, people and seconds."""

import json
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from closerthan.files.cells import MISSING
from closerthan.files.faults import Faults, shown

if TYPE_CHECKING:
    import pandas as pd

EMPTY = MISSING | {"NA", "null", "None", "undefined"}
_PEOPLE = (
    "participant participantid prolificpid prolificid puid participantuid workerid subject "
    "subjectid subid user userid rater pid runid"
)
_SOURCE_OF_TAG = re.compile(
    r"""<(?:img|video|audio|source)\b[^>]*?\bsrc\s*=\s*['"]?([^'" >]+)""", re.I
)
_MEDIA = re.compile(r"\.(png|jpe?g|gif|webp|svg|bmp|tiff?|mp[34]|wav|ogg|webm|m4a|mov|obj)$", re.I)
_TAG = re.compile(r"<[^>]*>")
_WHOLE = re.compile(r"\d{1,3}(\.0)?")
_EMPTY_LOWER = {text.lower() for text in EMPTY}
# Keys for the left and the right; 37 and 39 are the codes of the arrows.
_KEYS = [("arrowleft", "arrowright"), ("left", "right"), ("f", "j"), ("k", "l"), ("37", "39")]


@dataclass(frozen=True, eq=False)
class Rows:
    """Hold the rows of a file for a source.

    Attributes
    ----------
    frame : DataFrame of str
        Its index has the lines. Its columns have plain names: lower case, without blanks, hyphens
        and underscores. Without a header they are numbered from 0.
    path : pathlib.Path
    faults : Faults
        Takes faulty rows (`add`) and makes errors that name the file (`error`).
    form : str or None
        The form that the user named.
    """

    frame: "pd.DataFrame"
    path: Path
    faults: Faults
    form: str | None = None

    def keep(self, rows: Any) -> "Rows":
        """Return some of the rows; raise a ValueError if there are none."""
        if not rows.any():
            raise self.faults.error("no row of this file is an answer")
        return Rows(self.frame[rows], self.path, self.faults, self.form)

    def first(self, names: str) -> str | None:
        """Return the first of some names, between blanks, that is a column with any text."""
        known = (name for name in names.split() if name in self.frame)
        return next((name for name in known if (~self.empty(name)).any()), None)

    def empty(self, name: str) -> "pd.Series":
        """Tell which cells of a column hold nothing, or a word for nothing."""
        return self.frame[name].map(lambda cell: isinstance(cell, str) and cell.strip() in EMPTY)

    def people(self) -> dict[str, "pd.Series"]:
        """Return the column `participant`, if one of the known names is a column."""
        name = self.first(_PEOPLE)
        return {} if name is None else {"participant": self.frame[name]}

    def seconds(self, name: str, per_second: float = 1.0) -> dict[str, "pd.Series"]:
        """Return the column `time` from a column of times, if there is one; empty if unknown."""
        if name not in self.frame:
            return {}
        import pandas as pd

        amounts = pd.to_numeric(self.frame[name], errors="coerce") / per_second
        texts = amounts.map(repr).where(amounts.notna() & (amounts >= 0), self.frame[name])
        is_none = self.empty(name) | (amounts < 0)
        return {"time": texts.mask(is_none, "")}


class Source(ABC):
    """A program that writes files of answers.

    Attributes
    ----------
    name : str
        The name for `source=` and for ``--from``.
    title : str
        The name of the program as people write it.
    has_header : bool
        Whether its first row names the columns.
    by_block : bool
        Whether rows can be translated block by block, so that a file may be larger than memory.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    has_header: ClassVar[bool] = True
    by_block: ClassVar[bool] = False

    @abstractmethod
    def recognizes(self, titles: set[str], path: Path) -> bool:
        """Tell whether a file is of this source, by its plain column names and its path."""

    @abstractmethod
    def translate(self, rows: Rows) -> "pd.DataFrame":
        """Return the rows that are trials, with the columns that `read_answers` knows.

        A column `kind` may say "check", "practice" or "unanswered"; such rows are left out. Lists
        of objects may be lists.
        """


def as_list(cell: Any) -> list | None:
    """Return a cell with a list as a list: of JSON, or as Python prints it; None if it has none.

    Examples
    --------
    >>> as_list('["a", "b"]'), as_list("['a', 'b']"), as_list("a")
    (['a', 'b'], ['a', 'b'], None)
    """
    if isinstance(cell, list):
        return cell
    if not cell.strip().startswith("["):
        return None
    for text in (cell, cell.replace("'", '"')):
        try:
            return [str(entry) for entry in json.loads(text)]
        except (ValueError, TypeError, RecursionError):
            continue
    return None


def stimulus(text: str) -> str:
    """Return what a cell shows: the path of a picture or sound, or the words without tags.

    Examples
    --------
    >>> stimulus("<img src='a/b.png' />"), stimulus("<p>ape</p>"), stimulus("a/b.png")
    ('a/b.png', 'ape', 'a/b.png')
    """
    found = _SOURCE_OF_TAG.search(text)
    return found[1] if found else _TAG.sub("", text).strip() if "<" in text else text.strip()


def is_medium(text: str) -> bool:
    """Tell whether a text is the path of a picture, a sound or a film."""
    return _MEDIA.search(text) is not None


def name_stimuli(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return a table of objects with file names without folders and endings.

    The full texts stay if two different ones would get the same name.
    """
    texts: dict[str, None] = {}
    for name in frame:
        for cell in frame[name]:
            texts |= dict.fromkeys(cell) if isinstance(cell, list) else {cell: None}
    full = {text: stimulus(text) for text in texts}
    short = {text: _short(name) for text, name in full.items()}
    if len(set(short.values())) < len(set(full.values())):
        short = full
    return frame.map(
        lambda cell: [short[t] for t in cell] if isinstance(cell, list) else short[cell]
    )


def _short(path):
    return _MEDIA.sub("", path.rpartition("/")[2]) if is_medium(path) else path


def two_alternatives(rows: Rows, names: str) -> "pd.DataFrame":
    """Return questions with an anchor, two alternatives and the chosen one, from four columns."""
    table = rows.frame[names.split()].set_axis(["anchor", "first", "second", "chosen"], axis=1)
    return name_stimuli(table).assign(**rows.people())


def picked_of_three(rows: Rows) -> str:
    """Return the meaning of the one that was picked of three: "odd" or "central"."""
    picked = {"odd-one-out": "odd", "most-central": "central"}
    if rows.form not in picked:
        raise rows.faults.error(
            "one of three objects is picked, but nothing says for what; give form='odd-one-out' or "
            "form='most-central'"
        )
    return picked[rows.form]


def positions(rows: Rows, name: str, sizes: Any, from_zero: bool = False) -> list[int | None]:
    """Return the position, from 0, that each cell of a column tells.

    None if nothing was picked; -1 in a faulty row. Cells may be numbers from 0 or from 1, or keys
    for the left and the right of two. If no 0 occurs and a number equals that of the choices, they
    count from 1.
    """
    texts = [str(cell).strip().lower() for cell in rows.frame[name]]
    known = {text for text in texts if text not in _EMPTY_LOWER}
    numbers = {text: int(float(text)) for text in known if _WHOLE.fullmatch(text)}
    keys = next((pair for pair in _KEYS if known <= set(pair)), None)
    if keys is not None:
        numbers = {key: place for place, key in enumerate(keys)}
    elif not from_zero and 0 not in numbers.values():
        highest = (numbers.get(text) == n for text, n in zip(texts, sizes, strict=True))
        if any(highest):
            numbers = {text: number - 1 for text, number in numbers.items()}
    found: list[int | None] = []
    for line, text, n in zip(rows.frame.index, texts, sizes, strict=True):
        place = None if text in _EMPTY_LOWER else numbers.get(text, -1)
        if place is not None and not 0 <= place < n:
            rows.faults.add(line, f"{name}: {shown(text)} is none of the {n} choices")
            place = -1
        found.append(place)
    return found
