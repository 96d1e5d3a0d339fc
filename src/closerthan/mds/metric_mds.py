"""Base of the MDS estimators: the data, the starts, the best of several runs, new points."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from operator import mul
from typing import ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import _precompute_metric_params as params_of_metric
from sklearn.utils.validation import _check_feature_names, check_is_fitted

from closerthan._core.maps import MapMixin
from closerthan._core.progress import progress_bar
from closerthan._core.threads import Team, count_threads, one_blas_thread
from closerthan._core.typing import Seed
from closerthan._core.validation import (
    ASYMMETRIC,
    as_floats,
    check_count,
    check_dissimilarities,
    check_entries,
    check_features,
    check_pair_weights,
    check_start,
    refuse_entries,
)
from closerthan._core.warn import AT_START, warn
from closerthan.mds.classical import rough_classical_mds
from closerthan.mds.dissimilarities import Dissimilarities, as_columns, distances, length_unit

_WORTH_THREADS = 1000**2  # dissimilarities; with fewer, waiting costs more than sharing saves


@dataclass(eq=False, repr=False)
class MetricMDS(MapMixin, BaseEstimator, ABC):
    """Metric MDS by a search that subclasses define."""

    n_components: int = 2
    _: KW_ONLY
    metric: str | Callable = "euclidean"
    metric_params: dict | None = None
    n_init: int = 1
    init: str | ArrayLike = "classical_mds"
    n_jobs: int | None = None
    random_state: Seed = None
    verbose: int = 0

    _columns: ClassVar[list[str]]  # of `history_`

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        init: ArrayLike | None = None,
        *,
        weights: ArrayLike | None = None,
    ) -> Self:
        """Embed the points.

        Parameters
        ----------
        X : array_like of shape (n, n_features) or (n, n)
            Points, or with `metric="precomputed"` their dissimilarities: symmetric, not negative,
            zero on the diagonal, NaN where missing.
        y : object, optional
            Ignored.
        init : array_like of shape (n, n_components), optional
            Points to start from, instead of the parameter `init`.
        weights : array_like of shape (n, n), optional
            Weights of the squared errors of the pairs, symmetric and not negative. Default: all 1.
        """
        self.__dict__.pop("embedding_", None)  # an interrupt or error leaves nothing half-fitted
        check_count("n_init", self.n_init, 10**9, "runs")
        init = self.init if init is None else init
        given = self._check_given(X)
        with one_blas_thread(), self._team(len(given) ** 2) as team:
            options = self.metric_params or {}
            # With the variances of the fitted points, if the metric needs them.
            self._options = options | params_of_metric(given, given, self.metric, **options)
            D = self._dissimilarities(given, given, team)
            W, weight = check_pair_weights(weights, D)
            problem = Dissimilarities(D, W, team, length_unit(D))
            energy = problem.unit * problem.unit * weight
            found = self._best_run(problem, init, energy)
        self.dissimilarity_matrix_ = D
        self._fitted_points, self._scale = given, problem.unit * problem.scale
        self.stress_, self._history, self.embedding_ = found
        self.n_iter_ = len(self._history) - 1
        # Where a start fits all but perfectly, no step is needed.
        if self.n_iter_ == 0 and self.stress_ > 1e-8 * energy * (problem.scale * problem.n) ** 2:
            warn(f"{type(self).__name__} {AT_START}", ConvergenceWarning)
        return self

    def fit_transform(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        init: ArrayLike | None = None,
        *,
        weights: ArrayLike | None = None,
    ) -> np.ndarray:
        """Fit, and return `embedding_`; the parameters are the same as in `fit`."""
        return self.fit(X, init=init, weights=weights).embedding_

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Place new points among the fitted points, which do not move.

        Pattern search without bad moves starts at the least dissimilar fitted point.

        Parameters
        ----------
        X : array_like of shape (m, n_features) or (m, n)
            New points, or with `metric="precomputed"` their dissimilarities from the n fitted
            ones, NaN where missing; a row needs at least one.
        """
        check_is_fitted(self)
        given, n = self._check_new(X), len(self.embedding_)
        with one_blas_thread(), self._team(len(given) * n) as team:
            D = self._dissimilarities(given, self._fitted_points, team)
            missing = np.isnan(D)
            weights = 1.0 - missing if missing.any() else None
            problem = Dissimilarities(D, weights, team, length_unit(D))
            starts = self.embedding_[np.nanargmin(D, axis=1)]
            radii, min_radius = np.nanmean(D, axis=1), self._min_radius(self._scale)
            return problem.place(self.embedding_, starts, radii, min_radius)

    @property
    def history_(self) -> pd.DataFrame:
        check_is_fitted(self)
        return pd.DataFrame(self._history, columns=self._columns)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.allow_nan = self.metric == "precomputed"
        return tags

    @abstractmethod
    def _search(self, problem, X, rng):
        """Move the padded columns X in place; yield the history's rows, in units of the problem."""

    def _min_radius(self, scale):
        """Return the smallest move of a new point that is worth a step."""
        return 1e-4 * scale

    def _best_run(self, problem, init, energy):
        """Return the least stress of the runs in units of `energy`, its history and its points."""
        rng = np.random.default_rng(self.random_state)
        best = (np.inf,)
        for start in self._starts(problem, init, rng):
            columns = as_columns(start)
            with progress_bar(self.verbose, unit="epoch") as bar:
                rows = []
                for spent, seconds, *found in self._search(problem, columns, rng):
                    rows.append((spent, seconds, *map(mul, found, (energy, problem.unit))))
                    bar.update(len(rows) > 1)
                    bar.set_postfix_str(f"stress={rows[-1][2]:.4g}", refresh=False)
            stress = problem.stress(columns) * energy
            if stress < best[0]:
                best = stress, rows, problem.points(columns)
        if len(best) == 1:
            raise ValueError("dissimilarities: the stress overflows; give them in a larger unit")
        return best

    def _check_given(self, X):
        """Return what `fit` is given: points, or dissimilarities."""
        if self.metric == "precomputed":
            given = np.array(as_floats(X, "dissimilarities"), order="C")
            _check_feature_names(self, X, reset=True)
            given = check_dissimilarities(given, self.n_components)
            self.n_features_in_ = len(given)
            return given
        given, what = check_features(self, X).copy(), "the number of points less one"
        check_count("n_components", self.n_components, len(given) - 1, what)
        return given

    def _dissimilarities(self, given, fitted, team):
        if self.metric == "precomputed":
            return given
        if self.metric == "euclidean" and not self._options:
            return distances(given, fitted, team)
        # A copy, or scikit-learn would call a metric for half of the pairs.
        others = fitted.copy() if callable(self.metric) else fitted
        D = pairwise_distances(given, others, self.metric, **self._options)
        check_entries(D, "metric")
        if given is fitted:
            near, own = 1e-6 * np.nanmax(D), np.diag(D)
            refuse_entries(np.abs(D - D.T) > near, D, "metric", ASYMMETRIC)
            refuse_entries(own > near, own, "metric", "a point is at no distance from itself")
        return D

    def _team(self, n_pairs):
        n_threads = count_threads(self.n_jobs)
        return Team(n_threads if n_pairs >= _WORTH_THREADS else 1)

    def _check_new(self, X):
        if self.metric != "precomputed":
            return check_features(self, X, reset=False)
        D = as_floats(X, "dissimilarities")
        _check_feature_names(self, X, reset=False)
        n = len(self.embedding_)
        if D.ndim != 2 or D.shape[1] != n:
            raise ValueError(
                f"dissimilarities: shape {D.shape}; expected (m, {n}), a column for each fitted "
                "point"
            )
        check_entries(D, "dissimilarities")
        known = np.sum(~np.isnan(D), axis=1)
        rule = "is the number of known entries; a new point needs one"
        refuse_entries(known == 0, known, "dissimilarities", rule)
        return D

    def _starts(self, problem, init, rng):
        """Yield the given points, or `n_init` starts: classical MDS if asked, then random ones."""
        shape = (problem.n, self.n_components)
        init = check_start(init, shape, ["random", "classical_mds"], "an array of points")
        if not isinstance(init, str):
            yield init / problem.unit
            return
        if init == "classical_mds":
            yield rough_classical_mds(problem, self.n_components)
        # Two points of a unit cube have a mean squared distance of n_components / 6.
        side = problem.scale * np.sqrt(6 / self.n_components)
        for _ in range(self.n_init - (init == "classical_mds")):
            yield side * rng.uniform(size=shape)
