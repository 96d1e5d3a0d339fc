"""Pieces of LLVM code for four numbers at a time, of which `rows` and `tiles` are made.

A row of an array is handled by its address; `builder` is llvmlite's.
"""

from llvmlite import ir
from numba.core import cgutils

LANES = 4
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
ZERO = ir.Constant(VECTOR, [0.0] * LANES)
_INT32 = ir.IntType(32)


def row_of(context, builder, array_type, array, row):
    """Address of the first number of a row, and the width of the array."""
    array = context.make_array(array_type)(context, builder, array)
    width = cgutils.unpack_tuple(builder, array.shape)[1]
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


def add_lanes(builder, vector):
    """The sum of the four numbers: neighbors first."""
    a, b, c, d = (builder.extract_element(vector, _INT32(lane)) for lane in range(LANES))
    return builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
