"""CPU seconds of a function. Importing this holds BLAS and OpenMP to one thread."""

import time

import numpy as np  # noqa: F401  (loads the BLAS library, which is then limited)
from threadpoolctl import threadpool_limits

threadpool_limits(1)


def cpu_seconds(function):
    """Return the CPU seconds of one call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def best_of(function, repeats=15):
    """Return the least CPU seconds of a call, after one warm-up call."""
    function()
    return min(cpu_seconds(function) for _ in range(repeats))
