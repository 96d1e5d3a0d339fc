"""Rows of points in SIMD registers: distances of two, and what a gradient adds to them.

Numba leaves loops over short rows scalar; these are not. They use no fused or reordered operations.
Rows are handled four numbers at a time: `padded_width` gives the width that point arrays must have;
the columns added hold zeros.
"""

import numpy as np
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from relsim._simd.codegen import (
    LANES,
    ZERO,
    add_lanes,
    broadcast,
    columns_of,
    load,
    row_of,
    store,
)
from relsim._simd.memory import round_up


def padded_width(n_components):
    """Smallest multiple of the SIMD width that holds `n_components` columns."""
    return round_up(n_components, LANES)


def pad(points):
    """Copy (n, p) points to a C-ordered float64 array whose added columns are zero."""
    n_objects, n_components = np.shape(points)
    padded = np.zeros((n_objects, padded_width(n_components)))
    padded[:, :n_components] = points
    return padded


@intrinsic
def squared_distance(typingctx, X, i, j):
    """Squared Euclidean distance of rows i and j of X."""
    signature = types.float64(X, types.intp, types.intp)

    def codegen(context, builder, signature, args):
        x_i, width = row_of(context, builder, signature.args[0], args[0], args[1])
        x_j, _ = row_of(context, builder, signature.args[0], args[0], args[2])
        total = cgutils.alloca_once_value(builder, ZERO)
        with columns_of(builder, width) as (column, _):
            e = builder.fsub(load(builder, x_i, column), load(builder, x_j, column))
            builder.store(builder.fadd(builder.load(total), builder.fmul(e, e)), total)
        return add_lanes(builder, builder.load(total))

    return signature, codegen


@intrinsic
def add_difference(typingctx, G, weight, X, i, j):
    """Add weight * (X[i] - X[j]) to row i of G and subtract it from row j."""
    signature = types.void(G, types.float64, X, types.intp, types.intp)

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
def _add_triplet(typingctx, G, near, far, X, i, j, k):
    """`add_difference` of near, i, j and of far, i, k, with one load and store of row i."""
    signature = types.void(G, types.float64, types.float64, X, types.intp, types.intp, types.intp)

    def codegen(context, builder, signature, args):
        G_type, _, _, X_type, _, _, _ = signature.args
        G, near, far, X, *rows = args
        (x_i, width), (x_j, _), (x_k, _) = (row_of(context, builder, X_type, X, r) for r in rows)
        (g_i, _), (g_j, _), (g_k, _) = (row_of(context, builder, G_type, G, r) for r in rows)
        near, far = broadcast(builder, near), broadcast(builder, far)
        with columns_of(builder, width) as (column, _):
            x = load(builder, x_i, column)
            e = builder.fmul(near, builder.fsub(x, load(builder, x_j, column)))
            f = builder.fmul(far, builder.fsub(x, load(builder, x_k, column)))
            total = builder.fadd(load(builder, g_i, column), builder.fadd(e, f))
            store(builder, total, g_i, column)
            store(builder, builder.fsub(load(builder, g_j, column), e), g_j, column)
            store(builder, builder.fsub(load(builder, g_k, column), f), g_k, column)
        return context.get_dummy_value()

    return signature, codegen


@njit(inline="always")
def add_differences(G, near, far, X, i, j, l, k):
    """`add_difference` of near, i, j and of far, l, k; faster if i is l, as in a triplet."""
    if i == l:
        _add_triplet(G, near, far, X, i, j, k)
    else:
        add_difference(G, near, X, i, j)
        add_difference(G, far, X, l, k)
