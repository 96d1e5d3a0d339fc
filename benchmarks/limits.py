"""Measure the limit of the machine: the memory traffic of a gradient without its arithmetic."""

from functools import cache

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic


@cache
def row_updates(width):
    """Compile a loop over triplets (int32) that adds rows i, j and k of X to those of G.

    A gradient must do at least this: it reads and changes the rows of each triplet. The width is a
    multiple of four and is fixed when the loop is compiled.
    """

    @intrinsic
    def add_row(typingctx, X, G, r):
        def codegen(context, builder, signature, args):
            kinds = signature.args
            X, G = (
                context.make_array(kind)(context, builder, array).data
                for kind, array in zip(kinds[:2], args[:2], strict=True)
            )
            row = builder.mul(args[2], args[2].type(width))
            for column, lanes in _vectors(width):
                at = builder.add(row, row.type(column))
                kind = ir.VectorType(ir.DoubleType(), lanes).as_pointer()
                source, target = (builder.bitcast(builder.gep(a, [at]), kind) for a in (X, G))
                total = builder.fadd(builder.load(source, align=8), builder.load(target, align=8))
                builder.store(total, target, align=8)
            return context.get_dummy_value()

        return types.void(X, G, types.intp), codegen

    @njit
    def loop(X, G, triplets):
        for t in range(len(triplets)):
            add_row(X, G, np.intp(triplets[t, 0]))
            add_row(X, G, np.intp(triplets[t, 1]))
            add_row(X, G, np.intp(triplets[t, 2]))

    return loop


def _vectors(width):
    """Return the columns and lengths of the vectors in a row, with length eight where possible."""
    whole = width // 8 * 8
    return [(c, 8) for c in range(0, whole, 8)] + [(c, 4) for c in range(whole, width, 4)]
