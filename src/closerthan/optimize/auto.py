"""The default solver: mini-batch SGD followed by L-BFGS."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.minibatch import MiniBatchSGD
from closerthan.optimize.objective import Objective
from closerthan.optimize.trace import Trace


class Auto(BaseEstimator):
    """Mini-batch stochastic gradient descent followed by L-BFGS.

    Mini-batch SGD gets near a good minimum within a few epochs, and L-BFGS then converges.

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
