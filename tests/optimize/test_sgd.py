"""Stochastic gradient descent against the same draws in plain numpy."""

import numpy as np
import pytest
from runs import Problem, assert_same_iterates, run

from closerthan.optimize import SGD
from slow_reference import squared_distances


def _slow_sgd(problem, step_size, decay, n_epochs, seed):
    rng = np.random.default_rng(seed)
    X, iterates, n = problem.start, [], len(problem.quadruplets)
    for epoch in range(n_epochs):
        for q in rng.integers(n, size=n):
            X = X - step_size / (1 + decay * epoch) * problem.gradient_of(q, X)
        iterates.append(X)
    return iterates


@pytest.mark.parametrize("loss", ["gnmds", "ckl", "ste", "t-ste", "soe"])
@pytest.mark.parametrize(("kind", "decay"), [("triplets", 0.3), ("quadruplets", 0.0)])
def test_iterates(loss, kind, decay):
    problem = Problem(loss, kind)
    found = run(SGD(step_size=0.05, decay=decay), problem, max_iter=4, seed=7)
    assert_same_iterates(found.iterates, _slow_sgd(problem, 0.05, decay, 4, seed=7))
    steps = 0.05 / (1 + decay * np.arange(4))
    np.testing.assert_allclose(found.history["step_size"], steps, rtol=1e-15)
    assert found.history["evaluations"].tolist() == [57, 114, 171, 228]
    losses = [problem.value_and_gradient(X)[0] for X in found.iterates]
    np.testing.assert_allclose(found.history["loss"], losses, rtol=1e-12)


def test_the_default_step_moves_objects_by_a_tenth_of_their_differences():
    problem = Problem("ste", n_comparisons=2000)
    history = run(SGD(), problem, max_iter=5).history
    falls = history["step_size"][1:].to_numpy() / history["step_size"][:-1].to_numpy()
    np.testing.assert_allclose(falls, falls[0], rtol=1e-12)
    assert falls[0] < 1
    a, b = squared_distances(problem.start, problem.quadruplets)
    wrong = 1 / (1 + np.exp(b - a))
    slope = np.average(2 * wrong, weights=problem.weights)
    np.testing.assert_allclose(history["step_size"][0], 0.1 / slope, rtol=1e-12)
    # The gradient that it took to find out is counted.
    assert history["evaluations"].tolist() == [2000 * k for k in range(2, 6)]
