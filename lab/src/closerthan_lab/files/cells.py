"""The table that each format is read to: a DataFrame with categories; and what its cells say.

A reader yields the names of the columns, then tables of some rows. The index has the lines where
rows begin, and the columns have numbers as names. Cells are texts, kept once each (categories), or
objects if some are lists. `gather_cells` turns texts to numbers by what the columns mean, so that
millions of rows need little memory.
"""

import ast
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.shown import shown
from closerthan.comparisons.forms.checks import PAD
from closerthan_lab.files.faults import Faults
from closerthan_lab.files.spreadsheets import NUMBER, unescape_formula

BLOCK = 2**15  # rows
ROW = "row"  # the name of a column beside the numbered ones
# What programs write where nothing is known: R, pandas, Python, JavaScript, spreadsheets.
MISSING = {"", "nan", "NaN", "NA", "N/A", "#N/A", "<NA>", "null", "NULL", "None", "undefined"}
_LONGEST_NAME = 1000
_LONGEST_LIST = 1000
_MOST_PLACES = 5 * 10**8  # in the lists of a file, if all were as long as the longest
_WHOLE = re.compile(r"\d{1,18}", re.ASCII)
_TEXTS = {"response", "best", "worst", "top", "ranks", "votes", "votes_first", "votes_second"}
_TEXTS |= {"votes_neither", "participant", "screen", "kind", "correct"}
_AMOUNTS = {"time", "weight"}
_LARGEST_EXACT_FLOAT = 2**53
_PICKED = {"chosen", "best", "worst"}  # of lists


def frame_of(rows: list, lines: Any) -> pd.DataFrame:
    """Return a table of texts from rows, which all have as many cells."""
    columns = zip(*rows, strict=True)
    return pd.DataFrame({place: coded(cells) for place, cells in enumerate(columns)}, lines)


