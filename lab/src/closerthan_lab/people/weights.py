"""The comparisons of each person as a function of shared points and the person's weights.

In the space of person p, object i lies at y_k = x_k exp(t_k / 2), where x is its shared point and t
are the person's log weights. Each object that a person has judged gets such a place, a row of its
own, which the loops of `Objective` take as a point. Solvers minimize over V, whose first rows are
the points. The other rows are log weights in units of the prior. The lapse rate of each person is
the most likely one at these points and weights, so it adds nothing to the gradient.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from closerthan._core.compiled import compiled
from closerthan._core.vectors import pad
from closerthan.optimize.lapse import likeliest_lapse, with_lapses
from closerthan.optimize.objective import Objective

_SURE = 5.0  # certain answers that the prior adds for each person, against lapses


@dataclass(frozen=True)
class Widths:
    """Standard deviations, over people, of the log scale and of the log weights beside it."""

    scale: float
    weights: float

    def to_logs(self, z):
        """Return log weights for standard normal numbers of shape (n_people, n_components)."""
        mean = z.mean(axis=1, keepdims=True)
        return self.weights * (z - mean) + np.sqrt(z.shape[1]) * self.scale * mean

    def precision(self, n_components):
        """Return the inverse of the prior covariance of the log weights, if no width is zero."""
        mean = np.full((n_components, n_components), 1 / n_components)
        return (np.eye(n_components) - mean) / self.weights**2 + mean / (
            n_components * self.scale**2
        )


class Places:
    """The places of objects in the spaces of people, as rows; `comparisons` are between places."""

    def __init__(self, comparisons, person, n_objects):
        pairs = person[:, None].astype(np.int64) * n_objects + comparisons
        found, rows = np.unique(pairs, return_inverse=True)
        self.comparisons = rows.reshape(comparisons.shape).astype(np.uint32)
        self.person, self.object = (part.astype(np.uint32) for part in divmod(found, n_objects))


class PeopleObjective(Objective):
    """Mean loss plus prior as a function of V, the points and the people's log weights.

    Over people, log weights have a mean of zero in every dimension, so that the points are those of
    an average person. `row` has the number of each person's row of log weights, which several may
    share. `strength` is the factor of the mean squared norm of the points. `lapses` are the most
    likely rates at the last evaluation; by the prior, everyone has also given some certain answers.
    """

    def __init__(self, loss, places, shape, row, widths, strength, weights):
        order = np.argsort(places.comparisons[:, 0], kind="stable")  # by person and anchor
        comparisons = places.comparisons[order]
        super().__init__(loss, comparisons, (len(places.person), shape[1]), weights[order])
        self._places, self._widths, self._n_points = places, widths, shape[0]
        self._row = row[places.person].astype(np.uint32)
        self._rates = np.full((shape[0] + row.max() + 1, 1), 0.5 / weights.sum())
        self._rates[: shape[0]] = strength / shape[0]
        self._given, self._person = self.weights, places.person[comparisons[:, 0]]
        self._ends = [*pairwise(np.searchsorted(self._person, np.arange(len(row) + 1)))]
        self._sure = np.array([[1.0], [_SURE / np.mean(weights)]])  # probability and weight

    def points(self, V):
        """Return the points of an average person, without padding."""
        return V[: self._n_points, : self.n_components]

    def logs(self, V):
        """Return the log weights of each person, without padding."""
        logs = self._widths.to_logs(V[self._n_points :, : self.n_components])
        return logs - logs.mean(axis=0)

    def add_penalty(self, V, out):
        weighted = self._rates * V
        if len(out):
            out += 2.0 * weighted
        return float((weighted * V).sum())

    def _sum(self, V, out, with_value, slopes=None):
        roots = pad(np.exp(0.5 * self.logs(V)))
        places = np.empty((len(self._row), V.shape[1]))
        _spread(V, roots, self._row, self._places.object, places)
        mixed = self._mix(places)
        if len(out):
            room = np.empty_like(places)
            super()._sum(places, room, False, slopes)
            out[:] = 0.0
            of_logs = np.zeros_like(roots)
            _gather(room, places, roots, self._row, self._places.object, out, of_logs)
            of_logs = of_logs[:, : self.n_components]
            of_logs = self._widths.to_logs(of_logs - of_logs.mean(axis=0))  # its own transpose
            out[self._n_points :, : self.n_components] = of_logs
        of_lapses = self._sure[1] * np.log1p(-self.lapses / 2)
        return -float(self._given @ np.log(mixed) + of_lapses.sum()) / self.n_comparisons

    def _mix(self, places):
        """Find lapse rates; return probabilities with lapses, and weigh by that of no lapse."""
        probability = np.exp(-self.losses(places))
        both = np.stack([probability, self._given])
        own = (np.append(both[:, first:last], self._sure, axis=1) for first, last in self._ends)
        self.lapses = np.array([likeliest_lapse(*rows) for rows in own])
        lapse = self.lapses[self._person]
        mixed = likelihoods(probability, lapse)
        self.weights = self._given * (1 - lapse) * probability / mixed
        return mixed


def likelihoods(probability, lapse):
    """Return the probabilities of answers with lapses; they are never zero."""
    return np.maximum(with_lapses(probability, lapse), np.finfo(float).tiny)


@compiled
def _spread(X, roots, own, thing, out):
    for row in range(len(own)):
        for k in range(X.shape[1]):
            out[row, k] = X[thing[row], k] * roots[own[row], k]


@compiled
def _gather(slopes, places, roots, own, thing, of_points, of_logs):
    """Add the gradient by places to those by points and by log weights."""
    for row in range(len(own)):
        for k in range(slopes.shape[1]):
            of_points[thing[row], k] += slopes[row, k] * roots[own[row], k]
            of_logs[own[row], k] += 0.5 * slopes[row, k] * places[row, k]
