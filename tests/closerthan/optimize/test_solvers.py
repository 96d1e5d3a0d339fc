"""Check what all solvers promise: budgets, reproducibility, small memory and reports."""

import itertools
import time
import tracemalloc

import numpy as np
import pytest
from runs import Problem, run

from closerthan._core.vectors import pad
from closerthan.losses import make_loss
from closerthan.optimize import (
    LBFGS,
    SGD,
    SVRG,
    Auto,
    Batch,
    MiniBatchSGD,
    Objective,
    Trace,
)

EVERY = [
    LBFGS(),
    Batch("bb"),
    Batch("fixed"),
    Batch("bold-driver"),
    SGD(decay=0.01),
    SGD(),
    MiniBatchSGD(),
    Auto(),
    SVRG("sbb"),
    SVRG("bb0"),
    SVRG("fixed"),
    SVRG("sbb", batch_size=1, restarts=2),
]
# They stop by themselves, at the end of their schedule.
SCHEDULED = {repr(solver) for solver in (SGD(), MiniBatchSGD())}
each_solver = pytest.mark.parametrize("solver", EVERY, ids=repr)


@each_solver
def test_every_solver_descends_and_spends_the_same_budget(solver):
    problem = Problem("ste", n_comparisons=400, seed=2)
    history = run(solver, problem, max_iter=40, tol=0.0).history
    spent = history["evaluations"].to_numpy() / 400
    assert (np.diff(spent) > 0).all()
    assert spent[-1] <= 43
    assert spent[-1] >= (20 if repr(solver) in SCHEDULED else 40)
    assert (spent[:-1] < 40).all()
    assert history["loss"].iloc[-1] < 0.95 * problem.value_and_gradient(problem.start)[0]


@each_solver
def test_the_same_seed_gives_the_same_bytes(solver):
    first, second, other = (
        run(solver, Problem("t-ste"), max_iter=12, seed=seed) for seed in (5, 5, 6)
    )
    assert first.points.tobytes() == second.points.tobytes()
    assert first.history.drop(columns="seconds").equals(second.history.drop(columns="seconds"))
    stochastic = isinstance(solver, SGD | MiniBatchSGD | Auto | SVRG)
    assert (first.points.tobytes() != other.points.tobytes()) == stochastic


@each_solver
def test_the_rows_describe_the_points(solver):
    problem = Problem("ckl")
    found = run(solver, problem, max_iter=12)
    for X, row in zip(found.iterates, found.history.itertuples(), strict=True):
        if not isinstance(solver, MiniBatchSGD | Auto):  # these report losses of moving points
            np.testing.assert_allclose(row.loss, problem.value_and_gradient(X)[0], rtol=1e-10)
        np.testing.assert_allclose(row.norm, np.linalg.norm(X), rtol=1e-12)
    np.testing.assert_array_equal(found.points, found.iterates[-1])


@each_solver
def test_memory_grows_with_the_points_not_with_their_square(solver):
    n_objects, rng = 200_000, np.random.default_rng(0)
    quadruplets = rng.integers(n_objects, size=(1000, 4))
    objective = Objective(make_loss("ste"), quadruplets, (n_objects, 2))
    start = pad(rng.normal(size=(n_objects, 2)))
    tracemalloc.start()
    try:
        solver.minimize(objective, start, Trace(objective, 4, 0.0), rng)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60 * start.nbytes


WRONG = {"step_size": [0, np.nan, "1"], "decay": [-1, np.inf], "epsilon": [-1]}


@pytest.mark.parametrize("kind", [SGD, Batch, SVRG])
def test_wrong_steps_are_refused(kind):
    for name in WRONG.keys() & kind().get_params():
        for value in WRONG[name]:
            rule = f"^{kind.__name__}: {name}={value!r}; it must be finite and .*, or None$"
            with pytest.raises(ValueError, match=rule):
                run(kind(**{name: value}), Problem(), max_iter=1)


def _trace(max_iter=10**6, tol=1e-4, **options):
    return Trace(Problem().objective, max_iter, tol, **options)


def _feed(trace, losses, norm=1.0):
    """Return the number of rows until the trace says stop, or None."""
    X = np.full((1, 1), norm)
    for k, loss in enumerate(losses, start=1):
        if trace(X, k, 0.1, loss):
            return k
    return None


def test_it_stops_when_ten_rows_have_brought_too_little():
    assert _feed(_trace(tol=0.01), 0.995 ** np.arange(100)) is None
    assert _feed(_trace(tol=0.1), 0.995 ** np.arange(100)) == 11
    assert _feed(_trace(tol=1e-4), [*np.linspace(2, 1, 20), *np.ones(100)]) == 30


def test_at_tolerance_zero_it_never_settles_before_the_loss_is_zero():
    assert _feed(_trace(tol=0.0), np.linspace(1, 2, 100)) is None
    assert _feed(_trace(tol=0.0), [1.0, 0.5, 0.0, 0.0]) == 3


@pytest.mark.parametrize("norm", [1e13, np.inf, np.nan])
def test_it_stops_when_the_points_overflow(norm):
    trace = _trace()
    assert _feed(trace, [1.0, 1.0], norm) == 1
    assert trace.diverged
    np.testing.assert_equal(trace.rows[-1]["norm"], norm)
    fine = _trace()
    assert _feed(fine, [1.0, 1.0], 1e11) is None
    assert not fine.diverged


def test_the_clock_stands_still_during_evaluation(monkeypatch):
    now = itertools.count(100.0, 2.0)  # two seconds between two looks at the clock
    monkeypatch.setattr(time, "perf_counter", lambda: next(now))
    trace = _trace(callback=lambda X, row: time.perf_counter() < 0)
    for evaluations in (1, 2, 3):
        trace(np.ones((12, 4)), evaluations, 0.1)
    assert [row["seconds"] for row in trace.rows] == [2.0, 4.0, 6.0]
