"""Threads: run work in a chosen number of threads, with the same bits for any number.

Compiled loops that release the GIL run in Python threads. These threads end with the call that
started them, so that a process can be forked between calls. For small matrices, the threads of BLAS
and OpenMP cost more than they save.
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import repeat
from math import prod

import joblib
import numpy as np
from threadpoolctl import OpenBLASController, ThreadpoolController

_DONE = object()  # what a thread of a team takes if no item is left
_FEW_ROWS = 1000  # up to here BLAS has one thread
_LITTLE_WORK = 200**3  # multiplications of a product, about a tenth of a millisecond


def count_threads(n_jobs):
    """Return the number of threads for `n_jobs`, at most the cores that joblib leaves."""
    if n_jobs is None:
        return 1
    whole = isinstance(n_jobs, (int, np.integer)) and not isinstance(n_jobs, bool)
    if not whole or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r}; it must be 1, 2, ... or -1 (all cores)")
    cores = joblib.cpu_count()
    return min(int(n_jobs), cores) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))


class Team:
    """A context with threads that share work, including the calling thread."""

    def __init__(self, size):
        self.size = size
        self._others = None

    def __enter__(self):
        if self.size > 1:
            self._others = ThreadPoolExecutor(self.size - 1, thread_name_prefix="closerthan")
        return self

    def __exit__(self, *_):
        if self._others is not None:
            self._others.shutdown(cancel_futures=True)
            self._others = None

    def each(self, function, items):
        """Call the function with each item in any free thread; return when all calls are done.

        An error or an interrupt in one thread ends the others after their current item.
        """
        if self.size == 1:
            for item in items:
                function(item)
            return
        lock, left = threading.Lock(), iter(items)

        def take():
            nonlocal left
            with lock:
                return next(left, _DONE)

        def work():
            nonlocal left
            try:
                while (item := take()) is not _DONE:
                    function(item)
            except BaseException:
                left = iter(())
                raise

        futures = []
        try:
            for _ in range(self.size - 1):  # an interrupt may come while a thread starts
                futures.append(self._others.submit(work))
            work()
        finally:
            left = iter(())
            errors = [future.exception() for future in futures]
        for error in filter(None, errors):
            raise error


@cache
def _controller():
    import scipy.linalg  # noqa: F401  (load scipy's own BLAS library, so that it is limited, too)

    return ThreadpoolController()


@cache
def _blas_libraries():
    return _controller().select(user_api="blas").lib_controllers


_holding = threading.Lock()
if hasattr(os, "register_at_fork"):  # otherwise a child could inherit a lock that stays closed
    os.register_at_fork(
        before=_holding.acquire,
        after_in_parent=_holding.release,
        after_in_child=_holding.release,
    )
_holders: list = []  # one entry per active context: the thread numbers before the first one


@contextmanager
def one_blas_thread(*sizes):
    """Limit BLAS to one thread, unless the matrices are large.

    Several threads may be in this context at once; they share one limit. `sizes` is the number of
    rows of a square matrix, or n, k and m for a product of n x k and k x m. If they are large, the
    number of threads may change the last bits. Without sizes there is always one thread.
    """
    if _worth_threads(sizes):
        yield
        return
    with _holding:
        _holders.append(_holders[0] if _holders else _set_blas_threads(repeat(1)))
    try:
        yield
    finally:
        with _holding:
            before = _holders.pop()
            if not _holders:
                _set_blas_threads(before)


def _set_blas_threads(numbers):
    """Set the number of threads of each BLAS library; return the previous numbers."""
    libraries = _blas_libraries()
    before = [library.get_num_threads() for library in libraries]
    _let_any_thread_limit()
    for library, number in zip(libraries, numbers, strict=False):
        library.set_num_threads(number)
    _let_any_thread_limit()
    return before


def _let_any_thread_limit():
    """Let any thread limit BLAS; threadpoolctl from 3.8 on ignores all except the first thread."""
    if hasattr(OpenBLASController, "clear_controlling_thread"):
        OpenBLASController.clear_controlling_thread(force=True)


def one_openmp_thread(*sizes):
    """Limit OpenMP to one thread under the same rule as BLAS, for the calling thread only."""
    if _worth_threads(sizes):
        return nullcontext()
    return _controller().limit(limits=1, user_api="openmp")


def _worth_threads(sizes):
    sizes = 3 * sizes if len(sizes) == 1 else sizes
    return max(sizes, default=0) > _FEW_ROWS and prod(sizes) > _LITTLE_WORK
