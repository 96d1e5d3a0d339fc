"""The learning curve's clock and its reasons to stop."""

import time

import numpy as np
import pytest
from runs import Problem

from closerthan.optimize import Trace


def _trace(max_iter=10**6, tol=1e-4, **options):
    return Trace(Problem().objective, max_iter, tol, **options)


def _feed(trace, losses, norm=1.0):
    """Number of rows after which the trace says stop; None if it never does."""
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


def test_it_stops_when_the_budget_is_spent():
    n = Problem().objective.n_comparisons
    trace = _trace(max_iter=3, tol=0.0)
    X = np.ones((1, 1))
    assert [trace(X, epoch * n, 0.1, 1.0) for epoch in (1, 2, 2.9, 3)] == [False] * 3 + [True]


@pytest.mark.parametrize("norm", [1e13, np.inf, np.nan])
def test_it_stops_when_the_points_overflow(norm):
    trace = _trace()
    assert _feed(trace, [1.0, 1.0], norm) == 1
    assert trace.diverged
    np.testing.assert_equal(trace.rows[-1]["norm"], norm)
    fine = _trace()
    assert _feed(fine, [1.0, 1.0], 1e11) is None
    assert not fine.diverged


def test_the_clock_stands_still_during_evaluation():
    trace = _trace(callback=lambda X, row: time.sleep(0.1))
    X = np.ones((12, 4))
    trace(X, 1, 0.1)
    time.sleep(0.02)
    trace(X, 2, 0.1)
    first, second = (row["seconds"] for row in trace.rows)
    assert 0.02 <= second - first < 0.1
