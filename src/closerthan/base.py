"""What every model of comparisons shares: fitting by a solver, predicting answers, scoring."""

from abc import ABC, abstractmethod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from closerthan._core.estimator import Estimator
from closerthan._core.validation import check_weights
from closerthan._core.warn import warn
from closerthan.comparisons.answers import Answers
from closerthan.comparisons.check import check_comparisons
from closerthan.comparisons.convert import check_responses, to_quadruplets, turn
from closerthan.losses import make_loss
from closerthan.optimize.lapse import with_lapses
from closerthan.optimize.trace import HISTORY, Trace


def _has_probability(model):
    model._loss.probability  # noqa: B018  (an AttributeError says that there is none)
    return True


def as_answered(X, y):
    """Return comparisons, turned round if the response is no; as they are without responses."""
    if issparse(X):
        raise TypeError(
            "X: sparse arrays are not supported; comparisons are rows of ids. Of a tensor of "
            "responses these are its coordinates, np.stack(X.coords, axis=1), and y its data"
        )
    if y is None:
        return X
    if isinstance(X, Answers):
        raise ValueError("y: X are Answers, which hold the responses already; leave y out")
    X = check_comparisons(X)
    try:
        counts = check_responses(y, len(X))
    except ValueError as error:
        raise ValueError(f"y: {error}; weights are given as sample_weight=...") from None
    if (np.abs(counts) > 1).any():
        raise ValueError("y: counts of responses; give their signs, and abs(y) as sample_weight")
    return turn(X, counts > 0)


class ComparisonModel(Estimator, ABC):
    """A model that gives every pair of objects a distance, and so answers comparisons."""

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Answer comparisons.

        Parameters
        ----------
        X : array_like of shape (n, 3) or (n, 4)
            Triplets (i, j, k) or quadruplets (i, j, l, k).

        Returns
        -------
        ndarray of shape (n,), int
            1 where d(i, j) < d(i, k), or d(i, j) < d(l, k), and else 0. A tie gives 0, and an
            object without a place ties with everything.
        """
        a, b = self._distances_of(X)
        return (a < b).astype(int)

    @available_if(_has_probability)
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities of both answers, for losses that come from a model of them.

        Parameters
        ----------
        X : array_like of shape (n, 3) or (n, 4)

        Returns
        -------
        ndarray of shape (n, 2)
            Probabilities of answers 0 and 1; one half each where an object has no place.
        """
        a, b = self._distances_of(X)
        with np.errstate(invalid="ignore"):  # distances of objects without a place
            probability = self._loss.probability(a, b, self._loss_components())
        probability = with_lapses(probability, getattr(self, "lapse_", 0.0))
        probability = np.where(np.isnan(probability), 0.5, probability)
        return np.column_stack([1.0 - probability, probability])

    def score(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> float:
        """Fraction of comparisons that hold; ties count as not holding.

        Parameters
        ----------
        X : array_like of shape (n, 3) or (n, 4)
            Triplets (i, j, k) or quadruplets (i, j, l, k).
        y : array_like of shape (n,), optional
            Whether each row of X holds as it stands, True or 1, or the other way round, False or
            -1. By default all rows hold.
        sample_weight : array_like of shape (n,), optional
            Weights of the comparisons; by default those of `Answers`, and of an array 1.

        Returns
        -------
        float
        """
        holds = self.predict(as_answered(X, y))
        return float(np.average(holds, weights=check_weights(sample_weight, X)))

    @property
    def history_(self) -> pd.DataFrame:
        """The solver's progress as a DataFrame, a row an epoch."""
        check_is_fitted(self)
        return pd.DataFrame(self._history, columns=HISTORY)

    @property
    def _loss(self):
        return make_loss(self.loss)

    @abstractmethod
    def _n_fitted(self):
        """Return the number of objects that the model knows."""

    @abstractmethod
    def _squared_distances(self, quadruplets):
        """Return the squared distances of both pairs of each comparison."""

    def _distances_of(self, comparisons):
        check_is_fitted(self)
        comparisons = check_comparisons(comparisons, self._n_fitted())
        with np.errstate(over="ignore", invalid="ignore"):  # a diverged fit
            return self._squared_distances(to_quadruplets(comparisons))

    def _loss_components(self):
        """Dimension on which default parameters of the loss depend."""
        return self.n_components

    def _minimize(self, solver, objective, start, rng, in_place=lambda points: points, finish=None):
        """Run a solver and keep its history; the callback is shown `in_place(points)`.

        Then `finish(objective, points, trace)`, if it is given, has the last word.
        """
        callback = self.callback and (lambda points, row: self.callback(in_place(points), row))
        trace = Trace(objective, self.max_iter, self.tol, callback, self.verbose)
        try:
            found = solver.minimize(objective, start, trace, rng)
            if finish is not None:
                found = finish(objective, found, trace)
        finally:
            trace.close()
        if trace.diverged:
            warn(  # before anything is set, for a warning may be an error
                f"{type(solver).__name__} diverged after {len(trace.rows)} epochs: try a smaller "
                "step_size or another solver",
                ConvergenceWarning,
            )
        self._history = trace.rows
        self.n_iter_ = len(trace.rows)
        return found
