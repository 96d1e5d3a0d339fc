"""Read the rows of a workbook of Excel (.xlsx, .xlsm, .xlsb, .xls) or OpenDocument (.ods)."""

import io

import numpy as np

from closerthan_lab.files.frames import Head, frame_of
from closerthan_lab.files.text import of_width


def read_workbook(path, faults):
    """Yield the first row as a `Head`, then a block of rows, like :func:`~.text.read_text`.

    Rows are counted from 1, as Excel shows them. Formulas have the values that Excel saved. Needs
    python-calamine.
    """
    try:
        import python_calamine as calamine
    except ImportError as error:
        raise ImportError(
            f"{path}: reading it needs python-calamine; run: pip install python-calamine"
        ) from error
    with path.open("rb") as stream:
        content = io.BytesIO(stream.read())
    try:
        with calamine.load_workbook(content) as book:
            sheets = {name: _rows(book.get_sheet_by_name(name)) for name in book.sheet_names}
    except calamine.CalamineError as error:
        raise faults.error(f"not a complete workbook ({error})") from None
    filled = {name: rows for name, rows in sheets.items() if rows}
    if len(filled) > 1:
        names = ", ".join(map(repr, filled))
        raise faults.error(f"{len(filled)} sheets have cells ({names}); keep one")
    if not filled:
        raise faults.error("empty; give at least one answer")
    [[(line, header), *rows]] = filled.values()
    yield Head(header, line)
    if rows:
        lines, table = zip(*rows, strict=True)
        table = [[*row, *[""] * (len(header) - len(row))] for row in table]
        lines, table = of_width(len(header), np.array(lines), table, faults)
        if table:
            yield lines, frame_of(table)


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
