"""Compute x'Mv and a rank-one update of M in one pass over the matrix.

M is often larger than the cache, so the update of one triplet waits for the product of the next:
`add_and_multiply` does both in one pass. The matrix is an array of tiles, (n_tiles, n_rows, width).
A tile is read from end to end, and its sums stay in registers. No operation is fused or reordered,
so all processors give the same bits. All functions are inlined, because a call costs as much as the
product of a short row.
"""

from numba import njit

from closerthan._core.vectors import FOUR, aligned_zeros, load_lanes, store, total, zeros

VECTORS = 4  # in a row of a tile
TILE = VECTORS * FOUR  # columns


def to_tiles(matrix, width):
    """Copy an (m, n) matrix into tiles of this width, aligned to cache lines."""
    n_rows, n_columns = matrix.shape
    n_tiles = -(-n_columns // width)
    tiles = aligned_zeros((n_tiles, n_rows, width))
    for t in range(n_tiles):
        columns = matrix[:, t * width : (t + 1) * width]
        tiles[t, :, : columns.shape[1]] = columns
    return tiles


def from_tiles(tiles, n_columns):
    """Return the (m, n_columns) matrix that the tiles hold, as a new array."""
    n_tiles, n_rows, width = tiles.shape
    matrix = tiles.transpose(1, 0, 2).reshape(n_rows, n_tiles * width)
    return matrix[:, :n_columns].copy()


@njit(inline="always")
def _load(array, offset):
    """Load four vectors; they are faster than one vector of sixteen numbers."""
    return (
        load_lanes(array, offset, FOUR),
        load_lanes(array, offset + FOUR, FOUR),
        load_lanes(array, offset + 2 * FOUR, FOUR),
        load_lanes(array, offset + 3 * FOUR, FOUR),
    )


@njit(inline="always")
def _add_multiple(vectors, others, number):
    """Return the four vectors plus number times the others."""
    a, b, c, d = vectors
    e, f, g, h = others
    return a + e * number, b + f * number, c + g * number, d + h * number


@njit(inline="always")
def add_and_multiply(tiles, change, left, right, before, row):
    """Add change * xv' to S for one row of left and right; return x'Sv for another row.

    The update takes x and v from row `before` of `left` and `right`, the product from row `row`. If
    `change` is None, nothing is added.
    """
    n_tiles, n_rows, _ = tiles.shape
    whole = zeros(FOUR)
    for t in range(n_tiles):
        if change is not None:
            a, b, c, d = _load(right, before * right.shape[1] + t * TILE)
            added = a * change, b * change, c * change, d * change
        sums = zeros(FOUR), zeros(FOUR), zeros(FOUR), zeros(FOUR)
        for r in range(n_rows):
            here = (t * n_rows + r) * TILE
            values = _load(tiles, here)
            if change is not None:
                values = _add_multiple(values, added, left[before, r])
                for k in range(VECTORS):
                    store(tiles, here + k * FOUR, values[k])
            sums = _add_multiple(sums, values, left[row, r])
        v = _load(right, row * right.shape[1] + t * TILE)
        for k in range(VECTORS):
            whole = whole + sums[k] * v[k]
    return total(whole)


@njit(inline="always")
def product(tiles, left, right, row):
    """Return x'Sv for S in tiles; x and v are row `row` of left and right."""
    return add_and_multiply(tiles, None, left, right, row, row)
