"""SIMD vectors for compiled loops, with the same bits on all processors.

Numba vectorizes sums only if the compiler may reorder them. With this vector type, the code fixes
the order of sums and the roundings. LAPACK, BLAS and numpy's exp, log and power round differently
on different processors, so an input from them may differ.

Arrays are addressed by flat offsets. Rows are padded with zeros: points for comparisons to a
multiple of four numbers (`pad`), columns of MDS to a multiple of `STEP`.
"""

import operator

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_model

from closerthan._core.compiled import compiled

if config.DISABLE_JIT:
    raise ImportError("closerthan cannot run without numba's compiler; unset NUMBA_DISABLE_JIT")

LANES = 8  # default numbers in a vector
STEP = 2 * LANES  # the loops of MDS take two vectors at a time, so that their operations overlap
FOUR = 4  # lanes for points of comparisons, which have few dimensions
_CACHE_LINE = 64  # bytes
_WIDEST = 64  # vectors a row; up to here their number is part of a type
_INT32 = ir.IntType(32)


class _Vector(types.Type):
    def __init__(self, lanes):
        self.lanes = lanes
        super().__init__(f"float64x{lanes}")


@register_model(_Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.VectorType(ir.DoubleType(), kind.lanes))


def _broadcast(builder, number, kind):
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, number, _INT32(0))
    return _shuffle(builder, first, undefined, [0] * kind.count)


def _shuffle(builder, a, b, lanes):
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_INT32, len(lanes)), list(lanes)))


def _elementwise(build, *arguments):
    """Return signature and code of an elementwise operation; numbers become constant vectors."""
    kind = next(argument for argument in arguments if isinstance(argument, _Vector))
    taken = [kind if argument == kind else types.float64 for argument in arguments]

    def codegen(context, builder, signature, args):
        wide = context.get_value_type(kind)
        args = [x if x.type == wide else _broadcast(builder, x, wide) for x in args]
        return build(builder, *args)

    return kind(*taken), codegen


def _by_instruction(name):
    """Return an LLVM intrinsic, such as a square root, for `_elementwise`."""

    def build(builder, *vectors):
        kind = vectors[0].type
        signature = ir.FunctionType(kind, [kind] * len(vectors))
        name_of_kind = f"llvm.{name}.v{kind.count}f64"
        function = cgutils.get_or_insert_function(builder.module, signature, name_of_kind)
        return builder.call(function, vectors)

    return build


def _address(context, builder, array_type, array, offset, kind):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), context.get_value_type(kind).as_pointer())


@intrinsic(prefer_literal=True)
def load_lanes(typingctx, array, offset, lanes=None):
    """Load `lanes` numbers (default 8) of a contiguous array from a flat offset."""
    kind = _Vector(lanes.literal_value if lanes else LANES)

    def codegen(context, builder, signature, args):
        address = _address(context, builder, signature.args[0], *args[:2], kind)
        return builder.load(address, align=8)

    return kind(array, types.intp, lanes or types.Omitted(None)), codegen


@intrinsic
def store(typingctx, array, offset, vector):
    """Store a vector in a contiguous array at a flat offset."""

    def codegen(context, builder, signature, args):
        address = _address(context, builder, signature.args[0], *args[:2], vector)
        builder.store(args[2], address, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), codegen


@intrinsic(prefer_literal=True)
def zeros(typingctx, lanes=None):
    """Return a vector of `lanes` zeros (default 8)."""
    kind = _Vector(lanes.literal_value if lanes else LANES)

    def codegen(context, builder, signature, args):
        return ir.Constant(context.get_value_type(kind), [0.0] * kind.lanes)

    return kind(lanes or types.Omitted(None)), codegen


def _define_operator(symbol, instruction):
    @intrinsic
    def apply(typingctx, a, b):
        return _elementwise(lambda builder, *ab: getattr(builder, instruction)(*ab), a, b)

    @overload(symbol, jit_options={"forceinline": True, "error_model": "numpy"})
    def on_vectors(a, b):
        if isinstance(a, _Vector) or isinstance(b, _Vector):
            return lambda a, b: apply(a, b)


_define_operator(operator.add, "fadd")
_define_operator(operator.sub, "fsub")
_define_operator(operator.mul, "fmul")


@intrinsic
def fma(typingctx, a, b, c):
    """Return a * b + c, rounded once."""
    return _elementwise(_by_instruction("fma"), a, b, c)


@intrinsic
def sqrt(typingctx, q):
    """Return the square root by the processor's instruction."""
    return _elementwise(_by_instruction("sqrt"), q)


@intrinsic
def _guess_inverse_sqrt(typingctx, q):
    """Return 1 / sqrt(q) to within 4 %, by halving the exponent."""

    def build(builder, q):
        integers = ir.VectorType(ir.IntType(64), q.type.count)
        half = builder.lshr(builder.bitcast(q, integers), ir.Constant(integers, [1] * q.type.count))
        magic = ir.Constant(integers, [0x5FE3FF8319513448] * q.type.count)
        return builder.bitcast(builder.sub(magic, half), q.type)

    return _elementwise(build, q)


