"""Define what a source is, and what several of them need: names of stimuli, people and seconds."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd

from closerthan._core.shown import shown
from closerthan_lab.files.cells import MISSING
from closerthan_lab.files.columns import PEOPLE
from closerthan_lab.files.faults import Faults
from closerthan_lab.files.values import KEYS, NEITHER, is_nothing, plain_text

_SOURCE_OF_TAG = re.compile(
    r"""<(?:img|video|audio|source)\b[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.I
)
MEDIA = re.compile(
    r"\.(png|jpe?g|gif|webp|svg|bmp|tiff?|mp[34]|wav|ogg|webm|m4a|mov|obj)(\?[^?]*)?$", re.I
)
_TAG = re.compile(r"<[^>]*>")
_WHOLE = re.compile(r"\d{1,3}(\.0)?")
_MISSING_LOWER = {text.lower() for text in MISSING} | {"[]", "{}", "-1"}  # -1 of jsPsych 5
_HINT = "; known keys are the arrows, f and j, a and l, j and k, k and l; others need responses="
_LONGEST = 100  # seconds; a larger median is in milliseconds
FAULTY = -2  # in place of a position
_ENOUGH = 10  # presses for each choice, one of which would be of the first choice


@dataclass(frozen=True, eq=False)
class Rows:
    """Hold the rows of a file for a source.

    Attributes
    ----------
    frame : DataFrame of str
        Its columns have plain names: lower case, without blanks, hyphens and underscores. Without
        a header they are numbered from 0.
    faults : Faults
        Makes errors that name the file (`error`).
    lines : ndarray of int
        The line of each row of the file, at the places that the index of `frame` says.
    form : str or None
        The form that the user named.
    words : dict of str to int
        The places on the screen, from 0, that the user's words mean; -1 for neither. -3 for no
        answer. `picked` heeds and removes them.
    """

    frame: pd.DataFrame
    faults: Faults
    lines: np.ndarray
    form: str | None = None
    words: dict[str, int] = field(default_factory=dict)

    def keep(self, rows: Any) -> "Rows":
        """Return some of the rows; raise a ValueError if there are none."""
        if not rows.any():
            self.faults.finish(self.faults.n)
            raise self.faults.nothing_left("no row of this file is an answer")
        return replace(self, frame=self.frame[rows])

    def refuse(self, row: int, sentence: str) -> None:
        """Note a faulty row, given by its label in the index of `frame`."""
        self.faults.add(self.lines[row], sentence)

    def first(self, names: str) -> str | None:
        """Return the first of some names, between blanks, that is a column with any text."""
        known = (name for name in names.split() if name in self.frame)
        return next((name for name in known if not all(map(_is_empty, self.frame[name]))), None)

    def empty(self, name: str) -> pd.Series:
        """Tell which cells of a column hold nothing, or a word for nothing."""
        return map_cells(self.frame[name], _is_empty, bool)

    def people(self) -> dict[str, pd.Series]:
        """Return the column `participant`, if one of the known names is a column."""
        name = self.first(" ".join(PEOPLE))
        return {} if name is None else {"participant": self.frame[name]}

    def seconds(self, name: str, per_second: float | None = 1.0) -> dict[str, pd.Series]:
        """Return the column `time` from a column of times, if there is one; empty if unknown.

        If `per_second` is None, a large median tells that times are in milliseconds.
        """
        if name not in self.frame:
            return {}
        if per_second is None:
            times = map_cells(self.frame[name], seconds)
            is_large = pd.to_numeric(times, errors="coerce").median() > _LONGEST
            per_second = 1000 if is_large else 1
        return {"time": map_cells(self.frame[name], lambda cell: seconds(cell, per_second))}


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
    has_sides : bool
        Whether `first` was always shown on the left, and `second` on the right.
    has_places : bool
        Whether the order of objects may be that on the screen.
    """

    name: str
    title: str
    has_header: bool = True
    has_sides: bool = False
    has_places: bool = True

    @abstractmethod
    def recognizes(self, titles: set[str], path: Path) -> bool:
        """Tell whether a file is of this source, by its plain column names and its path."""

    @abstractmethod
    def translate(self, rows: Rows) -> pd.DataFrame:
        """Return the rows that are trials, with the columns that `read_answers` knows.

        A column `kind` may say "check", "practice" or "unanswered"; such rows are left out. Lists
        of objects may be lists.
        """


def map_cells(column: pd.Series, function: Callable[[Any], Any], dtype: type = object) -> pd.Series:
    """Return the values of a function for each cell; much faster than `map` if they are texts."""
    return pd.Series([function(cell) for cell in column], column.index, dtype)


def _is_empty(cell):
    return isinstance(cell, str) and cell.strip() in MISSING


def seconds(cell: Any, per_second: float = 1.0) -> Any:
    """Return a time in seconds as text; nothing if it is unknown, a faulty one as it is."""
    try:
        number = float(cell) / per_second
    except (TypeError, ValueError):
        return "" if _is_empty(cell) else cell
    return repr(number) if number >= 0 else ""


def stimulus(text: str) -> str:
    """Return what a cell shows: the path of a picture or sound, or the words without tags.

    Examples
    --------
    >>> stimulus("<img src='a/b%20c.png' />"), stimulus("<p>ape &amp; bee</p>"), stimulus("a.png")
    ('a/b c.png', 'ape & bee', 'a.png')
    """
    if "<" in text:
        found = _SOURCE_OF_TAG.search(text)
        text = unescape(found[found.lastindex or 0] if found else _TAG.sub("", text))
    return unquote(text.strip()) if is_medium(text.strip()) else text.strip()


def is_medium(text: str) -> bool:
    """Tell whether a text is the path of a picture, a sound or a film."""
    return MEDIA.search(text) is not None


def name_stimuli(frame: pd.DataFrame, faults: Faults) -> pd.DataFrame:
    """Return a table of objects with the path or the words that each cell shows.

    Raise a ValueError if texts of HTML differ, for example in their colors, but show the same.
    """
    written: dict[str, str] = {}
    cells = (cell for title in frame for cell in frame[title])
    lists = (cell if isinstance(cell, list) else [cell] for cell in cells)
    names = {text: stimulus(text) for text in chain.from_iterable(lists)}
    for text, name in names.items():
        is_html = "<" in text and not _SOURCE_OF_TAG.search(text)
        other = written.setdefault(name, text) if is_html else text
        if other != text:
            same = f"{shown(other)} and {shown(text)} show the same text, {shown(name)}"
            raise faults.error(f"{same}; add columns with a name for each object")

    def named(cell):
        return names[cell] if isinstance(cell, str) else [names[text] for text in cell]

    return pd.DataFrame({title: map_cells(frame[title], named) for title in frame}, frame.index)


def picked_of_three(rows: Rows) -> str:
    """Return the meaning of the one that was picked of three: "odd" or "central"."""
    meanings = {"odd-one-out": "odd", "most-central": "central"}
    if rows.form not in meanings:
        way = "give form='odd-one-out' or form='most-central'"
        raise rows.faults.error(f"one of three is picked, but nothing says for what; {way}")
    return meanings[rows.form]


def picked(
    rows: Rows, meaning: str, choices: Any, name: str, from_zero: bool = False
) -> pd.DataFrame:
    """Return the one of its choices that each row picked, and a kind; leave faulty rows out.

    The column `name` has its position; see `positions`. Rows without any are "unanswered".
    """
    places = positions(rows, name, list(choices), from_zero)
    words = {None: "", NEITHER: "neither", FAULTY: ""}
    pairs = zip(choices, places, strict=True)
    cells = [words[place] if place in words else some[place] for some, place in pairs]
    kinds = ["unanswered" if place is None else "" for place in places]
    table = pd.DataFrame({meaning: cells, "kind": kinds}, rows.frame.index, dtype=object)
    good = np.array([place != FAULTY for place in places])
    return table.loc[rows.keep(good).frame.index]


def positions(
    rows: Rows, name: str, choices: list[Any], from_zero: bool = False
) -> list[int | None]:
    """Return the position, from 0, that each cell of a column tells.

    None if nothing was picked, `NEITHER`, or `FAULTY`. Cells may be numbers, keys for the left and
    the right of two, the user's own words, or one of the choices. Numbers count from 0; they count
    from 1 if none is 0 and one equals the number of choices. Raise a ValueError if neither is so in
    many presses, or if the one pressed key may be the left or the right.
    """
    answers = [_answer(cell) for cell in rows.frame[name]]
    texts, sizes = [answer.lower() for answer in answers], [len(some) for some in choices]
    words = dict(rows.words)
    if any(plain_text(text) in words for text in texts):
        rows.words.clear()
    nothing = {text for text in texts if is_nothing(text, words, _MISSING_LOWER)}
    known = sorted({*texts} - nothing)
    own = {text: words[plain_text(text)] for text in known if plain_text(text) in words}
    numbers = own or _numbers(rows, name, known, texts, sizes, from_zero)
    found: list[int | None] = []
    for row, answer, text, some in zip(rows.frame.index, answers, texts, choices, strict=True):
        place = None if text in nothing else numbers.get(text, FAULTY)
        names = [stimulus(one) for one in some] if place == FAULTY and text not in numbers else []
        if stimulus(answer) in names:
            place = names.index(stimulus(answer))
        if place is not None and not NEITHER <= place < len(some):
            place = FAULTY
            hint = "" if _WHOLE.fullmatch(text) else _HINT
            rows.refuse(row, f"{name}: {shown(text)} is none of the {len(some)} choices{hint}")
        found.append(place)
    return found


def _numbers(rows, name, known, texts, sizes, from_zero):
    """Return the positions that keys or numbers tell."""
    numbers = {text: int(float(text)) for text in known if _WHOLE.fullmatch(text)}
    keys = [pair for pair in KEYS if known and set(sizes) == {2} and {*known} <= {*pair}]
    if len({pair.index(known[0]) for pair in keys}) > 1:
        why = "is the only key; say in responses= whether it is first or second"
        raise rows.faults.error(f"{name}: {shown(known[0])} {why}")
    if keys:
        return {key: place for place, key in enumerate(keys[0])}
    if from_zero or not numbers or 0 in numbers.values():
        return numbers
    pressed = [(numbers[t], n) for t, n in zip(texts, sizes, strict=True) if t in numbers]
    if any(number == n for number, n in pressed):
        return {text: number - 1 for text, number in numbers.items()}
    if len(pressed) >= _ENOUGH * max(n for _, n in pressed):
        why = "there is neither a 0 nor the number of choices; they may count from 0 or from 1"
        raise rows.faults.error(f"{name}: in {len(pressed)} presses {why}")
    return numbers


def _answer(cell):
    """Return what a cell says, the one answer in it if it is an object of a survey."""
    if isinstance(cell, str) and cell.lstrip().startswith("{"):
        with suppress(ValueError):
            cell = json.loads(cell)
    if isinstance(cell, dict) and len(cell) == 1:
        [cell] = cell.values()
    return str(cell).strip()
