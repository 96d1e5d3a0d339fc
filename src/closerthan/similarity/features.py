"""Read dense or sparse features in blocks, so that they are never copied as a whole."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse, sparray, spmatrix

from closerthan._core.validation import check_finite

Features = ArrayLike | sparray | spmatrix

_BLOCK_ENTRIES = 2**20


def rows_in(triplets, n_rows):
    """Return the rows that occur in the triplets, in ascending order."""
    named = np.zeros(n_rows, dtype=bool)
    named[triplets] = True
    return np.flatnonzero(named)


def blocks(n_rows, n_columns):
    """Return slices that divide `n_rows` rows into blocks of about 8 MB."""
    step = max(1, _BLOCK_ENTRIES // n_columns)
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]


def check_finite_rows(X, rows):
    """Check in blocks that some rows of features, with ascending numbers, are finite."""
    for some in blocks(len(rows), X.shape[1]):
        block = X[rows[some]]
        values = block.data if issparse(block) else block
        if not np.isfinite(values).all():
            dense = block.toarray() if issparse(block) else block
            row = np.argmin(np.isfinite(dense).all(axis=1))
            check_finite(dense[row : row + 1], "X", first_row=rows[some][row])
