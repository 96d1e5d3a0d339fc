"""The comparisons of each person as a function of shared points and the person's weights.

In the space of person p, object i lies at y_k = x_k exp(t_k / 2), where x is its shared point and t
are the person's log weights. Each object that a person has judged gets such a place, a row of its
own, which the loops of `Objective` take as a point. Solvers minimize over V, whose first rows are
the points. The other rows are log weights in units of the prior.
"""

from dataclasses import dataclass

import numpy as np

from closerthan._core.compiled import compiled
from closerthan._core.vectors import pad
from closerthan.optimize.objective import Objective


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

    def __len__(self):
        return len(self.person)

    def of(self, X, roots):
        """Return the padded places for padded points X and roots of weights."""
        places = np.empty((len(self), X.shape[1]))
        _spread(X, roots, self.person, self.object, places)
        return places


class PeopleObjective(Objective):
    """Mean loss plus prior as a function of V, the points and the people's log weights.

    Over people, log weights have a mean of zero in every dimension, so that the points are those of
    an average person. `strength` is the factor of the mean squared norm of the points.
    """

    def __init__(self, loss, places, shape, n_people, widths, strength, weights=None):
        super().__init__(loss, places.comparisons, (len(places), shape[1]), weights)
        total = self.n_comparisons if weights is None else weights.sum()
        self._places, self._widths, self._n_points = places, widths, shape[0]
        self._rates = np.full((shape[0] + n_people, 1), 0.5 / total)
        self._rates[: shape[0]] = strength / shape[0]

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
        places = self._places.of(V, roots)
        room = np.empty_like(places) if len(out) else out
        value = super()._sum(places, room, with_value, slopes)
        if len(out):
            out[:] = 0.0
            of_logs = np.zeros_like(roots)
            _gather(room, places, roots, self._places.person, self._places.object, out, of_logs)
            of_logs = of_logs[:, : self.n_components]
            of_logs = self._widths.to_logs(of_logs - of_logs.mean(axis=0))  # its own transpose
            out[self._n_points :, : self.n_components] = of_logs
        return value


@compiled
def _spread(X, roots, person, thing, out):
    for row in range(len(person)):
        for k in range(X.shape[1]):
            out[row, k] = X[thing[row], k] * roots[person[row], k]


@compiled
def _gather(slopes, places, roots, person, thing, of_points, of_logs):
    """Add the gradient by places to those by points and by log weights."""
    for row in range(len(person)):
        for k in range(slopes.shape[1]):
            of_points[thing[row], k] += slopes[row, k] * roots[person[row], k]
            of_logs[person[row], k] += 0.5 * slopes[row, k] * places[row, k]
