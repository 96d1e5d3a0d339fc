"""Checks of arguments; each message says what was given, where, and what is allowed."""

# `closerthan.comparisons` needs numpy only, so other packages are imported inside functions.
from numbers import Integral, Real

import numpy as np

_ROWS = 256  # checked at once, to avoid a temporary matrix of full size


# Numbers and words


def check_count(name, value, largest=None, what=None, optional=False):
    """Check that a parameter is a whole number from 1 to `largest`, or None if optional."""
    if optional and value is None:
        return
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < 1 or (largest is not None and value > largest):
        most = "" if largest is None else f" to {largest} ({what})"
        none = ", or None" if optional else ""
        raise ValueError(f"{name}={value!r}; it must be a whole number from 1{most}{none}")


def is_number(value):
    """Return whether a parameter is a finite number."""
    return isinstance(value, Real) and not isinstance(value, bool) and np.isfinite(value)


def check_number(name, value, positive=False, optional=False):
    """Check that a parameter is finite and not negative (or positive), or None if optional."""
    if optional and value is None:
        return
    if not is_number(value) or value < 0 or (positive and value == 0):
        least = "positive" if positive else "not negative"
        none = ", or None" if optional else ""
        raise ValueError(f"{name}={value!r}; it must be finite and {least}{none}")


def share_or_auto(name, share):
    """Return a share of less than 1 as a float, or None if it is "auto"."""
    if isinstance(share, str) and share == "auto":
        return None
    if not (is_number(share) and 0 <= share < 1):
        raise ValueError(f"{name}={share!r}; it must be 'auto' or a number from 0 to less than 1")
    return float(share)


def check_word(name, value, allowed):
    """Check that a parameter is one of the allowed words."""
    if not (isinstance(value, str) and value in allowed):
        raise ValueError(f"{name}={value!r}; it must be one of {', '.join(allowed)}")


# Points, features, labels and weights


def check_matrix(x, name):
    """Return a matrix in double precision and C order."""
    x = np.ascontiguousarray(x, dtype=np.float64)
    if x.ndim != 2 or x.size == 0:
        raise ValueError(f"{name}: the shape is {x.shape}; it must be (n_points, n_components)")
    return x


def check_points(x, name):
    """Return a finite matrix in double precision and C order."""
    x = check_matrix(x, name)
    check_finite(x, name)
    return x


def check_finite(values, name, first_row=0):
    """Raise a ValueError for NaN or infinity."""
    fine = np.isfinite(values)
    if not fine.all():
        row, column = np.argwhere(~fine)[0]
        raise ValueError(
            f"{name}, row {first_row + row}, column {column}: {values[row, column]} is not "
            "allowed; values must not be NaN or infinite"
        )


def refuse_entries(bad, values, name, rule, first_row=0):
    """Raise a ValueError at the first entry that is bad: where it is, its value and the rule."""
    if bad.any():
        place = np.unravel_index(bad.argmax(), bad.shape)
        column = f", column {place[1]}" if len(place) > 1 else ""
        raise ValueError(f"{name}, row {first_row + place[0]}{column}: {values[place]}; {rule}")


def check_start(init, shape):
    """Return a finite start (points or a matrix) as an array of the given shape."""
    start = np.asarray(init, dtype=np.float64)
    if start.shape != shape:
        raise ValueError(f"init has shape {start.shape}; it must be {shape}")
    check_finite(np.atleast_2d(start), "init")
    return start


def check_features(estimator, X, reset=True):
    """Return finite features as a C-ordered float64 array; `reset` stores their number."""
    from sklearn.utils.validation import validate_data

    X = validate_data(
        estimator,
        X,
        reset=reset,
        dtype=np.float64,
        order="C",
        ensure_all_finite=False,  # the message below says where
        ensure_min_samples=2 if reset else 1,
    )
    check_finite(X, "X")
    return X


def check_dense_or_sparse(estimator, X, reset=True):
    """Return features without a copy if possible, and without checking their values.

    A float32 or float64 array, such as a memmap, is returned as a read-only view. A canonical CSR
    array is returned unchanged. Everything else is converted. `reset` stores the number and names
    of the features; otherwise they are compared with the stored ones.
    """
    from scipy.sparse import issparse
    from sklearn.utils.validation import validate_data

    X = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=(np.float64, np.float32),
        ensure_all_finite=False,  # rows are checked when they are read
    )
    if issparse(X):
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    else:
        X = X.view()
        X.flags.writeable = False  # always read-only, so that numba compiles only once
    return X


def check_labels(estimator, y, n_points):
    """Return the distinct labels, and the number of the label of each point."""
    from sklearn.utils import column_or_1d

    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        )
    y = column_or_1d(y, warn=True)
    if len(y) != n_points:
        raise ValueError(f"y has {len(y)} labels; it must have {n_points}, one for each row of X")
    refuse_missing(y, "y", "point")
    return np.unique(y, return_inverse=True)


def refuse_missing(labels, name, what):
    """Raise a ValueError if a label is missing (None, NaN or pandas' NA)."""
    import pandas as pd

    refuse_entries(pd.isna(labels), labels, name, f"every {what} needs a label")


