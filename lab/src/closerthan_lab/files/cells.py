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
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

from closerthan._core.shown import shown
from closerthan.comparisons.forms.checks import PAD
from closerthan_lab.files.faults import Faults
from closerthan_lab.files.spreadsheets import NUMBER, unescape_formula

BLOCK = 2**15  # rows
FEW = 50  # different cells of a column that is asked about
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


def coded(cells: Any, numbers: Any = slice(None)) -> pd.Categorical:
    """Return texts as categories; `numbers` chooses the text of each row."""
    codes, texts = pd.factorize(np.asarray(cells, dtype=object))
    return pd.Categorical.from_codes(codes[numbers], pd.Index(texts, dtype=object))


def of_any(cells: Any) -> Any:
    """Return cells as categories of texts; as they are if some are lists."""
    cells = list(map(text_of, cells))
    return cells if any(isinstance(cell, list | dict) for cell in cells) else coded(cells)


def text_of(value: Any) -> Any:
    """Return a value as text or a list of texts; nothing if it is missing."""
    if isinstance(value, str | dict):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return list(map(text_of, value))
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # workbooks keep whole numbers like others
    return "" if pd.isna(value) else str(value)


def joined(blocks: Any, wanted: Any) -> tuple[pd.DataFrame, list]:
    """Return the rows of all blocks as one table, and the lines of copies of earlier rows.

    A column that is not wanted is left out if it has many different cells.
    """
    parts, rows = [], []
    for frame in blocks:
        row, names = np.zeros(len(frame), dtype=np.uint64), []
        for name in frame:
            cells, numbers = factorized(frame[name])
            texts = np.array(list(map(repr, cells)), dtype=object)  # also of half characters
            row = row * np.uint64(1_000_003) + pd.util.hash_array(texts, categorize=False)[numbers]
            names += [name] if name in wanted or len(cells) <= FEW else []
        parts.append(frame[names])
        rows.append(row)
    if not parts:
        return pd.DataFrame({place: coded([]) for place in wanted}), []
    names = [name for name in parts[0] if all(name in part for part in parts)]
    index = pd.Index(np.concatenate([part.index for part in parts]))
    frame = pd.DataFrame({name: _all([part[name] for part in parts]) for name in names}, index)
    return frame, index[pd.Series(np.concatenate(rows)).duplicated()].tolist()


def _all(parts):
    if all(isinstance(part.dtype, pd.CategoricalDtype) for part in parts):
        return union_categoricals(parts)
    return np.concatenate(parts)


def factorized(column: pd.Series) -> tuple[list, np.ndarray]:
    """Return the different cells of a column, and for each row the number of its cell."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.categories.tolist(), column.cat.codes.to_numpy()
    return column.tolist(), np.arange(len(column))


def texts_of(column: pd.Series) -> list:
    """Return the different texts of a column that stand for something, as they come."""
    texts = dict.fromkeys(str(cell).strip() for cell in factorized(column)[0])
    return [text for text in texts if text not in MISSING]


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

    def number(self, meaning, text):
        """Return the number of a text; a new one if it is new."""
        known = self.known.get(meaning, self.known["objects"])
        return known.setdefault(unescape_formula(text.strip()), len(known))

    def numbers(self, meaning, column):
        """Return the numbers of the texts of a column."""
        return mapped(column, partial(self.number, meaning), np.int32)

    def refuse(self, bad, describe):
        """Note rows where `bad` holds, unless they have a fault already; `describe` says why."""
        self.faults.add_where(bad & self.good, self.lines, describe)
        self.good &= ~bad

    def refuse_texts(self, meaning, bad, why):
        """Note rows in which a column, or a list, has a bad text; `why` is for all, or by text."""
        texts, bad = self.texts(meaning), bad.reshape(len(bad), -1)
        codes = self.columns[meaning].reshape(bad.shape)

        def describe(row):
            code = codes[row, bad[row].argmax()]
            return f"{meaning}: {shown(texts[code])} {why[code] if isinstance(why, dict) else why}"

        self.refuse(bad.any(axis=1), describe)

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
        """Return the array of the values of a function of a column's texts, "" for `PAD`."""
        values = [function(text) for text in (*self.texts(meaning), "")]
        return np.array(values, dtype)[self.columns[meaning]]


def gather_cells(frame, columns, faults, decimal_comma=False):
    """Return the cells of the rows of a file, and note the faults of single cells."""
    if not len(frame):
        faults.finish(faults.n)
        raise faults.error("a header without answers; give at least one answer")
    of_objects = columns.names_pairs or "candidates" in columns
    texts = _TEXTS - ({"best", "worst"} if of_objects else set())
    known = {name: {} for name in ("objects", *texts.intersection(columns.places))}
    cells = Cells(frame.index.to_numpy(), faults, known, {}, np.ones(len(frame), dtype=bool))
    for meaning, places in columns.places.items():
        own = [frame[place] for place in places]
        if columns.is_list(meaning) and columns.in_one_cell(meaning):
            cells.columns[meaning] = _of_lists(meaning, own[0], cells)
            continue
        own = [_without_lists(meaning, column, cells) for column in own]
        if meaning in _AMOUNTS:
            cells.columns[meaning] = _amounts(meaning, own[0], decimal_comma, cells)
        elif columns.is_list(meaning):
            cells.columns[meaning] = _side_by_side(meaning, own, cells)
        else:
            cells.columns[meaning] = cells.numbers(meaning, own[0])
    return cells


