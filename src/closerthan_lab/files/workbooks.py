"""Read the rows of an Excel workbook (.xlsx)."""

from itertools import islice

import numpy as np

from closerthan_lab.files.frames import BLOCK, Head, frame_of
from closerthan_lab.files.text import of_width


def read_workbook(path, faults):
    """Yield the first row as a `Head`, then blocks of rows, like :func:`~.text.read_text`.

    Rows are counted from 1, as Excel shows them. Formulas have the values that Excel saved. Needs
    openpyxl.
    """
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise ImportError(
            f"{path}: reading it needs openpyxl; run: pip install openpyxl"
        ) from error
    try:
        with path.open("rb") as stream:
            sheets = load_workbook(stream, read_only=True, data_only=True).worksheets
            for sheet in sheets:
                sheet.reset_dimensions()  # some programs write wrong ones
            filled = [sheet for sheet in sheets if any(_rows(sheet))]
            if len(filled) > 1:
                names = ", ".join(repr(sheet.title) for sheet in filled)
                raise faults.error(f"{len(filled)} sheets have cells ({names}); keep one")
            if not filled:
                raise faults.error("empty; give at least one answer")
            rows = _rows(filled[0])
            line, cells = next(rows)
            yield Head(cells, line)
            while block := list(islice(rows, BLOCK)):
                lines, table = zip(*block, strict=True)
                table = [[*row, *[""] * (len(cells) - len(row))] for row in table]
                lines, table = of_width(len(cells), np.array(lines), table, faults)
                if table:
                    yield lines, frame_of(table)
    except (ValueError, OSError):
        raise
    except Exception as error:  # openpyxl lets errors of zipfile and of XML through
        raise faults.error(f"not a complete .xlsx workbook ({error})") from None


def _rows(sheet):
    """Yield the number and the texts of each row that is not empty."""
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        texts = [_text(cell) for cell in row]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            yield number, texts


def _text(cell):
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell).strip()
