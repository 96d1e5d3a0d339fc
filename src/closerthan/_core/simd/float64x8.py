"""A type for eight numbers, and its arithmetic, for the compiled kernels of MDS.

Numba's loops over points become SIMD code only if the compiler may reorder sums, and then the
result depends on the compiler's choices. With a type for eight numbers the kernels say themselves
what is added to what, so threads and machines agree to the bit. Arrays are addressed by flat
offsets, and hold a multiple of `STEP` numbers a row.
"""

import operator

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_model

from closerthan._core.simd.codegen import broadcast

LANES = 8
STEP = 2 * LANES  # the kernels take two vectors at a time, so that their operations overlap

_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
_INTEGERS = ir.VectorType(ir.IntType(64), LANES)


class _Vector(types.Type):
    def __init__(self):
        super().__init__("float64x8")


_VECTOR = _Vector()


@register_model(_Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _DOUBLES)


def _kind(argument):
    return _VECTOR if argument == _VECTOR else types.float64


def _lanes(builder, number):
    """The vector itself, or a vector of eight times the number."""
    return number if number.type == _DOUBLES else broadcast(builder, number, _DOUBLES)


def _call(builder, name, *vectors):
    kind = ir.FunctionType(_DOUBLES, [_DOUBLES] * len(vectors))
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f64")
    return builder.call(function, vectors)


def _address(context, builder, array_type, array, offset):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), _DOUBLES.as_pointer())


@intrinsic
def load(typingctx, array, offset):
    """Eight numbers of a contiguous array, from a flat offset on."""

    def codegen(context, builder, signature, args):
        return builder.load(_address(context, builder, signature.args[0], *args), align=8)

    return _VECTOR(array, types.intp), codegen


@intrinsic
def store(typingctx, array, offset, vector):
    """Write a vector to a contiguous array, from a flat offset on."""

    def codegen(context, builder, signature, args):
        array, offset, vector = args
        address = _address(context, builder, signature.args[0], array, offset)
        builder.store(vector, address, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, _VECTOR), codegen


def _define_operator(symbol, instruction):
    @intrinsic
    def apply(typingctx, a, b):
        def codegen(context, builder, signature, args):
            return getattr(builder, instruction)(*(_lanes(builder, x) for x in args))

        return _VECTOR(_kind(a), _kind(b)), codegen

    @overload(symbol, inline="always")
    def on_vectors(a, b):
        if _VECTOR in (a, b):
            return lambda a, b: apply(a, b)


_define_operator(operator.add, "fadd")
_define_operator(operator.sub, "fsub")
_define_operator(operator.mul, "fmul")


@intrinsic
def zeros(typingctx):
    """A vector of zeros."""

    def codegen(context, builder, signature, args):
        return ir.Constant(_DOUBLES, [0.0] * LANES)

    return _VECTOR(), codegen


@intrinsic
def fma(typingctx, a, b, c):
    """a * b + c, rounded once."""

    def codegen(context, builder, signature, args):
        return _call(builder, "fma", *(_lanes(builder, x) for x in args))

    return _VECTOR(_kind(a), _kind(b), _kind(c)), codegen


@intrinsic
def sqrt(typingctx, q):
    """Square root by the processor's instruction."""

    def codegen(context, builder, signature, args):
        return _call(builder, "sqrt", *args)

    return _VECTOR(_VECTOR), codegen


@intrinsic
def _guess_inverse_sqrt(typingctx, q):
    """1 / sqrt(q) to within 4 %, by halving the exponent."""

    def codegen(context, builder, signature, args):
        bits = builder.bitcast(args[0], _INTEGERS)
        half = builder.lshr(bits, ir.Constant(_INTEGERS, [1] * LANES))
        magic = ir.Constant(_INTEGERS, [0x5FE3FF8319513448] * LANES)
        return builder.bitcast(builder.sub(magic, half), _DOUBLES)

    return _VECTOR(_VECTOR), codegen


# After one Newton step with its best constants, 1 - q * y**2 is at most 0.0013 for the guess y;
# five terms of the series of (1 - h) ** (-1/2) then give all digits of a float64.
_NEWTON = (1.68204224, -0.70411364)
_SERIES = (1 / 2, 3 / 8, 5 / 16, 35 / 128)


@njit(inline="always")
def inverse_sqrt(q):
    """1 / sqrt(q) by multiplications alone, to within a few units in the last place.

    At q = 0 it is finite, and its product with zero is zero.
    """
    y = _guess_inverse_sqrt(q)
    y = y * fma(q * (y * y), _NEWTON[1], _NEWTON[0])
    h = fma(q * y * -1.0, y, 1.0)
    p = fma(h, fma(h, fma(h, _SERIES[3], _SERIES[2]), _SERIES[1]), _SERIES[0])
    return fma(y, h * p, y)


@njit(inline="always")
def sqrt_of_three(q, r, s):
    """Square roots of three vectors by multiplications alone, as `inverse_sqrt` finds them.

    The processor's instruction keeps its divider busy and its multipliers idle, so a kernel that
    takes three of four roots by this function is faster than by either alone. The three chains
    are written side by side because the processor looks only so far ahead for work.
    """
    x, y, z = _guess_inverse_sqrt(q), _guess_inverse_sqrt(r), _guess_inverse_sqrt(s)
    t, u, v = q * (x * x), r * (y * y), s * (z * z)
    t, u = fma(t, _NEWTON[1], _NEWTON[0]), fma(u, _NEWTON[1], _NEWTON[0])
    v = fma(v, _NEWTON[1], _NEWTON[0])
    x, y, z = x * t, y * u, z * v
    q, r, s = q * x, r * y, s * z
    t, u, v = fma(q * -1.0, x, 1.0), fma(r * -1.0, y, 1.0), fma(s * -1.0, z, 1.0)
    x, y = fma(t, _SERIES[3], _SERIES[2]), fma(u, _SERIES[3], _SERIES[2])
    z = fma(v, _SERIES[3], _SERIES[2])
    x, y, z = fma(t, x, _SERIES[1]), fma(u, y, _SERIES[1]), fma(v, z, _SERIES[1])
    x, y, z = fma(t, x, _SERIES[0]), fma(u, y, _SERIES[0]), fma(v, z, _SERIES[0])
    return fma(q, t * x, q), fma(r, u * y, r), fma(s, v * z, s)


@intrinsic
def total(typingctx, vector):
    """Sum of the eight numbers, by halves."""

    def codegen(context, builder, signature, args):
        lanes = [builder.extract_element(args[0], ir.IntType(32)(t)) for t in range(LANES)]
        while len(lanes) > 1:
            half = len(lanes) // 2
            lanes = [builder.fadd(lanes[t], lanes[t + half]) for t in range(half)]
        return lanes[0]

    return types.float64(_VECTOR), codegen
