"""The penalty `LowRank` as compiled code, without BLAS and with sums in a fixed order.

`LowRank.of_moments` computes the same in three lines of NumPy with LAPACK's eigensolver. Its
rounding differs, and the kinks of a hinge loss amplify the difference: fits would change.
"""

import numpy as np
from numba import njit

from closerthan._core.vectors import LANES, fma, inner, load, store, total, zeros

_SWEEPS = 30  # largest number of sweeps; more than seven are hardly ever needed
_STRAIGHT = 1e-26  # squared cosine below which two rows count as orthogonal


@njit(cache=True, error_model="numpy", nogil=True)
def add_low_rank(X, out, p, strength, power, epsilon):
    """Return strength * `LowRank` at X; add its gradient to `out` unless that is empty.

    p is the number of columns of X without padding. It should be small.
    """
    n, half = len(X), 0.5 * power
    columns, moments = _columns(X, p), np.zeros((p, -(-p // LANES) * LANES))
    for c in range(p):
        for d in range(c + 1):
            moments[c, d] = moments[d, c] = inner(columns[c], columns[d]) / n
    orthogonalize(moments)
    at_zero = epsilon**half
    value, slope_at_zero = 0.0, half * at_zero / epsilon
    matrix = np.zeros_like(moments)  # the derivative by the moments
    for e in range(p):
        square = inner(moments[e], moments[e])
        s = np.sqrt(square) + epsilon
        raised = np.sqrt(s) if power == 1.0 else s**half
        value += raised - at_zero
        if len(out) and square > 0.0:
            weight = (half * raised / s - slope_at_zero) / square
            for c in range(p):
                for d in range(p):
                    matrix[c, d] += weight * moments[e, c] * moments[e, d]
    if len(out) and np.isfinite(value):
        for c in range(p):
            matrix[c, c] += slope_at_zero
        matrix *= 2.0 * strength / n
        _add_product_of(columns, matrix, out)
    return strength * value


@njit(cache=True, error_model="numpy", nogil=True)
def orthogonalize(rows):
    """Rotate pairs of rows of a small matrix until all rows are orthogonal.

    The rows of a symmetric, positive semidefinite matrix become its eigenvectors times its
    eigenvalues. This is the one-sided Jacobi method (Golub and Van Loan, Matrix computations, 2013,
    sec. 8.6.3). No row is in two pairs of a round, so the processor computes several rotations at
    once. The width is a multiple of LANES.
    """
    p = len(rows)
    order = np.arange(p + p % 2)
    last = len(order) - 1
    for _ in range(_SWEEPS):
        done = True
        for _ in range(last):
            for k in range(len(order) // 2):
                c, d = order[k], order[last - k]
                if c < p and d < p:
                    done &= _turn(rows, c, d)
            moved = order[last]
            for k in range(last, 1, -1):
                order[k] = order[k - 1]
            order[1] = moved
        if done:
            break


@njit(cache=True, error_model="numpy", nogil=True)
def _turn(rows, c, d):
    """Rotate two rows so that they are orthogonal; return whether they already were."""
    width = rows.shape[1]
    xx, yy, xy = zeros(), zeros(), zeros()
    for t in range(0, width, LANES):
        x, y = load(rows, c * width + t), load(rows, d * width + t)
        xx, yy, xy = fma(x, x, xx), fma(y, y, yy), fma(x, y, xy)
    a, b, product = total(xx), total(yy), total(xy)
    if not product * product > _STRAIGHT * a * b:
        return True
    slope = (b - a) / (2.0 * product)
    tangent = np.copysign(1.0 / (abs(slope) + np.sqrt(1.0 + slope * slope)), slope)
    cosine = 1.0 / np.sqrt(1.0 + tangent * tangent)
    sine = tangent * cosine
    for t in range(0, width, LANES):
        x, y = load(rows, c * width + t), load(rows, d * width + t)
        store(rows, c * width + t, x * cosine - y * sine)
        store(rows, d * width + t, x * sine + y * cosine)
    return False


@njit(cache=True, error_model="numpy", nogil=True)
def _columns(X, p):
    """Return the first p columns of X as rows, padded with zeros to whole vectors."""
    n = len(X)
    columns = np.zeros((p, -(-n // LANES) * LANES))
    for c in range(p):
        for i in range(n):
            columns[c, i] = X[i, c]
    return columns


@njit(cache=True, error_model="numpy", nogil=True)
def _add_product_of(columns, matrix, out):
    """Add the product of the columns and a symmetric matrix to the first columns of `out`."""
    p, n = columns.shape
    product = np.empty((p, LANES))
    for first in range(0, n, LANES):
        for d in range(p):
            found = zeros()
            for c in range(p):
                found = fma(load(columns, c * n + first), matrix[d, c], found)
            store(product, d * LANES, found)
        for i in range(first, min(first + LANES, len(out))):
            for d in range(p):
                out[i, d] += product[d, i - first]
