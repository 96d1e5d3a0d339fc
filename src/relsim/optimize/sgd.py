"""Stochastic gradient descent: one comparison at a time."""

import numpy as np
from numba import njit
from sklearn.base import BaseEstimator

from relsim._simd.rows import add_differences, squared_distance


class SGD(BaseEstimator):
    """Stochastic gradient descent on single comparisons, drawn with replacement.

    Parameters
    ----------
    step_size : float, optional
        Step of the first epoch. By default such that the average comparison moves its objects by
        3 % of their differences at the start.
    decay : float, default 0.01
        The step of epoch e (from 0) is step_size / (1 + decay * e), as in the released code of
        Ma et al. (2019).

    Examples
    --------
    >>> from relsim import OrdinalEmbedding
    >>> line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> OrdinalEmbedding(1, solver=SGD(), random_state=0).fit(line).score(line)
    1.0
    """

    def __init__(self, step_size=None, decay=0.01):
        self.step_size = step_size
        self.decay = decay

    def minimize(self, objective, X, trace, rng):
        """Move the padded points X towards a minimum; see `relsim.optimize`."""
        n = objective.n_comparisons
        evaluations = 0
        first = self.step_size
        if first is None:
            slopes = np.empty((2, n))
            objective.gradient(X, np.empty_like(X), slopes)
            first = 0.03 / max(np.abs(slopes).sum(axis=0).mean(), 1e-12)
            evaluations = n
        epoch = 0
        while True:
            step_size = first / (1.0 + self.decay * epoch)
            _steps(
                objective.slopes,
                objective.parameter,
                X,
                objective.quadruplets,
                objective.weights,
                rng.integers(n, size=n),
                step_size,
            )
            epoch += 1
            evaluations += n
            if trace(X, evaluations, step_size):
                return X


@njit(cache=True, error_model="numpy")
def _steps(slopes, parameter, X, quadruplets, weights, draws, step_size):
    a, b, da, db = np.empty(1), np.empty(1), np.empty(1), np.empty(1)
    for q in draws:
        i, j, l, k = quadruplets[q]
        a[0], b[0] = squared_distance(X, i, j), squared_distance(X, l, k)
        slopes(a, b, parameter, da, db)
        near, far = -2.0 * step_size * weights[q] * da[0], -2.0 * step_size * weights[q] * db[0]
        if i == l:
            add_differences(X, near, far, X, i, j, l, k)
            continue
        for d in range(X.shape[1]):
            # Both pairs move from where they were, even if they share an object.
            e, f = near * (X[i, d] - X[j, d]), far * (X[l, d] - X[k, d])
            X[i, d] += e
            X[j, d] -= e
            X[l, d] += f
            X[k, d] -= f
