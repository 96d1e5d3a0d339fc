"""The default solver: the fast way to a good place, then the sure way to the bottom."""

import numpy as np

from closerthan._core.estimator import Estimator
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.minibatch import MiniBatchSGD
from closerthan.optimize.objective import Objective
from closerthan.optimize.trace import Trace


class Auto(Estimator):
    """Mini-batch stochastic gradient descent, finished by L-BFGS.

    The first comes within a few epochs to where comparisons that were held out are answered about
    as well as ever, and seldom stops in a poor local minimum; the second takes the rest of the
    budget to end where the loss is flat. In `benchmarks/` no single solver is as fast as the two.

    Examples
    --------
    >>> from closerthan import OrdinalEmbedding
    >>> line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> OrdinalEmbedding(1, solver=Auto(), random_state=0).fit(line).score(line)
    1.0
    """

    def minimize(
        self, objective: Objective, X: np.ndarray, trace: Trace, rng: np.random.Generator
    ) -> np.ndarray:
        """Move the padded points X to a minimum of the objective; see `closerthan.optimize`."""
        X = MiniBatchSGD().minimize(objective, X, trace, rng)
        if trace.stopped:
            return X
        trace.carry_on()
        return LBFGS().minimize(objective, X, trace, rng)
