"""The problem that OrdinalEmbedding solves: weighted comparisons and the shape of the points."""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

import numpy as np

from closerthan._core.vectors import pad
from closerthan.comparisons.answers import Answers, hash_numbers, number_pairs
from closerthan.comparisons.check import pair_columns, without_gaps
from closerthan.optimize.lapse import LapsingObjective
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.trace import Trace
from closerthan.ordinal.feature_prior import FeatureObjective, FeaturePrior

_FOLDS = 5  # one is held out
_LEAST = 10  # smallest number of comparisons to hold out or to keep
# Repetitions are merged if all possible comparisons are at most this times those that were made.
_TABLE = 4


@dataclass(frozen=True, eq=False)
class Problem:
    """Comparisons, their weights, and the shape of the points, (n_objects, n_components).

    `question` has the question number of each comparison. If it is None, comparisons of the same
    pairs are the same question. With a `prior`, solvers see V instead of the points (see
    `FeaturePrior`), and `points` returns the points.
    """

    comparisons: np.ndarray
    shape: tuple[int, int]
    sample_weight: np.ndarray | None = None
    question: np.ndarray | None = None
    prior: FeaturePrior | None = None

    @classmethod
    def of(
        cls, given, comparisons, n_objects, n_components, sample_weight=None
    ) -> tuple[Self, np.ndarray]:
        """Return the problem for the objects that occur in comparisons, and their sorted ids.

        If `given` are `Answers`, all comparisons of one screen are one question.
        """
        if comparisons.shape[1] == 4 and (comparisons[:, 0] == comparisons[:, 2]).all():
            comparisons = comparisons[:, [0, 1, 3]]  # triplets are faster
        comparisons, ids = without_gaps(comparisons, n_objects)
        screens = isinstance(given, Answers) and given.n_screens < len(given)
        question = given.question[given.screen] if screens else None
        problem = cls(comparisons, (len(ids), n_components), sample_weight, question)
        return problem._each_once(), ids

    def __len__(self):
        return len(self.comparisons)

    @cached_property
    def weights(self):
        """The weight of each comparison: `sample_weight`, or 1."""
        return np.ones(len(self)) if self.sample_weight is None else self.sample_weight

    @property
    def asked(self):
        """The question of each comparison: `question`, or a number that both answers share."""
        if self.question is not None:
            return self.question
        i, j, l, k = pair_columns(self.comparisons.astype(np.int64, order="F"))
        pair = partial(number_pairs, n_objects=int(self.comparisons.max()) + 1)
        return hash_numbers(pair(i, j)) + hash_numbers(pair(l, k))

    @cached_property
    def question_number(self):
        """The number of the question of each comparison, from 0."""
        return np.unique(self.asked, return_inverse=True)[1]

    def take(self, rows):
        """Return the problem with only the given rows of comparisons."""
        kept = {
            name: None if getattr(self, name) is None else getattr(self, name)[rows]
            for name in ("comparisons", "sample_weight", "question")
        }
        return replace(self, **kept)

    def _each_once(self):
        """Return the problem with each comparison once, if all are repeated equally often."""
        rows = self.comparisons  # given twice, they are then fitted like rows of weight 2
        often = self._times(rows[0])
        some = rows[[len(rows) // 2, -1]]
        if often == 1 or any(self._times(row) != often for row in some):
            return self  # soon seen, for millions of rows
        _, first, same, times = np.unique(rows, True, True, True, axis=0)
        if (times != often).any():
            return self
        weight = np.bincount(first[same.ravel()], self.weights, len(rows))
        return replace(self.take(np.sort(first)), sample_weight=weight[np.sort(first)])

    def _times(self, row):
        alike = self.comparisons[self.comparisons[:, 0] == row[0]]
        return np.count_nonzero((alike == row).all(axis=1))

    def thin(self, most):
        """Return the problem with at most `most` comparisons that have a weight, spread evenly."""
        if len(self) <= most:
            return self
        counting = np.flatnonzero(self.weights > 0)
        few = len(counting) <= most
        return self.take(counting if few else counting[spread_rows(len(counting), most)])

    def merge(self):
        """Return the problem with each comparison once, with the total weight of its repetitions.

        The losses then have the same sum with fewer terms. Questions are forgotten. Comparisons of
        many objects are seldom repeated; the problem is then returned as it is.
        """
        sides = (self.shape[0],) * self.comparisons.shape[1]
        if np.prod(sides, dtype=float) > _TABLE * len(self):
            return self
        weight = np.bincount(np.ravel_multi_index(self.comparisons.T, sides), self.weights)
        place = np.flatnonzero(weight)
        rows = np.column_stack(np.unravel_index(place, sides)).astype(np.uint32)
        return replace(self, comparisons=rows, sample_weight=weight[place], question=None)

    def with_features(self, features, share):
        """Return the problem with features of its objects, if their share is not zero."""
        return replace(self, prior=FeaturePrior(features, share) if share > 0 else None)

    def objective(self, loss, **options):
        """Return the mean loss as a function of the points; see `Objective` for the options."""
        data = loss, self.comparisons, self.shape, self.sample_weight
        if self.prior is None:
            return LapsingObjective(*data, **options)
        return FeatureObjective(*data, prior=self.prior, **options)

    def points(self, V):
        """Return the points for what a solver has found."""
        return V if self.prior is None else self.prior.spread(V)

    def for_solver(self, points):
        """Return what a solver finds for these points, to start from: undoes `points`."""
        return points if self.prior is None else self.prior.gather(points)

    def hold_out(self, rng):
        """Return which comparisons to hold out: the answers to about a fifth of the questions.

        Raise a ValueError if too few with a weight would be held out or left.
        """
        question = self.asked.astype(np.uint64) + rng.integers(2**63, dtype=np.uint64)
        held = hash_numbers(question) % np.uint64(_FOLDS) == 0
        counting = held[self.weights > 0]
        if min(counting.sum(), (~counting).sum()) < _LEAST:
            what = "comparisons" if self.sample_weight is None else "comparisons with weight"
            raise ValueError(
                f"strength='auto' would hold out {counting.sum()} of {len(counting)} {what}; it "
                f"must hold out {_LEAST} and keep {_LEAST}. Give about {_LEAST * _FOLDS} answers "
                "to different questions, or set strength to a number"
            )
        return held


def descend(objective, start, n_epochs, tol):
    """Run L-BFGS for at most `n_epochs` epochs; return what it finds: points, or V with a prior."""
    trace = Trace(objective, n_epochs, tol)
    return objective.points(LBFGS().minimize(objective, pad(start), trace, None))


def spread_rows(n, most):
    """Return `most` of n rows: one from each of `most` equal stretches, at an irregular place.

    The places come from a hash: a generator could have the very seed that the rows were drawn with.
    """
    within = hash_numbers(np.arange(most)) / 2.0**64
    return ((np.arange(most) + within) * (n / most)).astype(np.int64)
