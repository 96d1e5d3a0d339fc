"""Stochastic gradient descent on one comparison at a time."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan._core.calls import fill_slopes
from closerthan._core.compiled import compiled
from closerthan._core.validation import check_number
from closerthan._core.vectors import add_differences, distances_of_one
from closerthan.optimize.minibatch import schedule
from closerthan.optimize.objective import Objective
from closerthan.optimize.trace import Trace
from closerthan.penalties import SHRINK_EVERY, shrink


class SGD(BaseEstimator):
    """Stochastic gradient descent on single comparisons, drawn with replacement.

    Parameters
    ----------
    step_size : float, optional
        Step of the first epoch. By default the average comparison moves its objects by 10 % of
        their differences at the start.
    decay : float, optional
        The step of epoch e (from 0) is step_size / (1 + decay * e). The released code of Ma et al.
        (2019) has 0.01. By default the steps fall geometrically, and the solver stops after the
        number of epochs given by `closerthan.optimize.minibatch.schedule`.

    Examples
    --------
    >>> from closerthan import OrdinalEmbedding
    >>> line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> OrdinalEmbedding(1, solver=SGD(), penalty=None, random_state=0).fit(line).score(line)
    1.0
    """

    def __init__(self, step_size: float | None = None, decay: float | None = None):
        self.step_size = step_size
        self.decay = decay

    def minimize(
        self, objective: Objective, X: np.ndarray, trace: Trace, rng: np.random.Generator
    ) -> np.ndarray:
        """Move the padded points X towards a minimum; see `closerthan.optimize`."""
        check_number("SGD: step_size", self.step_size, positive=True, optional=True)
        check_number("SGD: decay", self.decay, optional=True)
        n = objective.n_comparisons
        evaluations = 0
        first = self.step_size
        if first is None:
            slopes = np.empty((n, 2))
            objective.gradient(X, np.empty_like(X), slopes)
            first = 0.1 / max(np.abs(slopes).sum(axis=1).mean(), 1e-12)
            evaluations = n
        epochs, least = schedule(objective, trace.budget, passes=9)
        epoch = 0
        while self.decay is not None or epoch < epochs:
            if self.decay is None:
                step_size, factor = first * least ** (epoch / epochs), least ** (1 / (epochs * n))
            else:
                step_size, factor = first / (1.0 + self.decay * epoch), 1.0
            loss = objective.slopes, objective.parameter
            data = objective.comparisons, objective.weights, rng.integers(n, size=n)
            _, axes, rates = objective.penalty_rates(X)
            _steps(loss, X, *data, step_size, factor, axes, rates, objective.vectors)
            epoch += 1
            evaluations += n
            if trace(X, evaluations, step_size):
                break
        return X


@compiled
def _steps(loss, X, comparisons, weights, draws, step_size, factor, axes, rates, vectors):
    slopes, parameter = loss
    a, b, da, db = np.empty(1), np.empty(1), np.empty(1), np.empty(1)
    time = 0.0
    for t in range(len(draws)):
        q = draws[t]
        distances_of_one(X, comparisons, q, a, b, 0, vectors)
        fill_slopes(slopes, a, b, parameter, da, db)
        step = -2.0 * step_size * (weights[q] if weights.size else 1.0)
        add_differences(X, step * da[0], step * db[0], X, comparisons, q, vectors)
        time += step_size
        step_size *= factor
        if rates.size and ((t + 1) % (SHRINK_EVERY * len(X)) == 0 or t + 1 == len(draws)):
            shrink(X, axes, rates, time)
            time = 0.0
