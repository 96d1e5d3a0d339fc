"""Check fits of any estimator: interrupts, threads of BLAS, the same bytes in every thread."""

import importlib
import multiprocessing
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.base import clone
from threadpoolctl import threadpool_info, threadpool_limits


def bytes_of(model):
    """Return the learned values of a model as bytes."""
    names = ("kernel_", "similarity_", "components_", "embedding_")
    return next(getattr(model, name) for name in names if hasattr(model, name)).tobytes()


def learned(model, data):
    """Return the learned values of a fit as bytes."""
    return bytes_of(clone(model).fit(*data))


def surround(monkeypatch, inner, before=lambda: None, after=lambda: None):
    """Call functions before and after each call of the inner function."""
    module, name = inner.rsplit(".", 1)
    function = getattr(importlib.import_module(module), name)

    def surrounded(*args, **kwargs):
        before()
        result = function(*args, **kwargs)
        after()
        return result

    monkeypatch.setattr(inner, surrounded)


def interrupt(monkeypatch, inner, call, raises):
    """Interrupt at one call of a function, by an exception before it or a signal after it."""
    calls = []

    def before():
        calls.append(inner)
        if raises and len(calls) == call:
            raise KeyboardInterrupt

    def after():
        if not raises and len(calls) == call:
            signal.raise_signal(signal.SIGINT)

    surround(monkeypatch, inner, before, after)


def check_interrupted_fit(model, data, inner, raises, fitted, monkeypatch):
    """Check that an interrupted fit changes nothing, and that the next fit is like any other."""
    model = clone(model)
    if fitted:
        model.fit(*data)
    before = vars(model).copy()
    call = 1 if inner.endswith(("eigh", "components_of")) else 2
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        interrupt(patch, inner, call, raises)
        model.fit(*(x[::-1] for x in data))
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is before[name] for name in before)
    assert bytes_of(model.fit(*data)) == learned(model, data)


def blas_threads(api="blas"):
    """Return the number of threads of each library."""
    np.ones((2, 2)) @ np.ones((2, 2))
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == api]


def check_one_blas_thread(model, data, inner, monkeypatch):
    """Check that a fit of small matrices holds BLAS at one thread, and then lets it go."""
    counts = []

    def count():
        if len(counts) < 50:  # it takes a while
            counts.extend(blas_threads())

    surround(monkeypatch, inner, before=count)
    with threadpool_limits(2):
        clone(model).fit(*data)
        assert set(blas_threads()) == {2}
    assert set(counts) == {1}


def check_same_bytes(fits, n_blas_threads):
    """Check that fits in several threads and in children are the same as fits alone."""
    alone = [learned(*fit) for fit in fits]
    with threadpool_limits(n_blas_threads):
        with ThreadPoolExecutor(3) as threads:
            futures = [threads.submit(learned, *fit) for fit in 2 * fits]
        assert [future.result() for future in futures] == 2 * alone
        if hasattr(os, "fork"):
            with multiprocessing.get_context("fork").Pool(2) as pool:
                assert pool.starmap_async(learned, 2 * fits).get(timeout=600) == 2 * alone
