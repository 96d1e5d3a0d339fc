"""Run the steps of OASIS and SDCA over triplets, for dense and sparse features.

The learned matrix is M = S / divisor with S = M_0 + sum_t alpha_t G_t and G_t = x (x+ - x-)'. Every
step changes one alpha.

`divisor` is an array of one number, which grows by `growth` with each step. `sums` adds up hinge,
squared hinge and mistakes before each update, and counts the steps.
"""

import numpy as np

from closerthan._core.compiled import compiled
from closerthan._core.vectors import round_up, squared_distance
from closerthan.similarity.tiles import TILE, add_and_multiply, product

BLOCK = 32  # rows fetched together, so that their loads from memory overlap
STEPS = 3  # entry of `sums`


@compiled
def _step(value, squared_norm, alphas, t, C, growth, divisor, sums):
    """Count the loss of a triplet whose x'Sv is `value`; return the change of its alpha."""
    divisor[0] += growth
    margin = value / divisor[0]
    hinge = max(0.0, 1.0 - margin)
    sums[0] += hinge
    sums[1] += hinge * hinge
    sums[2] += margin <= 0.0
    sums[STEPS] += 1.0
    if C > 0.0:  # the passive-aggressive step of Chechik et al. (2010)
        change = min(C, hinge / squared_norm)
    else:  # the maximizer of the dual, Algorithm 1 of Wu et al. (2014)
        change = (1.0 - margin - alphas[t] / 2.0) / (0.5 + squared_norm / divisor[0])
        change = max(change, -alphas[t])
    alphas[t] += change
    return change


@compiled
def dense_pass(X, triplets, order, alphas, C, growth, S, divisor, sums):
    """Make steps on the triplets in this order; update S, alphas, divisor and sums in place.

    `order` has row numbers of `triplets`. C is the aggressiveness of OASIS; 0 selects the steps of
    SDCA. S has the shape (n_tiles, n_features, TILE).
    """
    left, right = _buffers(S, BLOCK)
    norms = np.empty(BLOCK)
    for start in range(0, len(order), BLOCK):
        batch = order[start : start + BLOCK]
        for q in range(len(batch)):
            norms[q] = _fetch(X, triplets, batch[q], left, right, q)
        change, last = 0.0, 0
        for q in range(len(batch)):
            if change == 0.0:  # else one pass over S adds the last update and gives this product
                value = product(S, left, right, q)
            else:
                value = add_and_multiply(S, change, left, right, last, q)
            change = _step(value, norms[q], alphas, batch[q], C, growth, divisor, sums)
            last = q
        if change != 0.0:
            add_and_multiply(S, change, left, right, last, last)


@compiled
def dense_values(X, triplets, S):
    """Return x'Sv of every triplet, shape (n_triplets,)."""
    left, right = _buffers(S, 1)
    values = np.empty(len(triplets))
    for t in range(len(triplets)):
        _fetch(X, triplets, t, left, right, 0)
        values[t] = product(S, left, right, 0)
    return values


@compiled
def _buffers(S, n_rows):
    """Return buffers for x and x+ - x- of some triplets, and for a row that stays zero."""
    width = round_up(S.shape[1], TILE)
    return np.zeros((n_rows + 1, width)), np.zeros((n_rows + 1, S.shape[0] * TILE))


@compiled
def _fetch(X, triplets, t, left, right, q):
    """Fill row q with the two vectors with outer product G; return the squared norm of G."""
    i, j, k = triplets[t, 0], triplets[t, 1], triplets[t, 2]
    for c in range(X.shape[1]):
        right[q, c] = np.float64(X[j, c]) - X[k, c]
        left[q, c] = X[i, c]
    zero = len(left) - 1  # this row stays zero, so distances from it are norms
    return squared_distance(left, q, zero) * squared_distance(right, q, zero)


@compiled
def sparse_pass(data, indices, indptr, triplets, order, alphas, C, growth, S, divisor, sums):
    """Do `dense_pass` for CSR rows with sorted columns. S is one tile, with all columns."""
    buffers = _sparse_buffers(indptr)
    for t in order:
        x, v, squared_norm = _fetch_sparse(data, indices, indptr, triplets[t], buffers)
        value = _sparse_product(S[0], x, v)
        change = _step(value, squared_norm, alphas, t, C, growth, divisor, sums)
        if change != 0.0:
            _sparse_add(S[0], change, x, v)


@compiled
def sparse_values(data, indices, indptr, triplets, S):
    """Return x'Sv of every triplet, shape (n_triplets,)."""
    buffers = _sparse_buffers(indptr)
    values = np.empty(len(triplets))
    for t in range(len(triplets)):
        x, v, _ = _fetch_sparse(data, indices, indptr, triplets[t], buffers)
        values[t] = _sparse_product(S[0], x, v)
    return values


@compiled
def _sparse_buffers(indptr):
    longest = 1 + max(0, np.diff(indptr).max())
    return (
        (np.empty(longest, np.int64), np.empty(longest)),
        (np.empty(2 * longest, np.int64), np.empty(2 * longest)),
    )


@compiled
def _fetch_sparse(data, indices, indptr, triplet, buffers):
    """Return both vectors with outer product G as (columns, values), and G's squared norm."""
    i, j, k = triplet
    (x_columns, x_values), (v_columns, v_values) = buffers
    n_v = _difference(data, indices, indptr, j, k, v_columns, v_values)
    n_x = indptr[i + 1] - indptr[i]
    for a in range(n_x):
        x_columns[a] = indices[indptr[i] + a]
        x_values[a] = data[indptr[i] + a]
    x, v = (x_columns[:n_x], x_values[:n_x]), (v_columns[:n_v], v_values[:n_v])
    return x, v, np.dot(x[1], x[1]) * np.dot(v[1], v[1])


@compiled
def _difference(data, indices, indptr, j, k, columns, values):
    """Write row j minus row k by merging them; return the number of entries."""
    a, b, n = indptr[j], indptr[k], 0
    while a < indptr[j + 1] or b < indptr[k + 1]:
        value = 0.0
        from_j = b == indptr[k + 1] or (a < indptr[j + 1] and indices[a] <= indices[b])
        column = indices[a] if from_j else indices[b]
        if from_j:
            value += data[a]
            a += 1
        if b < indptr[k + 1] and indices[b] == column:
            value -= data[b]
            b += 1
        if value != 0.0:
            columns[n], values[n] = column, value
            n += 1
    return n


@compiled
def _sparse_product(S, x, v):
    rows, weights = x
    columns, values = v
    total = 0.0
    for a in range(len(rows)):
        row = 0.0
        for b in range(len(columns)):
            row += S[rows[a], columns[b]] * values[b]
        total += weights[a] * row
    return total


@compiled
def _sparse_add(S, change, x, v):
    rows, weights = x
    columns, values = v
    for a in range(len(rows)):
        weight = change * weights[a]
        for b in range(len(columns)):
            S[rows[a], columns[b]] += weight * values[b]
