"""The cells of a file as numbers: objects, lists of them, words and amounts.

Every distinct text is kept once, and a cell is its number, so that millions of rows take little
memory.
"""

import re
from dataclasses import dataclass
from itertools import chain

import numpy as np

from closerthan.comparisons.check import LARGEST_EXACT_FLOAT
from closerthan.comparisons.files import MISSING, NUMBER
from closerthan.spreadsheets import unescape_formula

from .faults import shown

SEPARATOR = "|"  # between the objects of a list in one cell
_LONGEST_NAME = 1000
_WHOLE = re.compile(r"\d{1,18}", re.ASCII)
_WORDS = {"response", "best", "worst", "top", "votes", "votes_first", "votes_second"}
_WORDS |= {"votes_neither", "participant", "screen"}
_AMOUNTS = {"time", "weight"}


class Codes(dict):
    """The numbers of distinct texts, in the order in which they come.

    Blanks at the ends go, and so does what keeps a spreadsheet from running a text as a formula.
    """

    def __init__(self):
        self.values = []
        self._number = {}

    def __missing__(self, written):
        value = unescape_formula(written.strip())
        number = self._number.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        self[written] = number
        return number

    def encode(self, texts, n):
        return np.fromiter(map(self.__getitem__, texts), dtype=np.int32, count=n)


@dataclass
class Lists:
    """Rows of different lengths: all entries in a row, and the number of each row's own."""

    entries: np.ndarray
    sizes: np.ndarray

    def rows(self, rows):
        """Return some rows that are equally long as a matrix."""
        starts = (np.cumsum(self.sizes) - self.sizes)[rows]
        size = int(self.sizes[rows][0]) if len(starts) else 0
        return self.entries[starts[:, None] + np.arange(size)]

    def row_of_entry(self):
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


@dataclass
class Cells:
    """What a file holds, by meaning.

    Attributes
    ----------
    lines : ndarray of shape (n_rows,), int64
    columns : dict of str to ndarray or Lists
        Numbers of texts, of int32; of time and weight the amounts, NaN where there is none.
    codes : dict of str to Codes
        The texts; those of objects are under "objects".
    good : ndarray of bool, shape (n_rows,)
        The rows in which no fault is found so far.
    """

    lines: np.ndarray
    columns: dict
    codes: dict
    good: np.ndarray

    def take(self, rows):
        """Return some rows of cells without lists."""
        columns = {meaning: column[rows] for meaning, column in self.columns.items()}
        return Cells(self.lines[rows], columns, self.codes, self.good[rows])

    def objects(self):
        """Return the columns that hold objects."""
        return {name: cells for name, cells in self.columns.items() if holds_objects(name)}

    def text(self, meaning, row):
        """Return what a row holds in a column of words."""
        return self.codes[meaning].values[self.columns[meaning][row]]


def holds_objects(meaning):
    return meaning not in _WORDS | _AMOUNTS


def gather(blocks, columns, faults, decimal_comma=False):
    """Return the cells of all blocks of a file.

    Faults of single cells are noted: amounts that are none, and lists where there is one object.
    """
    turn = _with_comma if decimal_comma else float
    codes = {"objects": Codes()}
    for meaning in columns.places:
        if meaning in _WORDS:
            codes[meaning] = Codes()
    gathered = {meaning: [] for meaning in columns.places}
    all_lines, all_good = [], []
    for lines, texts in blocks:
        good = np.ones(len(lines), dtype=bool)
        for meaning in columns.places:
            block = _block(meaning, columns, texts, codes, turn, lines, good, faults)
            gathered[meaning].append(block)
        all_lines.append(lines.astype(np.int64, copy=False))
        all_good.append(good)
    if not all_lines:
        if faults.n:
            faults.finish(faults.n)
        raise faults.error("a header and no answers")
    joined = {meaning: _join(gathered.pop(meaning)) for meaning in columns.places}
    return Cells(np.concatenate(all_lines), joined, codes, np.concatenate(all_good))


def _join(blocks):
    if isinstance(blocks[0], Lists):
        return Lists(
            *(np.concatenate([getattr(b, name) for b in blocks]) for name in ("entries", "sizes"))
        )
    return np.concatenate(blocks)


def _block(meaning, columns, texts, codes, turn, lines, good, faults):
    some = [texts[place] for place in columns.places[meaning]]
    if any(column is None for column in some):
        raise faults.error(f"column {meaning} holds neither numbers nor text")
    if not columns.is_list(meaning):
        column = _single(meaning, some[0], lines, good, faults)
        if meaning in _AMOUNTS:
            return _amounts(meaning, column, turn, lines, good, faults)
        return codes.get(meaning, codes["objects"]).encode(column, len(lines))
    if columns.in_one_cell(meaning):
        rows = [_split(cell) for cell in some[0]]
        sizes = np.fromiter(map(len, rows), dtype=np.int32, count=len(rows))
        return Lists(codes["objects"].encode(chain.from_iterable(rows), int(sizes.sum())), sizes)
    some = [_single(meaning, column, lines, good, faults) for column in some]
    table = np.stack([codes["objects"].encode(column, len(lines)) for column in some], axis=1)
    return _shortened(meaning, table, codes["objects"], lines, good, faults)


