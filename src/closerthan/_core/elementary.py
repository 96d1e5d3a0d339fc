"""exp and log1p in plain arithmetic, so that loops with them are vectorized."""

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.6931471803691238  # ln 2 with its last 20 bits zero, so that k * _LN2_HIGH is exact
_LN2_LOW = 1.9082149292705877e-10
_ROUND = 1.5 * 2.0**52  # adding it leaves the nearest integer in the low bits of the sum


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
    """Return exp(x) to within two units in the last place; x is clipped to [-708, 709]."""
    x = min(max(x, -708.0), 709.0)
    shifted = x * _LOG2_E + _ROUND
    k = shifted - _ROUND
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    # The Taylor series by Estrin's scheme, which has shorter chains of dependence than Horner's.
    r2 = r * r
    r4 = r2 * r2
    low = (1 / 2 + r * (1 / 6)) + r2 * (1 / 24 + r * (1 / 120))
    middle = (1 / 720 + r * (1 / 5040)) + r2 * (1 / 40320 + r * (1 / 362880))
    high = (1 / 3628800 + r * (1 / 39916800)) + r2 * (1 / 479001600 + r * (1 / 6227020800))
    total = (low + r4 * (middle + r4 * high)) * r2 + r + 1.0
    # The integer k is in the low bits of `shifted`. Shifted to the exponent, it gives 2**k.
    return total * _float_from_bits((_bits_from_float(shifted) << 52) + (1023 << 52))


@njit(inline="always", error_model="numpy")
def _two_atanh(s):
    """Return log((1 + s) / (1 - s)) for abs(s) < 0.18, by its series."""
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
    """Return log(1 + x) for finite x >= 0, accurate to a few units in the last place."""
    y = 1.0 + x
    # Split y into m * 2**k with m in [sqrt(1/2), sqrt(2)); 0x3FE6... is the pattern of sqrt(1/2).
    bits = _bits_from_float(y) - 0x3FE6A09E667F3BCD
    k = bits >> 52
    m = _float_from_bits((bits & 0xFFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD)
    # The rounding error of 1 + x is x - (y - 1) for x < 1, otherwise 1 - (y - x).
    lost = x - (y - 1.0) if x < 1.0 else 1.0 - (y - x)
    log_m = _two_atanh((m - 1.0) / (m + 1.0))
    return k * _LN2_HIGH + (log_m + (k * _LN2_LOW + lost / y))
