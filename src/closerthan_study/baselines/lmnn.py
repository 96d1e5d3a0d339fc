"""LMNN, large margin nearest neighbor: pull neighbors of a class close, keep impostors away."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from closerthan._core.compiled import compiled
from closerthan._core.interrupts import all_or_nothing
from closerthan._core.threads import one_blas_thread, one_openmp_thread
from closerthan._core.validation import check_count, check_labels
from closerthan._core.vectors import add_difference, pad, squared_distance
from closerthan._core.warn import warn
from closerthan_study.baselines.mahalanobis import LabelMetric, check_squares

_WINDOW = 10


@dataclass(eq=False, repr=False)
class LMNN(LabelMetric):
    """Large margin nearest neighbor (Weinberger and Saul, 2009).

    The objective is eps(L) of eq. (13): (1 - mu) times the sum of squared distances between points
    and their target neighbors, plus mu times a sum of hinges, 1 + d^2(i, j) - d^2(i, l). The hinges
    run over the target neighbors j of i and the points l of other classes. Target neighbors are the
    nearest points of the same class in the Euclidean metric.

    Parameters
    ----------
    n_neighbors : int, default 3
        Number of target neighbors of each point.
    mu : float, default 0.5
        Weight of the hinges, between 0 and 1.
    max_iter : int, default 200
        Maximum number of L-BFGS iterations.
    tol : float, default 1e-4
        Stop if ten iterations lower the objective by less than this share.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        L. The fit starts from the identity.
    target_neighbors_ : ndarray of shape (n, n_neighbors), int
        Row numbers of X.
    history_ : DataFrame
        One row for the start and for each iteration: evaluations of the objective so far, the
        objective, and the number of active hinges.
    n_iter_ : int
        Iterations.

    References
    ----------
    Weinberger, Saul, Distance metric learning for large margin nearest neighbor classification,
    JMLR 10, 2009.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LMNN().fit(X, y)
    >>> model.transform(X).shape
    (150, 4)
    >>> objective = model.history_["objective"]
    >>> bool(objective.iloc[-1] < 0.5 * objective.iloc[0])
    True
    """

    _: KW_ONLY
    n_neighbors: int = 3
    mu: float = 0.5
    max_iter: int = 200
    tol: float = 1e-4

    @all_or_nothing
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the metric from the labels y of the points X, of shapes (n,) and (n, d).

        Raise a ValueError if a class has at most `n_neighbors` points.
        """
        X = check_squares(self, X)
        _, class_of = check_labels(self, y, len(X))
        check_count("n_neighbors", self.n_neighbors, len(X), "the number of points")
        check_count("max_iter", self.max_iter, 10**9, "iterations")
        if not 0 < self.mu < 1:
            raise ValueError(f"mu={self.mu!r}; it must be between 0 and 1")
        order = np.argsort(class_of, kind="stable")
        with one_blas_thread():  # products are a small share of the work
            X, class_of = X[order], class_of[order]
            neighbors = _target_neighbors(X, class_of, self.n_neighbors)
            self.target_neighbors_ = order[neighbors[np.argsort(order)]]
            self.components_ = self._minimize(LMNNObjective(X, class_of, neighbors, self.mu))
        return self

    def _minimize(self, objective):
        history, start = [], np.eye(objective.X.shape[1])

        def record(intermediate_result):  # scipy looks at this name
            history.append((objective.n_evaluations, objective.value, objective.n_active))
            values = [row[1] for row in history[-_WINDOW - 1 :]]
            if len(values) > _WINDOW and values[0] - values[-1] <= self.tol * values[0]:
                raise StopIteration

        def scaled(flat):
            value, gradient = objective(flat.reshape(start.shape))
            return value / scale, gradient.ravel() / scale

        scale = objective(start)[0] or 1.0
        record(None)
        found = minimize(
            scaled,
            start.ravel(),
            jac=True,
            method="L-BFGS-B",
            callback=record,
            options={"maxiter": self.max_iter, "ftol": 0.0, "gtol": 1e-10, "maxfun": 10**9},
        )
        self.history_ = pd.DataFrame(history, columns=["evaluations", "objective", "active"])
        self.n_iter_ = len(history) - 1
        if found.nit >= self.max_iter:
            warn(
                f"LMNN was still descending after max_iter={self.max_iter} iterations",
                ConvergenceWarning,
            )
        return found.x.reshape(start.shape)


class LMNNObjective:
    """eps(L) of eq. (13) and its gradient, as a function of L. The points are sorted by class."""

    def __init__(self, X, class_of, neighbors, mu):
        self.X = X
        self.neighbors = neighbors
        self.mu = mu
        self.class_start = np.searchsorted(class_of, class_of)
        self.n_evaluations = 0

    def __call__(self, L):
        """Return eps(L) and its gradient, an ndarray of the shape of L."""
        Z = pad(self.X @ L.T)
        slopes = np.zeros_like(Z)
        self.value, self.n_active = _evaluate(Z, self.class_start, self.neighbors, self.mu, slopes)
        self.n_evaluations += 1
        return self.value, 2.0 * slopes[:, : len(L)].T @ self.X


def _target_neighbors(X, class_of, n_neighbors):
    """Row numbers of the nearest points of the same class; the points are sorted by class."""
    from sklearn.neighbors import NearestNeighbors  # here, because the other metrics do not need it

    neighbors = np.empty((len(X), n_neighbors), dtype=np.int64)
    for name in np.unique(class_of):
        start, stop = np.searchsorted(class_of, [name, name + 1])
        search = NearestNeighbors(n_neighbors=n_neighbors).fit(X[start:stop])
        with one_openmp_thread(stop - start, stop - start, X.shape[1]):
            neighbors[start:stop] = start + search.kneighbors(return_distance=False)
    return neighbors


@compiled
def _evaluate(Z, class_start, neighbors, mu, slopes):
    """Return the objective and the number of active hinges; add d objective / dZ / 2 to slopes."""
    n, k = neighbors.shape
    margins, widest = np.empty((n, k)), np.empty(n)
    pull = np.full((n, k), 1.0 - mu)
    value = 0.0
    for i in range(n):
        for j in range(k):
            distance = squared_distance(Z, i, neighbors[i, j])
            margins[i, j] = 1.0 + distance
            value += (1.0 - mu) * distance
        widest[i] = margins[i].max()
    hinges, n_active = 0.0, 0
    for i in range(n):
        for l in range(class_start[i]):
            distance = squared_distance(Z, i, l)
            if distance < widest[i] or distance < widest[l]:
                push = 0
                for anchor in (i, l):
                    for j in range(k):
                        if distance < margins[anchor, j]:
                            hinges += margins[anchor, j] - distance
                            pull[anchor, j] += mu
                            push += 1
                n_active += push
                add_difference(slopes, -mu * push, Z, i, l)
    for i in range(n):
        for j in range(k):
            add_difference(slopes, pull[i, j], Z, i, neighbors[i, j])
    return value + mu * hinges, n_active