def check_weights(sample_weight, comparisons):
    """Return checked weights, by default those of `Answers`; None if these are 1 or not given."""
    if sample_weight is None:
        sample_weight = getattr(comparisons, "sample_weight", None)
        if sample_weight is None or (sample_weight == 1).all():
            return None
        if not sample_weight.any():
            raise ValueError("weight: all are 0; at least one answer must count")
    n_comparisons = len(comparisons)
    weights = np.asarray(sample_weight, dtype=float)
    if weights.shape != (n_comparisons,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}; it must be ({n_comparisons},), "
            "one weight per comparison"
        )
    bad = ~np.isfinite(weights) | (weights < 0)
    refuse_entries(bad, weights, "sample_weight", "weights must be finite and not negative")
    if not weights.any():
        raise ValueError("sample_weight: all weights are zero; at least one must be positive")
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not np.isfinite(total):
        raise ValueError(
            f"sample_weight, row {weights.argmax()}: {weights.max()}; the sum must be finite"
        )
    return weights


# Pairs and dissimilarities


def check_pairs(pairs, targets, n_points, rule, allowed):
    """Return checked pairs of row numbers and their targets, which must satisfy `rule`."""
    pairs, targets = np.asarray(pairs), np.asarray(targets, dtype=float)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs) or pairs.dtype.kind not in "iuf":
        raise ValueError(
            f"pairs has shape {pairs.shape} and type {pairs.dtype}; it must have shape (n, 2), two "
            "row numbers of X per pair"
        )
    bad = ~((pairs >= 0) & (pairs < n_points) & (pairs == np.floor(pairs))).all(axis=1)
    if bad.any():
        row = bad.argmax()
        raise ValueError(
            f"pairs, row {row}: {tuple(pairs[row].tolist())}; a pair is two row numbers of X, "
            f"from 0 to {n_points - 1}"
        )
    if targets.shape != (len(pairs),):
        raise ValueError(
            f"{len(pairs)} pairs have values of shape {targets.shape}; it must be "
            f"({len(pairs)},), one value per pair"
        )
    bad = ~rule(targets)
    if bad.any():
        raise ValueError(f"pairs, row {bad.argmax()}: {targets[bad.argmax()]:g}; {allowed}")
    return np.ascontiguousarray(pairs, dtype=np.int64), targets


def check_dissimilarities(dissimilarities, n_components):
    """Return a square matrix of dissimilarities of more than `n_components` points as floats.

    It must be symmetric to a relative 1e-6, not negative, and zero on the diagonal. NaN is a
    missing entry. A row without any entry raises a ValueError.
    """
    name, D = "dissimilarities", np.asarray(dissimilarities, dtype=np.float64)
    if D.ndim != 2 or D.shape[0] != D.shape[1] or not D.size:
        raise ValueError(f"{name}: the shape is {D.shape}; the matrix must be square")
    n = len(D)
    if n < 2:
        raise ValueError(f"{name}: there is only one point; give 2 or more")
    check_count("n_components", n_components, n - 1, "the number of points less one")
    check_entries(D, name)
    diagonal = np.nan_to_num(np.diag(D))
    refuse_entries(diagonal != 0, diagonal, name, "the diagonal must be zero")
    check_symmetric(D, name)
    missing = np.isnan(D).sum(axis=1) + ~np.isnan(np.diag(D))
    if missing.max() == n:
        i = missing.argmax()
        raise ValueError(f"{name}, row {i}: all entries are missing; point {i} needs at least one")
    return D


def check_entries(D, name):
    """Raise a ValueError for negative or infinite entries; NaN is allowed."""
    for first in range(0, len(D), _ROWS):
        rows = D[first : first + _ROWS]
        rule = "entries must be finite and not negative, or NaN where missing"
        refuse_entries((rows < 0) | (rows == np.inf), rows, name, rule, first)


def check_symmetric(D, name):
    """Raise a ValueError if a matrix is not symmetric to a relative 1e-6, including its NaNs."""
    for first in range(0, len(D), _ROWS):
        rows, columns = D[first : first + _ROWS], D[:, first : first + _ROWS].T
        fine = rows == columns
        if not fine.all():
            fine |= np.abs(rows - columns) <= 1e-6 * rows
            fine |= np.isnan(rows) & np.isnan(columns)
            refuse_asymmetric(~fine, D, name, "matrix", first)


def refuse_asymmetric(bad, matrix, name, what, first_row=0):
    """Raise a ValueError at the first entry that differs from the one across the diagonal."""
    if bad.any():
        i, j = np.argwhere(bad)[0] + (first_row, 0)
        raise ValueError(
            f"{name}, row {i}, column {j}: {matrix[i, j]}, but row {j}, column {i} has "
            f"{matrix[j, i]}; the {what} must be symmetric"
        )


def check_pair_weights(weights, D):
    """Return weights of pairs with a mean of one, and their mean; None and 1 if there are none."""
    missing = np.isnan(D)
    if weights is None and not missing.any():
        return None, 1.0
    W = np.ones_like(D) if weights is None else np.array(weights, dtype=np.float64)
    if W.shape != D.shape:
        raise ValueError(
            f"weights: the shape is {W.shape}; it must be {D.shape}, like the dissimilarities"
        )
    bad = ~(np.isfinite(W) & (W >= 0))
    refuse_entries(bad, W, "weights", "weights must be finite and not negative")
    check_symmetric(W, "weights")
    W[missing] = 0.0
    np.fill_diagonal(W, 0.0)
    empty = np.flatnonzero(~W.any(axis=1))
    if empty.size:
        raise ValueError(
            f"weights, row {empty[0]}: zero for all known dissimilarities; point {empty[0]} needs "
            "a positive weight"
        )
    W /= (largest := float(W.max()))  # first, so that equal weights are exactly one
    W /= (mean := float(W.sum() / np.count_nonzero(W)))
    return W, largest * mean
