"""Check SGD and SVRG against dense code in plain numpy, and SVRG's steps against formulas."""

from itertools import product

import numpy as np
import pytest
from runs import Problem, assert_same_iterates, run

from closerthan._core.vectors import pad
from closerthan.losses import CKL
from closerthan.optimize import SGD, SVRG, Batch
from closerthan.optimize.objective import inverse_curvature
from slow_reference import LOSSES, squared_distances

N = 57  # comparisons; 5 does not divide it


def _dense_svrg(problem, step, epsilon, step_size, batch_size, n_outer, seed, correction=1.0):
    """Run Algorithm 1 as printed: every inner step moves every point by the mean gradient.

    Yields the points and the step size at each report of the solver. It reports at each full
    gradient, halfway through each inner loop and at its end.
    """
    rng = np.random.default_rng(seed)
    X, previous, n_steps = problem.start, None, N // batch_size
    for _ in range(n_outer):
        anchor, mean = X, problem.value_and_gradient(X)[1]
        if previous is not None and step != "fixed":
            dx, dy = anchor - previous[0], mean - previous[1]
            squared = (dx**2).sum()
            step_size = squared / (abs((dx * dy).sum()) + epsilon * squared) / N
        previous = anchor, mean
        yield X, step_size
        for steps in (n_steps // 2, n_steps - n_steps // 2):
            for draws in rng.integers(N, size=(steps, batch_size)):
                change = sum(
                    problem.gradient_of(q, X) - problem.gradient_of(q, anchor) for q in draws
                )
                X = X - batch_size * step_size * (correction * change / batch_size + mean)
            yield X, step_size


@pytest.mark.parametrize(
    ("step", "batch_size", "loss", "options"),
    [
        *product(["fixed", "bb0", "sbb"], [1, 5, N], ["ste"], [{"lazy": True}, {"lazy": False}]),
        *product(["sbb"], [1, 5], ["ste"], [{"correction": 0.1}]),
        *product(["sbb"], [5], LOSSES, [{}]),
    ],
)
def test_iterates_are_the_dense_ones(step, batch_size, loss, options):
    problem = Problem(loss, "triplets" if options else "quadruplets")
    solver = SVRG(step, epsilon=0.05, step_size=2e-3, batch_size=batch_size, **options)
    found = run(solver, problem, max_iter=10, seed=3)
    epsilon = 0.05 if step == "sbb" else 0.0
    correction = options.get("correction", 1.0)
    rows = list(_dense_svrg(problem, step, epsilon, 2e-3, batch_size, 4, 3, correction))
    rows = rows[: len(found.iterates)]
    assert len(rows) >= 10
    assert_same_iterates(found.iterates, [X for X, _ in rows], rtol=1e-10)
    np.testing.assert_allclose(found.history["step_size"], [s for _, s in rows], rtol=1e-9)


def test_the_correction_of_the_released_code_is_objects_over_comparisons():
    problem = Problem("ste")
    words, number = (
        run(SVRG(step_size=2e-3, correction=correction), problem, 6, seed=2).points
        for correction in ("n/|Q|", 12 / N)
    )
    np.testing.assert_array_equal(words, number)


def test_an_outer_iteration_costs_three_epochs():
    history = run(SVRG("bb0", step_size=1e-3, batch_size=1), Problem(), 9).history
    spent = N * np.arange(1, 10) - np.tile([0, 1, 0], 3)
    assert history["evaluations"].tolist() == spent.tolist()


def test_the_default_first_step_comes_from_the_curvature():
    problem = Problem("ste")
    _, gradient = problem.value_and_gradient(problem.start)
    curvature = 1 / inverse_curvature(problem.objective, pad(problem.start), pad(gradient))
    for solver, epsilon in [
        (SVRG(), 0.3 * curvature),
        (SVRG(epsilon=3.0), 3.0),
        (SVRG("bb0"), 0.0),
    ]:
        history = run(solver, problem, max_iter=3).history
        expected = 1 / (curvature + epsilon) / N
        np.testing.assert_allclose(history["step_size"][0], expected, rtol=1e-6)
        assert history["evaluations"][0] == 2 * N


def test_the_default_epsilon_does_not_depend_on_the_unit_of_points():
    steps = []
    for scale in (1.0, 10.0):
        problem = Problem(CKL(mu=0.1 * scale**2))
        problem.start = problem.start * scale
        steps.append(run(SVRG(), problem, max_iter=12).history["step_size"] / scale**2)
    np.testing.assert_allclose(steps[1], steps[0], rtol=1e-6)


@pytest.mark.parametrize("restarts", [0, 1, 3])
def test_restarts_begin_with_the_first_step_again(restarts):
    solver = SVRG("sbb", step_size=1e-4, epsilon=0.05, restarts=restarts, batch_size=5)
    history = run(solver, Problem(), max_iter=60).history
    anew = (history["step_size"] == 1e-4).to_numpy()
    begins = np.flatnonzero(anew & ~np.append(False, anew[:-1]))
    assert len(begins) == restarts + 1
    modules = np.arange(restarts + 1) * 60 / (restarts + 1)
    epochs = history["evaluations"].to_numpy()[begins] / N
    assert (np.abs(epochs - modules) <= 4).all()


@pytest.mark.parametrize(
    ("solver", "message"),
    [
        (Batch("bbb"), r"Batch: step='bbb'.*bb, fixed, bold-driver"),
        (SVRG("bb"), "SVRG: step='bb'.*sbb, bb0, fixed"),
        (SVRG(batch_size=0), "SVRG: batch_size=0"),
        (SVRG(correction="n/q"), r"SVRG: correction='n/q'; .* a finite number or 'n/\|Q\|'"),
        (SVRG(correction=np.nan), "SVRG: correction=nan"),
    ],
)
def test_bad_parameters(solver, message):
    with pytest.raises(ValueError, match=message):
        run(solver, Problem(), max_iter=1)


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
    # The gradient that showed this also counts.
    assert history["evaluations"].tolist() == [2000 * k for k in range(2, 6)]
