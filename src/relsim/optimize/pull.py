"""How a penalty pulls the points: compiled, without BLAS, in an order of addition of its own."""

import numpy as np
from numba import njit

from relsim._simd.vectors import inner

SPARING = 4  # comparisons an object between two steps along the gradient of a penalty


@njit(cache=True, error_model="numpy", nogil=True)
def add_ridge(X, out, strength):
    """Add the gradient of strength * ||X||^2 to out, if it has rows; return that."""
    total = 0.0
    for i in range(len(X)):
        total += inner(X[i], X[i])
    for i in range(len(out)):
        for c in range(X.shape[1]):
            out[i, c] += 2.0 * strength * X[i, c]
    return strength * total


@njit(cache=True, error_model="numpy", nogil=True)
def second_moments(X):
    """The matrix X'X, in an order of addition of its own."""
    columns = np.ascontiguousarray(X.T)
    p = len(columns)
    out = np.empty((p, p))
    for c in range(p):
        for d in range(c + 1):
            out[c, d] = out[d, c] = inner(columns[c], columns[d])
    return out


@njit(cache=True, error_model="numpy", nogil=True)
def add_product(out, X, matrix):
    """Add X @ matrix to out."""
    columns = np.ascontiguousarray(X.T)
    product = np.zeros_like(columns)
    for c in range(len(columns)):
        for d in range(len(columns)):
            factor = matrix[c, d]
            for i in range(len(X)):
                product[d, i] += factor * columns[c, i]
    for i in range(len(X)):
        for c in range(len(columns)):
            out[i, c] += product[c, i]


@njit(cache=True, error_model="numpy", nogil=True)
def shrink(X, axes, rates, time):
    """Follow the gradient of a penalty for a while: divide X along each axis by 1 + time * rate.

    This is the implicit step, which is stable for any time.
    """
    p = len(rates)
    matrix = np.zeros((p, p))
    for c in range(p):
        for d in range(p):
            for e in range(p):
                matrix[c, d] += axes[c, e] * axes[d, e] / (1.0 + time * rates[e])
    row = np.empty(p)
    for i in range(len(X)):
        row[:] = 0.0
        for c in range(p):
            x = X[i, c]
            for d in range(p):
                row[d] += x * matrix[c, d]
        X[i] = row
