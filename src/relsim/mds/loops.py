"""Compiled loops of MDS over all pairs of points: moves of pattern search, stress, SMACOF.

Points are kept as columns, X[c, j], and every row is filled up to a multiple of `STEP`: the points
added lie at the origin and have neither weight nor dissimilarity. Distances are always computed
from the coordinates, so there is no matrix of them to keep, and nothing drifts. `weights` has one
row a point, or a single row if all pairs weigh the same.

Each loop exists for one thread and for several. Both compute every row alike and add up rows in
order, so they give the same bits. (The index of `prange` has no sign, which numba mixes with
signed numbers to floats; hence `np.intp`.)
"""

import numpy as np
from numba import njit, prange

from relsim._simd.float64x8 import (
    LANES,
    STEP,
    fma,
    inverse_sqrt,
    load,
    sqrt,
    sqrt_of_two,
    store,
    total,
    zeros,
)
from relsim._simd.memory import round_up

# (d +- r)**2 in the form d**2 + r**2 +- 2 r d must not be negative by rounding.
_ABOVE_ROUNDING = 1.0 + 1e-15


@njit(cache=True, error_model="numpy")
def add_sums(X, delta, weights, i, first, last, points, dims, radius, stay, sums, t):
    """Add what points `first` to `last` contribute to the sums that decide a move of one point.

    The point is points[t], its dissimilarities are in row i. `sums[t, k]` holds, in eight parts
    each, the sums over j of w delta d for the moves by +radius and by -radius along dimension
    dims[k], and of w (x - x_j) along it unless all weights are one. With `stay` the last row
    holds the sum of w delta d for no move.
    """
    n_components, width = X.shape
    uniform, row = len(weights) == 1, i * width
    zero = t * sums.shape[1] * 3 * LANES
    here = zero + dims.size * 3 * LANES
    for j in range(first, last, STEP):
        a, A = zeros(), zeros()
        for c in range(n_components):
            e = points[t, c] - load(X, c * width + j)
            E = points[t, c] - load(X, c * width + j + LANES)
            a, A = fma(e, e, a), fma(E, E, A)
        s, S = load(delta, row + j), load(delta, row + j + LANES)
        if not uniform:
            s, S = s * load(weights, row + j), S * load(weights, row + j + LANES)
        if stay:
            store(sums, here, fma(S, sqrt(A), fma(s, sqrt(a), load(sums, here))))
        a, A = (a + radius * radius) * _ABOVE_ROUNDING, (A + radius * radius) * _ABOVE_ROUNDING
        for k in range(dims.size):
            plus = zero + 3 * k * LANES
            minus, slope = plus + LANES, plus + 2 * LANES
            e = points[t, dims[k]] - load(X, dims[k] * width + j)
            E = points[t, dims[k]] - load(X, dims[k] * width + j + LANES)
            if not uniform:
                x = fma(load(weights, row + j), e, load(sums, slope))
                store(sums, slope, fma(load(weights, row + j + LANES), E, x))
            e, E = e * (2.0 * radius), E * (2.0 * radius)
            p, P = sqrt(a + e), sqrt(A + E)
            m, M = sqrt_of_two(a - e, A - E)
            store(sums, plus, fma(S, P, fma(s, p, load(sums, plus))))
            store(sums, minus, fma(S, M, fma(s, m, load(sums, minus))))


@njit(cache=True, error_model="numpy")
def _best_move(sums, t, dims, radius, weight, slopes, uniform, stay):
    """Number of the move with the least stress, 2 k or 2 k + 1, or -1 to stay.

    A move by +-r along a dimension changes the stress by
    weight r**2 +- 2 r sum(w (x - x_j)) - 2 (sum(w delta d') - sum(w delta d)).
    """
    zero = t * sums.shape[1] * 3 * LANES
    here = total(load(sums, zero + dims.size * 3 * LANES)) if stay else 0.0
    best, least = -1, 0.0 if stay else np.inf
    for k in range(dims.size):
        plus = zero + 3 * k * LANES
        slope = slopes[dims[k]] if uniform else total(load(sums, plus + 2 * LANES))
        for minus in range(2):
            moved = total(load(sums, plus + minus * LANES))
            step = -radius if minus else radius
            change = weight * radius * radius + 2.0 * step * slope - 2.0 * (moved - here)
            if change < least:
                best, least = 2 * k + minus, change
    return best


