"""Checks of arguments; each message says what was given, where, and what is allowed."""

# `closerthan.comparisons` needs numpy only, so other packages are imported inside functions.
from numbers import Integral, Real

import numpy as np

from closerthan._core.shown import shown

ASYMMETRIC = "is not what stands across the diagonal; the matrix must be symmetric"
_ROWS = 256  # checked at once, to avoid a temporary matrix of full size


# Numbers and words


def check_count(name, value, largest=None, what=None, optional=False):
    """Return a parameter that is a whole number from 1 to `largest`, or None if optional."""
    if optional and value is None:
        return None
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < 1 or (largest is not None and value > largest):
        most = "" if largest is None else f" to {largest} ({what})"
        none = ", or None" if optional else ""
        raise ValueError(f"{name}={value!r}; it must be a whole number from 1{most}{none}")
    return int(value)  # products could overflow in a narrow integer type


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
    return _or_auto(name, share, lambda share: 0 <= share < 1, "number from 0 to less than 1")


def positive_or_auto(name, value):
    """Return a positive number as a float, or None if it is "auto"."""
    return _or_auto(name, value, lambda value: value > 0, "positive number")


def _or_auto(name, value, fits, what):
    if isinstance(value, str) and value == "auto":
        return None
    if not (is_number(value) and fits(value)):
        raise ValueError(f"{name}={value!r}; it must be 'auto' or a {what}")
    return float(value)


def check_word(name, value, allowed):
    """Check that a parameter is one of the allowed words."""
    if not (isinstance(value, str) and value in allowed):
        raise ValueError(f"{name}={value!r}; it must be one of {', '.join(allowed)}")


# Whatever comes in


def filled(values):
    """Return a masked array, or a list of them, with NaN where it is masked; others unchanged."""
    if isinstance(values, list | tuple) and any(map(np.ma.isMaskedArray, values)):
        values = np.ma.array(values)
    masked = np.ma.isMaskedArray(values) and np.ma.is_masked(values)
    return values.astype(float).filled(np.nan) if masked else values


def as_array(values, name, rule="all rows must have the same length"):
    """Return what is given as an ordinary array, with NaN where it is masked."""
    if hasattr(values, "todense"):  # of scipy, or of the package sparse
        raise TypeError(
            f"{name}: sparse arrays are not supported here; give a dense array. For a tensor of "
            "responses, take X=np.stack(tensor.coords, axis=1) and y=tensor.data"
        )
    try:
        return np.asarray(filled(values))
    except ValueError:
        sizes = [len(row) if hasattr(row, "__len__") else 1 for row in values]
        row = next((row for row, size in enumerate(sizes) if size != sizes[0]), 0)
        raise ValueError(
            f"{name}, row {row}: {sizes[row]} entries, but row 0 has {sizes[0]}; {rule}"
        ) from None


def check_length(values, length, source, what="screen"):
    """Return values as an array if there is one for each screen (or for each `what`)."""
    values = as_array(values, source)
    if values.shape != (length,):
        raise ValueError(
            f"{source}: shape {values.shape}; expected ({length},), one value for each {what}"
        )
    return values


def as_numbers(values, name, rule="is not a number"):
    """Return what is given as an array of numbers: NaN where it is masked, None or pandas' NA."""
    array = as_array(values, name)
    if array.dtype.kind in "biuf":
        return array
    from pandas import isna

    if not isinstance(values, np.ndarray):  # numpy makes text of numbers among text
        array = np.array(values, dtype=object)
    array = np.atleast_1d(array)
    fine = [_is_real(value) or isna(value) is True for value in array.flat]
    refuse_entries(~np.reshape(fine, array.shape), array, name, rule)
    return np.where(isna(array), np.nan, array).astype(float)


def _is_real(value):
    # A timedelta64 passes for an integer, in an unknown unit.
    return isinstance(value, Real | np.bool_) and not isinstance(value, np.timedelta64)


def as_floats(values, name):
    """Return what is given as an array of float64; see `as_numbers`."""
    return np.asarray(as_numbers(values, name), dtype=np.float64)


def are_whole(numbers):
    """Tell which numbers are whole, and not so large that a float of their type was rounded."""
    if numbers.dtype.kind != "f":
        return np.full(numbers.shape, numbers.dtype != bool)
    exact = np.abs(numbers) < 2.0 ** min(np.finfo(numbers.dtype).nmant + 1, 53)
    return exact & (numbers == np.floor(numbers))


def check_whole(values, name, rule, least=0, limit=2**63):
    """Return whole numbers from `least` to less than `limit` as int64."""
    numbers = as_numbers(values, name, rule)
    bad = ~are_whole(numbers)
    numbers = numbers.astype(np.float64) if numbers.dtype.kind in "bf" else numbers
    refuse_entries(bad | (numbers < least) | (numbers >= limit), numbers, name, rule)
    return numbers.astype(np.int64, copy=False)


def check_rows(rows, n_rows, name, least=0):
    """Return row numbers as int64, also those where a bool for each row is True."""
    rows = as_array(rows, name)
    if rows.dtype == bool and rows.shape == (n_rows,):
        return np.flatnonzero(rows)
    rule = f"allowed are the rows {least} to {n_rows - 1}, or a bool for each row"
    return check_whole(rows, name, rule, least, n_rows)


def as_names(names, name, rule):
    """Return labels or names as an array, each as it was given; the rule says why none may miss."""
    from pandas import isna

    if np.ma.isMaskedArray(names):
        names = np.where(np.ma.getmaskarray(names), None, np.ma.getdata(names))
    array = as_array(names, name)
    if array.dtype.kind == "U" and not isinstance(names, np.ndarray):
        array = np.array(names, dtype=object)  # where -1 is not "-1", and NaN not "nan"
    refuse_entries(isna(array), array, name, rule)
    return array


