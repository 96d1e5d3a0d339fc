"""Check that threads end with their work, errors reach the caller, and BLAS gets its limit back."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest
import scipy.linalg  # noqa: F401  (with a BLAS library of its own)
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from class_points import X
from closerthan import OnlineKernel, OrdinalEmbedding
from closerthan._core.threads import Team, count_threads, one_blas_thread, one_openmp_thread
from closerthan.mds import SMACOF, PatternSearchMDS
from closerthan.similarity import SDCA
from every_fit import FITS, NAMED, STREAM
from fit_checks import blas_threads, check_one_blas_thread, check_same_bytes, learned


def test_a_team_does_each_item_once():
    for size in (1, 2, 3):
        done = []
        with Team(size) as team:
            team.each(done.append, range(100))
            team.each(done.append, range(100, 110))
        assert sorted(done) == list(range(110))


def test_no_thread_outlives_its_team():
    before = threading.active_count()
    with Team(4) as team:
        team.each(lambda _: time.sleep(0.001), range(20))
    assert threading.active_count() == before


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("in_caller", [True, False])
def test_an_error_in_any_thread_reaches_the_caller_and_ends_the_work(error, in_caller):
    caller, done = threading.current_thread(), []

    def work(item):
        if (threading.current_thread() is caller) == in_caller:
            raise error("stop")
        time.sleep(0.002)
        done.append(item)

    with Team(2) as team, pytest.raises(error):
        team.each(work, range(100_000))
    assert len(done) < 100_000


def test_n_jobs_counts_as_in_scikit_learn_and_never_beyond_the_cores():
    cores = joblib.cpu_count()
    asked = [count_threads(n_jobs) for n_jobs in (None, 1, -1, -cores, -1000, 10_000)]
    assert asked == [1, 1, cores, 1, 1, cores]
    for bad in (0, 1.5, "2", True):
        with pytest.raises(ValueError, match=f"n_jobs={bad!r}"):
            count_threads(bad)
    with pytest.raises(ValueError, match=r"n_jobs=0; it must be 1, 2, \.\.\. or -1"):
        clone(ORDINAL).set_params(n_jobs=0).fit(STREAM)


@pytest.mark.parametrize("limit", [None, 2])
def test_blas_is_held_in_every_thread(limit):
    def held():
        with one_blas_thread():
            return set(blas_threads())

    with threadpool_limits(limit):  # a limit in the main thread
        before = blas_threads()
        assert held() == {1}
        with ThreadPoolExecutor(1) as other:
            assert other.submit(held).result() == {1}
            # The first one in leaves first, and the last one out lifts the limit.
            first, last = one_blas_thread(), one_blas_thread()
            other.submit(first.__enter__).result()
            last.__enter__()
            other.submit(first.__exit__, None, None, None).result()
            assert set(blas_threads()) == {1}
            last.__exit__(None, None, None)
            assert blas_threads() == before


@pytest.mark.parametrize(
    ("sizes", "held"),
    [
        ((), 1),
        ((1000,), 1),
        ((1001,), 0),
        ((1000,) * 3, 1),
        ((10**4, 9, 9), 1),
        ((10**4, 99, 99), 0),
    ],
)
def test_blas_is_held_where_there_is_little_work(sizes, held):
    with threadpool_limits(2):
        with one_blas_thread(*sizes):
            assert set(blas_threads()) == {2 - held}
        with one_openmp_thread(*sizes):
            assert set(blas_threads("openmp")) == {2 - held}
        assert set(blas_threads() + blas_threads("openmp")) == {2}


@pytest.mark.parametrize(
    ("model", "data", "inner"),
    [
        *(fit for fit in FITS if not fit[2].endswith(("dense_pass", "_follow"))),
        (OnlineKernel(), (STREAM,), "closerthan.kernels.projection.add_gathered"),
        (OnlineKernel(), (STREAM,), "closerthan.kernels.projection.dpotri"),
        (SDCA(project=True), (X, NAMED), "numpy.linalg.eigh"),
        (PatternSearchMDS(), (X,), "closerthan.mds.metric_mds.rough_classical_mds"),
        (SMACOF(), (X,), "closerthan.mds.smacof.dot"),
    ],
)
def test_fits_of_small_matrices_use_one_blas_thread(model, data, inner, monkeypatch):
    check_one_blas_thread(model, data, inner, monkeypatch)


# A fit shares this many comparisons between threads.
MANY = (np.arange(3) * [1, 7, 11] + np.random.default_rng(0).integers(60, size=(140_000, 1))) % 60
ORDINAL = OrdinalEmbedding(2, penalty=None, init="random", max_iter=8, n_jobs=2, random_state=0)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("n_blas_threads", [1, 2])
def test_fits_are_the_same_in_threads_and_in_children(n_blas_threads):
    check_same_bytes([*(fit[:2] for fit in FITS), (ORDINAL, (MANY,))], n_blas_threads)


def test_neither_the_number_of_threads_nor_joblib_changes_a_bit():
    models = [clone(ORDINAL).set_params(n_jobs=n_jobs) for n_jobs in (1, 2, -1, 1000)]
    found = [learned(model, (MANY,)) for model in models]
    for backend in ("loky", "threading"):
        fits = (joblib.delayed(learned)(ORDINAL, (MANY,)) for _ in range(2))
        found += joblib.Parallel(2, backend=backend)(fits)
    assert len(found) == 8 and len(set(found)) == 1


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_is_born_with_an_open_lock():
    stop = threading.Event()

    def enter():
        while not stop.is_set():
            with one_blas_thread():
                pass

    thread = threading.Thread(target=enter)
    thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                with one_blas_thread():
                    os._exit(0)
            deadline = time.monotonic() + 600
            while os.waitpid(child, os.WNOHANG) == (0, 0):
                if time.monotonic() > deadline:
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                    pytest.fail("the child waits for a lock that nobody opens")
                time.sleep(0.001)
    finally:
        stop.set()
        thread.join()


def test_an_interrupt_while_threads_start_ends_them():
    done = []

    def work(item):
        time.sleep(0.001)
        done.append(item)

    with Team(2) as team:
        submit = team._others.submit

        def interrupted(function):
            submit(function)
            raise KeyboardInterrupt

        team._others.submit = interrupted
        with pytest.raises(KeyboardInterrupt):
            team.each(work, range(1000))
    assert len(done) < 1000
