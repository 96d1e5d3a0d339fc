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

from closerthan.files.faults import shown_list

BLOCK = 2**15  # rows
_LONGEST = 1_000_000  # characters of a line: a file without line ends must not fill the memory
_DELIMITERS = "\t;,"
_HEAD = 2**12  # bytes that are looked at to see what a file is
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
    (b"\x93NUMPY", "a .npy array; closerthan.files.read_comparisons reads it"),
    (b"\x89PNG", "a PNG image, no text"),
    (b"\xff\xd8\xff", "a JPEG image, no text"),
    (b"%PDF", "a PDF document, no text"),
    (b"SQLite format 3", "an SQLite database, no text"),
    *(
        (bytes([0x80, n]), "a pickle, which is never opened; save the table as CSV")
        for n in range(2, 6)
    ),
]


class Head(NamedTuple):
    """What a reader yields first: the names of the columns, or the first row.

    `line` is where they stand, None if columns have names of their own. `decimal_comma` says
    whether a comma can be that of a number, because it is not between cells.
    """

    cells: list
    line: int | None = None
    decimal_comma: bool = False


def read_text(path, faults):
    """Yield the first row, a `Head`, then blocks of the rows below it.

    A block is the array of the lines in which rows begin, and a list of columns of text. Rows of
    another length than the first are noted as faults and left out; blank ones are left out.
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
        starts = []  # the lines in which the rows begin that were read last
        rows = _rows(chain([first], lines), delimiter, n_before, starts, faults)
        header, line = next(rows), starts.pop()
        if not any(cell.strip() for cell in header):
            raise faults.error("empty; at least one answer is needed")
        yield Head(header, line, delimiter != ",")
        block = list(islice(rows, 2))
        if _are_of_qualtrics(block):
            starts.clear()
            block = []
        while block := block + list(islice(rows, BLOCK - len(block))):
            numbers, block = _of_width(len(header), np.array(starts), block, faults)
            if block:
                yield numbers, list(zip(*block, strict=True))
            starts.clear()
            block = []


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
    """Yield the lines of a text, none of which may be too long."""
    for number, line in enumerate(iter(partial(stream.readline, _LONGEST), ""), start=1):
        if len(line) == _LONGEST and line[-1] not in "\r\n":
            raise faults.error(f"longer than {_LONGEST:,} characters", number)
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


def _rows(lines, delimiter, n_before, starts, faults):
    """Yield rows of cells, and append the line in which each begins to `starts`."""
    if delimiter is None:
        for line, text in enumerate(lines, start=n_before + 1):
            starts.append(line)
            yield text.split()
        return
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    line = n_before + 1
    try:
        for row in reader:
            starts.append(line)
            yield row
            line = n_before + 1 + reader.line_num
    except csv.Error as error:
        raise faults.error(
            f"a cell that begins here is not quoted as it should be ({error})", line
        ) from None


def _of_width(width, lines, rows, faults):
    """Return the rows with as many cells as the header; note the others, except blank ones."""
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
