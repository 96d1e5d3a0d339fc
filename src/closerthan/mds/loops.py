"""Compiled loops of MDS over all pairs of points: moves of pattern search, stress, SMACOF.

Points are columns, X[c, j], padded to a multiple of `STEP`. The added points lie at the origin and
have no weight and no dissimilarity. `weights` has one row per point, or a single row if all pairs
have the same weight. A loop computes rows `first` to `last`, or columns if it says so, so that
threads can share them.
(A zero is passed as `np.intp(0)` because numba would compile the callee again for the constant.)
"""

import numpy as np

from closerthan._core.compiled import compiled
from closerthan._core.vectors import (
    LANES,
    STEP,
    fma,
    inverse_sqrt,
    load_lanes,
    round_up,
    sqrt,
    store,
    total,
    zeros,
)

# Rounding must not make d**2 + r**2 +- 2 r d, which is (d +- r)**2, negative.
_ABOVE_ROUNDING = 1.0 + 1e-15
# A move must lower the stress by more than rounding errors, or two equally good places would
# exchange the point forever.
_ROUNDING = 1e-13


@compiled
def _add_sums(X, delta, weights, i, first, last, point, dims, radius, stay, sums):
    """Add the terms of points `first` to `last` to the sums that decide the move of one point.

    Row i holds the dissimilarities of this point. `sums[k]` holds three sums over j, each in eight
    parts: of w delta d for the moves by +radius and -radius along dimension dims[k], and of
    w (x - x_j) along it unless all weights are one. The last row is for no move, if `stay`.
    """
    n_components, width = X.shape
    uniform, row = len(weights) == 1, i * width
    here = dims.size * 3 * LANES
    for j in range(first, last, STEP):
        a, A = zeros(), zeros()  # capitals: the second of two vectors that are computed at once
        for c in range(n_components):
            e = point[c] - load_lanes(X, c * width + j)
            E = point[c] - load_lanes(X, c * width + j + LANES)
            a, A = fma(e, e, a), fma(E, E, A)
        s, S = load_lanes(delta, row + j), load_lanes(delta, row + j + LANES)
        if not uniform:
            s, S = s * load_lanes(weights, row + j), S * load_lanes(weights, row + j + LANES)
        if stay:
            store(sums, here, fma(S, sqrt(A), fma(s, sqrt(a), load_lanes(sums, here))))
        a, A = (a + radius * radius) * _ABOVE_ROUNDING, (A + radius * radius) * _ABOVE_ROUNDING
        for k in range(dims.size):
            plus = 3 * k * LANES
            minus, slope = plus + LANES, plus + 2 * LANES
            e = point[dims[k]] - load_lanes(X, dims[k] * width + j)
            E = point[dims[k]] - load_lanes(X, dims[k] * width + j + LANES)
            if not uniform:
                x = fma(load_lanes(weights, row + j), e, load_lanes(sums, slope))
                store(sums, slope, fma(load_lanes(weights, row + j + LANES), E, x))
            p = sqrt(fma(e, 2.0 * radius, a))
            P = sqrt(fma(E, 2.0 * radius, A))
            m = sqrt(fma(e, -2.0 * radius, a))
            M = sqrt(fma(E, -2.0 * radius, A))
            store(sums, plus, fma(S, P, fma(s, p, load_lanes(sums, plus))))
            store(sums, minus, fma(S, M, fma(s, m, load_lanes(sums, minus))))


@compiled
def _best_move(sums, dims, radius, weight, slopes, uniform, stay):
    """Return the number of the move with the least stress, 2 k or 2 k + 1, or -1 to stay.

    A move by +-r along a dimension changes the stress by
    weight r**2 +- 2 r sum(w (x - x_j)) - 2 (sum(w delta d') - sum(w delta d)).
    """
    here = total(load_lanes(sums, dims.size * 3 * LANES)) if stay else 0.0
    best, least = -1, -_ROUNDING * here if stay else np.inf
    for k in range(dims.size):
        plus = 3 * k * LANES
        slope = slopes[dims[k]] if uniform else total(load_lanes(sums, plus + 2 * LANES))
        for minus in range(2):
            moved = total(load_lanes(sums, plus + minus * LANES))
            step = -radius if minus else radius
            change = weight * radius * radius + 2.0 * step * slope - 2.0 * (moved - here)
            if change < least:
                best, least = 2 * k + minus, change
    return best


@compiled
def sum_outside(X, delta, weights, first, last, start, stop, dims, radius, stay, sums):
    """Start the sums of points `first` to `last`, without the points `start` to `stop`."""
    for i in range(first, last):
        point, of_point = X[:, i].copy(), sums[i - first]
        of_point[:] = 0.0
        for low, high in ((np.intp(0), start), (stop, X.shape[1])):
            _add_sums(X, delta, weights, i, low, high, point, dims, radius, stay, of_point)


