"""Gradient descent with momentum."""

import numpy as np
from sklearn.base import BaseEstimator


class Momentum(BaseEstimator):
    """Gradient descent of a heavy ball.

    Parameters
    ----------
    step_size : float, default 2.0
    momentum : float, default 0.5
        How much of each step the next one keeps.
    """

    def __init__(self, step_size=2.0, momentum=0.5):
        self.step_size = step_size
        self.momentum = momentum

    def minimize(self, objective, X, trace, rng):
        """Move the padded points X towards a minimum; see `closerthan.optimize`."""
        velocity, gradient = np.zeros_like(X), np.empty_like(X)
        evaluations, stop = 0, False
        while not stop:
            velocity *= self.momentum
            velocity -= self.step_size * objective.gradient(X, gradient)
            X += velocity
            evaluations += objective.n_comparisons
            stop = trace(X, evaluations, self.step_size)
        return X
