"""The default solver."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.minibatch import MiniBatchSGD
from closerthan.optimize.objective import Objective
from closerthan.optimize.trace import Trace


class Auto(BaseEstimator):
    """Mini-batch SGD, which gets near a good minimum in a few epochs, followed by L-BFGS.

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