def _single(meaning, column, lines, good, faults):
    """Return a column without lists; those of JSON and Parquet are noted as faults."""
    if list not in set(map(type, column)):
        return column
    several = np.array([isinstance(cell, list) for cell in column])
    faults.add_where(
        several & good, lines, lambda row: f"{meaning}: a list where one value is expected"
    )
    good &= ~several
    return ["" if isinstance(cell, list) else cell for cell in column]


def _split(cell):
    if isinstance(cell, list):
        return cell
    return cell.split(SEPARATOR) if cell.strip() else []


def _shortened(meaning, table, codes, lines, good, faults):
    """Return numbered columns as lists, which end where the cells are empty."""
    missing = np.isin(table, [codes[value] for value in MISSING])
    gap = (missing[:, :-1] & ~missing[:, 1:]).any(axis=1)
    faults.add_where(
        gap & good, lines, lambda row: f"{meaning}: an empty cell before others that are not"
    )
    good &= ~gap
    return Lists(table[~missing], (~missing).sum(axis=1).astype(np.int32))


def _amounts(meaning, column, turn, lines, good, faults):
    """Return a column of finite numbers that are not negative; a time may be empty."""
    try:
        amounts = np.fromiter(map(turn, column), dtype=float, count=len(lines))
    except ValueError:
        amounts = np.array([_or_nan(turn, text) for text in column])
    bad = ~(np.isfinite(amounts) & (amounts >= 0))
    if meaning == "time":
        bad &= np.array([cell.strip() not in MISSING for cell in column])
    faults.add_where(
        bad & good,
        lines,
        lambda row: (
            f"{meaning}: {shown(column[row])} is no number from 0"
            + (" of seconds" if meaning == "time" else "")
        ),
    )
    good &= ~bad
    return np.where(bad, np.nan, amounts)


def _with_comma(text):
    return float(text.replace(",", "."))


def _or_nan(turn, text):
    try:
        return turn(text)
    except ValueError:
        return np.nan


def whole_number(text):
    """Return the whole number from 0 that a text stands for, written out; None if it is none.

    ``3.0`` and ``3e0`` are 3, as spreadsheets write it, and ``007`` is kept as it is.

    Examples
    --------
    >>> whole_number("3.0"), whole_number("12345678901234567"), whole_number("007")
    ('3', '12345678901234567', '007')
    >>> whole_number("3.5"), whole_number("-1"), whole_number("x")
    (None, None, None)
    """
    if _WHOLE.fullmatch(text):
        return text
    if not NUMBER.fullmatch(text):
        return None
    number = float(text)
    if number < 0 or number > LARGEST_EXACT_FLOAT or number != int(number):
        return None
    return str(int(number))


def name_objects(cells, hold_ids, others=()):
    """Return the objects' names, the number of each text's object, and why others are none.

    Parameters
    ----------
    cells : Cells
    hold_ids : bool
        Whether every object must be a whole number from 0, by which they are then sorted; else it
        may be any text.
    others : set of int
        Texts that may stand where an object does, and are none.

    Returns
    -------
    names : list of str
    number : ndarray of int32
        For each text the number of its object, -1 if it is none.
    reasons : dict of int to str
        Why a text is no object.
    """
    texts = cells.codes["objects"].values
    written, reasons = {}, {}
    for code, text in enumerate(texts):
        if code in others:
            continue
        name = whole_number(text) if hold_ids else text
        if text in MISSING:
            reasons[code] = f"{shown(text)} is a missing value"
        elif name is not None and (why := refusal(name)) is None:
            written[code] = name
        else:
            reasons[code] = f"{shown(text)} " + (
                "is no object id; most cells of the file hold ids, whole numbers from 0"
                if name is None
                else why
            )
    names = sorted(
        set(written.values()), key=(lambda name: (int(name), name)) if hold_ids else None
    )
    place = {name: number for number, name in enumerate(names)}
    number = np.full(len(texts), -1, dtype=np.int32)
    number[list(written)] = [place[name] for name in written.values()]
    return names, number, reasons


def holds_ids(cells, but_row=None):
    """Whether most cells that hold an object hold a number; a row may be left out of account."""
    texts = cells.codes["objects"].values
    count = np.zeros(len(texts), dtype=np.int64)
    for column in cells.objects().values():
        entries = column.entries if isinstance(column, Lists) else column
        count += np.bincount(entries, minlength=len(texts))
        if but_row is not None:
            count[entries[but_row]] -= 1
    count[[text in MISSING for text in texts]] = 0
    is_number = np.array([NUMBER.fullmatch(text) is not None for text in texts], dtype=bool)
    return 2 * count[is_number].sum() > count.sum()


def refusal(name):
    """Return why a text can't be a name, or None if it can."""
    if len(name) > _LONGEST_NAME:
        return f"is longer than {_LONGEST_NAME:,} characters"
    try:
        name.encode()
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate)"
    return None