@compiled
def move_points(
    X, delta, weights, point_weights, first, last, start, stop, dims, radius, stay, sums, centers
):
    """Complete the sums of points `first` to `last` in order; move each before the next."""
    n, n_components, uniform = len(delta), len(X), len(weights) == 1
    slopes = np.empty(n_components)
    for i in range(first, last):
        point, of_point = X[:, i].copy(), sums[i - first]
        _add_sums(X, delta, weights, i, start, stop, point, dims, radius, stay, of_point)
        for c in range(n_components):
            slopes[c] = n * point[c] - centers[c]
        move = _best_move(of_point, dims, radius, point_weights[i], slopes, uniform, stay)
        if move >= 0:
            c, step = dims[move // 2], -radius if move % 2 else radius
            X[c, i] += step
            centers[c] += step


@compiled
def place_rows(X, delta, weights, first, last, point_weights, n, starts, radii, min_radius, out):
    """Write the coordinates of new points, each placed on its own, among n fixed ones to `out`."""
    n_components, width = X.shape
    uniform, dims, slopes = len(weights) == 1, np.arange(n_components), np.empty(n_components)
    centers = np.array([X[c, :n].sum() for c in range(n_components)])
    sums = np.empty((n_components + 1, 3, LANES))
    for i in range(first, last):
        point, radius = starts[i].copy(), radii[i]
        while radius > min_radius:
            sums[:] = 0.0
            _add_sums(X, delta, weights, i, np.intp(0), width, point, dims, radius, True, sums)
            for c in range(n_components):
                slopes[c] = n * point[c] - centers[c]
            move = _best_move(sums, dims, radius, point_weights[i], slopes, uniform, True)
            if move < 0:
                radius *= 0.5
            else:
                point[move // 2] += -radius if move % 2 else radius
        out[i] = point


@compiled
def stress_rows(X, delta, weights, first, last, out):
    """Write the sum of w (delta - d)**2 over the pairs of each point with later ones to `out`."""
    n_components, width = X.shape
    for i in range(first, last):
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
                e = X[c, i] - load_lanes(X, c * width + j)
                E = X[c, i] - load_lanes(X, c * width + j + LANES)
                q, Q = fma(e, e, q), fma(E, E, Q)
            e = load_lanes(delta, i * width + j) - sqrt(q)
            E = load_lanes(delta, i * width + j + LANES) - sqrt(Q)
            tail = fma(load_lanes(row, j) * e, e, tail)
            Tail = fma(load_lanes(row, j + LANES) * E, E, Tail)
        out[i] = head + total(tail + Tail)


@compiled
def guttman_rows(X, delta, weights, first, last, out, stress):
    """Write columns of R(X) X to `out`, and each point's stress.

    R is in eq. (7) of Paraskevopoulos et al. (2018).
    """
    n_components, width = X.shape
    sums = np.empty((n_components, LANES))
    for i in range(first, last):
        row = weights[0 if len(weights) == 1 else i]
        sums[:] = 0.0
        of_point = zeros()
        for j in range(0, width, LANES):
            q = zeros()
            for c in range(n_components):
                e = X[c, i] - load_lanes(X, c * width + j)
                q = fma(e, e, q)
            inverse, d, w = inverse_sqrt(q), load_lanes(delta, i * width + j), load_lanes(row, j)
            ratio = w * d * inverse
            for c in range(n_components):
                e = X[c, i] - load_lanes(X, c * width + j)
                store(sums, c * LANES, fma(ratio, e, load_lanes(sums, c * LANES)))
            e = d - q * inverse
            of_point = fma(w * e, e, of_point)
        for c in range(n_components):
            out[c, i] = total(load_lanes(sums, c * LANES))
        stress[i] = total(of_point)


@compiled
def square_rows(V, delta, first, last, out):
    """Multiply squared dissimilarities by the rows of V into columns `first` to `last` of `out`."""
    n_vectors, width = V.shape
    sums = np.empty((n_vectors, STEP))
    for i in range(first, last):
        sums[:] = 0.0
        for j in range(0, width, STEP):
            s = load_lanes(delta, i * width + j, STEP)
            s = s * s
            for k in range(n_vectors):
                found = fma(s, load_lanes(V, k * width + j, STEP), load_lanes(sums, k * STEP, STEP))
                store(sums, k * STEP, found)
        for k in range(n_vectors):
            out[k, i] = total(load_lanes(sums, k * STEP, STEP))


@compiled
def distance_columns(points, X, first, last, out):
    """Write Euclidean distances of points from the columns of X in some blocks to `out`."""
    n, n_features = out.shape[1], len(X)
    block = np.empty((n_features, STEP))
    roots = np.empty(STEP)
    for j in range(first * STEP, last * STEP, STEP):
        for c in range(n_features):
            for t in range(STEP):
                block[c, t] = X[c, j + t]
        n_here = min(STEP, n - j)
        for i in range(len(points)):
            q = zeros(STEP)
            for c in range(n_features):
                e = points[i, c] - load_lanes(block, c * STEP, STEP)
                q = fma(e, e, q)
            store(roots, 0, sqrt(q))
            for t in range(n_here):
                out[i, j + t] = roots[t]