def with_row(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with a column `ROW`: a number of each row, equal for equal rows."""
    row = np.zeros(len(frame), dtype=np.uint64)
    for place in frame:
        cells, numbers = factorized(frame[place])
        texts = np.array(list(map(repr, cells)), dtype=object)  # also of half characters
        row = row * np.uint64(1_000_003) + pd.util.hash_array(texts, categorize=False)[numbers]
    return frame.assign(**{ROW: row})


def coded(cells: Any, numbers: Any = slice(None)) -> pd.Categorical:
    """Return texts as categories; `numbers` chooses the text of each row."""
    codes, texts = pd.factorize(np.asarray(cells, dtype=object))
    return pd.Categorical.from_codes(codes[numbers], pd.Index(texts, dtype=object))


def joined(blocks: Any, places: list) -> pd.DataFrame:
    """Return the columns of all blocks in these places as one table.

    The texts of each block are freed at once, because its own ones would hold much memory.
    """
    lines = [pd.Index([], dtype=int)]
    parts: dict[Any, list] = {place: [] for place in places}
    texts: dict[Any, dict] = {place: {} for place in places}
    for frame in blocks:
        lines.append(frame.index)
        for place, known in texts.items():
            part = frame[place]
            if isinstance(part.dtype, pd.CategoricalDtype):
                part = mapped(part, lambda text, n=known: n.setdefault(text, len(n)), np.int32)
            parts[place].append(part)
    index = pd.Index(np.concatenate(lines))
    whole = {place: np.concatenate(some or [[]]) for place, some in parts.items()}
    for place, column in whole.items():
        if texts[place]:
            column = pd.Categorical.from_codes(column, pd.Index(texts[place], dtype=object))
        whole[place] = pd.Series(column, index, column.dtype)
    return pd.DataFrame(whole, index)


def factorized(column: pd.Series) -> tuple[list, np.ndarray]:
    """Return the different cells of a column, and for each row the number of its cell.

    A cell that is missing is empty. Each cell is its own if some are lists.
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        cells, numbers = column.cat.categories.tolist(), column.cat.codes.to_numpy()
    else:
        cells = column.tolist()
        if any(isinstance(cell, list | dict) for cell in cells):
            return cells, np.arange(len(cells))
        numbers, cells = pd.factorize(np.asarray(cells, dtype=object))
        cells = list(cells)
    if len(numbers) and numbers.min() < 0:
        numbers = np.where(numbers < 0, len(cells), numbers)
        cells.append("")
    return cells, numbers


def mapped(column: pd.Series, function: Callable, dtype: Any = None) -> np.ndarray:
    """Return the array of the values of a function for each row."""
    cells, numbers = factorized(column)
    return np.array([function(cell) for cell in cells], dtype)[numbers]


@dataclass
class Cells:
    """Hold what rows of a file say, by meaning, and which rows have no fault so far.

    `columns` are arrays of the numbers of texts. A column of lists has a row for each list, filled
    up with -1. Time and weight are amounts instead, NaN if missing. `known` numbers the texts of a
    column, in the order in which they come; those of all objects are under "objects".
    """

    lines: np.ndarray
    faults: Faults
    known: dict
    columns: dict
    good: np.ndarray
    separator: str | None = None

    def refuse(self, bad, describe):
        """Note rows where `bad` holds, unless they have a fault already; `describe` says why."""
        self.faults.add_where(bad & self.good, self.lines, describe)
        self.good &= ~bad

    def take(self, rows):
        """Return some rows."""
        columns = {meaning: column[rows] for meaning, column in self.columns.items()}
        return Cells(self.lines[rows], self.faults, self.known, columns, self.good[rows])

    def good_ones(self):
        """Return the rows without a fault."""
        return self if self.good.all() else self.take(np.flatnonzero(self.good))

    def objects(self):
        """Return the columns that hold objects."""
        others = self.known.keys() - {"objects"} | _AMOUNTS
        return {name: cells for name, cells in self.columns.items() if name not in others}

    def texts(self, meaning):
        """Return the different texts that a column can hold, by their numbers."""
        return list(self.known.get(meaning, self.known["objects"]))

    def used(self, meaning):
        """Return the different texts that a column holds."""
        texts = self.texts(meaning)
        return {texts[number] for number in np.unique(self.columns[meaning]) if number != PAD}

    def value(self, meaning, function, dtype=None):
        """Return the array of the values of a function of a column's texts."""
        values = [function(text) for text in self.texts(meaning)] or [function("")]
        return np.array(values, dtype)[self.columns[meaning]]


def gather_cells(frame, columns, faults, decimal_comma=False):
    """Return the cells of the rows of a file, and note the faults of single cells."""
    if not len(frame):
        if faults.n:
            faults.finish(faults.n)
        raise faults.error("a header without answers; give at least one answer")
    texts = _TEXTS - (
        {"best", "worst"} if columns.names_pairs or "candidates" in columns else set()
    )
    known = {name: {} for name in ("objects", *texts.intersection(columns.places))}
    cells = Cells(frame.index.to_numpy(), faults, known, {}, np.ones(len(frame), dtype=bool))
    for meaning, places in columns.places.items():
        own = [frame[place] for place in places]
        cells.columns[meaning] = _column(meaning, columns, own, cells, decimal_comma)
    return cells


def _column(meaning, columns, own, block, decimal_comma):
    """Return the numbers of the texts in the columns of one meaning."""
    if any(column.isna().all() for column in own):
        raise block.faults.error(f"column {meaning} holds neither numbers nor text")
    known = block.known.get(meaning, block.known["objects"])

    def number(text):
        return known.setdefault(unescape_formula(text.strip()), len(known))

    if columns.is_list(meaning) and columns.in_one_cell(meaning):
        cells, numbers = factorized(own[0])
        if meaning not in _PICKED or block.separator is None:  # its options stand before it
            block.separator = _find_separator(cells)
        lists = [_split(cell, block.separator) for cell in cells]
        if meaning != "chosen":  # a choice may be of one object
            alone = np.array([len(some) == 1 and some[0].strip() not in MISSING for some in lists])
            block.refuse(
                alone[numbers],
                lambda row: (
                    f"{meaning}: {shown(cells[numbers[row]])} is one object; write | between the "
                    "objects of a list"
                ),
            )
        return _of_lists([list(map(number, some)) for some in lists], numbers, block)
    own = [_without_lists(meaning, column, block) for column in own]
    if meaning in _AMOUNTS:
        return _amounts(meaning, own[0], decimal_comma, block)
    table = np.stack([mapped(column, number, np.int32) for column in own], axis=1)
    if not columns.is_list(meaning):
        return table[:, 0]
    missing = np.isin(table, [known[text] for text in MISSING & known.keys()])
    gap = (missing[:, :-1] & ~missing[:, 1:]).any(axis=1)
    block.refuse(gap, lambda row: f"{meaning}: an empty cell before others that are not")
    sizes = (~missing).sum(axis=1)
    in_order = np.argsort(missing, axis=1, kind="stable")
    table = np.take_along_axis(table, in_order, axis=1)
    table[np.arange(table.shape[1]) >= sizes[:, None]] = PAD
    return table


def _of_lists(lists, numbers, block):
    """Return lists as rows of a table, filled up at their ends; too long ones are faults."""
    sizes = np.array(list(map(len, lists)))
    block.refuse(
        (sizes > _LONGEST_LIST)[numbers],
        lambda row: (
            f"{sizes[numbers[row]]:,} objects on one screen; at most {_LONGEST_LIST:,} can be read"
        ),
    )
    width = min(max(int(sizes.max()), 1), _LONGEST_LIST)
    if width * len(numbers) > _MOST_PLACES:
        raise block.faults.error(
            f"lists of {width:,} objects in {len(numbers):,} rows are too many to read"
        )
    table = np.full((len(lists), width), PAD, np.int32)
    for row, codes in enumerate(lists):
        table[row, : len(codes)] = codes[:width]
    return table[numbers]


def _without_lists(meaning, column, block):
    """Return a column without lists and objects of JSON and Parquet; they are faults here."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    for kind, what in ((list, "a list"), (dict, "an object in an object")):
        several = mapped(column, lambda cell, kind=kind: isinstance(cell, kind), bool)
        block.refuse(
            several, lambda row, what=what: f"{meaning}: {what} where one value is expected"
        )
    return column.where(mapped(column, lambda cell: isinstance(cell, str), bool), "")


def _find_separator(cells):
    """Return what stands between the objects of lists, each in one cell.

    Commas and semicolons may be part of names. They separate objects if all cells have them and no
    cell has a better one, because one object is no list.
    """
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip() not in MISSING]
    if any("|" in text for text in texts):
        return "|"
    return next((mark for mark in ";," if texts and all(mark in text for text in texts)), "|")


def _split(cell, separator):
    if isinstance(cell, dict):
        return [""]
    entries = as_list(cell)
    if entries is not None:
        return entries
    return cell.split(separator) if cell.strip() else []


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
    for read in (json.loads, ast.literal_eval):
        try:
            return [str(entry) for entry in read(cell.strip())]
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _amounts(meaning, column, decimal_comma, block):
    """Return a column of finite numbers from 0; a time may be unknown: missing or negative."""
    amounts = mapped(column, lambda text: as_float(text, decimal_comma), float)
    bad = ~(np.isfinite(amounts) & (amounts >= 0))
    if meaning == "time":
        unknown = (amounts < 0) | mapped(column, lambda text: text.strip() in MISSING, bool)
        wrong = np.flatnonzero(bad & ~unknown)
        if len(wrong):  # the answer is valid, so this is no fault of its row
            raise block.faults.error(
                f"time: {shown(column.iloc[wrong[0]])} is not a number of seconds; "
                "columns={'time': None} ignores this column",
                block.lines[wrong[0]],
            )
    else:
        block.refuse(
            bad, lambda row: f"{meaning}: {shown(column.iloc[row])} is not a number from 0"
        )
    return np.where(bad, np.nan, amounts)


def as_float(text, decimal_comma=False):
    """Return the number that a text is, or NaN."""
    try:
        return float(text.replace(",", ".") if decimal_comma else text)
    except ValueError:
        return np.nan


def whole_number(text):
    """Return the whole number from 0 that a text stands for, as text; None if it is not one.

    ``3.0`` and ``3e0`` become 3, because spreadsheets write so; ``007`` stays as it is.

    Examples
    --------
    >>> [whole_number(text) for text in ("3.0", "12345678901234567", "007", "3.5", "-1", "x")]
    ['3', '12345678901234567', '007', None, None, None]
    """
    if _WHOLE.fullmatch(text):
        return text
    if not NUMBER.fullmatch(text):
        return None
    number = float(text)
    if number < 0 or number > _LARGEST_EXACT_FLOAT or number != int(number):
        return None
    return str(int(number))


def number_name(text):
    """Return a number as Python writes it, without the end of a whole one; None if it is none."""
    return repr(float(text)).removesuffix(".0") if NUMBER.fullmatch(text) else None


def holds_numbers(cells):
    """Tell whether objects are numbers as in difference scaling: two or more with a fraction."""
    used = set().union(*(cells.used(name) for name in cells.objects())) - MISSING
    parts = {text for text in used if NUMBER.fullmatch(text) and float(text) % 1}
    return len(parts) > 1 and all(map(NUMBER.fullmatch, used))


def name_objects(cells, as_name=None, others=()):
    """Return the sorted names of objects, the number of each text's object, and reasons.

    `as_name` turns texts to numbers, which are sorted as such, and others to None.
    `others` are codes of texts that stand in place of an object and are none. Their number is -1,
    and so is the number of texts that cannot be an object. `reasons`, by code, says why not.
    """
    texts = cells.texts("objects")
    written, reasons = {}, {}
    for code, text in enumerate(texts):
        if code in others:
            continue
        name = as_name(text) if as_name else text
        why = refusal(name)
        if text in MISSING:
            end = "" if text in ("", "nan", "NaN") else "; rename it if it is an object"
            reasons[code] = f"{shown(text)} is a missing value{end}"
        elif why is not None:
            reasons[code] = f"{shown(text)} {why}"
        else:
            written[code] = name

    def value(name):
        return int(name) if name.isdecimal() else float(name), name

    names = sorted(set(written.values()), key=value if as_name else None)
    place = {name: number for number, name in enumerate(names)}
    number = np.full(len(texts), -1, dtype=np.int32)
    number[list(written)] = [place[name] for name in written.values()]
    return names, number, reasons


def holds_ids(cells):
    """Tell whether most cells with objects hold numbers."""
    texts = cells.texts("objects")
    count = np.zeros(len(texts), dtype=np.int64)
    for column in cells.objects().values():
        count += np.bincount(column[column != PAD], minlength=len(texts))
    count[[text in MISSING for text in texts]] = 0
    is_number = np.array([NUMBER.fullmatch(text) is not None for text in texts], dtype=bool)
    return 2 * count[is_number].sum() > count.sum()


def refusal(name):
    """Return why a text can't be a name, or None if it can; None stands for a text without id."""
    if name is None:
        return "is not an object id; most cells of the file hold ids, whole numbers from 0"
    if len(name) > _LONGEST_NAME:
        return f"is longer than {_LONGEST_NAME:,} characters"
    if "\0" in name:
        return "holds a zero byte"
    try:
        name.encode()
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate)"
    return None
