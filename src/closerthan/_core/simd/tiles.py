"""x'My, and a rank-one update of M in the same pass: the compiled heart of the bilinear models.

A step on a triplet reads all of M for x'M(x+ - x-), and then adds a multiple of x(x+ - x-)' to it.
Done one after the other these are two passes over a matrix that is often larger than the cache. So
the update of one triplet waits for the next triplet's product: `add_and_form` does both with one
load and one store a number.

The matrix is kept in tiles, an array of shape (n_tiles, n_rows, width) whose tile t holds the
columns from t * width on. A tile is read from end to end while its sums stay in registers. Nothing
is fused or reordered, so the results are the same on every machine, to the bit.
"""

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from closerthan._core.simd.codegen import LANES, ZERO, add_lanes, broadcast, load, row_of, store
from closerthan._core.simd.memory import aligned_zeros

VECTORS = 4  # in a row of a tile
TILE = LANES * VECTORS


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


@intrinsic
def form(typingctx, tiles, left, right, row):
    """x'Sv for the matrix S that the tiles hold; x and v are that row of left and right.

    The rows of `right` are as wide as all tiles together, and those of `left` at least as wide as
    S has rows.
    """
    signature = types.float64(tiles, left, right, types.intp)

    def codegen(context, builder, signature, args):
        tiles_type, *types_ = signature.args
        tiles, left, right, row = args
        vectors = _vectors(context, builder, types_, left, right, row)
        return _sweep(builder, context.make_array(tiles_type)(context, builder, tiles), vectors)

    return signature, codegen


@intrinsic
def add_and_form(typingctx, tiles, change, left, right, before, row):
    """Add change * xv' to S, where x and v are row `before`; then x'Sv, where they are `row`."""
    signature = types.float64(tiles, types.float64, left, right, types.intp, types.intp)

    def codegen(context, builder, signature, args):
        tiles_type, _, *types_ = signature.args
        tiles, change, left, right, *rows = args
        old, new = (_vectors(context, builder, types_, left, right, row) for row in rows)
        tiles = context.make_array(tiles_type)(context, builder, tiles)
        return _sweep(builder, tiles, new, (change, *old))

    return signature, codegen


def _vectors(context, builder, array_types, left, right, row):
    """Addresses of x and v."""
    x, _ = row_of(context, builder, array_types[0], left, row)
    v, _ = row_of(context, builder, array_types[1], right, row)
    return x, v


def _sweep(builder, tiles, vectors, update=None):
    """Code of one pass over the tiles; `update` is (change, x_before, v_before)."""
    x, v = vectors
    n_tiles, n_rows, width = cgutils.unpack_tuple(builder, tiles.shape)
    total = cgutils.alloca_once_value(builder, ZERO)
    sums = [cgutils.alloca_once_value(builder, ZERO) for _ in range(VECTORS)]
    offsets = [width.type(LANES * k) for k in range(VECTORS)]
    with cgutils.for_range(builder, n_tiles) as tile:
        first = builder.mul(tile.index, width)
        columns = [builder.add(first, offset) for offset in offsets]
        if update is not None:
            change, x_before, v_before = update
            change = broadcast(builder, change)
            added = [builder.fmul(change, load(builder, v_before, c)) for c in columns]
        for s in sums:
            builder.store(ZERO, s)
        tile_start = builder.gep(tiles.data, [builder.mul(first, n_rows)])
        with cgutils.for_range(builder, n_rows) as loop:
            row = builder.gep(tile_start, [builder.mul(loop.index, width)])
            values = [load(builder, row, offset) for offset in offsets]
            if update is not None:
                weight = _number(builder, x_before, loop.index)
                values = [
                    builder.fadd(value, builder.fmul(weight, a))
                    for value, a in zip(values, added, strict=True)
                ]
                for value, offset in zip(values, offsets, strict=True):
                    store(builder, value, row, offset)
            weight = _number(builder, x, loop.index)
            for value, s in zip(values, sums, strict=True):
                _accumulate(builder, s, weight, value)
        for s, c in zip(sums, columns, strict=True):
            _accumulate(builder, total, builder.load(s), load(builder, v, c))
    return add_lanes(builder, builder.load(total))


def _number(builder, pointer, index):
    return broadcast(builder, builder.load(builder.gep(pointer, [index])))


def _accumulate(builder, total, a, b):
    builder.store(builder.fadd(builder.load(total), builder.fmul(a, b)), total)
