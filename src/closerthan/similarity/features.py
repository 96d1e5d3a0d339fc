"""Read dense or sparse features in blocks, so that they are never copied as a whole."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse, sparray, spmatrix
from scipy.sparse.linalg import LinearOperator, eigsh

from closerthan._core.threads import one_blas_thread
from closerthan._core.validation import check_finite

Features = ArrayLike | sparray | spmatrix

_BLOCK_ENTRIES = 2**20
_DENSE_FEATURES = 500  # up to here a square matrix is the faster way to eigenvectors


def rows_of(triplets, n_rows):
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


def leading_directions(X, triplets, rank):
    """Return directions along which x and x+ - x- agree most, as orthonormal rows.

    They are the leading eigenvectors of the symmetric part of the mean of x(x+ - x-)', which is the
    direction of the steepest descent of the loss from M = 0.
    """
    n_features = X.shape[1]
    if rank > n_features:
        raise ValueError(f"shape={rank}; a rank is from 1 to {n_features}, the number of features")
    if rank == n_features:
        return np.eye(n_features)
    with one_blas_thread(n_features):
        return _leading_eigenvectors(X, triplets, rank).T[::-1].copy()


def _leading_eigenvectors(X, triplets, rank):
    """Return eigenvectors of the mean of x(x+ - x-)' plus its transpose, the leading one last."""
    n_features = X.shape[1]
    if n_features <= _DENSE_FEATURES:
        mean = _times_mean(X, triplets, np.eye(n_features))
        return np.linalg.eigh(mean + mean.T)[1][:, -rank:]

    def times(v):
        return _times_mean(X, triplets, v) + _times_mean(X, triplets, v, transpose=True)

    operator = LinearOperator((n_features, n_features), matvec=times, dtype=float)
    start = np.random.default_rng(0).normal(size=n_features)
    return eigsh(operator, rank, which="LA", v0=start)[1]


def _times_mean(X, triplets, v, transpose=False):
    """Multiply the mean of x(x+ - x-)' over the triplets, or its transpose, by v."""
    total = np.zeros(v.shape)
    for some in blocks(len(triplets), X.shape[1]):
        i, j, k = triplets[some].T
        left, right = X[i], X[j] - X[k]
        if transpose:
            left, right = right, left
        total += left.T @ (right @ v)
    return total / len(triplets)


def coordinates_along(directions, X, rows):
    """Return the coordinates of rows of X along directions, shape (len(rows), rank)."""
    coordinates = np.empty((len(rows), len(directions)))
    with one_blas_thread(len(rows), *directions.shape):
        for some in blocks(len(rows), X.shape[1]):
            coordinates[some] = X[rows[some]] @ directions.T
    return coordinates
