"""Gradient descent on all comparisons at once, with kernels projected after each step."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan._core.validation import check_number, check_word
from closerthan._core.vectors import dot
from closerthan.optimize.objective import Objective, inverse_curvature, secant_step
from closerthan.optimize.trace import Trace

_MEMORY = 10  # recent losses; a Barzilai-Borwein step may not exceed their maximum
_DECREASE = 1e-4  # smallest share of the predicted decrease for such a step


class Batch(BaseEstimator):
    """Gradient descent on all comparisons.

    Parameters
    ----------
    step : {"bb", "fixed", "bold-driver"}, default "bb"
        "bb" takes Barzilai-Borwein steps, and halves a step while the loss exceeds the maximum of
        the last ten losses (Raydan 1997). "bold-driver" increases the step by 1 % after each
        decrease of the loss and halves it after an increase, like van der Maaten's STE code.
    step_size : float, optional
        Step in units of n_objects times the mean gradient, so that it does not depend on the number
        of objects. The default is one over the curvature at the start.

    References
    ----------
    Barzilai and Borwein, Two-point step size gradient methods, IMA J. Numer. Anal. 1988.
    Raydan, The Barzilai and Borwein gradient method for the large scale unconstrained
    minimization problem, SIAM J. Optim. 1997.

    Examples
    --------
    >>> from closerthan import OrdinalEmbedding
    >>> line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> OrdinalEmbedding(1, solver=Batch("bb"), random_state=0).fit(line).score(line)
    1.0
    """

    def __init__(self, step: str = "bb", step_size: float | None = None):
        self.step = step
        self.step_size = step_size

    def minimize(
        self, objective: Objective, X: np.ndarray, trace: Trace, rng: np.random.Generator
    ) -> np.ndarray:
        """Move the padded points X to a minimum of the objective; see `closerthan.optimize`."""
        check_word("Batch: step", self.step, ("bb", "fixed", "bold-driver"))
        check_number("Batch: step_size", self.step_size, positive=True, optional=True)
        objective.sort()
        loss, gradient = objective.value_and_gradient(X, np.empty_like(X))
        evaluations, step_size = 1, self.step_size
        if step_size is None:
            step_size = inverse_curvature(objective, X, gradient)
            evaluations += 1
        else:
            step_size = step_size * objective.n_objects
        losses, new_gradient = [loss], np.empty_like(X)
        while True:
            while True:
                new = objective.project(X - step_size * gradient)
                loss, _ = objective.value_and_gradient(new, new_gradient)
                dx = new - X
                if self.step != "bb" or _falls(loss, losses[-_MEMORY:], dx, step_size):
                    break
                step_size /= 2
                evaluations += 1
            X = new
            losses.append(loss)
            spent = evaluations * objective.n_comparisons
            if trace(X, spent, step_size / objective.n_objects, loss):
                return X
            evaluations += 1
            if self.step == "bb":
                secant = secant_step(dx, new_gradient - gradient)
                step_size = secant if np.isfinite(secant) else step_size
            elif self.step == "bold-driver":
                step_size *= 1.01 if loss < losses[-2] else 0.5
            gradient, new_gradient = new_gradient, gradient


def _falls(loss, losses, dx, step_size):
    """Return whether a step decreases the loss enough, or is so short that rounding dominates."""
    decrease = _DECREASE * dot(dx, dx) / step_size
    return loss <= max(losses) - decrease or not decrease > 1e-16 * max(losses)
