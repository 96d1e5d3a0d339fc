"""Define what readers of files yield: the names of the columns, then blocks of rows.

A block has two parts. The first is the array of lines where its rows begin. The second is a list
with a `Column` for each column of the file, or None if a column cannot hold answers.
"""

from typing import NamedTuple

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


class Column(NamedTuple):
    """Hold a column of a block: its distinct cells, and the index of the cell of each row."""

    cells: list
    numbers: np.ndarray

    @classmethod
    def of_texts(cls, texts):
        numbers, cells = pd.factorize(np.asarray(texts, dtype=object), use_na_sentinel=False)
        return cls(["" if cell is None or cell != cell else cell for cell in cells], numbers)

    @classmethod
    def blank(cls, n_rows):
        return cls([""], np.zeros(n_rows, dtype=int))

    def __getitem__(self, row):
        return self.cells[self.numbers[row]]

    def map(self, function, dtype=None):
        """Return the array of the values of a function for each row."""
        return np.array([function(cell) for cell in self.cells], dtype)[self.numbers]

    def take(self, rows):
        """Return some rows of the column, with only their cells."""
        numbers, kept = pd.factorize(self.numbers[rows])
        return Column([self.cells[number] for number in kept], numbers)
