"""The table that each format is read to: a DataFrame with categories.

A reader yields the names of the columns, then blocks: the lines where rows begin, and a table of
their cells, with numbers as names of columns. Cells are texts, kept once each (categories), or
objects if some are lists.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

BLOCK = 2**15  # rows


class Head(NamedTuple):
    """Hold the first output of a reader: the names of the columns, or the first row.

    `line` is their line; None if the file format itself names the columns. `decimal_comma` is True
    if commas may be decimal commas, because they do not separate cells.
    """

    cells: list
    line: int | None = None
    decimal_comma: bool = False


def frame_of(rows: list) -> pd.DataFrame:
    """Return a table of texts from rows, which all have as many cells."""
    columns = zip(*rows, strict=True)
    return pd.DataFrame({place: coded(cells) for place, cells in enumerate(columns)})


def coded(cells: Any, numbers: Any = slice(None)) -> pd.Categorical:
    """Return texts as categories; `numbers` chooses the text of each row."""
    codes, texts = pd.factorize(np.asarray(cells, dtype=object))
    return pd.Categorical.from_codes(codes[numbers], pd.Index(texts, dtype=object))


def joined(blocks: Any, places: list) -> tuple[np.ndarray, pd.DataFrame]:
    """Return the lines of all blocks, and their columns in these places as one table.

    The texts of each block are freed at once, because its own ones would hold much memory.
    """
    lines = [np.array([], dtype=int)]
    parts: dict[Any, list] = {place: [] for place in places}
    texts: dict[Any, dict] = {place: {} for place in places}
    for some, frame in blocks:
        lines.append(some)
        for place, known in texts.items():
            part = frame[place]
            if isinstance(part.dtype, pd.CategoricalDtype):
                part = mapped(part, lambda text, n=known: n.setdefault(text, len(n)), np.int32)
            parts[place].append(part)
    whole = {place: np.concatenate(some) for place, some in parts.items() if some}
    for place, column in whole.items():
        if texts[place]:
            column = pd.Categorical.from_codes(column, pd.Index(texts[place], dtype=object))
        whole[place] = pd.Series(column, dtype=column.dtype)
    return np.concatenate(lines), pd.DataFrame(whole)


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
