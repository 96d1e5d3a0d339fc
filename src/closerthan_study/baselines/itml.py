"""ITML, information-theoretic metric learning, from similar and dissimilar pairs."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from closerthan._core.compiled import compiled
from closerthan._core.interrupts import all_or_nothing
from closerthan._core.threads import one_blas_thread
from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_number, check_pairs
from closerthan._core.warn import warn
from closerthan_study.baselines.mahalanobis import (
    MahalanobisMetric,
    add_outer,
    check_squares,
    components_of,
    multiply_difference,
    pieces,
)
from closerthan_study.baselines.pairs import distance_bounds

_BLOCK = 4096


@dataclass(eq=False, repr=False)
class ITML(MahalanobisMetric):
    """Information-theoretic metric learning (Davis et al., 2007).

    The method minimizes D(M, I) + gamma D(diag(xi), diag(xi_0)), where D is the LogDet divergence,
    with d_M^2 <= xi for similar pairs and d_M^2 >= xi for dissimilar ones; xi_0 holds the bounds
    (eq. 5). Bregman projections on one pair after another (Algorithm 1) maximize the dual. Step 3.4
    is that of the authors' code: the printed one is exact only for gamma = 1. To use a prior
    M_0 = W'W other than the identity, fit ``X @ W.T``.

    Parameters
    ----------
    gamma : float, default 1.0
        Price of leaving the bounds. A large one enforces them.
    bounds : pair of float, optional
        Squared distances: at most the first for similar pairs, at least the second for dissimilar
        ones. By default the 5th and the 95th percentile of `distance_bounds`.
    max_iter : int, default 1000
        Maximum number of passes over the pairs.
    tol : float, default 1e-2
        Stop if the duality gap is at most this share of the primal objective.
    random_state
        Draws rows for the default bounds if there are over 1,000.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        L, with rows along the principal axes of M, the longest first.
    bounds_ : ndarray of shape (2,)
    dual_ : ndarray of shape (n_pairs,)
        Multipliers of the pairs, not negative: M^-1 is I plus the sum of ``y * dual_ * z z'`` over
        the pairs, where z is the difference of the two points.
    history_ : DataFrame
        One row per pass: the primal and the dual objective. Their difference bounds how far the
        primal objective is above its minimum.
    n_iter_ : int
        Passes over the pairs.

    References
    ----------
    Davis, Kulis, Jain, Sra, Dhillon, Information-theoretic metric learning, ICML 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from closerthan.comparisons import sample_from_labels
    >>> from closerthan_study.baselines.pairs import pairs_from_triplets
    >>> X, labels = load_iris(return_X_y=True)
    >>> pairs, y = pairs_from_triplets(sample_from_labels(labels, 100, random_state=0))
    >>> Z = ITML().fit(X, pairs, y).transform(X)
    >>> distances = np.linalg.norm(Z[pairs[:, 0]] - Z[pairs[:, 1]], axis=1)
    >>> bool(distances[y == 1].mean() < 0.5 * distances[y == -1].mean())
    True
    """

    gamma: float = 1.0
    _: KW_ONLY
    bounds: tuple[float, float] | None = None
    max_iter: int = 1000
    tol: float = 1e-2
    random_state: Seed = None

    @all_or_nothing
    def fit(self, X: ArrayLike, pairs: ArrayLike, y: ArrayLike) -> Self:
        """Learn the metric from similar and dissimilar pairs.

        Parameters
        ----------
        X : array_like of shape (n, d)
        pairs : array_like of shape (n_pairs, 2), int
            Row numbers of X. A pair of two equal points has no influence.
        y : array_like of shape (n_pairs,)
            1 for similar, -1 for dissimilar.
        """
        X = check_squares(self, X)
        allowed = "y must be 1 (similar) or -1 (dissimilar)"
        pairs, y = check_pairs(pairs, y, len(X), lambda y: np.abs(y) == 1, allowed)
        check_number("gamma", self.gamma, positive=True)
        check_count("max_iter", self.max_iter, 10**9, "passes over the pairs")
        self.bounds_ = self._bounds(X)
        differ = np.concatenate([z.any(axis=1) for _, z in _differences(X, pairs)])
        self.dual_ = np.zeros(len(pairs))
        with one_blas_thread(X.shape[1]):
            matrix, dual = self._maximize(X, pairs[differ], y[differ])
            self.components_ = components_of(matrix)
        self.dual_[differ] = dual
        return self

    def fit_transform(self, X: ArrayLike, pairs: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Fit, and map the points by the metric; the parameters are the same as in `fit`."""
        return self.fit(X, pairs, y).transform(X)

    def _bounds(self, X):
        if self.bounds is None:
            bounds = distance_bounds(X, random_state=self.random_state)
        else:
            bounds = np.array(self.bounds, dtype=float)
        if bounds.shape != (2,) or not ((bounds > 0) & np.isfinite(bounds)).all():
            raise ValueError(
                f"bounds={bounds}; they must be two finite squared distances above zero"
                + (" (too many points are equal for the percentiles)" * (self.bounds is None))
            )
        return bounds

    def _maximize(self, X, pairs, y):
        """Return M and the multipliers."""
        xi_0 = np.where(y == 1, *self.bounds_)
        matrix, dual = np.eye(X.shape[1]), np.zeros(len(pairs))
        history = []
        for _ in range(self.max_iter):
            for some in pieces(len(pairs), X.shape[1]):
                target = y[some], xi_0[some], self.gamma
                _project_on_each(matrix, dual[some], X, pairs[some], *target)
            # Start afresh, so that the rounding errors of the updates do not add up.
            inverse = np.eye(X.shape[1]) + _sum_of_outer_products(X, pairs, y * dual)
            matrix = np.linalg.inv(inverse)
            matrix = 0.5 * (matrix + matrix.T)
            distances = _squared_distances(matrix, X, pairs)
            primal, bound = _objectives(matrix, inverse, dual, distances, y, xi_0, self.gamma)
            history.append((primal, bound))
            if primal - bound <= self.tol * primal:
                break
        else:
            warn(
                f"ITML left a duality gap of {primal - bound:.3g} at an objective of {primal:.3g} "
                f"after max_iter={self.max_iter} passes",
                ConvergenceWarning,
            )
        self.history_ = pd.DataFrame(history, columns=["primal", "dual"])
        self.n_iter_ = len(history)
        return matrix, dual


