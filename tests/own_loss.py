"""Losses as a user would write them, for tests."""

import numpy as np

from closerthan.losses import Loss, compile_slopes, compile_values


class Hinge(Loss):
    """GNMDS's loss once more."""

    @staticmethod
    @compile_values
    def _values(a, b, _, out):
        for t in range(a.size):
            out[t] = max(0.0, 1.0 + a[t] - b[t])

    @staticmethod
    @compile_slopes
    def _slopes(a, b, _, da, db):
        for t in range(a.size):
            da[t] = 1.0 if 1.0 + a[t] > b[t] else 0.0
            db[t] = -da[t]


class Exponential(Loss):
    """Loss exp(rate * (a - b)), of no paper."""

    def __init__(self, rate=1.0):
        self.rate = rate

    def parameter(self, n_components):
        return float(self.rate)

    @staticmethod
    @compile_values
    def _values(a, b, rate, out):
        for t in range(a.size):
            out[t] = np.exp(rate * (a[t] - b[t]))

    @staticmethod
    @compile_slopes
    def _slopes(a, b, rate, da, db):
        for t in range(a.size):
            da[t] = rate * np.exp(rate * (a[t] - b[t]))
            db[t] = -da[t]
