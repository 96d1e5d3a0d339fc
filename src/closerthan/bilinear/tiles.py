"""x'My, and a rank-one update of M in the same pass: the compiled heart of the bilinear models.

A step on a triplet reads all of M for x'M(x+ - x-), and then adds a multiple of x(x+ - x-)' to it.
Done one after the other these are two passes over a matrix that is often larger than the cache. So
the update of one triplet waits for the next triplet's product: `add_and_form` does both with one
load and one store a number.

    M += change * np.outer(x_before, v_before)
    return x @ M @ v

The matrix is kept in tiles, an array of shape (n_tiles, n_rows, width) whose tile t holds the
columns from t * width on. A tile is read from end to end while its sums stay in registers. Nothing
is fused or reordered, so the results are the same on every machine, to the bit.
"""

from numba import njit

from closerthan._core.vectors import FOUR, aligned_zeros, load, quarters, store, total, zeros

TILE = 16  # columns, a vector


def to_tiles(matrix, width):
    """Copy an (m, n) matrix into tiles of that width, aligned to cache lines."""
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


@njit(cache=True, error_model="numpy", nogil=True)
def add_and_form(tiles, change, left, right, before, row):
    """Add change * xv' to the matrix S, x and v being row `before` of left and right; return x'Sv.

    The latter with the row `row`. If `change` is None nothing is added. The rows of `right` are as
    wide as all tiles together, and those of `left` at least as wide as S has rows.
    """
    n_tiles, n_rows, _ = tiles.shape
    whole = zeros(FOUR)
    for t in range(n_tiles):
        if change is not None:
            added = load(right, before * right.shape[1] + t * TILE, TILE) * change
        sums = zeros(TILE)
        for r in range(n_rows):
            here = (t * n_rows + r) * TILE
            values = load(tiles, here, TILE)
            if change is not None:
                values = values + added * left[before, r]
                store(tiles, here, values)
            sums = sums + values * left[row, r]
        a, b, c, d = quarters(sums * load(right, row * right.shape[1] + t * TILE, TILE))
        whole = whole + a + b + c + d
    return total(whole)


@njit(cache=True, error_model="numpy", nogil=True)
def form(tiles, left, right, row):
    """x'Sv for the matrix S that the tiles hold; x and v are that row of left and right."""
    return add_and_form(tiles, None, left, right, row, row)
