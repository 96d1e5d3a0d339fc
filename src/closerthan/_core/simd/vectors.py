"""Long vectors: an inner product whose sums are added in an order that is the same everywhere.

BLAS would start threads for it, and add in an order that depends on the machine.
"""

import numpy as np
from numba import njit

from closerthan._core.simd.float64x8 import LANES, STEP, fma, load, total, zeros


@njit(cache=True, error_model="numpy", nogil=True)
def inner(x, y):
    """Inner product of two contiguous vectors."""
    n = x.size
    whole = n - n % STEP
    a, b = zeros(), zeros()
    for t in range(0, whole, STEP):
        a = fma(load(x, t), load(y, t), a)
        b = fma(load(x, t + LANES), load(y, t + LANES), b)
    rest = 0.0
    for t in range(whole, n):
        rest += x[t] * y[t]
    return total(a + b) + rest


def dot(x, y):
    """Inner product of two C-ordered arrays of one shape, as if they were flat.

    Examples
    --------
    >>> dot(np.ones((2, 3)), np.full((2, 3), 2.0))
    12.0
    """
    return inner(np.ravel(x), np.ravel(y))


def norm(x):
    """Square root of the sum of squares of an array."""
    return float(np.sqrt(dot(x, x)))
