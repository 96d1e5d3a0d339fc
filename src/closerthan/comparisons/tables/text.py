"""Rows of a text file: cells between commas, semicolons, tabs or blanks, a block of rows at a time.

Only what a block holds is in memory, so that a file may be larger than that.
"""

import csv
import gzip
import re
import zlib
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from .faults import shown_list

BLOCK = 2**15  # rows
_LONGEST = 1_000_000  # characters of a line: a file without line ends must not fill the memory
_DELIMITERS = "\t;,"
_HEAD = 2**12  # bytes that are looked at to see what a file is
_LINE_END = re.compile("\r\n|\r|\n")
_STATED = re.compile('"?sep=(.)"?')  # a first line for Excel alone, which says the delimiter
_QUALTRICS = '{"ImportId"'  # begins each cell of the second row below a header of Qualtrics
_MARKS = [(b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32")]
_MARKS += [(b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")]
# What other files begin with, and what to do about them.
_OTHER_FILES = [
    (b"PK\x03\x04", "a zip archive or an .xlsx workbook; unpack it, or save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an .xls workbook; save the sheet as CSV"),
    (b"\x1f\x8b", "compressed by gzip; its name must end in .gz, and a file of R is to be CSV"),
    (b"PAR1", "a Parquet file; its name must end in .parquet"),
    (b"\x93NUMPY", "a .npy array; closerthan.comparisons.read_comparisons reads it"),
    (b"\x89PNG", "a PNG image, no text"),
    (b"\xff\xd8\xff", "a JPEG image, no text"),
    (b"%PDF", "a PDF document, no text"),
    (b"SQLite format 3", "an SQLite database, no text"),
    (b"\x80\x02", "a pickle, which is never opened; save the table as CSV"),
    (b"\x80\x03", "a pickle, which is never opened; save the table as CSV"),
    (b"\x80\x04", "a pickle, which is never opened; save the table as CSV"),
    (b"\x80\x05", "a pickle, which is never opened; save the table as CSV"),
]


class Head(NamedTuple):
    """What a reader yields first.

    Attributes
    ----------
    cells : sequence of str
        The first row, or the names of the columns.
    line : int or None
        Where it stands; None where columns have names of their own.
    decimal_comma : bool
        Whether a comma can be that of a number, because it is not between cells.
    """

    cells: list
    line: int | None = None
    decimal_comma: bool = False


def read_text(path, faults):
    """Yield the first row, a `Head`, then blocks of the rows below it.

    A block is the array of the rows' first lines and a list of columns of text. Rows of another
    length than the first are noted as faults and left out; blank ones are left out.
    """
    with open_text(path, faults) as stream:
        lines = lines_of(stream, faults)
        n_before, delimiter, first = 0, None, ""
        for first in lines:
            stated = _STATED.fullmatch(first.rstrip("\r\n"))
            if stated and delimiter is None:
                delimiter, first = stated[1], ""
            elif first.strip():
                break
            n_before += 1
        delimiter = delimiter or _find_delimiter(first)
        rows = _Rows(chain([first], lines), delimiter, n_before, faults)
        [line], [header] = rows.take(1)
        if not any(cell.strip() for cell in header):
            raise faults.error("empty; at least one answer is needed")
        yield Head(header, int(line), delimiter != ",")
        numbers, block = rows.take(2)
        if _are_of_qualtrics(block):
            numbers, block = rows.take(BLOCK)
        while True:
            if not block:
                return
            numbers, block = _of_width(len(header), numbers, block, faults)
            if block:
                yield numbers, list(zip(*block, strict=True))
            numbers, block = rows.take(BLOCK)


def _are_of_qualtrics(rows):
    """Whether two rows hold no answers, but the questions' texts and the ids of an export."""
    cells = [cell.strip() for cell in rows[1]] if len(rows) == 2 else []
    return any(cells) and all(cell.startswith(_QUALTRICS) for cell in cells if cell)


@contextmanager
def open_text(path, faults):
    """Open a file as text in the encoding that its first bytes tell, decompressed if need be."""
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opener(path, "rb") as content:
            head = content.read(_HEAD)
        encoding = _find_encoding(head, faults)
        with opener(path, "rt", encoding=encoding, newline="") as stream:
            yield stream
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise faults.error(f"no complete gzip file ({error})") from None
    except UnicodeDecodeError as error:
        raise _undecodable(path, opener, error, faults) from None
    except UnicodeError as error:  # a byte-order mark alone
        raise faults.error(f"no complete {encoding.upper()} text ({error})") from None


def _find_encoding(head, faults):
    if not head.strip() and len(head) < _HEAD:
        raise faults.error("empty; at least one answer is needed")
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    for magic, what in _OTHER_FILES:
        if head.startswith(magic):
            raise faults.error(f"this is {what}")
    if b"\0" in head:
        raise faults.error("no text file, it holds a zero byte")
    return "utf-8-sig"


def _undecodable(path, opener, error, faults):
    """Return the error that names the line with a byte that is none of a text in UTF-8."""
    name = error.encoding.upper()
    if name == "UTF-8":
        with opener(path, "rb") as content:
            for number, line in enumerate(iter(partial(content.readline, _LONGEST), b""), start=1):
                try:
                    line.decode()
                except UnicodeDecodeError as inside:
                    byte = line[inside.start]
                    return faults.error(
                        f"byte 0x{byte:02x} is none of UTF-8; save the file as UTF-8", number
                    )
    return faults.error(f"no {name} text ({error.reason})")


def lines_of(stream, faults):
    """Yield the lines of a text, none of which may be too long or hold a zero byte."""
    for number, line in enumerate(iter(partial(stream.readline, _LONGEST), ""), start=1):
        if len(line) == _LONGEST and line[-1] not in "\r\n":
            raise faults.error(f"longer than {_LONGEST:,} characters", number)
        if "\0" in line:
            raise faults.error("a zero byte, which no text holds", number)
        yield line


def _find_delimiter(line):
    """Return the delimiter that cuts a header into the most cells; None if blanks do."""
    cells = {delimiter: _count_cells(line, delimiter) for delimiter in _DELIMITERS}
    best = max(cells, key=cells.get)
    return best if cells[best] > 1 else None


def _count_cells(line, delimiter):
    try:
        return len(next(csv.reader([line], delimiter=delimiter, skipinitialspace=True)))
    except csv.Error:  # a cell that is too long
        return 0


class _Rows:
    """Rows of cells, and the line in which each begins."""

    def __init__(self, lines, delimiter, n_before, faults):
        self.faults = faults
        self.n_lines = self.n_before = n_before
        self.reader = None
        if delimiter is None:
            self.rows = map(str.split, lines)
        else:
            self.rows = self.reader = csv.reader(
                lines, delimiter=delimiter, skipinitialspace=True, strict=True
            )

    def take(self, n):
        """Return the first lines of up to n rows, and their cells."""
        rows = []
        try:
            rows.extend(islice(self.rows, n))
        except csv.Error as error:
            raise self.faults.error(
                f"a cell that begins here is not quoted as it should be ({error})",
                self._first_lines(rows)[-1],
            ) from None
        lines = self._first_lines(rows)
        self.n_lines = int(lines[-1]) - 1
        return lines[:-1], rows

    def _first_lines(self, rows):
        """Return the line in which each row begins, and that in which the next one would."""
        spans = np.ones(len(rows) + 1, dtype=np.int64)
        n_read = 0 if self.reader is None else self.n_before + self.reader.line_num - self.n_lines
        if n_read > len(rows):  # some cells hold line ends
            spans[1:] = [1 + sum(len(_LINE_END.findall(cell)) for cell in row) for row in rows]
        spans[0] = self.n_lines + 1
        return np.cumsum(spans)


def _of_width(width, lines, rows, faults):
    """Return the rows with as many cells as the header; note the others, but for blank ones."""
    if set(map(len, rows)) == {width} and all(map(any, rows)):
        return lines, rows
    good = [len(row) == width and any(row) for row in rows]
    for line, row in zip(lines, rows, strict=True):
        if len(row) != width and any(cell.strip() for cell in row):
            faults.add(
                line,
                f"{len(row)} {'cell' if len(row) == 1 else 'cells'}, {shown_list(row)}; the first "
                f"row has {width}",
            )
    return lines[np.array(good)], [row for row, fine in zip(rows, good, strict=True) if fine]
