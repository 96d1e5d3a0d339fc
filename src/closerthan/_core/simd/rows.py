"""Rows of points in SIMD registers: distances of two, and what a gradient adds to them.

Numba leaves loops over short rows scalar; these are not. What is added to what, and what is rounded
once, is always said. Rows are handled four numbers at a time: `padded_width` gives the width that
point arrays must have; the columns added hold zeros.

Comparisons are rows of unsigned numbers, (i, j, k) or (i, j, l, k). How wide these and the points
are is part of the type of `sizes_of`, so that the loops over them are unrolled when the code is
compiled.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from closerthan._core.simd.codegen import (
    LANES,
    ZERO,
    add_lanes,
    add_lanes_of,
    broadcast,
    columns_of,
    fma,
    load,
    row_of,
    store,
)
from closerthan._core.simd.memory import round_up

_WIDEST = 64  # vectors in a row whose number is part of a type


def padded_width(n_components):
    """Smallest multiple of the SIMD width that holds `n_components` columns."""
    return round_up(n_components, LANES)


def pad(points):
    """Copy (n, p) points to a C-ordered float64 array whose added columns are zero."""
    n_objects, n_components = np.shape(points)
    padded = np.zeros((n_objects, padded_width(n_components)))
    padded[:, :n_components] = points
    return padded


def sizes_of(width, n_ends):
    """What tells compiled code the widths of points and of comparisons: the lengths of two tuples.

    Parameters
    ----------
    width : int
        Padded width of the points.
    n_ends : int
        3 for triplets, 4 for quadruplets.
    """
    vectors = width // LANES
    return (None,) * (vectors if vectors <= _WIDEST else 0), (None,) * n_ends


def _width(sizes):
    """Width of the points if it is known, else None."""
    return LANES * sizes[0].count or None


@intrinsic
def squared_distance(typingctx, X, i, j):
    """Squared Euclidean distance of rows i and j of X."""
    signature = types.float64(X, types.uintp, types.uintp)

    def codegen(context, builder, signature, args):
        X, *rows = args
        (x_i, width), (x_j, _) = (
            row_of(context, builder, signature.args[0], X, row) for row in rows
        )
        return add_lanes(builder, _squares(builder, x_i, x_j, width))

    return signature, codegen


@intrinsic
def distances_of_one(typingctx, X, comparisons, t, a, b, s, sizes):
    """Write the squared distances of comparison t to a[s] and b[s]."""
    return _distances(1, X, comparisons, t, a, b, s, sizes)


@intrinsic
def distances_of_four(typingctx, X, comparisons, t, a, b, s, sizes):
    """Write the squared distances of comparisons t to t + 3 to a[s : s + 4] and b[s : s + 4]."""
    return _distances(LANES, X, comparisons, t, a, b, s, sizes)


@intrinsic
def distances_to_four(typingctx, X, i, j, out, sizes):
    """Write the squared distances of row i of X from rows j to j + 3 to out[j : j + 4]."""
    signature = types.void(X, types.uintp, types.uintp, out, sizes)

    def codegen(context, builder, signature, args):
        X_type, _, _, out_type, sizes = signature.args
        X, i, j, out, _ = args
        x_i, width = row_of(context, builder, X_type, X, i, _width(sizes))
        others = [builder.add(j, j.type(m)) for m in range(LANES)]
        rows = [row_of(context, builder, X_type, X, r, _width(sizes))[0] for r in others]
        sums = [_squares(builder, x_i, row, width) for row in rows]
        data = context.make_array(out_type)(context, builder, out).data
        store(builder, add_lanes_of(builder, sums), data, j)
        return context.get_dummy_value()

    return signature, codegen


def _distances(count, *arguments):
    X, comparisons, _, a, b, _, sizes = arguments
    signature = types.void(X, comparisons, types.uintp, a, b, types.uintp, sizes)

    def codegen(context, builder, signature, args):
        kinds = signature.args
        near, far = [], []
        for m in range(count):
            t = builder.add(args[2], args[2].type(m))
            ends = _ends(context, builder, kinds[1], args[1], t, kinds[6])
            rows = [row_of(context, builder, kinds[0], args[0], r, _width(kinds[6])) for r in ends]
            (x_i, width), (x_j, _), (x_l, _), (x_k, _) = rows
            near.append(_squares(builder, x_i, x_j, width))
            far.append(_squares(builder, x_l, x_k, width))
        for sums, kind, array in ((near, kinds[3], args[3]), (far, kinds[4], args[4])):
            data = context.make_array(kind)(context, builder, array).data
            if count == 1:
                builder.store(add_lanes(builder, sums[0]), builder.gep(data, [args[5]]))
            else:
                store(builder, add_lanes_of(builder, sums), data, args[5])
        return context.get_dummy_value()

    return signature, codegen


def _ends(context, builder, kind, comparisons, t, sizes):
    """Row numbers i, j, l and k of comparison t."""
    n_ends = sizes[1].count
    data = context.make_array(kind)(context, builder, comparisons).data
    first = builder.mul(t, t.type(n_ends))
    places = [builder.gep(data, [builder.add(first, t.type(m))]) for m in range(n_ends)]
    ends = [builder.zext(builder.load(place), ir.IntType(64)) for place in places]
    return ends if n_ends == 4 else [ends[0], ends[1], ends[0], ends[2]]


def _squares(builder, x, y, width):
    """Four partial sums of the squared differences of two rows."""
    total = cgutils.alloca_once_value(builder, ZERO)
    with columns_of(builder, width) as (column, _):
        e = builder.fsub(load(builder, x, column), load(builder, y, column))
        builder.store(fma(builder, e, e, builder.load(total)), total)
    return builder.load(total)


@intrinsic
def add_difference(typingctx, G, weight, X, i, j):
    """Add weight * (X[i] - X[j]) to row i of G and subtract it from row j."""
    signature = types.void(G, types.float64, X, types.uintp, types.uintp)

    def codegen(context, builder, signature, args):
        G_type, _, X_type, _, _ = signature.args
        G, weight, X, *rows = args
        (x_i, width), (x_j, _) = (row_of(context, builder, X_type, X, r) for r in rows)
        (g_i, _), (g_j, _) = (row_of(context, builder, G_type, G, r) for r in rows)
        weight = broadcast(builder, weight)
        with columns_of(builder, width) as (column, _):
            e = builder.fsub(load(builder, x_i, column), load(builder, x_j, column))
            e = builder.fmul(weight, e)
            store(builder, builder.fadd(load(builder, g_i, column), e), g_i, column)
            store(builder, builder.fsub(load(builder, g_j, column), e), g_j, column)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def add_differences_from(typingctx, G, weights, X, i, sizes):
    """`add_difference` of weights[j], i, j for all rows j, with row i in registers."""
    signature = types.void(G, weights, X, types.uintp, sizes)

    def codegen(context, builder, signature, args):
        G_type, weights_type, X_type, _, sizes = signature.args
        G, weights, X, i, _ = args
        (x_i, g_i), width = _rows(context, builder, (X_type, G_type), (X, G), i, sizes)
        weights = context.make_array(weights_type)(context, builder, weights).data
        shape = context.make_array(X_type)(context, builder, X).shape
        columns = [width.type(LANES * v) for v in range(sizes[0].count)]
        here = [load(builder, x_i, c) for c in columns]
        totals = [cgutils.alloca_once_value(builder, load(builder, g_i, c)) for c in columns]
        with cgutils.for_range(builder, cgutils.unpack_tuple(builder, shape)[0]) as loop:
            (x_j, g_j), _ = _rows(context, builder, (X_type, G_type), (X, G), loop.index, sizes)
            weight = broadcast(builder, builder.load(builder.gep(weights, [loop.index])))
            for x, total, c in zip(here, totals, columns, strict=True):
                e = builder.fmul(weight, builder.fsub(x, load(builder, x_j, c)))
                builder.store(builder.fadd(builder.load(total), e), total)
                store(builder, builder.fsub(load(builder, g_j, c), e), g_j, c)
        for total, c in zip(totals, columns, strict=True):
            store(builder, builder.load(total), g_i, c)
        return context.get_dummy_value()

    return signature, codegen


def _rows(context, builder, kinds, arrays, row, sizes):
    """Addresses of a row of several arrays, and their width."""
    found = [
        row_of(context, builder, kind, array, row, _width(sizes))
        for kind, array in zip(kinds, arrays, strict=True)
    ]
    return [address for address, _ in found], found[0][1]


@intrinsic
def add_differences(typingctx, G, near, far, X, comparisons, t, sizes):
    """Add near * (X[i] - X[j]) to row i of G, far * (X[l] - X[k]) to row l, subtract from j and k.

    G may be X itself: both differences are taken before anything is added.
    """
    signature = types.void(G, types.float64, types.float64, X, comparisons, types.uintp, sizes)

    def codegen(context, builder, signature, args):
        G_type, _, _, X_type, comparisons_type, _, sizes = signature.args
        G, near, far, X, comparisons, t, _ = args
        ends = _ends(context, builder, comparisons_type, comparisons, t, sizes)
        x, g = (
            [row_of(context, builder, kind, array, row, _width(sizes)) for row in ends]
            for kind, array in ((X_type, X), (G_type, G))
        )
        width = x[0][1]
        x_i, x_j, x_l, x_k = (address for address, _ in x)
        g_i, g_j, g_l, g_k = (address for address, _ in g)
        near, far = broadcast(builder, near), broadcast(builder, far)
        add, subtract = builder.fadd, builder.fsub
        with columns_of(builder, width) as (column, _):

            def change(operation, row, by):
                store(builder, operation(load(builder, row, column), by), row, column)

            def times_difference(weight, one, other):
                e = subtract(load(builder, one, column), load(builder, other, column))
                return builder.fmul(weight, e)

            e, f = times_difference(near, x_i, x_j), times_difference(far, x_l, x_k)
            if sizes[1].count == 3:
                change(add, g_i, add(e, f))
            else:
                change(add, g_i, e)
                change(add, g_l, f)
            change(subtract, g_j, e)
            change(subtract, g_k, f)
        return context.get_dummy_value()

    return signature, codegen
