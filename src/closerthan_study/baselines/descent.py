"""Stochastic gradient descent on the objective of SDCA, which has a sublinear rate."""

import numpy as np

from closerthan._core.compiled import compiled


def objectives_of_descent(X, triplets, reg, n_epochs, rng):
    """Return P(M) of `closerthan.similarity.SDCA` after each epoch of gradient descent.

    M starts at zero. Step t takes a random triplet, and has the size 1 / (reg (t + s)), where
    s = 1 / (reg gamma) and 1 / gamma = 2 max ||X_i||^2 is the smoothness of the loss.
    """
    i, j, k = triplets.T
    left, right = X[i].astype(float), X[j].astype(float) - X[k]
    n, M = len(triplets), np.zeros((X.shape[1], X.shape[1]))
    start = 2.0 * ((left**2).sum(1) * (right**2).sum(1)).max() / reg
    found = []
    for epoch in range(n_epochs):
        _descend(M, left, right, rng.integers(n, size=n), float(reg), start + epoch * n)
        hinges = np.maximum(0.0, 1.0 - ((left @ M) * right).sum(axis=1))
        found.append(np.mean(hinges**2) + reg / 2.0 * np.sum(M**2))
    return np.array(found)


@compiled
def _descend(M, left, right, order, reg, before):
    """Make a step on each triplet in this order, after so many steps before."""
    for n in range(len(order)):
        x, v = left[order[n]], right[order[n]]
        step = 1.0 / (reg * (before + n + 1))
        margin = np.sum(x * (M @ v))
        pull = 2.0 * step * max(0.0, 1.0 - margin)
        for r in range(len(x)):
            for c in range(len(v)):
                M[r, c] = (1.0 - step * reg) * M[r, c] + pull * x[r] * v[c]
