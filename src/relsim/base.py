"""What every model of comparisons shares: fitting by a solver, predicting answers, scoring."""

import warnings

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from relsim.comparisons import check_comparisons, to_quadruplets
from relsim.losses import make_loss
from relsim.optimize.trace import HISTORY, Trace


def _has_probability(model):
    make_loss(model.loss).probability  # noqa: B018  (an AttributeError says that there is none)
    return True


class ComparisonModel(BaseEstimator):
    """A model that gives every pair of objects a distance, and so answers comparisons.

    Subclasses define ``_squared_distances(quadruplets)``, which returns the squared distances of
    the two pairs of each comparison, and ``_n_fitted``, the number of objects they know.
    """

    def predict(self, queries):
        """Answer comparisons.

        Parameters
        ----------
        queries : array_like of shape (n, 3) or (n, 4)
            Triplets (i, j, k) or quadruplets (i, j, l, k).

        Returns
        -------
        ndarray of shape (n,), int
            1 where d(i, j) < d(i, k), or d(i, j) < d(l, k), and else 0. A tie gives 0, and an
            object without a place ties with everything.
        """
        a, b = self._distances_of(queries)
        return (a < b).astype(int)

    @available_if(_has_probability)
    def predict_proba(self, queries):
        """Probabilities of both answers, for losses that come from a model of them.

        Parameters
        ----------
        queries : array_like of shape (n, 3) or (n, 4)

        Returns
        -------
        ndarray of shape (n, 2)
            Probabilities of answers 0 and 1; one half each where an object has no place.
        """
        a, b = self._distances_of(queries)
        with np.errstate(invalid="ignore"):  # distances of objects without a place
            probability = make_loss(self.loss).probability(a, b, self._loss_components())
        probability = np.where(np.isnan(probability), 0.5, probability)
        return np.column_stack([1.0 - probability, probability])

    def score(self, comparisons, y=None):
        """Fraction of comparisons that hold; ties count as not holding.

        Parameters
        ----------
        comparisons : array_like of shape (n, 3) or (n, 4)
        y : None
            Ignored; scikit-learn's searches pass it.

        Returns
        -------
        float
        """
        return float(np.mean(self.predict(comparisons)))

    @property
    def history_(self):
        """The solver's progress as a DataFrame, a row an epoch."""
        check_is_fitted(self)
        return pd.DataFrame(self._history, columns=HISTORY)

    def _distances_of(self, comparisons):
        check_is_fitted(self)
        comparisons = check_comparisons(comparisons, self._n_fitted())
        with np.errstate(over="ignore", invalid="ignore"):  # a diverged fit
            return self._squared_distances(to_quadruplets(comparisons))

    def _loss_components(self):
        """Dimension on which default parameters of the loss depend."""
        return self.n_components

    def _minimize(self, solver, objective, start, rng, in_place=lambda points: points):
        """Run a solver and keep its history; the callback is shown `in_place(points)`."""
        callback = self.callback and (lambda points, row: self.callback(in_place(points), row))
        trace = Trace(objective, self.max_iter, self.tol, callback, self.verbose)
        try:
            found = solver.minimize(objective, start, trace, rng)
        finally:
            trace.close()
        self._history = trace.rows
        self.n_iter_ = len(trace.rows)
        if trace.diverged:
            warnings.warn(
                f"{type(solver).__name__} diverged after {self.n_iter_} epochs: try a smaller "
                "step_size or another solver",
                ConvergenceWarning,
                stacklevel=3,
            )
        return found


def check_weights(sample_weight, n_comparisons):
    """Return checked sample weights as a float array, or None."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=float)
    if weights.shape != (n_comparisons,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}; it must be ({n_comparisons},), "
            "one weight a comparison"
        )
    bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if bad.size:
        raise ValueError(
            f"sample_weight, row {bad[0]}: {weights[bad[0]]}; weights must be finite and not "
            "negative"
        )
    if not weights.any():
        raise ValueError("sample_weight is zero throughout; at least one must be positive")
    return weights


def check_count(name, value, largest, what):
    """Check that a parameter is a whole number from 1 to `largest`."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not 1 <= value <= largest:
        raise ValueError(
            f"{name}={value!r}; it must be a whole number from 1 to {largest} ({what})"
        )