def distinct_names(names):
    """Return the distinct labels, sorted, numbers first, and the number of each label."""
    from pandas import factorize

    return factorize(names, sort=True)[::-1]


# Points, features and weights


def check_matrix(x, name):
    """Return a matrix in double precision and C order."""
    x = np.ascontiguousarray(as_floats(x, name))
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
    rule = "is not allowed; values must not be missing, NaN or infinite"
    refuse_entries(~np.isfinite(values), values, name, rule, first_row)


def refuse_entries(bad, values, name, rule, first_row=0):
    """Raise a ValueError at the first entry that is bad: where it is, its value and the rule."""
    if bad.any():
        place = np.unravel_index(bad.argmax(), bad.shape)
        column = f", column {place[1]}" if len(place) > 1 else ""
        value = shown(values[place]) + (" " if rule.startswith("is ") else "; ")
        raise ValueError(f"{name}, row {first_row + place[0]}{column}: {value}{rule}")


def check_start(init, shape, words, what):
    """Return a start: one of these words, or a finite array (`what`) of the given shape."""
    if isinstance(init, str):
        if init not in words:
            raise ValueError(f"init={init!r}; it must be {', '.join(map(repr, words))} or {what}")
        return init
    start = as_floats(init, "init")
    if start.shape != shape:
        raise ValueError(f"init has shape {start.shape}; it must be {shape}")
    check_finite(np.atleast_2d(start), "init")
    return start


def check_features(estimator, X, reset=True):
    """Return finite features as a C-ordered float64 array; `reset` stores their number."""
    least = 2 if reset else 1
    X = _validated(estimator, X, reset, dtype=np.float64, order="C", ensure_min_samples=least)
    check_finite(X, "X")
    return X


def check_dense_or_sparse(estimator, X, reset=True):
    """Return features without a copy if possible, and without checking their values.

    A float32 or float64 array, such as a memmap, is returned as a read-only view. A canonical CSR
    array is returned unchanged. Everything else is converted. `reset` stores the number and names
    of the features; otherwise they are compared with the stored ones.
    """
    X = _validated(estimator, X, reset, accept_sparse="csr", dtype=(np.float64, np.float32))
    if hasattr(X, "todense"):
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
    else:
        X = X.view()
        X.flags.writeable = False  # always read-only, so that numba compiles only once
    return X


def _validated(estimator, X, reset, **options):
    """Return features as scikit-learn reads them, which need not be finite."""
    from scipy.sparse import issparse
    from sklearn.utils.validation import validate_data

    if not (issparse(X) or hasattr(X, "columns")):
        X = as_array(X, "X")
    return validate_data(estimator, X, reset=reset, ensure_all_finite=False, **options)


def check_weights(sample_weight, comparisons):
    """Return checked weights, by default those of `Answers`; None if these are 1 or not given."""
    if sample_weight is None:
        sample_weight = getattr(comparisons, "sample_weight", None)
        if sample_weight is None or (sample_weight == 1).all():
            return None
    weights = check_length(sample_weight, len(comparisons), "sample_weight", "comparison")
    weights = as_floats(weights, "sample_weight")
    bad = ~(weights >= 0) | (weights > np.finfo(float).max / len(weights))
    rule = "weights must be finite, also in sum, and not negative"
    refuse_entries(bad, weights, "sample_weight", rule)
    if not weights.any():
        raise ValueError("sample_weight: all weights are zero; at least one must be positive")
    return weights


# Dissimilarities


def check_dissimilarities(dissimilarities, n_components):
    """Return a square matrix of dissimilarities of more than `n_components` points as floats.

    It must be symmetric to a relative 1e-6, not negative, and zero on the diagonal. NaN is a
    missing entry. A row without any entry raises a ValueError.
    """
    name, D = "dissimilarities", as_floats(dissimilarities, "dissimilarities")
    if D.ndim != 2 or D.shape[0] != D.shape[1] or not D.size:
        raise ValueError(f"{name}: the shape is {D.shape}; the matrix must be square")
    n = len(D)
    check_count("n_components", n_components, n - 1, "the number of points less one")
    check_entries(D, name)
    diagonal = np.nan_to_num(np.diag(D))
    refuse_entries(diagonal != 0, diagonal, f"{name}, diagonal", "it must be zero")
    check_symmetric(D, name)
    known = n - np.isnan(D).sum(axis=1) - ~np.isnan(np.diag(D))
    refuse_entries(known == 0, known, name, "is the number of known entries; a point needs one")
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
            refuse_entries(~fine, rows, name, ASYMMETRIC, first)


def check_pair_weights(weights, D):
    """Return weights of pairs with a mean of one, and their mean; None and 1 if there are none."""
    missing = np.isnan(D)
    if weights is None and not missing.any():
        return None, 1.0
    W = np.ones_like(D) if weights is None else as_floats(weights, "weights")
    if W.shape != D.shape:
        raise ValueError(
            f"weights: the shape is {W.shape}; it must be {D.shape}, like the dissimilarities"
        )
    check_entries(W, "weights")
    check_symmetric(W, "weights")
    W = np.where(missing | np.isnan(W), 0.0, W)
    np.fill_diagonal(W, 0.0)
    largest = W.max(axis=1)
    rule = "is the largest for a known dissimilarity; a point needs a positive weight"
    refuse_entries(largest == 0, largest, "weights", rule)
    W /= (largest := float(W.max()))  # first, so that equal weights are exactly one
    W /= (mean := float(W.sum() / np.count_nonzero(W)))
    return W, largest * mean
