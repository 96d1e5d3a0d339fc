"""Read the rows of files that are no text: .npy, Parquet, Feather, Stata, and workbooks."""

import io
import re
import struct
import zipfile

import numpy as np
import pandas as pd

from closerthan_lab.files.cells import coded, frame_of, of_any
from closerthan_lab.files.columns import Header
from closerthan_lab.files.text import of_width

_SHEET = re.compile(r"worksheets/[^/]+\.xml$")
_CELL = re.compile(rb'<c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"')
_MOST_CELLS = 10**8  # of a sheet, the empty ones between others, too
_MOST_BYTES = 2 * 10**9  # of an unpacked workbook
_INDEX = re.compile(r"__index_level_\d+__")  # a column in which pandas keeps row labels


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
    yield Header([str(cell) for cell in table[0]], faults, 0)
    different = (np.unique(column, return_inverse=True) for column in table[1:].T)
    cells = [coded(list(map(str, values)), numbers) for values, numbers in different]
    yield pd.DataFrame(dict(enumerate(cells)), range(1, len(table)))


def read_parquet(path, faults):
    """Yield the column names of a Parquet or Feather file as a `Header`, then all its rows.

    Rows are counted from 0. Needs pyarrow.
    """
    try:
        import pyarrow as pa
        from pyarrow import feather, parquet
    except ImportError as error:
        raise ImportError(f"{path}: reading it needs pyarrow; run: pip install pyarrow") from error
    kind = "Feather" if path.suffix.lower() == ".feather" else "Parquet"
    try:
        read = feather.read_table if kind == "Feather" else parquet.ParquetFile
        table = read(path, memory_map=True)
        table = table if kind == "Feather" else table.read()
        table.validate(full=True)  # such as texts that are no UTF-8
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # such as a file that may not be read
        reason = " ".join(str(error).split())
        raise faults.error(f"not a complete {kind} file ({reason[:100]})") from None
    yield from _of_arrow(table, faults)


def read_stata(path, faults):
    """Yield the column names and the rows of a Stata file, with its labels as texts."""
    import pyarrow as pa

    try:
        with path.open("rb") as stream:
            frame = pd.read_stata(stream)
    except (ValueError, KeyError, struct.error) as error:
        raise faults.error(f"not a complete Stata file ({error})") from None
    yield from _of_arrow(pa.Table.from_pandas(frame), faults)


def _of_arrow(table, faults):
    if not len(table):
        raise faults.error("empty; give at least one answer")
    columns = dict(zip(table.column_names, table.columns, strict=True))
    columns = {name: column for name, column in columns.items() if not _INDEX.fullmatch(name)}
    yield Header([*columns], faults)
    cells = map(_cells, columns.values())
    yield pd.DataFrame(dict(enumerate(cells)), range(len(table)))


def _cells(column):
    """Return a column as texts or lists of texts, null as empty; None for any other type."""
    import pyarrow as pa
    from pyarrow import types

    column = column.combine_chunks()
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    try:
        column = column.cast(pa.list_(pa.string()) if is_list else pa.string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return None
    if is_list:
        lists = column.to_pylist()
        cells = ["" if cell is None else [entry or "" for entry in cell] for cell in lists]
        return of_any(cells)
    encoded = column.dictionary_encode("encode")
    texts = [text or "" for text in encoded.dictionary.to_pylist()]
    return coded(texts, encoded.indices.to_numpy())


def read_held(path, faults):
    """Yield the column names of a DataFrame as a `Header`, then its rows, counted from 0."""
    frame = path.content
    if not len(frame):
        raise faults.error("empty; give at least one answer")
    yield Header([str(title) for title in frame], faults)
    columns = (frame.iloc[:, place] for place in range(frame.shape[1]))
    cells = (of_any(map(_cell_of, column)) for column in columns)
    yield pd.DataFrame(dict(enumerate(cells)))


def _cell_of(value):
    if isinstance(value, list | tuple | np.ndarray):
        return [str(entry) for entry in value]
    return "" if pd.isna(value) else str(value)


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
        texts = [_text(cell) for cell in row]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            found.append((number, texts))
    return found


def _text(cell):
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))  # workbooks keep whole numbers like others
    return str(cell).strip()
