"""Refuse dissimilarities, weights and settings of which MDS can make nothing."""

import os

import numpy as np
from numba import config
from sklearn.utils.validation import validate_data

from relsim.base import check_count

_ROWS = 256  # checked at once, so that no second matrix of the size of the first is needed


def check_dissimilarities(dissimilarities, n_components, name="dissimilarities"):
    """Return a square matrix of dissimilarities in double precision.

    Parameters
    ----------
    dissimilarities : array-like of shape (n, n)
        Symmetric to a relative 1e-6, not negative, zero on the diagonal. NaN where missing.
    n_components : int
        Dimension to embed in, less than n.
    name : str, default "dissimilarities"
        What errors call the matrix.

    Returns
    -------
    ndarray of shape (n, n)

    Raises
    ------
    ValueError
        Naming the first entry that is not as said, or a row without any entry.

    Examples
    --------
    >>> check_dissimilarities([[0, 1], [1, 0]], 1)
    array([[0., 1.],
           [1., 0.]])
    >>> check_dissimilarities([[0, 1], [2, 0]], 1)
    Traceback (most recent call last):
    ValueError: dissimilarities, row 0, column 1: 1.0, but row 1, column 0 has 2.0; ...
    """
    D = np.asarray(dissimilarities, dtype=np.float64)
    if D.ndim != 2 or D.shape[0] != D.shape[1] or not D.size:
        raise ValueError(f"{name}: the shape is {D.shape}; the matrix must be square")
    n = len(D)
    if n < 2:
        raise ValueError(f"{name}: there is one point; at least 2 are needed")
    check_count("n_components", n_components, n - 1, "the number of points less one")
    check_entries(D, name)
    diagonal = np.diag(D)
    bad = np.flatnonzero(~np.isnan(diagonal) & (diagonal != 0))
    if bad.size:
        raise ValueError(
            f"{name}, row {bad[0]}, column {bad[0]}: {diagonal[bad[0]]}; the diagonal must be zero"
        )
    check_symmetric(D, name)
    for i in range(n):
        if np.isnan(D[i]).sum() + (not np.isnan(D[i, i])) == n:
            raise ValueError(f"{name}, row {i}: all are missing, so point {i} has no place")
    return D


def check_features(model, X, first):
    """Return points in double precision, after scikit-learn's checks and one that names the entry.

    With `first` the model remembers the number of their features, and else it compares.
    """
    points = validate_data(
        model,
        X,
        reset=first,
        dtype=np.float64,
        order="C",
        ensure_all_finite=False,
        ensure_min_samples=2 if first else 1,
    )
    bad = np.argwhere(~np.isfinite(points))
    if bad.size:
        i, j = bad[0]
        raise ValueError(
            f"X, row {i}, column {j}: {points[i, j]}; NaN and infinity are not allowed"
        )
    return points


def check_entries(D, name):
    """Refuse negative and infinite entries; NaN may stand."""
    for first in range(0, len(D), _ROWS):
        rows = D[first : first + _ROWS]
        bad = np.argwhere((rows < 0) | (rows == np.inf))
        if bad.size:
            i, j = bad[0]
            raise ValueError(
                f"{name}, row {first + i}, column {j}: {rows[i, j]}; entries must be finite and "
                "not negative, or NaN where missing"
            )


def check_symmetric(D, name):
    """Refuse a matrix whose halves differ by more than a relative 1e-6, or in what is missing."""
    for first in range(0, len(D), _ROWS):
        rows, columns = D[first : first + _ROWS], D[:, first : first + _ROWS].T
        fine = np.abs(rows - columns) <= 1e-6 * rows
        if fine.all():
            continue
        bad = np.argwhere(~(fine | (np.isnan(rows) & np.isnan(columns))))
        if bad.size:
            i, j = bad[0]
            raise ValueError(
                f"{name}, row {first + i}, column {j}: {rows[i, j]}, but row {j}, column "
                f"{first + i} has {columns[i, j]}; the matrix must be symmetric"
            )


def check_pair_weights(weights, D):
    """Return weights of the pairs, zero where a dissimilarity is missing; None if all are one.

    Raises ValueError, naming the entry, if they are not finite, not negative, symmetric and of
    the shape of D, or if all of a row are zero.
    """
    missing = np.isnan(D)
    if weights is None and not missing.any():
        return None
    W = np.ones_like(D) if weights is None else np.array(weights, dtype=np.float64)
    if W.shape != D.shape:
        raise ValueError(f"weights: the shape is {W.shape}; it must be {D.shape}, as of the data")
    bad = np.argwhere(~(np.isfinite(W) & (W >= 0)))
    if bad.size:
        i, j = bad[0]
        raise ValueError(
            f"weights, row {i}, column {j}: {W[i, j]}; weights must be finite and not negative"
        )
    check_symmetric(W, "weights")
    W[missing] = 0.0
    np.fill_diagonal(W, 0.0)
    empty = np.flatnonzero(~W.any(axis=1))
    if empty.size:
        raise ValueError(
            f"weights, row {empty[0]}: zero for all known dissimilarities, so point {empty[0]} "
            "has no place"
        )
    return W


def check_start(init, shape):
    """Return points to start from as an array of the given shape."""
    start = np.asarray(init, dtype=np.float64)
    if start.shape != shape:
        raise ValueError(f"init has shape {start.shape}; it must be {shape}, a row a point")
    bad = np.flatnonzero(~np.isfinite(start).all(axis=1))
    if bad.size:
        raise ValueError(f"init, row {bad[0]}: {start[bad[0]]}; the points must be finite")
    return start


def check_positive(name, value):
    """Check that a parameter is a finite number above zero."""
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not number or not 0 < value < np.inf:
        raise ValueError(f"{name}={value!r}; it must be a positive number")


def count_threads(n_jobs):
    """Threads that `n_jobs` asks for: None is one, -1 all, -2 all but one, as in scikit-learn."""
    most = min(config.NUMBA_NUM_THREADS, os.cpu_count())
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r}; it must be None or a whole number, and not 0")
    return min(n_jobs, most) if n_jobs > 0 else max(1, most + 1 + n_jobs)
