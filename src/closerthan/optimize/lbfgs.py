"""L-BFGS with compiled inner loops and sums in a fixed order: the same bits on every processor."""

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from closerthan._core.compiled import compiled
from closerthan._core.validation import check_count
from closerthan._core.vectors import dot, inner, norm
from closerthan.optimize.objective import Objective, inverse_curvature
from closerthan.optimize.trace import Trace

_DECREASE = 1e-4  # smallest share of the predicted decrease for a step
_FLATTER = 0.9  # largest remaining share of the slope along the line
_TRIES = 20  # evaluations a line search
_FLAT = 1e-5  # slopes below it count as zero, in units of the mean loss an object


class LBFGS(BaseEstimator):
    """Limited-memory BFGS with a line search for the weak Wolfe conditions.

    These conditions can be met at the kinks of a hinge loss, too. The first step is one over the
    curvature along the gradient, which costs one evaluation.

    Parameters
    ----------
    memory : int, default 10
        Number of past steps used to estimate the curvature.

    References
    ----------
    Liu and Nocedal, On the limited memory BFGS method for large scale optimization, 1989.
    Lewis and Overton, Nonsmooth optimization via quasi-Newton methods, 2013, algorithm 2.6.

    Examples
    --------
    >>> from closerthan import OrdinalEmbedding
    >>> line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> OrdinalEmbedding(1, solver=LBFGS(), random_state=0).fit(line).score(line)
    1.0
    """

    def __init__(self, memory: int = 10):
        self.memory = memory

    def minimize(
        self, objective: Objective, X: np.ndarray, trace: Trace, rng: np.random.Generator
    ) -> np.ndarray:
        """Move the padded points X to a minimum of the objective; see `closerthan.optimize`."""
        check_count("LBFGS: memory", self.memory)
        objective.sort()
        line = _Line(objective, X)
        past = _Past(self.memory, X)
        if not np.isfinite(line.loss):
            trace(X, objective.n_comparisons, np.nan, line.loss)
            return X
        first = inverse_curvature(objective, line.X, line.gradient)
        line.evaluations += 1
        direction = -first * line.gradient
        flat = _FLAT / objective.n_objects
        while np.abs(line.gradient).max() > flat:
            X, gradient = line.X, line.gradient
            if not line.search(direction):
                if not past.seen:
                    break  # the loss does not fall even along the gradient
                past.seen = 0
                direction = -first * gradient
                continue
            spent = line.evaluations * objective.n_comparisons
            if trace(line.X, spent, line.step, line.loss):
                break
            past.remember(line.X - X, line.gradient - gradient)
            direction = past.direction(line.gradient)
        return line.X


class _Line:
    """The objective along a line from the current points, and the line search."""

    def __init__(self, objective, X):
        self.objective = objective
        self.X = X
        self.loss, self.gradient = objective.value_and_gradient(X, np.empty_like(X))
        self.evaluations = 1
        self.step = 0.0

    def search(self, direction):
        """Move to a step with the weak Wolfe conditions, or at least with a lower loss.

        Returns whether the loss has fallen at all.
        """
        slope = dot(direction, self.gradient)
        if not slope < 0.0:
            return False
        near, far, step = _Place(0.0, self.loss, slope, self.X, self.gradient), None, 1.0
        for _ in range(_TRIES):
            new = self._look(direction, step)
            if new.loss > self.loss + _DECREASE * step * slope:
                far = new
            else:
                near = new
                if new.slope >= _FLATTER * slope:
                    break
            step = 4.0 * step if far is None else _between(near, far)
        fallen = near.loss < self.loss
        self.step, self.loss, _, self.X, self.gradient = near
        return fallen

    def _look(self, direction, step):
        X = self.X + step * direction
        loss, gradient = self.objective.value_and_gradient(X, np.empty_like(X))
        self.evaluations += 1
        slope = dot(direction, gradient)
        if not (np.isfinite(loss) and np.isfinite(slope)):
            loss = slope = np.inf
        return _Place(step, loss, slope, X, gradient)


class _Place(NamedTuple):
    """A step along the line, with the loss and its slope along the line."""

    step: float
    loss: float
    slope: float
    X: np.ndarray
    gradient: np.ndarray


def _between(near, far):
    """Return the minimum of the cubic through two steps, or their mean, away from both ends."""
    a, b = near.step, far.step
    guess = 0.5 * (a + b)
    if np.isfinite(far.loss):
        # Nocedal and Wright, Numerical optimization, 2006, eq. (3.59).
        middle = near.slope + far.slope - 3.0 * (near.loss - far.loss) / (a - b)
        square = middle * middle - near.slope * far.slope
        if square >= 0.0:
            root = np.copysign(np.sqrt(square), b - a)
            share = (far.slope + root - middle) / (far.slope - near.slope + 2.0 * root)
            guess = b - (b - a) * share if np.isfinite(share) else guess
    edge = 0.1 * abs(b - a)
    return float(np.clip(guess, min(a, b) + edge, max(a, b) - edge))


class _Past:
    """The last steps and changes of the gradient, which approximate the curvature."""

    def __init__(self, memory, X):
        self._steps, self._changes = np.empty((2, memory, X.size))
        self._inverse = np.empty(memory)  # one over the inner product of each step and change
        self.seen = 0

    def remember(self, step, change):
        """Replace the oldest pair by this one, unless its curvature is not positive."""
        curvature = dot(step, change)
        if curvature > 1e-12 * norm(step) * norm(change):
            place = self.seen % len(self._inverse)
            self._steps[place], self._changes[place] = step.ravel(), change.ravel()
            self._inverse[place] = 1.0 / curvature
            self.seen += 1

    def direction(self, gradient):
        """Return minus the gradient times the inverse curvature."""
        direction = -gradient
        if self.seen:
            pairs = self._steps, self._changes, self._inverse
            _two_loops(direction.reshape(-1), *pairs, np.empty_like(self._inverse), self.seen)
        return direction


@compiled
def _two_loops(direction, steps, changes, inverse, weights, seen):
    memory = inverse.size
    oldest, newest = max(seen - memory, 0), (seen - 1) % memory
    for t in range(seen - 1, oldest - 1, -1):
        place = t % memory
        weights[place] = inverse[place] * inner(steps[place], direction)
        _add(direction, -weights[place], changes[place])
    scale = 1.0 / (inverse[newest] * inner(changes[newest], changes[newest]))
    for d in range(direction.size):
        direction[d] *= scale
    for t in range(oldest, seen):
        place = t % memory
        found = inverse[place] * inner(changes[place], direction)
        _add(direction, weights[place] - found, steps[place])


@compiled
def _add(x, weight, y):
    for d in range(x.size):
        x[d] += weight * y[d]
