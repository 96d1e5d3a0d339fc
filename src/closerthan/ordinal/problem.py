"""What OrdinalEmbedding solves: comparisons with their weights, and the shape of the points."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

from closerthan._core.vectors import pad
from closerthan.comparisons.answers import Answers, hash_numbers, number_pairs
from closerthan.comparisons.check import pair_columns
from closerthan.optimize.lapse import LapsingObjective
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.trace import Trace

_FOLDS = 5  # one of which is held out
_LEAST = 10  # comparisons held out


@dataclass(frozen=True, eq=False)
class Problem:
    """Comparisons, how much each counts, and how many points they are about.

    `comparisons` is an array of uint32, of shape (n, 3) or (n, 4); `shape` are the numbers of
    objects and of components. `weights` are None if all are one. `question` has a number for each
    comparison; None where those that compare the same pairs ask the same.
    """

    comparisons: np.ndarray
    shape: tuple[int, int]
    weights: np.ndarray | None = None
    question: np.ndarray | None = None

    @classmethod
    def of(
        cls, given, comparisons, n_objects, n_components, weights=None
    ) -> tuple[Self, np.ndarray]:
        """Return the problem of the objects that checked comparisons name, and their sorted ids.

        Of answers, as `given`, those on one screen are one question.
        """
        if comparisons.shape[1] == 4 and (comparisons[:, 0] == comparisons[:, 2]).all():
            comparisons = comparisons[:, [0, 1, 3]]  # triplets, for which there is a faster way
        occurs = np.zeros(n_objects, dtype=bool)
        for column in comparisons.T:
            occurs[column] = True
        ids = np.flatnonzero(occurs)
        if len(ids) < n_objects:
            row_of = np.zeros(n_objects, dtype=np.uint32)
            row_of[ids] = np.arange(len(ids))
            comparisons = row_of[comparisons]
        question = given.question[given.screen] if isinstance(given, Answers) else None
        return cls(comparisons, (len(ids), n_components), weights, question), ids

    def __len__(self):
        return len(self.comparisons)

    @property
    def weight(self):
        """The weights of the comparisons as an array."""
        return np.ones(len(self)) if self.weights is None else self.weights

    def take(self, rows):
        """Return the problem with some of the comparisons."""
        kept = {
            name: None if getattr(self, name) is None else getattr(self, name)[rows]
            for name in ("comparisons", "weights", "question")
        }
        return replace(self, **kept)

    def thin(self, most):
        """Return the problem with so many of the comparisons at most, spread evenly."""
        return self if len(self) <= most else self.take(spread(len(self), most))

    def objective(self, loss, **options):
        """Return the mean loss as a function of the points; see `Objective` for the options."""
        return LapsingObjective(loss, self.comparisons, self.shape, self.weights, **options)

    def hold_out(self, rng):
        """Return for each comparison whether it is held out: about a fifth, by question.

        A ValueError says if too few would be held out or left; comparisons of weight zero do not
        count.
        """
        question = self.question
        if question is None:
            i, j, l, k = pair_columns(self.comparisons).astype(np.int64)
            pair = partial(number_pairs, n_objects=int(self.comparisons.max()) + 1)
            question = hash_numbers(pair(i, j)) + hash_numbers(
                pair(l, k)
            )  # the same whatever the answer
        question = question.astype(np.uint64) + rng.integers(2**63, dtype=np.uint64)
        held = hash_numbers(question) % np.uint64(_FOLDS) == 0
        counting = held[self.weight > 0]
        if min(counting.sum(), (~counting).sum()) < _LEAST:
            what = "comparisons" if self.weights is None else "comparisons with weight"
            raise ValueError(
                f"strength='auto': of {len(counting)} {what} {counting.sum()} would be held out, "
                f"and {_LEAST} are needed; give some {_LEAST * _FOLDS} answers to different "
                "questions, or a number as strength"
            )
        return held


def descend(objective, start, n_epochs, tol):
    """Return the points that L-BFGS finds from some others within a number of epochs."""
    trace = Trace(objective, n_epochs, tol)
    return objective.points(LBFGS().minimize(objective, pad(start), trace, None))


def spread(n, most):
    """Return so many of n rows: one at no regular place in each of as many stretches.

    No generator is asked: one that is seeded like that which made the rows may choose among them by
    what they say.
    """
    within = hash_numbers(np.arange(most)) / 2.0**64
    return ((np.arange(most) + within) * (n / most)).astype(np.int64)