def _objectives(matrix, inverse, dual, distances, y, xi_0, gamma):
    """Return the primal objective, with the best xi for M, and the dual objective."""
    log_det = np.linalg.slogdet(inverse)[1]
    ratio = np.maximum(y * distances / xi_0, y) * y  # xi / xi_0, which is 1 where there is room
    primal = np.trace(matrix) + log_det - len(matrix) + gamma * (ratio - np.log(ratio) - 1).sum()
    return primal, log_det + gamma * np.log1p(-y * dual * xi_0 / gamma).sum()


def _differences(X, pairs):
    """Yield blocks of pairs: a slice, and the difference z of the two points of each pair."""
    for start in range(0, len(pairs), _BLOCK):
        some = slice(start, start + _BLOCK)
        i, j = pairs[some].T
        yield some, X[i] - X[j]


def _squared_distances(matrix, X, pairs):
    distances = np.empty(len(pairs))
    for some, z in _differences(X, pairs):
        distances[some] = np.einsum("ij,ij->i", z @ matrix, z)
    return distances


def _sum_of_outer_products(X, pairs, weights):
    """Return the sum of weight * z z' over the pairs."""
    total = np.zeros((X.shape[1], X.shape[1]))
    for some, z in _differences(X, pairs):
        total += (z.T * weights[some]) @ z
    return total


@compiled
def _project_on_each(matrix, dual, X, pairs, y, xi_0, gamma):
    """Project on the constraint of one pair after another, in place."""
    z, product = np.empty(X.shape[1]), np.empty(X.shape[1])
    for t in range(len(pairs)):
        p = multiply_difference(matrix, X, pairs[t, 0], pairs[t, 1], z, product)
        inverse_xi = 1.0 / xi_0[t] - y[t] * dual[t] / gamma
        alpha = min(dual[t], y[t] * gamma / (gamma + 1.0) * (1.0 / p - inverse_xi))
        dual[t] -= alpha
        add_outer(matrix, y[t] * alpha / (1.0 - y[t] * alpha * p), product)