# After one Newton step with its best constants, 1 - q * y**2 is at most 0.0013 for the guess y;
# five terms of the series of (1 - h) ** (-1/2) then give all digits of a float64.
_NEWTON = (1.68204224, -0.70411364)
_SERIES = (1 / 2, 3 / 8, 5 / 16, 35 / 128)


@njit(forceinline=True, error_model="numpy")
def inverse_sqrt(q):
    """Return 1 / sqrt(q) by multiplications, accurate to a few last units, and finite at q = 0."""
    y = _guess_inverse_sqrt(q)
    y = y * fma(q * (y * y), _NEWTON[1], _NEWTON[0])
    h = fma(q * y * -1.0, y, 1.0)
    p = fma(h, fma(h, fma(h, _SERIES[3], _SERIES[2]), _SERIES[1]), _SERIES[0])
    return fma(y, h * p, y)


# Sums of the numbers in a vector


@intrinsic
def total(typingctx, vector):
    """Return the sum of the numbers, added by halves; for four numbers, neighbors first."""

    def codegen(context, builder, signature, args):
        lanes = [builder.extract_element(args[0], _INT32(t)) for t in range(vector.lanes)]
        while len(lanes) > 1:
            half = len(lanes) // 2
            if vector.lanes == FOUR:  # as `totals` does, so that both give the same bits
                parts = lanes[::2], lanes[1::2]
            else:
                parts = lanes[:half], lanes[half:]
            lanes = [builder.fadd(a, b) for a, b in zip(*parts, strict=True)]
        return lanes[0]

    return types.float64(vector), codegen


@intrinsic
def totals(typingctx, a, b, c, d):
    """Return a vector with the totals of four vectors of four numbers."""

    def add_neighbors(builder, x, y):
        even, odd = (_shuffle(builder, x, y, lanes) for lanes in ([0, 4, 2, 6], [1, 5, 3, 7]))
        return builder.fadd(even, odd)  # x0 + x1, y0 + y1, x2 + x3, y2 + y3

    def build(builder, a, b, c, d):
        pairs = add_neighbors(builder, a, b), add_neighbors(builder, c, d)
        low, high = (_shuffle(builder, *pairs, lanes) for lanes in ([0, 1, 4, 5], [2, 3, 6, 7]))
        return builder.fadd(low, high)

    return _elementwise(build, a, b, c, d)


# Room for vectors


