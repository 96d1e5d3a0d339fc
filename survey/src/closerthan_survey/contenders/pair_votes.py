"""Embed objects by the principal axes of pair counts, a simple baseline."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan.comparisons.convert import to_quadruplets


class PairVotes(BaseEstimator):
    """Principal axes of a matrix of votes: how often a pair was nearer, less how often farther.

    The votes are centered like squared distances in classical MDS and replace the Gram matrix. They
    ignore which questions were asked and how certain an answer is, and nothing is minimized. A
    useful method should do better.

    Examples
    --------
    >>> PairVotes(1).fit([[0, 1, 2], [1, 0, 2], [3, 2, 0]]).embedding_.shape
    (4, 1)
    """

    def __init__(self, n_components=2, n_objects=None):
        self.n_components = n_components
        self.n_objects = n_objects

    def fit(self, answers):
        """Count the votes of answers, and embed the objects."""
        i, j, l, k = to_quadruplets(np.asarray(answers)).T
        weights = getattr(answers, "sample_weight", np.ones(len(i)))
        n = self.n_objects or int(np.max([i, j, l, k])) + 1
        votes = np.zeros((n, n))
        np.add.at(votes, (i, j), weights)
        np.add.at(votes, (l, k), -weights)
        votes += votes.T
        votes -= votes.mean(axis=0)
        votes -= votes.mean(axis=1)[:, None]
        values, axes = np.linalg.eigh(votes)
        scale = np.sqrt(np.maximum(values[: -self.n_components - 1 : -1], 0.0))
        self.embedding_ = axes[:, : -self.n_components - 1 : -1] * scale
        return self
