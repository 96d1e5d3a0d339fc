"""Lapses: a model of answers given at random, whatever the question.

The probability of an answer is lapse / 2 + (1 - lapse) P, where P = exp(-loss) is its probability
under the loss (Wichmann and Hill, The psychometric function I, Perception & Psychophysics 63(8),
2001, eq. 1, with equally likely answers during a lapse).
"""

import numpy as np

from closerthan._core.compiled import compiled
from closerthan._core.vectors import dot
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.objective import Objective

_MOST = 0.99  # largest rate; beyond it, hardly any answers would be left to fit
_LEAST = 1e-9  # rates and differences of rates below this count as zero
_FIRST = 1e-3  # smallest first guess; from far too low a rate, a Newton step only doubles it


def with_lapses(probability, lapse):
    """Return the probability of answers with lapses, from their probability under the loss."""
    return lapse / 2 + (1 - lapse) * probability


def likeliest_lapse(probability, weights, start=0.1):
    """Return the maximum likelihood estimate of the lapse rate, from 0 to 0.99.

    `probability` has the probabilities of the answers under the loss. The log-likelihood is concave
    in the rate, so Newton's method with bisection finds the maximum.
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
    """Mean loss with lapses, -log(lapse / 2 + (1 - lapse) exp(-loss)).

    Until `allow` is called, this is an `Objective` without lapses. Afterwards, the gradient of each
    comparison is multiplied by the posterior probability that its answer is not a lapse. `lapse` is
    the given rate, or the most likely one at the points of the last evaluation. That estimate adds
    nothing to the gradient (envelope theorem). The comparisons must keep their order after `allow`.
    """

    lapse = 0.0
    _given: np.ndarray | None = None  # weights of the comparisons; set by `allow`
    _estimated = False

    def allow(self, lapse: float | None) -> None:
        """Allow for lapses at a given rate, or estimate the rate if it is None."""
        self.sort()  # now, because the weights follow the order of the comparisons
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
    """Continue from the padded points X with lapses; estimate the rate if it is None."""
    objective.allow(lapse)
    if not trace.stopped:
        trace.carry_on()
        X = LBFGS().minimize(objective, X, trace, None)
    objective.value(X)  # estimates the rate at X; the last trial was at other points
    return X


@compiled
def _slope_and_step(probability, weights, lapse):
    """Return the slope of the log-likelihood at a rate, and the Newton step."""
    slope = curvature = 0.0
    for t in range(probability.size):
        p = probability[t]
        ratio = (0.5 - p) / (0.5 * lapse + (1.0 - lapse) * p)
        slope += weights[t] * ratio
        curvature += weights[t] * ratio * ratio
    return slope, slope / curvature
