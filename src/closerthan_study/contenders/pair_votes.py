"""The simplest map of answers: count for which pairs they speak, and take principal axes."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan.comparisons.convert import to_quadruplets


class PairVotes(BaseEstimator):
    """Principal axes of a matrix of votes: how often a pair was the nearer one, less the farther.

    The matrix, centered as squared distances are in classical MDS, stands in for a Gram matrix. It
    knows neither which questions were asked nor how sure an answer is, and nothing is minimized: a
    method that is worth its time should do better.

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
