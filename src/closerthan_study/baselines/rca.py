"""RCA, relevant component analysis: whiten the variance within groups of similar points."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from closerthan._core.interrupts import all_or_nothing
from closerthan._core.threads import one_blas_thread
from closerthan._core.validation import check_labels, check_number
from closerthan_study.baselines.mahalanobis import LabelMetric, check_squares


class RCA(LabelMetric):
    """Relevant component analysis (Bar-Hillel et al., 2003 and 2005).

    M is the inverse of the covariance within chunklets, which are small groups of similar points.
    Directions in which similar points differ count little.

    Parameters
    ----------
    ridge : float, default 0.0
        Added to the within-chunklet variance of each feature, in units of their mean. With a ridge,
        the covariance may be singular, for example with fewer points than features.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        L, ordered by decreasing ratio of total to within-chunklet variance. The within-chunklet
        covariance of the mapped points, ridge included, is the identity.

    References
    ----------
    Bar-Hillel, Hertz, Shental, Weinshall, Learning a Mahalanobis metric from equivalence
    constraints, JMLR 6, 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> Z = RCA().fit_transform(X, y)
    >>> np.cov((Z[y == 0] - Z[y == 0].mean(axis=0)).T).shape
    (4, 4)
    """

    def __init__(self, *, ridge: float = 0.0):
        self.ridge = ridge

    @all_or_nothing
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the metric from chunklets.

        Raise a ValueError if the covariance within the chunklets is singular and there is no ridge,
        or if the input is malformed.

        Parameters
        ----------
        X : array_like of shape (n, d)
        y : array_like of shape (n,)
            The chunklet or class of each point; -1 if a point is in none.
        """
        X = check_squares(self, X)
        check_number("ridge", self.ridge)
        labels = check_labels(self, y, len(X))
        with one_blas_thread(*X.shape, X.shape[1]):
            self.components_ = self._learn(X, *labels)
        return self

    def _learn(self, X, names, chunklet_of):
        n_features = X.shape[1]
        within = _within_covariance(X, names, chunklet_of)
        within.flat[:: n_features + 1] += self.ridge * np.diag(within).mean()
        scale = np.sqrt(np.diag(within))
        constant = np.flatnonzero(~(scale > 1e-10 * np.abs(X).max(axis=0)))
        if constant.size:
            raise ValueError(
                f"X, column {constant[0]}: this feature varies within no chunklet, so its weight "
                "would be infinite; drop it, or set ridge to a small share, such as 1e-6"
            )
        within /= np.outer(scale, scale)  # so that the units of the features do not matter
        rank = np.linalg.matrix_rank(within, hermitian=True)
        if rank < n_features:
            raise ValueError(
                f"the covariance within the chunklets has rank {rank}, less than the {n_features} "
                "features; set ridge to a small share, such as 1e-6, or drop dependent features"
            )
        total = np.atleast_2d(np.cov((X / scale).T, bias=True))
        vectors = eigh(total, within)[1][:, ::-1]  # scaled so that `within` becomes the identity
        return (vectors / scale[:, None]).T.copy()


def _within_covariance(X, names, chunklet_of):
    """Return the mean of (x - m)(x - m)' over the points of chunklets with mean m."""
    known = np.array([name != -1 for name in names.tolist()])[chunklet_of]
    if not known.any():
        raise ValueError("y: all are -1; give at least one chunklet of two points")
    X, chunklet_of = X[known], chunklet_of[known]
    sums = np.zeros((len(names), X.shape[1]))
    np.add.at(sums, chunklet_of, X)
    sizes = np.bincount(chunklet_of, minlength=len(names))
    centered = X - (sums / np.maximum(sizes, 1)[:, None])[chunklet_of]
    return centered.T @ centered / len(X)
