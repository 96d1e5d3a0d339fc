"""Check maps by threads: the same bits, an end by interrupts, and loops that return often."""

import signal

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from closerthan.mds import SMACOF, PatternSearchMDS, dissimilarities, metric_mds
from mds import plain

MODELS = [PatternSearchMDS, SMACOF]
N_POINTS = 1100  # enough for several threads
QUICK = {"n_components": 4, "radius": 1.0, "min_radius": 0.1, "tol": 0.05}


@pytest.mark.parametrize(
    "model",
    [
        PatternSearchMDS(**QUICK),
        PatternSearchMDS(**QUICK, bad_moves=False),
        PatternSearchMDS(**QUICK, directions=0.5),
        SMACOF(max_iter=5),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_threads_give_the_same_coordinates(model, weighted, monkeypatch):
    monkeypatch.setattr(metric_mds, "_WORTH_THREADS", 0)
    _, D, W = plain.random_problem(520, 3, 1, weighted)
    model = clone(model).set_params(metric="precomputed", random_state=3)
    one, two = (clone(model).set_params(n_jobs=k).fit(D, weights=W) for k in (None, 2))
    np.testing.assert_array_equal(one.embedding_, two.embedding_)
    assert one.stress_ == two.stress_
    new = np.nan_to_num(D, nan=1.0)
    np.testing.assert_array_equal(one.transform(new), two.transform(new))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("Model", MODELS)
def test_an_interrupt_ends_a_long_fit_and_leaves_it_unfitted(Model, n_jobs):
    Model(metric="precomputed").fit(1 - np.eye(4))  # compiles
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


def test_compiled_loops_return_to_python_often(monkeypatch):
    """Python sees an interrupt only between calls, so no call may take all the rows."""
    most = 0

    def watched(loop):
        def call(X, delta, *args):
            nonlocal most
            numbers = [a for a in args if isinstance(a, int)]
            most = max(most, (numbers[1] - numbers[0]) * delta.shape[1])
            return loop(X, delta, *args)

        return call

    for name in ("sum_outside", "move_points", "stress_rows", "square_rows"):
        monkeypatch.setattr(
            dissimilarities.loops, name, watched(getattr(dissimilarities.loops, name))
        )
    monkeypatch.setattr(dissimilarities, "_PAIRS", N_POINTS**2 // 4)
    D = plain.random_problem(N_POINTS, 2, 0)[1]
    PatternSearchMDS(metric="precomputed", tol=0.5, min_radius=0.1).fit(D)
    assert 0 < most <= N_POINTS**2 / 4