def _of_lists(meaning, column, block):
    """Return lists as rows of a table, filled up at their ends; too long ones are faults."""
    cells, numbers = factorized(column)
    if meaning not in _PICKED or block.separator is None:  # its options stand before it
        block.separator = _find_separator(cells)
    lists = [_split(cell, block.separator) for cell in cells]
    if meaning != "chosen":  # a choice may be of one object
        alone = np.array([len(some) == 1 and some[0].strip() not in MISSING for some in lists])
        why = "is one object; write | between the objects of a list"
        block.refuse(alone[numbers], lambda row: f"{meaning}: {shown(cells[numbers[row]])} {why}")
    sizes = np.array(list(map(len, lists)))
    why = f"objects on one screen; at most {_LONGEST_LIST:,}"
    too_long = (sizes > _LONGEST_LIST)[numbers]
    block.refuse(too_long, lambda row: f"{sizes[numbers[row]]:,} {why}")
    width = min(max(int(sizes.max()), 1), _LONGEST_LIST)
    if width * len(numbers) > _MOST_PLACES:
        raise block.faults.error(f"{len(numbers):,} lists of {width:,} objects are too many")
    table = np.full((len(lists), width), PAD, np.int32)
    for row, some in enumerate(lists):
        table[row, : len(some)] = [block.number(meaning, text) for text in some][:width]
    return table[numbers]


def _side_by_side(meaning, own, block):
    """Return columns of one list as a table; empty cells may only end a row."""
    table = np.stack([block.numbers(meaning, column) for column in own], axis=1)
    missing = np.isin(table, [block.number(meaning, text) for text in MISSING])
    gap = (missing[:, :-1] & ~missing[:, 1:]).any(axis=1)
    block.refuse(gap, lambda row: f"{meaning}: an empty cell before others that are not")
    table = np.take_along_axis(table, np.argsort(missing, axis=1, kind="stable"), axis=1)
    table[np.arange(table.shape[1]) >= (~missing).sum(axis=1)[:, None]] = PAD
    return table


def _without_lists(meaning, column, block):
    """Return a column without lists and objects of JSON and Parquet; they are faults here."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    several = mapped(column, lambda cell: isinstance(cell, list | dict), bool)
    block.refuse(several, lambda row: f"{meaning}: a list or an object where one value is expected")
    return column.mask(several, "")


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
    return entries if entries is not None else cell.split(separator) if cell.strip() else []


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
    if meaning == "time":  # an unknown one is no fault of the answer
        unknown = (amounts < 0) | mapped(column, lambda text: text.strip() in MISSING, bool)
        for row in np.flatnonzero(bad & ~unknown)[:1]:
            end = "is not a number of seconds; columns={'time': None} ignores this column"
            raise block.faults.error(f"time: {shown(column.iloc[row])} {end}", block.lines[row])
    else:
        why = "is not a number from 0"
        block.refuse(bad, lambda row: f"{meaning}: {shown(column.iloc[row])} {why}")
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


def place_objects(cells, others=()):
    """Replace the numbers of texts by those of objects, and note rows with texts that are none.

    Return the sorted names of the objects, and whether they are ids. `others` are numbers of texts
    that stand in place of an object and are none. Such a text gets -1.
    """
    texts = cells.texts("objects")
    hold_ids, as_name = _kind_of_names(cells, texts)
    written = {code: as_name(text) for code, text in enumerate(texts) if code not in others}
    reasons = {code: _no_object(texts[code], name) for code, name in written.items()}
    reasons = {code: why for code, why in reasons.items() if why}
    names = {name for code, name in written.items() if code not in reasons}
    names = sorted(names, key=None if as_name is str else _value)
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([place.get(written.get(code), -1) for code in range(len(texts))], np.int32)
    is_none = np.array([code in reasons for code in range(len(texts))])
    for meaning, column in cells.objects().items():
        cells.refuse_texts(meaning, is_none[column] & (column != PAD), reasons)
        cells.columns[meaning] = np.where(column == PAD, PAD, numbers[column])
    return names, hold_ids


def _kind_of_names(cells, texts):
    """Return whether most cells with objects are ids, and the function that names a text.

    Two numbers with a fraction are not ids but names, as in difference scaling.
    """
    count = np.zeros(len(texts), dtype=np.int64)
    for column in cells.objects().values():
        count += np.bincount(column[column != PAD], minlength=len(texts))
    count[[text in MISSING for text in texts]] = 0
    is_number = np.array([NUMBER.fullmatch(text) is not None for text in texts], dtype=bool)
    if 2 * count[is_number].sum() <= count.sum():
        return False, str
    used = [text for text, n in zip(texts, count, strict=True) if n]
    are_numbers = is_number[count > 0].all() and sum(float(text) % 1 > 0 for text in used) > 1
    return not are_numbers, number_name if are_numbers else whole_number


def _value(name):
    return int(name) if name.isdecimal() else float(name), name


def _no_object(text, name):
    """Return why a text is no object, or None."""
    if text in MISSING:
        end = "" if text in ("", "nan", "NaN") else "; rename it if it is an object"
        return f"is a missing value{end}"
    return refusal(name)


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
