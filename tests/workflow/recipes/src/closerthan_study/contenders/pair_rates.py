"""How often each pair of objects was the nearer one, and nothing about the objects themselves."""

import numpy as np
from sklearn.base import BaseEstimator

from closerthan.comparisons.convert import to_quadruplets


class PairRates(BaseEstimator):
    """Call that pair the nearer one that has been so more often.

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
        """Return the share of answers that are as the rates say."""
        i, j, l, k = to_quadruplets(np.asarray(answers)).T
        return float(np.mean(self.rates_[i, j] > self.rates_[l, k]))
