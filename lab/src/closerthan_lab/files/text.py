"""Read the rows of a text file: cells between commas, semicolons, tabs or blanks.

Rows are read block by block, so the file may be larger than memory.
"""

import csv
import gzip
import io
import re
import zipfile
import zlib
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, compress, islice

import numpy as np
import pandas as pd

from closerthan._core.shown import shown_list
from closerthan_lab.files.cells import BLOCK, coded, factorized, frame_of
from closerthan_lab.files.columns import Header, fits_a_form, meaning_of

_LONGEST = 1_000_000  # characters per line: a file without line ends must not fill the memory
_DELIMITERS = "\t;,"
_MOST_ABOVE = 50  # lines above a header
_BOMB = 10**8, 200  # least characters and multiple of the bytes that a packed file may have
_HEAD = 2**12  # bytes read to recognize the kind of file
_STATED = re.compile('"?sep=(.)"?')  # a first line for Excel that names the delimiter
_JSON = re.compile(r'\s*((\[\s*)+\{|\{\s*")')
_QUALTRICS = '{"ImportId"'  # begins each cell of the second row below a Qualtrics header
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_MARKS = [(b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32")]
_MARKS += [(b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")]
_ENDINGS = {  # of the names of other tables, by the first bytes
    b"PK\x03\x04": ".zip or .xlsx (an .npz file: save its array as .npy)",
    b"\xd0\xcf\x11\xe0": ".xls",
    b"\x1f\x8b": ".gz",
    b"PAR1": ".parquet",
    b"ARROW1": ".feather",
    b"<stata_dta>": ".dta",
    b"\x93NUMPY": ".npy",
}


def read_text(path, faults, skip_lines=0):
    """Yield the first row as a `Header`, then blocks of the rows below it.

    Rows with another number of cells than the first row are faults. Faulty and blank rows are left
    out.
    """
    with open_text(path, faults) as stream:
        lines = islice(lines_of(stream, faults), skip_lines, None)
        start, delimiter, first = 1 + skip_lines, None, ""
        for first in lines:
            stated = _STATED.fullmatch(first.rstrip("\r\n"))
            if stated and delimiter is None:
                delimiter, first = stated[1], ""
            elif first.strip():
                break
            start += 1
        delimiter = delimiter or _find_delimiter(first)
        lines = chain([first], lines)
        way = {"delimiter": delimiter, "skipinitialspace": True, "strict": True}
        if delimiter is None and all(map(_QUOTED.fullmatch, first.split())):  # of R
            way["delimiter"] = " "
        elif delimiter is None:
            lines = ("\t".join(line.split()) + "\n" for line in lines)
            way = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
        [line], [header], start = _read_rows(lines, 1, start, way, faults)
        if not any(cell.strip() for cell in header):
            raise faults.error("empty; give at least one answer")
        block = list(islice(lines, BLOCK))
        header, lines = _of_all_rows(header, block, way), chain(block, lines)
        yield Header(header, faults, line, decimal_comma=delimiter != ",")
        while block := list(islice(lines, BLOCK)):
            frame = _plain_frame(block, len(header), way)
            if frame is not None:
                yield frame.set_axis(range(start, start + len(block)))
                start += len(block)
                continue
            numbers, rows, start = _read_rows(chain(block, lines), len(block), start, way, faults)
            if _are_of_qualtrics(rows[:2]):
                numbers, rows = numbers[2:], rows[2:]
            numbers, rows = of_width(len(header), numbers, rows, faults)
            if rows:
                yield frame_of(rows, numbers)


def _of_all_rows(header, lines, way):
    """Return a header with as many names as all rows have cells.

    R writes no name for the names of rows, and MTurk no cells in its last columns.
    """
    try:
        rows = [row for row in csv.reader(lines[:_MOST_ABOVE], **way) if any(row)]
    except csv.Error:
        return header
    n = len(rows[0]) if len(set(map(len, rows))) == 1 else len(header)
    if n == len(header) + 1:
        return ["", *header] if any(row[-1] for row in rows) else [*header, ""]
    is_cut = 2 < n < len(header) and not any(map(meaning_of, header[n:]))
    return header[:n] if is_cut else header


def find_header(path, faults, after):
    """Return the first line below another whose cells name the columns of a form, or None."""
    with open_text(path, faults) as stream:
        for number, line in enumerate(islice(stream, _MOST_ABOVE), start=1):
            for delimiter in _DELIMITERS if number > after else "":
                titles = [cell.strip(' "\r\n') for cell in line.split(delimiter)]
                if fits_a_form(titles):
                    return number
    return None


def _plain_frame(lines, width, way):
    """Return the table if each line is a row; None if the csv module must read the lines.

    The csv module must read them if a line has too many or too few cells or only empty ones, or if
    a quote begins a cell and does not end it. Delimiters and line ends may then be in the cell.
    """
    delimiter, text = way["delimiter"], "".join(lines)
    if {line.count(delimiter) for line in lines} != {width - 1} or "ImportId" in text:
        return None
    flat = text.replace("\r\n", delimiter).replace("\n", delimiter).replace("\r", delimiter)
    cells = flat.split(delimiter)[: width * len(lines)]
    frame = pd.DataFrame({place: coded(cells[place::width]) for place in range(width)})
    marks = ('"', delimiter + " ", "\n ", "\r ")  # of quotes, or blanks that begin cells
    if "quoting" not in way and (text[0] == " " or any(mark in text for mark in marks)):
        for place in frame:
            cells, numbers = factorized(frame[place])
            cells = list(map(_unquoted, cells))
            if None in cells:
                return None
            frame[place] = coded(cells, numbers)
    return None if all("" in frame[place].cat.categories for place in frame) else frame


def _unquoted(cell):
    """Return a cell as the csv module reads it; None if its quotes enclose more than this cell."""
    cell = cell.lstrip(" ")
    if not cell.startswith('"'):
        return cell
    return cell[1:-1].replace('""', '"') if _QUOTED.fullmatch(cell) else None


def _read_rows(lines, n, start, way, faults):
    """Return the rows that begin in the next n lines, the lines they begin in, and the next."""
    reader = csv.reader(lines, **way)
    rows, ends = [], [0]
    try:
        for row in reader:
            rows.append(row)
            ends.append(reader.line_num)
            if reader.line_num >= n:
                break
    except csv.Error as error:
        why = f"a cell that begins here has a wrong quote ({error}); check its quotes"
        raise faults.error(why, start + ends[-1]) from None
    return start + np.array(ends[:-1]), rows, start + ends[-1]


def _are_of_qualtrics(rows):
    """Tell whether two rows hold the question texts and ids of a Qualtrics export."""
    cells = [cell.strip() for cell in rows[1]] if len(rows) == 2 else []
    return any(cells) and all(cell.startswith(_QUALTRICS) for cell in cells if cell)


@contextmanager
def open_text(path, faults):
    """Open a file as text in the encoding that its first bytes tell, decompressed if needed."""
    try:
        with _opened(path) as content:
            encoding = _find_encoding(content.read(_HEAD), faults)
            content.seek(0)
            yield io.TextIOWrapper(content, encoding=encoding, newline="")
    except (EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile, RuntimeError) as error:
        what = "a complete gzip file" if _is_packed(path) else "a whole file of a zip"
        raise faults.error(f"not {what} ({error})") from None
    except UnicodeError as error:
        if getattr(error, "encoding", "") == "utf-8":
            raise _undecodable(path, faults) from None
        raise faults.error(f"not a complete {encoding.upper()} text ({error})") from None


def _is_packed(path):
    return path.suffix.lower() == ".gz"


@contextmanager
def _opened(path):
    """Open a file, also one in a zip archive, as bytes; decompress gzip."""
    with path.open("rb") as content:
        yield gzip.GzipFile(fileobj=content) if _is_packed(path) else content


def begins_as_json(path, faults):
    """Tell whether a text begins as an array or an object of JSON, as the results of JATOS do."""
    with open_text(path, faults) as stream:
        return _JSON.match(stream.read(_HEAD)) is not None


def _find_encoding(head, faults):
    if not head.strip() and len(head) < _HEAD:
        raise faults.error("empty; give at least one answer")
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    for mark, ending in _ENDINGS.items():
        if head.startswith(mark):
            raise faults.error(f"this is no text; its name must end in {ending}")
    if b"\0" in head:
        raise faults.error("not a text file: it holds a zero byte; save the table as CSV")
    return "utf-8-sig"


def _undecodable(path, faults):
    """Return the error that names the first line with a byte that is not UTF-8."""
    with _opened(path) as content:
        text = io.TextIOWrapper(content, encoding="utf-8", errors="surrogateescape", newline="")
        halves = ((n, re.search("[\udc80-\udcff]", line)) for n, line in enumerate(text, start=1))
        number, half = next((n, half) for n, half in halves if half)
        byte = f"byte 0x{ord(half[0]) - 0xDC00:02x}"
        return faults.error(f"{byte} is not UTF-8; save it as UTF-8 (in Excel: CSV UTF-8)", number)


def lines_of(stream, faults, longest=_LONGEST):
    """Yield the lines of a text; raise if a line, or a file that was packed, is too long."""
    path, most, n = faults.path, float("inf"), 0
    if _is_packed(path) and hasattr(path, "stat"):
        most = max(_BOMB[0], _BOMB[1] * path.stat().st_size)
    for number, line in enumerate(iter(partial(stream.readline, longest), ""), start=1):
        n += len(line)
        if n > most:
            raise faults.error(f"unpacked it has more than {most:,} characters, too many")
        if len(line) == longest and line[-1] not in "\r\n":
            raise faults.error(f"longer than {longest:,} characters", number)
        yield line


def _find_delimiter(line):
    """Return the delimiter that gives a header the most cells; None if blanks separate cells."""
    cells = dict.fromkeys(_DELIMITERS, 0)
    for delimiter in cells:
        with suppress(csv.Error):  # a cell that is too long
            row = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
            cells[delimiter] = len(row)
    best = max(cells, key=cells.get)
    return best if cells[best] > 1 else None


def of_width(width, lines, rows, faults):
    """Return the rows with as many cells as the header; note all others except blank rows."""
    good = [len(row) == width and any(row) for row in rows]
    for line, row, is_good in zip(lines, rows, good, strict=True):
        if not is_good and any(cell.strip() for cell in row):
            n = "1 cell" if len(row) == 1 else f"{len(row)} cells"
            faults.add(line, f"{n}, {shown_list(row)}; the first row has {width}")
    return lines[np.array(good, dtype=bool)], list(compress(rows, good))
