"""Room for vectors: widths that they fill, and arrays that begin at a cache line."""

import numpy as np
from numba import njit

_CACHE_LINE = 64  # bytes


@njit(cache=True, error_model="numpy")
def round_up(n, step):
    """Smallest multiple of `step` that is at least n."""
    return -(-n // step) * step


def aligned_zeros(shape):
    """Zeros in double precision and C order that begin at a cache line."""
    size = int(np.prod(shape)) * 8
    memory = np.zeros(size + _CACHE_LINE, dtype=np.uint8)
    start = -memory.ctypes.data % _CACHE_LINE
    return memory[start : start + size].view(np.float64).reshape(shape)
