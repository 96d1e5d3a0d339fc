"""Threads: as many as were asked for, none in the way of others, the same bytes with any number.

Compiled loops that release the GIL run in Python's own threads. These live no longer than the call
that needs them, so that a process may be forked, or be one of many, at any other time. What each
thread computes must not depend on how many there are.

BLAS has threads of its own, and so has OpenMP, with which scikit-learn finds neighbors. They cost
more than they bring on matrices as small as most of ours: `one_blas_thread` and `one_openmp_thread`
hold them back.
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

_FEW_ROWS = 1000  # up to here BLAS has one thread
_LITTLE_WORK = 200**3  # multiplications of a product, of about a tenth of a millisecond


def count_threads(n_jobs):
    """Threads that `n_jobs` asks for, and no more than there are cores.

    None is one, -1 all cores, -2 all but one, as in scikit-learn. A worker process of joblib counts
    the cores that joblib leaves to it.
    """
    if n_jobs is None:
        return 1
    whole = isinstance(n_jobs, (int, np.integer)) and not isinstance(n_jobs, bool)
    if not whole or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r}; it must be None or a whole number, and not 0")
    cores = joblib.cpu_count()
    return min(int(n_jobs), cores) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))


class Team:
    """Threads that share work, the calling one among them; a context, at whose end they end."""

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
        """Call the function with each item, in whichever thread is free; return when all are done.

        An error or an interrupt in one thread ends the others after their present item.
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

        futures = [self._others.submit(work) for _ in range(self.size - 1)]
        try:
            work()
        finally:
            left = iter(())
            errors = [future.exception() for future in futures]
        for error in filter(None, errors):
            raise error


_DONE = object()


@cache
def _controller():
    import scipy.linalg  # noqa: F401  (a BLAS library of its own, which must be there to be held)

    return ThreadpoolController()


@cache
def _blas_libraries():
    return _controller().select(user_api="blas").lib_controllers


_holding = threading.Lock()
if hasattr(os, "register_at_fork"):  # else a child could be born with a lock that nobody opens
    os.register_at_fork(
        before=_holding.acquire,
        after_in_parent=_holding.release,
        after_in_child=_holding.release,
    )
_holders: list = []  # what there was before the first one came in, whom the others share it with


@contextmanager
def one_blas_thread(*sizes):
    """Hold BLAS to one thread, unless the matrices are large.

    It may be entered by several threads at once, which share one limit. Sizes are the rows of a
    square matrix, or n, k and m of a product of n x k and k x m. With more than a thousand rows, or
    columns, and more than little work the threads are left as they are.
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
    """Set the number of threads of each BLAS library; return what they were."""
    libraries = _blas_libraries()
    before = [library.get_num_threads() for library in libraries]
    _let_any_thread_limit()
    for library, number in zip(libraries, numbers, strict=False):
        library.set_num_threads(number)
    _let_any_thread_limit()
    return before


def _let_any_thread_limit():
    """Take from a thread what threadpoolctl, from 3.8 on, gives to the first one that limits BLAS.

    Calls of all others would do nothing, although the limit is one for all threads.
    """
    if hasattr(OpenBLASController, "clear_controlling_thread"):
        OpenBLASController.clear_controlling_thread(force=True)


def one_openmp_thread(*sizes):
    """Hold OpenMP to one thread where `one_blas_thread` holds BLAS; of the calling thread alone."""
    if _worth_threads(sizes):
        return nullcontext()
    return _controller().limit(limits=1, user_api="openmp")


def _worth_threads(sizes):
    sizes = 3 * sizes if len(sizes) == 1 else sizes
    return max(sizes, default=0) > _FEW_ROWS and prod(sizes) > _LITTLE_WORK