@compiled
def round_up(n, step):
    """Return the smallest multiple of `step` that is at least n."""
    return -(-n // step) * step


def aligned_zeros(shape):
    """Return float64 zeros in C order that begin at a cache line."""
    size = int(np.prod(shape)) * 8
    memory = np.zeros(size + _CACHE_LINE, dtype=np.uint8)
    start = -memory.ctypes.data % _CACHE_LINE
    return memory[start : start + size].view(np.float64).reshape(shape)


def padded_width(n_components):
    """Return the smallest multiple of four that is at least `n_components`."""
    return round_up(n_components, FOUR)


def pad(points):
    """Copy (n, p) points to a C-ordered float64 array, padded with columns of zeros."""
    n_objects, n_components = np.shape(points)
    padded = np.zeros((n_objects, padded_width(n_components)))
    padded[:, :n_components] = points
    return padded


# Long vectors


@compiled
def inner(x, y):
    """Return the inner product of two contiguous vectors in a fixed order, which BLAS has not."""
    n = x.size
    whole = n - n % STEP
    sums = zeros(STEP)
    for t in range(0, whole, STEP):
        sums = fma(load_lanes(x, t, STEP), load_lanes(y, t, STEP), sums)
    rest = 0.0
    for t in range(whole, n):
        rest += x[t] * y[t]
    return total(sums) + rest


def dot(x, y):
    """Return the inner product of two C-ordered arrays of the same shape."""
    return inner(x.ravel(), y.ravel())


def norm(x):
    """Return the square root of the sum of squares of an array."""
    return float(np.sqrt(dot(x, x)))


# Rows of points, and comparisons of them: rows of numbers (i, j, k) or (i, j, l, k)


def vectors_of(width):
    """Return a tuple as long as a row of this width has vectors of four.

    The length of a tuple is part of its type, so the compiler unrolls loops over a row: fits are a
    tenth faster. The tuple is empty if the padded width is too large.
    """
    n_vectors = width // FOUR
    return (None,) * (n_vectors if n_vectors <= _WIDEST else 0)


@njit(forceinline=True, error_model="numpy")
def _width(X, vectors):
    return FOUR * len(vectors) or X.shape[1]


@njit(forceinline=True, error_model="numpy")
def _squares(X, i, j, width):
    """Return four partial sums of squared differences of the rows at the offsets i and j."""
    sums, c = zeros(FOUR), 0
    while c < width:
        e = load_lanes(X, i + c, FOUR) - load_lanes(X, j + c, FOUR)
        sums = fma(e, e, sums)
        c += FOUR
    return sums


@njit(forceinline=True, error_model="numpy")
def squared_distance(X, i, j):
    """Return the squared Euclidean distance of rows i and j of X."""
    width = X.shape[1]
    return total(_squares(X, i * width, j * width, width))


@njit(forceinline=True, error_model="numpy")
def _ends(comparisons, t, width):
    """Return the offsets of the rows i, j, l and k of comparison t."""
    t = np.uintp(t)  # unsigned, so that numba does not check for negative indices
    i, j = comparisons[t, 0] * width, comparisons[t, 1] * width
    if comparisons.shape[1] == 3:  # a triplet
        return i, j, i, comparisons[t, 2] * width
    return i, j, comparisons[t, 2] * width, comparisons[t, 3] * width


@njit(forceinline=True, error_model="numpy")
def _squares_of(X, comparisons, t, vectors):
    width = _width(X, vectors)
    i, j, l, k = _ends(comparisons, t, width)
    return _squares(X, i, j, width), _squares(X, l, k, width)


@njit(forceinline=True, error_model="numpy")
def distances_of_one(X, comparisons, t, a, b, s, vectors):
    """Write the squared distances of comparison t to a[s] and b[s]."""
    near, far = _squares_of(X, comparisons, t, vectors)
    a[s], b[s] = total(near), total(far)


@njit(forceinline=True, error_model="numpy")
def distances_of_four(X, comparisons, t, a, b, s, vectors):
    """Write the squared distances of comparisons t to t + 3 to a[s : s + 4] and b[s : s + 4]."""
    near0, far0 = _squares_of(X, comparisons, t, vectors)
    near1, far1 = _squares_of(X, comparisons, t + 1, vectors)
    near2, far2 = _squares_of(X, comparisons, t + 2, vectors)
    near3, far3 = _squares_of(X, comparisons, t + 3, vectors)
    store(a, s, totals(near0, near1, near2, near3))
    store(b, s, totals(far0, far1, far2, far3))


@njit(forceinline=True, error_model="numpy")
def distances_to_four(X, i, j, out, vectors):
    """Write the squared distances of row i of X from rows j to j + 3 to out[j : j + 4]."""
    width = _width(X, vectors)
    x, y = i * width, j * width
    near, next_ = _squares(X, x, y, width), _squares(X, x, y + width, width)
    third, last = _squares(X, x, y + 2 * width, width), _squares(X, x, y + 3 * width, width)
    store(out, j, totals(near, next_, third, last))


@njit(forceinline=True, error_model="numpy")
def add_difference(G, weight, X, i, j):
    """Add weight * (X[i] - X[j]) to row i of G and subtract it from row j."""
    width, c = X.shape[1], 0
    while c < width:
        a, b = i * width + c, j * width + c
        e = (load_lanes(X, a, FOUR) - load_lanes(X, b, FOUR)) * weight
        store(G, a, load_lanes(G, a, FOUR) + e)
        store(G, b, load_lanes(G, b, FOUR) - e)
        c += FOUR


@njit(forceinline=True, error_model="numpy")
def add_differences_from(G, weights, X, i, vectors):
    """Call `add_difference` with weights[j], i and j for all rows j, keeping row i in registers."""
    width = _width(X, vectors)
    for c in range(0, width, FOUR):
        here = i * width + c
        x, g = load_lanes(X, here, FOUR), load_lanes(G, here, FOUR)
        for j in range(len(X)):
            there = j * width + c
            e = (x - load_lanes(X, there, FOUR)) * weights[j]
            g = g + e
            store(G, there, load_lanes(G, there, FOUR) - e)
        store(G, here, g)


@njit(forceinline=True, error_model="numpy")
def add_differences(G, near, far, X, comparisons, t, vectors):
    """Add near * (X[i] - X[j]) to row i of G and far * (X[l] - X[k]) to row l.

    The same terms are subtracted from rows j and k. G may be X itself.
    """
    width = _width(X, vectors)
    i, j, l, k = _ends(comparisons, t, width)
    for c in range(0, width, FOUR):
        e = (load_lanes(X, i + c, FOUR) - load_lanes(X, j + c, FOUR)) * near
        f = (load_lanes(X, l + c, FOUR) - load_lanes(X, k + c, FOUR)) * far
        if comparisons.shape[1] == 3:  # rows i and l are the same one
            store(G, i + c, load_lanes(G, i + c, FOUR) + (e + f))
        else:
            store(G, i + c, load_lanes(G, i + c, FOUR) + e)
            store(G, l + c, load_lanes(G, l + c, FOUR) + f)
        store(G, j + c, load_lanes(G, j + c, FOUR) - e)
        store(G, k + c, load_lanes(G, k + c, FOUR) - f)
