"""Vector arithmetic for the compiled kernels: rows of points in SIMD registers, exp and log1p.

Numba leaves loops over short rows scalar, and calls to the C library's `exp` keep a loop over
comparisons from being vectorized. The functions here do neither. They use no fused or reordered
operations, so their results are the same on every machine, to the bit.

Rows are handled four numbers at a time: `padded_width` gives the width that point arrays must
have; the columns added hold zeros.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 4
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_INT32 = ir.IntType(32)

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.6931471803691238  # ln 2 with its last 20 bits zero, so that k * _LN2_HIGH is exact
_LN2_LOW = 1.9082149292705877e-10
_ROUND = 1.5 * 2.0**52  # adding it leaves the nearest integer in the low bits of the sum


def padded_width(n_components):
    """Smallest multiple of the SIMD width that holds `n_components` columns."""
    return -(-n_components // LANES) * LANES


def pad(points):
    """Copy (n, p) points to a C-ordered float64 array whose added columns are zero."""
    n_objects, n_components = np.shape(points)
    padded = np.zeros((n_objects, padded_width(n_components)))
    padded[:, :n_components] = points
    return padded


def _row(context, builder, array_type, array, row):
    """Address of the first number of a row, and the width of the array."""
    array = context.make_array(array_type)(context, builder, array)
    width = cgutils.unpack_tuple(builder, array.shape)[1]
    return builder.gep(array.data, [builder.mul(row, width)]), width


def _lanes_at(builder, row, column):
    return builder.bitcast(builder.gep(row, [column]), _VECTOR.as_pointer())


def _load(builder, row, column):
    return builder.load(_lanes_at(builder, row, column), align=8)


def _store(builder, vector, row, column):
    builder.store(vector, _lanes_at(builder, row, column), align=8)


def _columns(builder, width):
    return cgutils.for_range_slice(
        builder, width.type(0), width, width.type(LANES), intp=width.type, inc=True
    )


@intrinsic
def squared_distance(typingctx, X, i, j):
    """Squared Euclidean distance of rows i and j of X."""
    signature = types.float64(X, types.intp, types.intp)

    def codegen(context, builder, signature, args):
        x_i, width = _row(context, builder, signature.args[0], args[0], args[1])
        x_j, _ = _row(context, builder, signature.args[0], args[0], args[2])
        total = cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * LANES))
        with _columns(builder, width) as (column, _):
            e = builder.fsub(_load(builder, x_i, column), _load(builder, x_j, column))
            builder.store(builder.fadd(builder.load(total), builder.fmul(e, e)), total)
        total = builder.load(total)
        a, b, c, d = (builder.extract_element(total, _INT32(lane)) for lane in range(LANES))
        return builder.fadd(builder.fadd(a, b), builder.fadd(c, d))

    return signature, codegen


def _broadcast(builder, number):
    vector = ir.Constant(_VECTOR, ir.Undefined)
    for lane in range(LANES):
        vector = builder.insert_element(vector, number, _INT32(lane))
    return vector


@intrinsic
def add_difference(typingctx, G, weight, X, i, j):
    """Add weight * (X[i] - X[j]) to row i of G and subtract it from row j."""
    signature = types.void(G, types.float64, X, types.intp, types.intp)

    def codegen(context, builder, signature, args):
        G_type, _, X_type, _, _ = signature.args
        G, weight, X, *rows = args
        (x_i, width), (x_j, _) = (_row(context, builder, X_type, X, r) for r in rows)
        (g_i, _), (g_j, _) = (_row(context, builder, G_type, G, r) for r in rows)
        weight = _broadcast(builder, weight)
        with _columns(builder, width) as (column, _):
            e = builder.fsub(_load(builder, x_i, column), _load(builder, x_j, column))
            e = builder.fmul(weight, e)
            _store(builder, builder.fadd(_load(builder, g_i, column), e), g_i, column)
            _store(builder, builder.fsub(_load(builder, g_j, column), e), g_j, column)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _add_triplet(typingctx, G, near, far, X, i, j, k):
    """`add_difference` of near, i, j and of far, i, k, with one load and store of row i."""
    signature = types.void(G, types.float64, types.float64, X, types.intp, types.intp, types.intp)

    def codegen(context, builder, signature, args):
        G_type, _, _, X_type, _, _, _ = signature.args
        G, near, far, X, *rows = args
        (x_i, width), (x_j, _), (x_k, _) = (_row(context, builder, X_type, X, r) for r in rows)
        (g_i, _), (g_j, _), (g_k, _) = (_row(context, builder, G_type, G, r) for r in rows)
        near, far = _broadcast(builder, near), _broadcast(builder, far)
        with _columns(builder, width) as (column, _):
            x = _load(builder, x_i, column)
            e = builder.fmul(near, builder.fsub(x, _load(builder, x_j, column)))
            f = builder.fmul(far, builder.fsub(x, _load(builder, x_k, column)))
            total = builder.fadd(_load(builder, g_i, column), builder.fadd(e, f))
            _store(builder, total, g_i, column)
            _store(builder, builder.fsub(_load(builder, g_j, column), e), g_j, column)
            _store(builder, builder.fsub(_load(builder, g_k, column), f), g_k, column)
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


@intrinsic
def _float_from_bits(typingctx, bits):
    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), codegen


@intrinsic
def _bits_from_float(typingctx, x):
    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), codegen


@njit(inline="always", error_model="numpy")
def exp(x):
    """Exponential to within two units in the last place; x is clipped to [-708, 709]."""
    x = min(max(x, -708.0), 709.0)
    shifted = x * _LOG2_E + _ROUND
    k = shifted - _ROUND
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    # The Taylor series by Estrin's scheme, whose steps wait for each other less than Horner's.
    r2 = r * r
    r4 = r2 * r2
    low = (1 / 2 + r * (1 / 6)) + r2 * (1 / 24 + r * (1 / 120))
    middle = (1 / 720 + r * (1 / 5040)) + r2 * (1 / 40320 + r * (1 / 362880))
    high = (1 / 3628800 + r * (1 / 39916800)) + r2 * (1 / 479001600 + r * (1 / 6227020800))
    total = (low + r4 * (middle + r4 * high)) * r2 + r + 1.0
    # The integer k sits in the low bits of `shifted`; moved to the exponent it is 2**k.
    return total * _float_from_bits((_bits_from_float(shifted) << 52) + (1023 << 52))


@njit(inline="always", error_model="numpy")
def _two_atanh(s):
    """log((1 + s) / (1 - s)) for abs(s) < 0.18, by its series."""
    q = s * s
    total = 1 / 23
    total = total * q + 1 / 21
    total = total * q + 1 / 19
    total = total * q + 1 / 17
    total = total * q + 1 / 15
    total = total * q + 1 / 13
    total = total * q + 1 / 11
    total = total * q + 1 / 9
    total = total * q + 1 / 7
    total = total * q + 1 / 5
    total = total * q + 1 / 3
    return 2.0 * s + 2.0 * s * q * total


@njit(inline="always", error_model="numpy")
def log1p(x):
    """log(1 + x) for finite x >= 0, to a relative error of a few units in the last place."""
    y = 1.0 + x
    # Split y into m * 2**k with m in [sqrt(1/2), sqrt(2)); 0x3FE6... is the pattern of sqrt(1/2).
    bits = _bits_from_float(y) - 0x3FE6A09E667F3BCD
    k = bits >> 52
    m = _float_from_bits((bits & 0xFFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD)
    # What rounding 1 + x lost is (x - (y - 1)), or its mirror image when x is the larger.
    lost = x - (y - 1.0) if x < 1.0 else 1.0 - (y - x)
    log_m = _two_atanh((m - 1.0) / (m + 1.0))
    return k * _LN2_HIGH + (log_m + (k * _LN2_LOW + lost / y))
