"""Read the rows of files that are no text: .npy, Parquet, Feather, Stata, and workbooks."""

import io
import re
import struct
import zipfile

import numpy as np
import pandas as pd

from closerthan_lab.files.cells import coded, frame_of, of_any, text_of
from closerthan_lab.files.columns import Header
from closerthan_lab.files.text import of_width

_SHEET = re.compile(r"worksheets/[^/]+\.xml$")
_CELL = re.compile(rb'<c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"')
_MOST_CELLS = 10**8  # of a sheet, the empty ones between others, too
_MOST_BYTES = 2 * 10**9  # of an unpacked workbook


def read_array(path, faults):
    """Yield the first row of a .npy array as a `Header`, then the rows below it, counted from 0.

    Nothing is unpickled.
    """
    if not path.stat().st_size:
        raise faults.error("empty; give at least one comparison")
    try:
        table = np.lib.format.open_memmap(path, mode="r")
    except ValueError as error:
        raise faults.error(f"not a complete .npy file ({error})") from None
    if table.ndim != 2 or table.dtype.kind not in "iufU" or not len(table):
        what = f"an array of shape {table.shape} and type {table.dtype}"
        raise faults.error(f"{what}; rows of numbers or names are needed")
    yield Header(text_of(table[0].tolist()), faults, 0)
    yield _of_texts(pd.DataFrame(table[1:], range(1, len(table))))


def read_parquet(path, faults):
    """Yield the columns of a Parquet or Feather file, and its rows. Needs pyarrow."""
    try:
        import pyarrow as pa
        from pyarrow import feather, parquet
    except ImportError as error:
        raise ImportError(f"{path}: reading it needs pyarrow; run: pip install pyarrow") from error
    kind = "Feather" if path.suffix.lower() == ".feather" else "Parquet"
    try:
        is_feather = kind == "Feather"
        table = feather.read_table(path) if is_feather else parquet.ParquetFile(path).read()
        table.validate(full=True)  # such as texts that are no UTF-8
        frame = table.to_pandas(integer_object_nulls=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # such as a file that may not be read
        reason = " ".join(str(error).split())
        raise faults.error(f"not a complete {kind} file ({reason[:100]})") from None
    yield from _of_frame(frame, faults)


def read_stata(path, faults):
    """Yield the columns of a Stata file, and its rows, with its labels as texts."""
    try:
        with path.open("rb") as stream:
            frame = pd.read_stata(stream)
    except (ValueError, KeyError, struct.error) as error:
        raise faults.error(f"not a complete Stata file ({error})") from None
    yield from _of_frame(frame, faults)


def read_held(path, faults):
    """Yield the columns of a DataFrame in memory, and its rows."""
    yield from _of_frame(path.content, faults)


def _of_frame(frame, faults):
    """Yield the column names of a DataFrame as a `Header`, then its rows, counted from 0."""
    if not len(frame):
        raise faults.error("empty; give at least one answer")
    yield Header(list(map(str, frame)), faults)
    yield _of_texts(frame.set_axis(range(len(frame))))


def _of_texts(frame):
    """Return a table with texts, or lists of texts, in place of any values."""
    columns = (frame.iloc[:, place] for place in range(frame.shape[1]))
    return pd.DataFrame(dict(enumerate(map(_cells, columns))), frame.index)


def _cells(column):
    try:
        numbers, values = pd.factorize(column, use_na_sentinel=False)
    except TypeError:  # lists
        return of_any(column)
    return coded(text_of(list(values)), numbers)


def read_workbook(path, faults, sheet=None):
    """Yield the first row of a workbook of Excel or OpenDocument as a `Header`, then its rows.

    Rows are counted from 1, as Excel shows them. Formulas have the values that Excel saved. Needs
    python-calamine.
    """
    try:
        import python_calamine as calamine
    except ImportError as error:
        needed = "needs python-calamine; run: pip install python-calamine"
        raise ImportError(f"{path}: reading it {needed}") from error
    with path.open("rb") as stream:
        content = io.BytesIO(stream.read())
    _refuse_far_cells(content, faults)
    try:
        with calamine.load_workbook(content) as book:
            sheets = {name: _rows(book.get_sheet_by_name(name)) for name in book.sheet_names}
    except calamine.CalamineError as error:
        raise faults.error(f"not a complete workbook ({error})") from None
    filled = {name: rows for name, rows in sheets.items() if rows}
    names = ", ".join(map(repr, filled))
    if sheet is not None and sheet not in filled:
        raise faults.error(f"no sheet {sheet!r} has cells; those that have are {names}")
    filled = filled if sheet is None else {sheet: filled[sheet]}
    if len(filled) > 1:
        raise faults.error(f"{len(filled)} sheets have cells ({names}); keep one, or give sheet=")
    if not filled:
        raise faults.error("empty; give at least one answer")
    [[(line, header), *rows]] = filled.values()
    yield Header(header, faults, line)
    lines = np.array([number for number, _ in rows])
    table = [[*row, *[""] * (len(header) - len(row))] for _, row in rows]
    lines, table = of_width(len(header), lines, table, faults)
    if table:
        yield frame_of(table, lines)


def _refuse_far_cells(content, faults):
    """Raise an error for a sheet of Excel with a cell so far out that no memory holds all."""
    if not zipfile.is_zipfile(content):
        return
    with zipfile.ZipFile(content) as archive:
        if sum(part.file_size for part in archive.infolist()) > _MOST_BYTES:
            raise faults.error("unpacked it is too large for a table of answers")
        for name in filter(_SHEET.search, archive.namelist()):
            cells = _CELL.findall(archive.read(name))
            column = max((letters for letters, _ in cells), key=_number, default=b"")
            row = max((int(row) for _, row in cells), default=0)
            if row * _number(column) > _MOST_CELLS:
                far = f"{column.decode()}{row}"
                raise faults.error(f"a cell stands far from the others, up to {far}; delete it")
    content.seek(0)


def _number(column):
    """Return the number of a column of a sheet; that of A is 1."""
    return sum((letter - 64) * 26**n for n, letter in enumerate(reversed(column)))


def _rows(sheet):
    """Return the number and the texts of each row that is not empty."""
    found = []
    for number, row in enumerate(sheet.to_python(skip_empty_area=False), start=1):
        texts = [text_of(cell) for cell in row]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            found.append((number, texts))
    return found
