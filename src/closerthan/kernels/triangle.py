"""Symmetric matrices with delayed addition of rank-one terms.

Only the lower triangle is stored. New terms are gathered and added together, because adding many at
once costs little more than adding one. All products and entries include the gathered terms.
"""

from typing import NamedTuple

import numpy as np

from closerthan._core.compiled import compiled

_fast = {"reassoc", "contract"}  # sums in any order: vectors, not one number at a time


class Triangle(NamedTuple):
    """A symmetric matrix: its lower triangle, plus the gathered terms.

    Entries above the diagonal of `lower` are ignored. The terms are sign * vector vector'.
    """

    lower: np.ndarray
    vectors: np.ndarray
    signs: np.ndarray
    n_gathered: np.ndarray


def make_triangle():
    """Return a matrix of no rows."""
    return Triangle(np.zeros((0, 0)), np.zeros((0, 0)), np.zeros(0), np.zeros(1, dtype=np.int64))


def enlarge_triangle(A, n, room):
    """Return a copy with n rows (new ones are zero) and room for `room` terms."""
    lower, vectors = enlarge(A.lower, (n, n)), enlarge(A.vectors, (room, n))
    return Triangle(lower, vectors, enlarge(A.signs, (room,)), A.n_gathered.copy())


def enlarge(array, shape):
    """Return a copy with more rows and columns; new entries are zero."""
    larger = np.zeros(np.maximum(array.shape, shape), dtype=array.dtype)
    larger[tuple(map(slice, array.shape))] = array
    return larger


def add_gathered(A):
    """Add the gathered terms to the triangle."""
    _add_terms(A.lower, A)
    A.n_gathered[0] = 0


def to_dense(A):
    """Return the full matrix."""
    full = A.lower.copy()
    _add_terms(full, A)
    return _mirror(full)


def _add_terms(lower, A):
    n_gathered = A.n_gathered[0]
    if n_gathered:
        vectors = A.vectors[:n_gathered]
        signed = vectors * A.signs[:n_gathered, None]
        for start in range(0, len(lower), 256):  # blocks of rows up to the diagonal
            rows = slice(start, start + 256)
            lower[rows, : start + 256] += signed[:, rows].T @ vectors[:, : start + 256]


@compiled
def _mirror(full):
    """Copy the lower triangle to the upper one."""
    for i in range(len(full)):
        for j in range(i):
            full[j, i] = full[i, j]
    return full


@compiled
def has_room(A, n_terms):
    """Return whether `n_terms` more terms can be gathered."""
    return A.n_gathered[0] + n_terms <= len(A.signs)


@compiled
def gather_term(A, weight, x):
    """Gather the term weight * x x'; there must be room for it."""
    r = A.n_gathered[0]
    A.vectors[r] = np.sqrt(abs(weight)) * x
    A.signs[r] = np.sign(weight)
    A.n_gathered[0] = r + 1


@compiled
def add_at(A, rows, size, block):
    """Add size * block (symmetric) at three rows and columns."""
    for p in range(3):
        for q in range(3):
            if rows[p] >= rows[q]:
                A.lower[rows[p], rows[q]] += size * block[p, q]


@compiled
def squared_kernel_distance(A, i, j):
    """Return A_ii - 2 A_ij + A_jj."""
    d2 = A.lower[i, i] + A.lower[j, j] - 2.0 * A.lower[max(i, j), min(i, j)]
    for r in range(A.n_gathered[0]):
        d2 += A.signs[r] * (A.vectors[r, i] - A.vectors[r, j]) ** 2
    return max(0.0, d2)  # rounding may leave the square just below zero


@compiled
def squared_kernel_distances(A, i, j):
    """Return the squared distances of pairs of rows."""
    out = np.empty(len(i))
    for t in range(len(out)):
        out[t] = squared_kernel_distance(A, i[t], j[t])
    return out


@compiled
def multiply(A, x, out):
    """Write A x to `out`."""
    _multiply_lower(A.lower, x, out)
    for r in range(A.n_gathered[0]):
        add_multiple(out, A.signs[r] * fast_dot(A.vectors[r], x), A.vectors[r])


@compiled(fastmath=_fast)
def _multiply_lower(lower, x, out):
    """Write A x to `out`, four rows of A at a time, so that `out` is read and written less.

    full = np.tril(lower) + np.tril(lower, -1).T
    out[:] = full @ x
    """
    n = len(x)
    out[:] = 0.0
    for i in range(n % 4):
        _multiply_row(lower, x, out, 0, i)
    for i in range(n % 4, n, 4):
        row0, row1, row2, row3 = lower[i, :i], lower[i + 1, :i], lower[i + 2, :i], lower[i + 3, :i]
        x0, x1, x2, x3 = x[i], x[i + 1], x[i + 2], x[i + 3]
        sum0, sum1, sum2, sum3 = 0.0, 0.0, 0.0, 0.0
        for j in range(i):
            sum0 += row0[j] * x[j]
            sum1 += row1[j] * x[j]
            sum2 += row2[j] * x[j]
            sum3 += row3[j] * x[j]
            out[j] += row0[j] * x0 + row1[j] * x1 + row2[j] * x2 + row3[j] * x3
        out[i] += sum0
        out[i + 1] += sum1
        out[i + 2] += sum2
        out[i + 3] += sum3
        for row in range(i, i + 4):
            _multiply_row(lower, x, out, i, row)


@compiled
def _multiply_row(lower, x, out, first, i):
    """Add what the entries of row i from column `first` to the diagonal contribute."""
    for j in range(first, i):
        out[i] += lower[i, j] * x[j]
        out[j] += lower[i, j] * x[i]
    out[i] += lower[i, i] * x[i]


@compiled
def multiply_three(A, rows, x3, out):
    """Write A x to `out`, where x is x3 at three rows and zero elsewhere."""
    out[:] = 0.0
    for p in range(3):
        c = rows[p]
        for i in range(c):
            out[i] += x3[p] * A.lower[c, i]
        for i in range(c, len(out)):
            out[i] += x3[p] * A.lower[i, c]
    for r in range(A.n_gathered[0]):
        add_multiple(out, A.signs[r] * dot_three(A.vectors[r], rows, x3), A.vectors[r])


@compiled(fastmath=_fast)
def fast_dot(x, y):
    """Return the inner product of two vectors; its last bits depend on the processor."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


@compiled
def dot_three(x, rows, x3):
    """Return the inner product of x with a vector that is x3 at three rows and zero elsewhere."""
    return x[rows[0]] * x3[0] + x[rows[1]] * x3[1] + x[rows[2]] * x3[2]


@compiled(fastmath=_fast)
def add_multiple(y, a, x):
    """Add a * x to y."""
    for i in range(len(x)):
        y[i] += a * x[i]


@compiled
def add_three(y, a, rows, x3):
    """Add a * x to y, where x is x3 at three rows and zero elsewhere."""
    for p in range(3):
        y[rows[p]] += a * x3[p]
