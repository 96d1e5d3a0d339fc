"""Gradient descent against its recurrences in plain numpy, and L-BFGS at its minimum."""

from itertools import pairwise

import numpy as np
import pytest
from runs import Problem, assert_same_iterates, run

from closerthan._core.vectors import pad
from closerthan.losses import make_loss
from closerthan.optimize import LBFGS, Batch, Objective, Trace

LOSS_NAMES = ["gnmds", "ckl", "ste", "t-ste", "soe"]


@pytest.mark.parametrize("loss", LOSS_NAMES)
@pytest.mark.parametrize("kind", ["triplets", "quadruplets"])
def test_fixed_steps(loss, kind):
    problem = Problem(loss, kind)
    found = run(Batch("fixed", step_size=0.02), problem, max_iter=8)
    X, expected = problem.start, []
    for _ in range(8):
        X = X - 0.02 * 12 * problem.value_and_gradient(X)[1]
        expected.append(X)
    assert_same_iterates(found.iterates, expected)
    assert found.history["step_size"].tolist() == [0.02] * 8
    assert found.history["evaluations"].tolist() == [57 * (k + 1) for k in range(8)]
    assert found.history["seconds"].is_monotonic_increasing


def test_the_bold_driver_grows_and_halves_its_step():
    problem = Problem("ste")
    found = run(Batch("bold-driver", step_size=0.4), problem, max_iter=30)
    X, step = problem.start, 0.4
    loss, expected, steps = problem.value_and_gradient(X)[0], [], []
    for _ in range(30):
        X = X - step * 12 * problem.value_and_gradient(X)[1]
        expected.append(X)
        steps.append(step)
        previous, loss = loss, problem.value_and_gradient(X)[0]
        step *= 1.01 if loss < previous else 0.5
    assert {round(new / old, 6) for old, new in pairwise(steps)} == {1.01, 0.5}
    np.testing.assert_allclose(found.history["step_size"], steps, rtol=1e-10)
    assert_same_iterates(found.iterates, expected, rtol=1e-7)


def test_barzilai_borwein_steps_are_those_of_the_formula():
    problem = Problem("ste")
    found = run(Batch("bb", step_size=0.1), problem, max_iter=20)
    points = [problem.start, *found.iterates]
    checked = 0
    for k in range(1, len(points) - 1):
        dx = points[k] - points[k - 1]
        gradients = [problem.value_and_gradient(points[m])[1] for m in (k - 1, k)]
        dy = gradients[1] - gradients[0]
        formula = (dx**2).sum() / abs((dx * dy).sum()) / 12
        halvings = np.log2(formula / found.history["step_size"][k])
        np.testing.assert_allclose(halvings, round(halvings), atol=1e-5)
        checked += round(halvings) == 0
        moved = points[k] - 12 * found.history["step_size"][k] * gradients[1]
        np.testing.assert_allclose(points[k + 1], moved, rtol=1e-9, atol=1e-10)
    assert checked > 10


@pytest.mark.parametrize("loss", LOSS_NAMES)
def test_a_barzilai_borwein_loss_stays_below_the_largest_of_the_last_ten(loss):
    problem = Problem(loss, n_comparisons=150)
    losses = run(Batch("bb"), problem, max_iter=150).history["loss"].to_numpy()
    losses = [problem.value_and_gradient(problem.start)[0], *losses]
    for k in range(1, len(losses)):
        assert losses[k] <= max(losses[max(0, k - 10) : k]) * (1 + 1e-10)
    assert losses[-1] < 0.9 * losses[0]


@pytest.mark.parametrize("loss", ["ste", "ckl", "t-ste"])
def test_lbfgs_and_barzilai_borwein_reach_a_point_without_slope(loss):
    problem = Problem(loss, n_comparisons=300)
    for solver in (LBFGS(), Batch("bb")):
        found = run(solver, problem, max_iter=3000)
        value, gradient = problem.value_and_gradient(found.points)
        assert np.abs(gradient).max() < 1e-5
        np.testing.assert_allclose(value, found.history["loss"].iloc[-1], rtol=1e-12)


def test_lbfgs_counts_every_gradient():
    problem = Problem("ste", n_comparisons=300)
    calls = 0
    evaluate = problem.objective._sum

    def counted(*arguments):
        nonlocal calls
        calls += 1
        return evaluate(*arguments)

    problem.objective._sum = counted
    history = run(LBFGS(), problem, max_iter=25).history
    assert history["evaluations"].iloc[-1] == calls * 300
    assert history["loss"].is_monotonic_decreasing


def test_lbfgs_starts_from_small_points_of_many_objects():
    # The slope of a mean over many objects is small; scipy alone would stop at once.
    rng = np.random.default_rng(0)
    n_objects = 3000
    rows = np.arange(n_objects)
    quadruplets = np.column_stack([rows, (rows + 1) % n_objects, rows, (rows + 7) % n_objects])
    objective = Objective(make_loss("ste"), quadruplets, (n_objects, 2))
    trace = Trace(objective, 50, 1e-4)
    LBFGS().minimize(objective, pad(1e-3 * rng.normal(size=(n_objects, 2))), trace, rng)
    assert trace.rows[-1]["loss"] < 0.5 * np.log(2)
