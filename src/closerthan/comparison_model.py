"""The base class of all models of comparisons: fitting, predicting answers and scoring."""

from abc import ABC, abstractmethod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from closerthan._core.validation import check_weights
from closerthan._core.warn import AT_START, warn
from closerthan.comparisons.answers import Answers
from closerthan.comparisons.check import check_comparisons, exchange_where
from closerthan.comparisons.convert import as_counts, to_quadruplets
from closerthan.losses import make_loss
from closerthan.optimize.lapse import with_lapses
from closerthan.optimize.trace import HISTORY, Trace


def _has_probability(model):
    model._loss.probability  # noqa: B018  (an AttributeError says that there is none)
    return True


def as_answered(X, y):
    """Return comparisons, reversed if their response is no; unchanged without responses."""
    if issparse(X):
        raise TypeError(
            "X: sparse arrays are not supported; give rows of ids. For a tensor of responses, take "
            "X=np.stack(tensor.coords, axis=1) and y=tensor.data"
        )
    if y is None:
        return X
    if isinstance(X, Answers):
        raise ValueError("y: X are Answers, which already have responses; leave y out")
    X = check_comparisons(X)
    try:
        counts = as_counts(y, len(X))
    except ValueError as error:
        raise ValueError(f"y: {error}; give weights as sample_weight=...") from None
    if (np.abs(counts) > 1).any():
        raise ValueError(
            "y: it has counts of responses; give y=np.sign(y) and sample_weight=np.abs(y)"
        )
    return exchange_where(X, counts < 0)


class ComparisonModel(BaseEstimator, ABC):
    """A model of the distances between objects, which predicts answers to comparisons."""

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the answers to comparisons.

        X has triplets (i, j, k) or quadruplets (i, j, l, k), in an array of shape (n, 3) or (n, 4).

        Returns
        -------
        ndarray of shape (n,), int
            1 if d(i, j) < d(i, k), or d(i, j) < d(l, k). Otherwise 0, also without a point (NaN).
        """
        a, b = self._distances_of(X)
        return (a < b).astype(int)

    @available_if(_has_probability)
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Predict the probabilities of both answers, if the loss has them; X as for `predict`.

        Returns
        -------
        ndarray of shape (n, 2)
            Probabilities of answers 0 and 1. Both are 0.5 if an object has no point (NaN). Those
            of the default loss may be off by 0.1 on average.
        """
        a, b = self._distances_of(X)
        with np.errstate(invalid="ignore"):  # NaN distances of objects without a point
            probability = self._loss.probability(a, b, self._loss_components())
        probability = with_lapses(probability, self._lapses_of(X))
        probability = np.where(np.isnan(probability), 0.5, probability)
        return np.column_stack([1.0 - probability, probability])

    def score(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> float:
        """Compute the accuracy: the weighted share of comparisons that the model predicts, 0 to 1.

        Ties count as errors. `X`, `y` and `sample_weight` are the same as for `fit`.
        """
        holds = self.predict(as_answered(X, y))
        return float(np.average(holds, weights=check_weights(sample_weight, X)))

    @property
    def history_(self) -> pd.DataFrame:
        check_is_fitted(self)
        return pd.DataFrame(self._history, columns=HISTORY)

    @property
    def _loss(self):
        return make_loss(self.loss)

    @abstractmethod
    def _n_fitted(self):
        """Return the number of objects that the model knows."""

    @abstractmethod
    def _both_distances(self, quadruplets):
        """Return what the loss compares: the squared distances of the two pairs of each row."""

    def _distances_of(self, comparisons):
        check_is_fitted(self)
        comparisons = check_comparisons(comparisons, self._n_fitted())
        with np.errstate(over="ignore", invalid="ignore"):  # a diverged fit
            return self._both_distances(to_quadruplets(comparisons))

    def _lapses_of(self, X):
        """Return the lapse rate of the comparisons, one for all or one for each."""
        return getattr(self, "lapse_", 0.0)

    def _loss_components(self):
        """Return the dimension that default parameters of the loss depend on."""
        return self.n_components

    def _minimize(
        self, solver, objective, start, rng, to_embedding=lambda points: points, finish=None
    ):
        """Run a solver and keep its history; the callback receives `to_embedding(points)`.

        If `finish` is given, return the points of `finish(objective, points, trace)`.
        """
        callback = self.callback and (lambda points, row: self.callback(to_embedding(points), row))
        before = start.copy()
        trace = Trace(objective, self.max_iter, self.tol, callback, self.verbose)
        try:
            found = solver.minimize(objective, start, trace, rng)
            if finish is not None:
                found = finish(objective, found, trace)
        finally:
            trace.close()
        if trace.diverged:
            warn(  # before anything is set, because a warning may be raised as an error
                f"{type(solver).__name__} diverged after {len(trace.rows)} epochs: try a smaller "
                "step_size or another solver",
                ConvergenceWarning,
            )
        if np.array_equal(found, before) and objective.value(found) > 0:
            warn(f"{type(self).__name__} {AT_START}", ConvergenceWarning)
        self._history = trace.rows
        self.n_iter_ = len(trace.rows)
        return found
