"""What all solvers promise: budgets, reproducibility, small memory, no step in the dark."""

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
    find_solver,
    make_solver,
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
def test_every_solver_spends_the_same_budget(solver):
    problem = Problem("ste", n_comparisons=400, seed=2)
    history = run(solver, problem, max_iter=40, tol=0.0).history
    spent = history["evaluations"].to_numpy() / 400
    assert (np.diff(spent) > 0).all()
    assert spent[-1] <= 43
    assert spent[-1] >= (20 if repr(solver) in SCHEDULED else 40)
    assert (spent[:-1] < 40).all()


@each_solver
def test_every_solver_descends(solver):
    problem = Problem("ste", n_comparisons=400)
    history = run(solver, problem, max_iter=40).history
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
        if not isinstance(solver, MiniBatchSGD | Auto):  # theirs is of the moving points
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


@each_solver
def test_a_callback_stops_the_solver(solver):
    problem, seen = Problem("ste"), []

    def stop_at_the_third(X, row):
        seen.append(row["evaluations"])
        return len(seen) == 3

    trace = Trace(problem.objective, 1000, 0.0, stop_at_the_third)
    solver.minimize(problem.objective, pad(problem.start), trace, np.random.default_rng(0))
    assert len(seen) == len(trace.rows) == 3


def test_the_first_solver_of_two_may_settle_and_the_second_goes_on():
    problem = Problem("ste", n_comparisons=400)
    history = run(Auto(), problem, max_iter=500, tol=0.5).history
    spent = history["evaluations"].to_numpy()
    first = run(MiniBatchSGD(), Problem("ste", n_comparisons=400), max_iter=500, tol=0.5).history
    assert len(history) > len(first)
    assert (np.diff(spent) > 0).all()


def test_a_name_stands_for_the_default_and_an_object_for_itself():
    names = ["auto", "l-bfgs", "batch", "minibatch-sgd", "sgd", "svrg"]
    for name, kind in zip(names, [Auto, LBFGS, Batch, MiniBatchSGD, SGD, SVRG], strict=True):
        assert type(make_solver(name)) is kind and find_solver(kind.__name__) is kind
    solver = SVRG()
    assert make_solver(solver) is solver


@pytest.mark.parametrize("find", [make_solver, find_solver])
@pytest.mark.parametrize("name", ["adam", "objective", "Trace"])
def test_an_unknown_name_is_refused(find, name):
    with pytest.raises(ValueError, match=rf"'{name}'.*(?i:lbfgs, sgd, svrg, batch|batch, .*svrg)"):
        find(name)
