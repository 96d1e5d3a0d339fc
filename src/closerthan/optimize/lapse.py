"""Lapses: answers at random, whatever was asked, as a part of the model of the answers.

The probability of an answer is lapse / 2 + (1 - lapse) P, where P is that of the loss, exp(-loss)
(Wichmann and Hill, The psychometric function I, Perception & Psychophysics 63(8), 2001, eq. 1, with
both answers as likely where attention lapses).
"""

import numpy as np
from numba import njit

from closerthan._core.vectors import dot
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.objective import Objective

_MOST = 0.99  # a rate beyond which hardly anything would be left to fit
_LEAST = 1e-9  # a rate, or a difference of rates, that is none
_FIRST = 1e-3  # least rate to guess: where it is too low, a step about doubles it


def with_lapses(probability, lapse):
    """Return the probability of answers, given that of the loss."""
    return lapse / 2 + (1 - lapse) * probability


def likeliest_lapse(probability, weights, start=0.1):
    """Return the rate at which answers of these probabilities, by the loss, are the most likely.

    The logarithm of the likelihood is concave in the rate. Its maximum is found by Newton's steps,
    or where these lead too far by halving the interval that it lies in. It is from 0 to 0.99.
    """
    low, high, lapse = _LEAST, _MOST, min(max(start, _FIRST), _MOST)
    if not _slope_and_step(probability, weights, low)[0] > 0.0:
        return 0.0
    while high - low > _LEAST:
        slope, step = _slope_and_step(probability, weights, lapse)
        low, high = (lapse, high) if slope > 0.0 else (low, lapse)
        if abs(step) < _LEAST:
            break
        lapse += step
        if not low < lapse < high:
            lapse = (low + high) / 2
    return float(lapse)


class LapsingObjective(Objective):
    """Mean loss that comes to allow for lapses, -log(lapse / 2 + (1 - lapse) exp(-loss)).

    Until `allow` is called there are none, and all is as for `Objective`. From then on a comparison
    pulls by the gradient of its loss times the posterior probability that its answer is no lapse.
    Where the rate is estimated it is the likeliest at any points, so that a minimum over the points
    is one over both: by the envelope theorem the rate adds nothing to the gradient.

    Attributes
    ----------
    lapse : float
        The rate, where it is estimated that at the points that were last looked at.
    """

    lapse = 0.0
    _given: np.ndarray | None = None  # weights of the comparisons, once lapses are allowed for
    _estimated = False

    def allow(self, lapse: float | None) -> None:
        """Allow for lapses, at a rate or, for None, at the likeliest one."""
        self.sort()  # now, for the order of the weights is that of the comparisons
        self._given = self.weights if self.weights.size else np.ones(self.n_comparisons)
        self._estimated = lapse is None
        self.lapse = 0.1 if lapse is None else lapse

    def _sum(self, X, out, with_value, slopes=None):
        if self._given is None:
            return super()._sum(X, out, with_value, slopes)
        losses = self.losses(X)
        probability = np.exp(-losses)
        if self._estimated:
            self.lapse = likeliest_lapse(probability, self._given, self.lapse)
        self.weights = self._given
        if self.lapse > 0.0:
            mixed = with_lapses(probability, self.lapse)
            losses = -np.log(mixed)
            self.weights = self._given * (1 - self.lapse) * probability / mixed
        if len(out):
            super()._sum(X, out, False, slopes)
        return dot(self._given, losses) / self.n_comparisons


def minimize_with_lapses(objective, X, trace, lapse):
    """Go on from the padded points X with lapses, at a rate or, for None, at the likeliest one."""
    objective.allow(lapse)
    if not trace.stopped:
        trace.carry_on()
        X = LBFGS().minimize(objective, X, trace, None)
    objective.value(X)  # so that the rate is that at X, and not at the points tried last
    return X


@njit(cache=True, error_model="numpy", nogil=True)
def _slope_and_step(probability, weights, lapse):
    """Slope of the log-likelihood at a rate, and Newton's step from there."""
    slope = curvature = 0.0
    for t in range(probability.size):
        p = probability[t]
        ratio = (0.5 - p) / (0.5 * lapse + (1.0 - lapse) * p)
        slope += weights[t] * ratio
        curvature += weights[t] * ratio * ratio
    return slope, slope / curvature
