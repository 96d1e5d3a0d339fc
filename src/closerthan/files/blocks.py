"""What every reader of files yields: the names of the columns, and then the rows block by block.

A block is the array of the lines in which its rows begin, and a list with the `Column` of each
place, None for one that holds neither numbers nor texts nor lists of them.
"""

from typing import NamedTuple

import numpy as np

BLOCK = 2**15  # rows


class Head(NamedTuple):
    """What a reader yields first: the names of the columns, or the first row.

    `line` is where they stand, None if columns have names of their own. `decimal_comma` says
    whether a comma can be that of a number, because it is not between cells.
    """

    cells: list
    line: int | None = None
    decimal_comma: bool = False


class Column(NamedTuple):
    """A column of a block: the texts or lists that stand in it, and which of them each row has."""

    cells: list
    numbers: np.ndarray

    @classmethod
    def of_texts(cls, texts):
        import pandas as pd

        numbers, cells = pd.factorize(np.asarray(texts, dtype=object))
        return cls(cells.tolist(), numbers)

    def __getitem__(self, row):
        return self.cells[self.numbers[row]]

    def map(self, function, dtype=None):
        """Return the array of what a function returns for each row."""
        return np.array([function(cell) for cell in self.cells], dtype)[self.numbers]

    def take(self, rows):
        """Return some rows of the column, and no cells but theirs."""
        import pandas as pd

        numbers, kept = pd.factorize(self.numbers[rows])
        return Column([self.cells[number] for number in kept], numbers)