@njit(cache=True, error_model="numpy")
def _sums_outside(X, delta, weights, start, stop, points, dims, radius, stay, sums, t):
    """Sums of the block's point t over the points outside of its block."""
    sums[t] = 0.0
    args = (points, dims, radius, stay, sums, t)
    add_sums(X, delta, weights, start + t, 0, start, *args)
    add_sums(X, delta, weights, start + t, stop, X.shape[1], *args)


@njit(cache=True, error_model="numpy", parallel=True)
def _sums_outside_threads(X, delta, weights, start, stop, points, dims, radius, stay, sums):
    for t in prange(len(points)):
        k = np.intp(t)
        _sums_outside(X, delta, weights, start, stop, points, dims, radius, stay, sums, k)


@njit(cache=True, error_model="numpy")
def _move_block(
    X, delta, weights, point_weights, start, stop, points, dims, radius, stay, sums, centers
):
    """Complete the sums of each point of a block, in order, and move it before the next."""
    n, n_components, uniform = len(delta), len(X), len(weights) == 1
    slopes = np.empty(n_components)
    for t in range(len(points)):
        i = start + t
        add_sums(X, delta, weights, i, start, stop, points, dims, radius, stay, sums, t)
        for c in range(n_components):
            slopes[c] = n * X[c, i] - centers[c]
        move = _best_move(sums, t, dims, radius, point_weights[i], slopes, uniform, stay)
        if move >= 0:
            c, step = dims[move // 2], -radius if move % 2 else radius
            X[c, i] += step
            centers[c] += step


@njit(cache=True, error_model="numpy")
def epoch(X, delta, weights, point_weights, dims, radius, stay, sums):
    """Move every point once, in order, along the dimension and the way that suit it best.

    The points of a block are first compared with those outside of it, which do not move
    meanwhile, so that threads may share this work; then in their order with those of the block,
    wherever these are by then. The result is that of moving one point after another. With `stay`
    a point moves only if that lowers the stress.
    """
    n, width, block = len(delta), X.shape[1], len(sums)
    centers = X[:, :n].sum(axis=1)
    for start in range(0, n, block):
        stop = min(start + block, width)
        points = X[:, start : min(stop, n)].T.copy()
        args = (points, dims, radius, stay, sums)
        for t in range(len(points)):
            _sums_outside(X, delta, weights, start, stop, *args, t)
        _move_block(X, delta, weights, point_weights, start, stop, *args, centers)


@njit(cache=True, error_model="numpy")
def epoch_threads(X, delta, weights, point_weights, dims, radius, stay, sums):
    """`epoch` by several threads."""
    n, width, block = len(delta), X.shape[1], len(sums)
    centers = X[:, :n].sum(axis=1)
    for start in range(0, n, block):
        stop = min(start + block, width)
        points = X[:, start : min(stop, n)].T.copy()
        args = (points, dims, radius, stay, sums)
        _sums_outside_threads(X, delta, weights, start, stop, *args)
        _move_block(X, delta, weights, point_weights, start, stop, *args, centers)


@njit(cache=True, error_model="numpy")
def _row_stress(X, delta, weights, i):
    """Sum of w (delta - d)**2 over the pairs of point i with later ones."""
    n_components, width = X.shape
    row = weights[0 if len(weights) == 1 else i]
    middle = round_up(i + 1, STEP)
    head = 0.0
    for j in range(i + 1, middle):
        q = 0.0
        for c in range(n_components):
            q += (X[c, i] - X[c, j]) ** 2
        head += row[j] * (delta[i, j] - np.sqrt(q)) ** 2
    tail, Tail = zeros(), zeros()
    for j in range(middle, width, STEP):
        q, Q = zeros(), zeros()
        for c in range(n_components):
            e = X[c, i] - load(X, c * width + j)
            E = X[c, i] - load(X, c * width + j + LANES)
            q, Q = fma(e, e, q), fma(E, E, Q)
        e = load(delta, i * width + j) - sqrt(q)
        E = load(delta, i * width + j + LANES) - Q * inverse_sqrt(Q)
        tail = fma(load(row, j) * e, e, tail)
        Tail = fma(load(row, j + LANES) * E, E, Tail)
    return head + total(tail + Tail)


@njit(cache=True, error_model="numpy")
def stress_rows(X, delta, weights, out):
    """Stress of each point's pairs with later ones, written to `out`."""
    for i in range(len(delta)):
        out[i] = _row_stress(X, delta, weights, i)


@njit(cache=True, error_model="numpy", parallel=True)
def stress_rows_threads(X, delta, weights, out):
    """`stress_rows` by several threads."""
    for i in prange(len(delta)):
        out[i] = _row_stress(X, delta, weights, np.intp(i))


@njit(cache=True, error_model="numpy")
def _guttman_row(X, delta, weights, i, sums, out):
    """Column i of R(X) X, eq. (7) of the paper; returns the stress of the point's pairs."""
    n_components, width = X.shape
    row = weights[0 if len(weights) == 1 else i]
    sums[:] = 0.0
    stress = zeros()
    for j in range(0, width, LANES):
        q = zeros()
        for c in range(n_components):
            e = X[c, i] - load(X, c * width + j)
            q = fma(e, e, q)
        inverse, d, w = inverse_sqrt(q), load(delta, i * width + j), load(row, j)
        ratio = w * d * inverse
        for c in range(n_components):
            e = X[c, i] - load(X, c * width + j)
            store(sums, c * LANES, fma(ratio, e, load(sums, c * LANES)))
        e = d - q * inverse
        stress = fma(w * e, e, stress)
    for c in range(n_components):
        out[c, i] = total(load(sums, c * LANES))
    return total(stress)


@njit(cache=True, error_model="numpy")
def guttman_rows(X, delta, weights, out, stress):
    """R(X) X in `out`, and in `stress` each point's stress, its pairs counted from both ends."""
    sums = np.empty((X.shape[0], LANES))
    for i in range(len(delta)):
        stress[i] = _guttman_row(X, delta, weights, i, sums, out)


@njit(cache=True, error_model="numpy", parallel=True)
def guttman_rows_threads(X, delta, weights, out, stress):
    """`guttman_rows` by several threads."""
    for i in prange(len(delta)):
        sums = np.empty((X.shape[0], LANES))
        stress[i] = _guttman_row(X, delta, weights, np.intp(i), sums, out)


@njit(cache=True, error_model="numpy")
def _place(X, delta, weights, i, weight, n, start, radius, min_radius):
    """Pattern search for the new point i among fixed ones, without bad moves."""
    n_components, width = X.shape
    uniform, dims, slopes = len(weights) == 1, np.arange(n_components), np.empty(n_components)
    centers = np.array([X[c, :n].sum() for c in range(n_components)])
    points = start.copy().reshape(1, n_components)
    sums = np.empty((1, n_components + 1, 3, LANES))
    while radius > min_radius:
        sums[:] = 0.0
        add_sums(X, delta, weights, i, 0, width, points, dims, radius, True, sums, 0)
        for c in range(n_components):
            slopes[c] = n * points[0, c] - centers[c]
        move = _best_move(sums, 0, dims, radius, weight, slopes, uniform, True)
        if move < 0:
            radius *= 0.5
        else:
            points[0, move // 2] += -radius if move % 2 else radius
    return points[0]


@njit(cache=True, error_model="numpy")
def place_rows(X, delta, weights, point_weights, n, starts, radii, min_radius, out):
    """Places of new points among the n fixed ones, each for itself, written to `out`."""
    for i in range(len(delta)):
        weight = point_weights[i]
        out[i] = _place(X, delta, weights, i, weight, n, starts[i], radii[i], min_radius)


@njit(cache=True, error_model="numpy", parallel=True)
def place_rows_threads(X, delta, weights, point_weights, n, starts, radii, min_radius, out):
    """`place_rows` by several threads."""
    for t in prange(len(delta)):
        i = np.intp(t)
        weight = point_weights[i]
        point = _place(X, delta, weights, i, weight, n, starts[i], radii[i], min_radius)
        for c in range(len(point)):
            out[i, c] = point[c]
