"""SVRG-SBB: variance-reduced stochastic gradients with a Barzilai-Borwein step (Ma et al. 2019).

Moves by the mean gradient are delayed until a point is used again. The cost of an inner step then
does not depend on the number of objects.
"""

from dataclasses import dataclass
from numbers import Real
from typing import Literal

import numpy as np
from sklearn.base import BaseEstimator

from closerthan._core.calls import fill_slopes
from closerthan._core.compiled import compiled
from closerthan._core.validation import check_count, check_number, check_word
from closerthan._core.vectors import add_differences, distances_of_one
from closerthan.optimize.objective import Objective, inverse_curvature, secant_step
from closerthan.optimize.trace import Trace

_EPSILON = 0.3  # share of the curvature at the start
_N_OVER_Q = "n/|Q|"  # as the papers write n_objects / n_comparisons


@dataclass(eq=False, repr=False)
class SVRG(BaseEstimator):
    """Stochastic variance-reduced gradient with a fixed or a Barzilai-Borwein step.

    An outer iteration computes the full gradient, then makes n_comparisons / batch_size inner
    steps on mini-batches. It costs three epochs of gradient evaluations.

    Parameters
    ----------
    step : {"sbb", "bb0", "fixed"}, default "sbb"
        "sbb" is the stabilized Barzilai-Borwein step of eq. (17). "bb0" has epsilon zero, which the
        paper shows to be unstable.
    epsilon : float, optional
        Stabilizer of "sbb", in the unit of the curvature of the mean loss. The default is 0.3 times
        the curvature along the first gradient.
    step_size : float, optional
        Step per comparison (eta in Algorithm 1). With step="fixed" it is used in all outer
        iterations, otherwise in the first. The default comes from a probe of the curvature.
    batch_size : int, default 10
        Comparisons in a mini-batch, which moves the points by batch_size * step_size.
    restarts : int, default 0
        Number of times the step size is reset, evenly over the budget: Algorithm 2 with
        restarts + 1 modules.
    correction : float or ``"n/|Q|"``, default 1.0
        Weight of the mini-batch's part of a step. SVRG has weight 1. ``"n/|Q|"``, n_objects /
        n_comparisons, is that of the authors' released code: almost a step along the full gradient.
    lazy : bool, default True
        Whether a point is moved by the mean gradient only when it is used again. Otherwise every
        step moves all points, as in the paper. The iterates are the same up to rounding.

    References
    ----------
    Ma et al., Fast stochastic ordinal embedding with variance reduction and adaptive step size,
    2019, Algorithms 1 and 2. The second difference of Algorithm 1 and its update are misprints.
    This implementation uses x - b * eta * u with eta from the differences of points and gradients.

    Examples
    --------
    >>> from closerthan import OrdinalEmbedding
    >>> line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> OrdinalEmbedding(1, solver=SVRG(batch_size=2), random_state=0).fit(line).score(line)
    1.0
    """

    step: str = "sbb"
    epsilon: float | None = None
    step_size: float | None = None
    batch_size: int = 10
    restarts: int = 0
    correction: float | Literal["n/|Q|"] = 1.0
    lazy: bool = True

    def minimize(
        self, objective: Objective, X: np.ndarray, trace: Trace, rng: np.random.Generator
    ) -> np.ndarray:
        """Move the padded points X to a minimum of the objective; see `closerthan.optimize`."""
        check_word("SVRG: step", self.step, ("sbb", "bb0", "fixed"))
        check_number("SVRG: epsilon", self.epsilon, optional=True)
        check_number("SVRG: step_size", self.step_size, positive=True, optional=True)
        check_count("SVRG: batch_size", self.batch_size)
        correction = self._correction(objective)
        epsilon = self.epsilon if self.step == "sbb" else 0.0
        n = objective.n_comparisons
        n_steps = max(n // self.batch_size, 1)
        halves = n_steps // 2, n_steps - n_steps // 2  # an epoch each
        slopes = np.empty((n, 2))
        snapshot, gradient = None, None
        evaluations, module = 0, 0  # modules are those of Algorithm 2
        while True:
            previous, snapshot = snapshot, X.copy()
            previous_gradient, gradient = gradient, objective.gradient(X, np.empty_like(X), slopes)
            evaluations += n
            begun = min(evaluations * (self.restarts + 1) // trace.budget, self.restarts)
            restart = begun > module
            if previous is None or restart:
                module += restart
                step_size = self.step_size
                if step_size is None or epsilon is None:
                    curvature = 1.0 / inverse_curvature(objective, X, gradient)
                    evaluations += n
                    epsilon = _EPSILON * curvature if epsilon is None else epsilon
                    if step_size is None:  # equation (17) for a small probe against the gradient
                        step_size = 1.0 / (curvature + epsilon) / n
            elif self.step != "fixed":
                dx = snapshot - previous
                if not dx.any():
                    return X
                step_size = secant_step(dx, gradient - previous_gradient, epsilon) / n
            if trace(X, evaluations, step_size):
                return X
            for steps in halves:
                draws = rng.integers(n, size=(steps, self.batch_size))
                loss = objective.slopes, objective.parameter
                data = objective.comparisons, objective.weights, draws
                how = step_size, correction, bool(self.lazy)
                _inner_steps(loss, X, (snapshot, gradient, slopes), *data, *how, objective.vectors)
                evaluations += 2 * draws.size
                if trace(X, evaluations, step_size):
                    return X

    def _correction(self, objective):
        if self.correction == _N_OVER_Q:
            return objective.n_objects / objective.n_comparisons
        if isinstance(self.correction, Real) and np.isfinite(self.correction):
            return float(self.correction)
        raise ValueError(
            f"SVRG: correction={self.correction!r}; it must be a finite number or {_N_OVER_Q!r}"
        )


@compiled
def _inner_steps(
    loss, X, snapshot, comparisons, weights, draws, step_size, correction, lazy, vectors
):
    """Run the inner loop of Algorithm 1 over the mini-batches `draws`, moving X in place.

    The snapshot has the points at the start, and the mean gradient and the slopes there.
    """
    slopes, parameter = loss
    start, gradient, start_slopes = snapshot
    n_steps, batch_size = draws.shape
    width = X.shape[1]
    a, b = np.empty(batch_size), np.empty(batch_size)
    da, db = np.empty(batch_size), np.empty(batch_size)
    n_ends = comparisons.shape[1]
    change = np.zeros_like(X)  # batch_size times the mini-batch part of the gradient
    moved = np.zeros(len(X), dtype=np.int64)  # steps already applied to each row
    mean_step = batch_size * step_size
    batch_step = correction * step_size
    for t in range(n_steps):
        for s in range(batch_size):
            q = draws[t, s]
            for end in range(n_ends):
                r = comparisons[q, end]
                if lazy and moved[r] < t:
                    missed = mean_step * (t - moved[r])
                    for d in range(width):
                        X[r, d] -= missed * gradient[r, d]
                    moved[r] = t
        for s in range(batch_size):
            distances_of_one(X, comparisons, draws[t, s], a, b, s, vectors)
        fill_slopes(slopes, a, b, parameter, da, db)
        for s in range(batch_size):
            q = draws[t, s]
            twice = 2.0 * weights[q] if weights.size else 2.0
            add_differences(change, twice * da[s], twice * db[s], X, comparisons, q, vectors)
            near, far = -2.0 * start_slopes[q, 0], -2.0 * start_slopes[q, 1]
            add_differences(change, near, far, start, comparisons, q, vectors)
        for s in range(batch_size):
            for end in range(n_ends):
                r = comparisons[draws[t, s], end]
                for d in range(width):
                    X[r, d] -= batch_step * change[r, d]
                    change[r, d] = 0.0
        if not lazy:
            for r in range(len(X)):
                for d in range(width):
                    X[r, d] -= mean_step * gradient[r, d]
    if not lazy:
        return
    for r in range(len(X)):
        missed = mean_step * (n_steps - moved[r])
        for d in range(width):
            X[r, d] -= missed * gradient[r, d]
