"""Maps by several threads, wherever they run: the same bytes, and neither hang nor abort."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from threadpoolctl import threadpool_info, threadpool_limits

from closerthan.mds import SMACOF, PatternSearchMDS, problem
from mds import plain

MODELS = [PatternSearchMDS, SMACOF]
N_POINTS = 1100  # enough for several threads

# What a child process says is the bytes of its map; a hang is ended by the time limit.
_AFTER_A_FORK = """
import multiprocessing, sys
import numpy as np
from closerthan.mds import PatternSearchMDS, SMACOF

points = np.random.default_rng(0).normal(size=(1100, 3))

def fit(n_jobs):
    searched = PatternSearchMDS(n_jobs=n_jobs, tol=0.1, min_radius=0.1).fit(points)
    majorized = SMACOF(n_jobs=n_jobs, max_iter=5).fit(points)
    new = searched.transform(points[:1000] + 0.1)
    return searched.embedding_.tobytes() + majorized.embedding_.tobytes() + new.tobytes()

expected = fit(2)
with multiprocessing.get_context("fork").Pool(2) as pool:
    found = pool.map(fit, [1, 2, 2])
assert all(bytes == expected for bytes in found)
"""


POINTS = np.random.default_rng(0).normal(size=(N_POINTS, 3))


def _fit(Model, n_jobs=2):
    return _model(Model, n_jobs).fit_transform(POINTS)


def _model(Model, n_jobs=2):
    settings = {"max_iter": 5} if Model is SMACOF else {"tol": 0.1, "min_radius": 0.1}
    return Model(n_jobs=n_jobs, **settings)


def test_a_forked_child_fits_as_its_parent_did():
    subprocess.run([sys.executable, "-c", _AFTER_A_FORK], check=True, timeout=300)


@pytest.mark.parametrize("Model", MODELS)
def test_threads_of_the_user_may_fit_side_by_side(Model):
    expected = _fit(Model, n_jobs=None)
    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(_fit, [Model] * 6):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_jobs_of_joblib_give_the_same(backend):
    # A method of the package, for a process of loky's cannot import what stands in a test.
    fits = [_model(Model).fit_transform for Model in MODELS for _ in range(2)]
    jobs = (joblib.delayed(fit)(POINTS) for fit in fits)
    found = joblib.Parallel(2, backend=backend)(jobs)
    for Model, (one, two) in zip(MODELS, (found[:2], found[2:]), strict=True):
        expected = _fit(Model)
        np.testing.assert_array_equal(one, expected)
        np.testing.assert_array_equal(two, expected)


@pytest.mark.parametrize("Model", MODELS)
def test_more_jobs_than_cores_do_no_harm(Model):
    np.testing.assert_array_equal(_fit(Model, n_jobs=10_000), _fit(Model, n_jobs=None))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("Model", MODELS)
def test_an_interrupt_ends_a_long_fit_and_leaves_it_unfitted(Model, n_jobs):
    _fit(Model, n_jobs)  # compiles
    D = plain.random_problem(N_POINTS, 2, 0)[1]
    model = Model(metric="precomputed", init="random", n_init=10**6, n_jobs=n_jobs)

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        with pytest.raises(KeyboardInterrupt):
            model.fit(D)
    finally:
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(NotFittedError):
        model.transform(D)


@pytest.mark.parametrize("Model", MODELS)
def test_blas_is_held_to_one_thread_during_a_fit(Model, monkeypatch):
    seen, search = [], Model._search

    def watched(*args):
        seen.extend(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
        return search(*args)

    monkeypatch.setattr(Model, "_search", watched)
    with threadpool_limits(2, user_api="blas"):
        _fit(Model)
    assert seen and set(seen) == {1}


def test_compiled_loops_return_to_python_often(monkeypatch):
    """Python hears of an interrupt only between calls, so no call may take all the rows."""
    most = 0

    def watched(loop):
        def call(X, delta, *args):
            nonlocal most
            numbers = [a for a in args if isinstance(a, int)]
            most = max(most, (numbers[1] - numbers[0]) * delta.shape[1])
            return loop(X, delta, *args)

        return call

    for name in ("sum_outside", "move_points", "stress_rows", "square_rows"):
        monkeypatch.setattr(problem.loops, name, watched(getattr(problem.loops, name)))
    monkeypatch.setattr(problem, "_PAIRS", N_POINTS**2 // 4)
    D = plain.random_problem(N_POINTS, 2, 0)[1]
    PatternSearchMDS(metric="precomputed", tol=0.5, min_radius=1.0).fit(D)
    assert 0 < most <= N_POINTS**2 / 4
