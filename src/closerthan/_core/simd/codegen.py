"""Pieces of LLVM code for four numbers at a time, of which `rows` and `tiles` are made.

A row of an array is handled by its address; `builder` is llvmlite's.
"""

from llvmlite import ir
from numba.core import cgutils

LANES = 4
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
ZERO = ir.Constant(VECTOR, [0.0] * LANES)
_INT32 = ir.IntType(32)


def row_of(context, builder, array_type, array, row, width=None):
    """Address of the first number of a row, and the width of the array.

    A `width` that is known when the code is compiled lets loops over columns be unrolled.
    """
    array = context.make_array(array_type)(context, builder, array)
    known = width is not None
    width = row.type(width) if known else cgutils.unpack_tuple(builder, array.shape)[1]
    return builder.gep(array.data, [builder.mul(row, width)]), width


def _address_of_lanes(builder, row, column):
    return builder.bitcast(builder.gep(row, [column]), VECTOR.as_pointer())


def load(builder, row, column):
    """Four numbers of a row, from a column on."""
    return builder.load(_address_of_lanes(builder, row, column), align=8)


def store(builder, vector, row, column):
    """Write four numbers to a row, from a column on."""
    builder.store(vector, _address_of_lanes(builder, row, column), align=8)


def columns_of(builder, width):
    """A loop over the columns at which the vectors of a row begin."""
    return cgutils.for_range_slice(
        builder, width.type(0), width, width.type(LANES), intp=width.type, inc=True
    )


def broadcast(builder, number, kind=VECTOR):
    """A vector that has the number in all its places; of four unless `kind` says otherwise."""
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, number, _INT32(0))
    zeros = ir.Constant(ir.VectorType(_INT32, kind.count), [0] * kind.count)
    return builder.shuffle_vector(first, undefined, zeros)


def fma(builder, a, b, c):
    """a * b + c, rounded once."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f64")
    return builder.call(function, [a, b, c])


def add_lanes_of(builder, vectors):
    """A vector of the sums of four vectors, each added as `add_lanes` does."""
    pairs = [_add_neighbors(builder, *vectors[k : k + 2]) for k in (0, 2)]
    low, high = (_shuffle(builder, *pairs, lanes) for lanes in ([0, 1, 4, 5], [2, 3, 6, 7]))
    return builder.fadd(low, high)


def _add_neighbors(builder, a, b):
    """a0 + a1, b0 + b1, a2 + a3, b2 + b3."""
    even, odd = (_shuffle(builder, a, b, lanes) for lanes in ([0, 4, 2, 6], [1, 5, 3, 7]))
    return builder.fadd(even, odd)


def _shuffle(builder, a, b, lanes):
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_INT32, LANES), lanes))


def add_lanes(builder, vector):
    """The sum of the four numbers: neighbors first."""
    a, b, c, d = (builder.extract_element(vector, _INT32(lane)) for lane in range(LANES))
    return builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
