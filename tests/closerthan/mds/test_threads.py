"""Check maps by several threads: an interrupt ends them, and loops return to Python often."""

import signal

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from closerthan.mds import SMACOF, PatternSearchMDS, dissimilarities
from mds import plain

MODELS = [PatternSearchMDS, SMACOF]
N_POINTS = 1100  # enough for several threads


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
    PatternSearchMDS(metric="precomputed", tol=0.5, min_radius=1.0).fit(D)
    assert 0 < most <= N_POINTS**2 / 4
