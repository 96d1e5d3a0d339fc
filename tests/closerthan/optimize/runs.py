"""Run a solver on a small problem and keep every iterate, for the tests of solvers."""

from collections import namedtuple

import numpy as np
import pandas as pd

import slow_reference as slow
from closerthan._core.vectors import pad
from closerthan.losses import make_loss
from closerthan.optimize import Objective
from closerthan.optimize.trace import HISTORY, Trace

Run = namedtuple("Run", "points iterates history")


class Problem:
    """Random comparisons of 12 objects in 3 dimensions, with weights, and starting points."""

    def __init__(self, loss="ste", kind="triplets", n_comparisons=57, seed=0):
        rng = np.random.default_rng(seed)
        sample = {"triplets": slow.random_triplets, "quadruplets": slow.random_quadruplets}[kind]
        self.loss = loss
        self.quadruplets = sample(rng, 12, n_comparisons)
        self.weights = rng.uniform(0.2, 2.0, n_comparisons)
        self.start = rng.normal(size=(12, 3)) / 2
        asked = self.quadruplets[:, [0, 1, 3]] if kind == "triplets" else self.quadruplets
        self.objective = Objective(make_loss(loss), asked, (12, 3), sample_weight=self.weights)

    def value_and_gradient(self, X):
        """Return the mean loss and gradient, in plain numpy."""
        return slow.value_and_gradient(self.loss, X, self.quadruplets, self.weights)

    def gradient_of(self, q, X):
        """Return the gradient of comparison q alone, in plain numpy."""
        _, gradient = slow.value_and_gradient(self.loss, X, self.quadruplets[[q]])
        return gradient * self.weights[q] / self.weights.mean()


def run(solver, problem, max_iter, seed=0, tol=0.0):
    """Run a solver; return its points, the points at every row of the history, and the history."""
    iterates = []
    trace = Trace(problem.objective, max_iter, tol, lambda X, row: iterates.append(X.copy()))
    rng = np.random.default_rng(seed)
    points = solver.minimize(problem.objective, pad(problem.start), trace, rng)
    trace.close()
    assert not np.nan_to_num(points[:, 3:]).any()
    return Run(points[:, :3], iterates, pd.DataFrame(trace.rows, columns=HISTORY))


def assert_same_iterates(found, expected, rtol=1e-10):
    """Compare two lists of points to a relative error."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=rtol * np.abs(other).max())
