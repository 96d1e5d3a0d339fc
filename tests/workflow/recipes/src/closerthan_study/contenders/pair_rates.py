"""Predict by how often each pair was nearer, without a model of the objects."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan.comparisons.convert import to_quadruplets


class PairRates(BaseEstimator):
    """Predict that the pair with the higher rate is nearer.

    Parameters
    ----------
    n_objects : int
    """

    def __init__(self, n_objects):
        self.n_objects = n_objects

    def fit(self, answers):
        """Count how often each pair was nearer, and how often it was asked about."""
        n = self.n_objects
        wins, asked = np.zeros((2, n, n))
        i, j, l, k = to_quadruplets(np.asarray(answers)).T
        for row, column, won in ((i, j, 1), (l, k, 0)):
            for pair in ((row, column), (column, row)):
                np.add.at(wins, pair, won)
                np.add.at(asked, pair, 1)
        self.rates_ = (wins + 1) / (asked + 2)
        return self

    def score(self, answers):
        """Return the share of answers that the rates predict."""
        i, j, l, k = to_quadruplets(np.asarray(answers)).T
        return float(np.mean(self.rates_[i, j] > self.rates_[l, k]))
