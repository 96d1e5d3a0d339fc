"""Comparisons from and to CSV files of ids or names."""

import csv
import gzip
import io
import re
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.typing import StrPath
from closerthan.files.writing import replacing

from .check import check_comparisons, find_fault

HEADERS = {3: ["anchor", "near", "far"], 4: ["near_1", "near_2", "far_1", "far_2"]}
DELIMITERS = "\t;,"
MISSING = {"", "nan", "NaN"}
NO_VALUE = "is a missing value; every cell must hold an id or a name"
NO_ID = "is no object id; most cells of the file hold ids, whole numbers from 0"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def read_csv(
    path: StrPath, *, n_objects: int | None = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Read triplets (three columns) or quadruplets (four columns) from a text file.

    The columns are those of the arrays: (i, j, k), i is closer to j than to k; (i, j, l, k),
    d(i, j) < d(l, k). They are separated by commas, semicolons, tabs or blanks, and hold ids from 0
    or names: ids if most cells are numbers. Blanks around a cell do not count. UTF-8, with or
    without a byte-order mark; a file that ends in ``.gz`` is decompressed.

    A first row of words above rows of ids is a header. So is the one that :func:`write_csv` writes.
    Above rows of names any other header would look like a comparison; a first row whose names occur
    nowhere else is refused for that reason.

    Parameters
    ----------
    path : str or path-like
    n_objects : int, default=None
        The number of objects; ids must be smaller, and there must not be more names.

    Returns
    -------
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4), int64
    names : ndarray of str, or None
        The names in sorted order, which the ids index; None if the file holds ids.

    Raises
    ------
    ValueError
        For an empty file or one that is no text, a row with another number of columns, a missing
        value, and whatever :func:`check_comparisons` refuses. The message names the file, the line
        (from 1) and the value.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "cities.csv")
    >>> _ = path.write_text("anchor,near,far\\nParis,Lyon,Rome\\nRome,Lyon,Paris\\n")
    >>> comparisons, names = read_csv(path)
    >>> comparisons
    array([[1, 0, 2],
           [2, 0, 1]])
    >>> names
    array(['Lyon', 'Paris', 'Rome'], dtype='<U5')
    """
    table = _read_table(Path(path))
    table.refuse(table.where(MISSING.__contains__), NO_VALUE)
    table, holds_ids = _drop_header(table)
    if holds_ids:
        table.refuse(~table.where(NUMBER.fullmatch), NO_ID)
        ids, names = np.array([float(value) for value in table.values])[table.cells], None
    else:
        ids, names = table.cells, np.array(table.values)
        if n_objects is not None and len(names) > n_objects:
            raise ValueError(f"{path}: {len(names)} names; allowed are n_objects={n_objects}")
    fault = find_fault(ids, n_objects, names)
    if fault is not None:
        row, message = fault
        raise ValueError(f"{path}, line {table.lines[row]}: {message}")
    return np.ascontiguousarray(ids, dtype=np.int64), names


def write_csv(path: StrPath, comparisons: ArrayLike, names: Sequence[str] | None = None) -> None:
    """Write triplets or quadruplets to a CSV file, which :func:`read_csv` reads back.

    The header is ``anchor,near,far`` for triplets and ``near_1,near_2,far_1,far_2`` for
    quadruplets. The file is written beside its target and renamed, so that it is complete if it is
    there. A path that ends in ``.gz`` is compressed. The same input gives the same bytes.

    Parameters
    ----------
    path : str or path-like
    comparisons : array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
    names : sequence of str, default=None
        What to write for the ids: ``names[id]``. Sorted names that all occur are read back with the
        same ids; otherwise the same comparisons come back with ids that count the sorted names.

    Raises
    ------
    ValueError
        As :func:`check_comparisons`, and for names that could not be read back: empty, twice the
        same, with blanks at an end, ``nan``, or mostly numbers.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "triplets.csv")
    >>> write_csv(path, [[0, 1, 2]])
    >>> print(path.read_text())
    anchor,near,far
    0,1,2
    """
    path = Path(path)
    comparisons = check_comparisons(comparisons, None if names is None else len(names))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADERS[comparisons.shape[1]])
    if names is None:
        writer.writerows(comparisons.tolist())
    else:
        names = _check_names(names, comparisons)
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerows(names[comparisons].tolist())
    content = text.getvalue().encode()
    with replacing(path) as partial:
        partial.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def _check_names(names, comparisons):
    names = np.array([str(name) for name in names], dtype=object)
    seen = {}
    for row, name in enumerate(names):
        if name != name.strip() or name in MISSING or "\0" in name:
            raise ValueError(
                f"names, row {row}: {name!r}; a name may not be empty or nan, nor have blanks at "
                "its ends"
            )
        if seen.setdefault(name, row) != row:
            raise ValueError(f"names, row {row}: {name!r} is in row {seen[name]} too")
    is_number = np.array([NUMBER.fullmatch(name) is not None for name in names])
    if is_number[comparisons].mean() > 0.5:
        row = is_number.argmax()
        raise ValueError(
            f"names, row {row}: {names[row]!r}; most of these names are numbers, so they would be "
            "read back as ids"
        )
    return names


@dataclass
class _Table:
    """The cells of a file, as indices into its distinct values, which are sorted."""

    path: Path
    values: list
    cells: np.ndarray
    lines: np.ndarray

    def __post_init__(self):
        used, cells = np.unique(self.cells, return_inverse=True)
        order = sorted(range(len(used)), key=lambda index: self.values[used[index]])
        self.values = [self.values[used[index]] for index in order]
        self.cells = np.argsort(order)[cells.reshape(self.cells.shape)]

    def where(self, predicate):
        """Return for each cell whether its value fulfills the predicate."""
        return np.array([bool(predicate(value)) for value in self.values])[self.cells]

    def row(self, row):
        return [self.values[code] for code in self.cells[row]]

    def refuse(self, bad, reason):
        """Raise for the first bad cell, if there is one."""
        if bad.any():
            row, column = np.argwhere(bad)[0]
            raise ValueError(
                f"{self.path}, line {self.lines[row]}: {self.row(row)[column]!r} {reason}"
            )


def _drop_header(table):
    """Return the table without its header, and whether it holds ids, not names."""
    is_number = table.where(NUMBER.fullmatch)
    first, rest = table.row(0), table.cells[1:]
    # A word among ids is an error, a number among names ("311") is a name: the majority decides.
    holds_ids = is_number[min(1, len(rest)) :].mean() > 0.5
    words_above_ids = holds_ids and len(rest) and not is_number[0].any()
    if words_above_ids or [word.lower() for word in first] == HEADERS[len(first)]:
        if len(rest) == 0:
            raise ValueError(f"{table.path}: a header and no comparisons")
        return _Table(table.path, table.values, rest, table.lines[1:]), holds_ids
    if not holds_ids and not np.isin(table.cells[0], rest).any():
        raise ValueError(
            f"{table.path}, line {table.lines[0]}: {first} occur nowhere else and may be a header; "
            f"write {','.join(HEADERS[len(first)])} above the names"
        )
    return table, holds_ids


def _read_table(path):
    codes, cells, lines = {}, array("q"), array("q")
    width = None
    for line, row in _rows(_read_text(path), path):
        width = width or len(row)
        if len(row) != width or width not in HEADERS:
            expected = "3 or 4 are needed" if width not in HEADERS else f"the first row has {width}"
            raise ValueError(f"{path}, line {line}: {len(row)} columns, {row}; {expected}")
        lines.append(line)
        cells.extend(codes.setdefault(value.strip(), len(codes)) for value in row)
    if width is None:
        raise ValueError(f"{path}: empty; at least one comparison is needed")
    return _Table(path, list(codes), np.asarray(cells).reshape(-1, width), np.asarray(lines))


def _read_text(path):
    try:
        content = path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
        text = content.decode("utf-8-sig")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: no complete gzip file ({error})") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text, byte {error.start} ({error.reason})") from None
    if "\0" in text:
        raise ValueError(f"{path}: not a text file, it holds a zero byte")
    return text


def _rows(text, path):
    """Yield the number of the line and the cells of each row that is not blank."""
    delimiter = _find_delimiter(text)
    if delimiter is None:
        for line, content in enumerate(io.StringIO(text, newline=None), start=1):
            if content.strip():
                yield line, content.split()
        return
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    try:
        for row in reader:
            if len(row) > 1 or "".join(row).strip():
                yield reader.line_num, row
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}") from None


def _find_delimiter(text):
    """Return the delimiter that cuts the first row into three or four, or into most, cells."""
    first = next((line for line in io.StringIO(text, newline=None) if line.strip()), "")
    counts = {d: len(next(csv.reader([first], delimiter=d))) for d in DELIMITERS}
    fitting = [delimiter for delimiter, count in counts.items() if count in HEADERS]
    if fitting:
        return fitting[0]
    most = max(counts, key=counts.get)
    return most if counts[most] > 1 else None
