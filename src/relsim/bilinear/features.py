"""Checks of feature vectors, dense or sparse, that copy none of them."""

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator, eigsh

from relsim.comparisons import check_comparisons

_BLOCK_ENTRIES = 2**20
_DENSE_FEATURES = 500  # up to here a square matrix is the faster way to eigenvectors


def check_features(X, n_features=None):
    """Check the type and shape of features; see `check_rows` for the numbers in them.

    Parameters
    ----------
    X : array_like or sparse array of shape (n_rows, n_features)
        A float32 or float64 array, such as a memmap, is used as it is; so is a CSR array whose
        columns are sorted within each row. All else is converted.
    n_features : int, optional
        Number that X must have.

    Returns
    -------
    ndarray or CSR array
        A view of X where possible; an array is read-only.

    Raises
    ------
    ValueError
        For a wrong number of dimensions or of features.
    """
    if issparse(X):
        X = X.tocsr()
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    else:
        X = np.asarray(X)
    if X.ndim != 2 or X.shape[1] == 0:
        raise ValueError(f"X has the shape {X.shape}; it must be (n_rows, n_features)")
    if n_features is not None and X.shape[1] != n_features:
        raise ValueError(f"X has {X.shape[1]} features; the model was fitted with {n_features}")
    if X.dtype not in (np.float32, np.float64):
        X = X.astype(float)
    if not issparse(X):
        X = X.view()
        X.flags.writeable = False  # numba compiles once for what may and may not be written to
    return X


def check_triplets(triplets, n_rows):
    """Check triplets of row numbers and return them as an (n, 3) int64 array."""
    triplets = check_comparisons(triplets, n_rows, source="triplets")
    if triplets.shape[1] != 3:
        raise ValueError(
            f"triplets: shape {triplets.shape}; it must be (n, 3), for x'My needs triplets"
        )
    return triplets


def check_rows(X, rows):
    """Check, a block at a time, that some rows of features are finite.

    Parameters
    ----------
    X : ndarray or CSR array
        As `check_features` returns it.
    rows : ndarray of int
        Rows to look at, in ascending order. The others are not read.

    Raises
    ------
    ValueError
        Names the first bad number, with its row and column.
    """
    for some in blocks(len(rows), X.shape[1]):
        block = X[rows[some]]
        values = block.data if issparse(block) else block
        if np.isfinite(values).all():
            continue
        if issparse(block):
            entry = np.flatnonzero(~np.isfinite(values))[0]
            row = np.searchsorted(block.indptr, entry, side="right") - 1
            column, value = block.indices[entry], values[entry]
        else:
            row, column = np.argwhere(~np.isfinite(values))[0]
            value = values[row, column]
        raise ValueError(
            f"X, row {rows[some][row]}, column {column}: {value} is not allowed; every value "
            "must be finite"
        )


def rows_of(triplets, n_rows):
    """Rows that the triplets name, in ascending order."""
    named = np.zeros(n_rows, dtype=bool)
    named[triplets] = True
    return np.flatnonzero(named)


def blocks(n_rows, n_columns):
    """Slices that part `n_rows` rows into blocks of about eight megabytes."""
    step = max(1, _BLOCK_ENTRIES // n_columns)
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]


def leading_directions(X, triplets, rank):
    """Directions along which x and x+ - x- agree most, as orthonormal rows.

    They are the leading eigenvectors of the symmetric part of the mean of x(x+ - x-)', which is,
    up to a factor, where the loss falls fastest from M = 0.

    Parameters
    ----------
    X : ndarray or CSR array of shape (n_rows, n_features)
    triplets : ndarray of shape (n_triplets, 3), int
    rank : int

    Returns
    -------
    ndarray of shape (rank, n_features)
    """
    n_features = X.shape[1]
    if rank > n_features:
        raise ValueError(f"shape={rank}; a rank is from 1 to {n_features}, the number of features")
    if rank == n_features:
        return np.eye(n_features)
    if n_features <= _DENSE_FEATURES:
        mean = _times_mean(X, triplets, np.eye(n_features))
        _, vectors = np.linalg.eigh(mean + mean.T)
        return vectors[:, : -rank - 1 : -1].T.copy()

    def times(v):
        return _times_mean(X, triplets, v) + _times_mean(X, triplets, v, transpose=True)

    operator = LinearOperator((n_features, n_features), matvec=times, dtype=float)
    start = np.random.default_rng(0).normal(size=n_features)
    return eigsh(operator, rank, which="LA", v0=start)[1].T[::-1].copy()


def _times_mean(X, triplets, v, transpose=False):
    """Mean of x(x+ - x-)' over the triplets, or its transpose, times v."""
    total = np.zeros(v.shape)
    for some in blocks(len(triplets), X.shape[1]):
        i, j, k = triplets[some].T
        left, right = X[i], X[j] - X[k]
        if transpose:
            left, right = right, left
        total += left.T @ (right @ v)
    return total / len(triplets)


def project(X, directions, rows):
    """Coordinates of some rows along some directions, as an array of shape (len(rows), rank)."""
    coordinates = np.empty((len(rows), len(directions)))
    for some in blocks(len(rows), X.shape[1]):
        coordinates[some] = X[rows[some]] @ directions.T
    return coordinates
