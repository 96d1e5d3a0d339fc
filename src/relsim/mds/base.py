"""What the estimators of MDS share: the data, the starts, the best of several runs, new points."""

import sys
from abc import ABC, abstractmethod

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.metrics import euclidean_distances
from sklearn.utils.validation import check_is_fitted
from tqdm.auto import tqdm

from relsim._validation import (
    check_count,
    check_dissimilarities,
    check_entries,
    check_features,
    check_pair_weights,
    check_start,
)
from relsim.mds.classical import classical_mds
from relsim.mds.problem import Problem, count_threads


class MetricMDS(TransformerMixin, BaseEstimator, ABC):
    """Metric MDS by a search that subclasses define."""

    def fit(self, X, y=None, *, weights=None):
        """Embed the points.

        Parameters
        ----------
        X : array-like of shape (n, n_features) or (n, n)
            Points, or with `dissimilarity="precomputed"` their dissimilarities: symmetric, not
            negative, zero on the diagonal, NaN where missing.
        y : None
            Ignored.
        weights : array-like of shape (n, n), optional
            Weight of each pair's squared error, symmetric and not negative. One by default.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            On a malformed matrix, naming the entry, or a malformed parameter.
        """
        check_count("n_init", self.n_init, 10**9, "runs")
        D = self._dissimilarities(X)
        problem = Problem(D, check_pair_weights(weights, D), count_threads(self.n_jobs))
        rng = np.random.default_rng(self.random_state)
        least = np.inf
        for start in self._starts(D, problem.scale, rng):
            columns = problem.columns(start)
            with tqdm(unit="epoch", disable=not self.verbose or sys.stderr is None) as bar:
                rows = self._search(problem, columns, rng, bar)
            stress = problem.stress(columns)
            if stress < least:
                least, best, self._history = stress, columns, rows
        self.embedding_ = problem.points(best)
        self.stress_ = least
        self.n_iter_ = len(self._history) - 1
        self.dissimilarity_matrix_ = D
        return self

    def fit_transform(self, X, y=None, *, weights=None):
        """Fit and return `embedding_`; parameters are those of `fit`."""
        return self.fit(X, weights=weights).embedding_

    def transform(self, X):
        """Place new points among the fitted ones, which stay where they are.

        Each new point alone minimizes its stress with the fitted points by pattern search without
        bad moves. It starts at the fitted point that is least dissimilar from it.

        Parameters
        ----------
        X : array-like of shape (m, n_features) or (m, n)
            New points, or with `dissimilarity="precomputed"` their dissimilarities from the n
            fitted ones, NaN where missing.

        Returns
        -------
        ndarray of shape (m, n_components)

        Raises
        ------
        ValueError
            On a malformed matrix, naming the entry, or a row without any entry.
        """
        check_is_fitted(self)
        D = self._new_dissimilarities(X)
        missing = np.isnan(D)
        weights = 1.0 - missing if missing.any() else None
        problem = Problem(D, weights, count_threads(self.n_jobs))
        starts = self.embedding_[np.nanargmin(D, axis=1)]
        radii = np.nanmean(D, axis=1)
        columns = problem.columns(self.embedding_)
        return problem.place(columns, starts, radii, self._min_radius(self._scale()))

    @property
    def history_(self):
        """The search's progress as a DataFrame: a row for the start, and a row an epoch."""
        check_is_fitted(self)
        return pd.DataFrame(self._history)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.dissimilarity == "precomputed"
        tags.input_tags.allow_nan = self.dissimilarity == "precomputed"
        return tags

    @abstractmethod
    def _search(self, problem, X, rng, bar):
        """Move the padded columns X in place; return the rows of the history, the start first."""

    @abstractmethod
    def _min_radius(self, scale):
        """Return the smallest move of a new point that is worth a step."""

    def _dissimilarities(self, X):
        if self.dissimilarity == "precomputed":
            D = check_dissimilarities(X, self.n_components)
            self.n_features_in_ = len(D)
            return D
        if self.dissimilarity != "euclidean":
            raise ValueError(
                f"dissimilarity={self.dissimilarity!r}; it must be 'euclidean' or 'precomputed'"
            )
        self._fitted_points = check_features(self, X)
        most = len(self._fitted_points) - 1
        check_count("n_components", self.n_components, most, "the number of points less one")
        return euclidean_distances(self._fitted_points)

    def _new_dissimilarities(self, X):
        if self.dissimilarity == "euclidean":
            return euclidean_distances(check_features(self, X, reset=False), self._fitted_points)
        D = np.asarray(X, dtype=np.float64)
        n = len(self.embedding_)
        if D.ndim != 2 or D.shape[1] != n:
            raise ValueError(
                f"dissimilarities: the shape is {D.shape}; it must be (m, {n}), a column a fitted "
                "point"
            )
        check_entries(D, "dissimilarities")
        empty = np.flatnonzero(np.isnan(D).all(axis=1))
        if empty.size:
            raise ValueError(
                f"dissimilarities, row {empty[0]}: all are missing, so point {empty[0]} has no "
                "place"
            )
        return D

    def _scale(self):
        """Root mean square of the fitted dissimilarities."""
        D = self.dissimilarity_matrix_
        return float(np.sqrt(np.nanmean(D**2)))

    def _starts(self, D, scale, rng):
        """Points to start from: `n_init` random ones, or the only one there is."""
        shape = (len(D), self.n_components)
        if not isinstance(self.init, str):
            yield check_start(self.init, shape)
        elif self.init == "classical":
            yield classical_mds(D, self.n_components)
        elif self.init == "random":
            # Two points of a unit cube have a mean squared distance of n_components / 6.
            side = scale * np.sqrt(6 / self.n_components)
            for _ in range(self.n_init):
                yield side * rng.uniform(size=shape)
        else:
            raise ValueError(
                f"init={self.init!r}; it must be 'random', 'classical' or an array of points"
            )
