"""LEGO, LogDet exact gradient online: learn a metric from a stream of pairs with targets."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.compiled import compiled
from closerthan._core.interrupts import all_or_nothing
from closerthan._core.threads import one_blas_thread
from closerthan._core.validation import check_number, check_pairs
from closerthan_study.baselines.mahalanobis import (
    MahalanobisMetric,
    add_outer,
    check_squares,
    components_of,
    multiply_difference,
    pieces,
)


class LEGO(MahalanobisMetric):
    """LogDet exact gradient online (Jain et al., 2008).

    Each pair moves M to the minimizer of D(M, M_t) + eta / 2 (d_M^2 - target)^2, where D is the
    LogDet divergence and M_t the matrix before the step. The minimizer has a closed form and is
    positive definite for every eta.

    Parameters
    ----------
    eta : float, default 0.125
        Weight of the loss of a pair.

    Attributes
    ----------
    components_ : ndarray of shape (d, d)
        L, with rows along the principal axes of M, the longest first.

    References
    ----------
    Jain, Kulis, Dhillon, Grauman, Online metric learning and fast similarity search, NIPS 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from closerthan.comparisons import sample_from_labels
    >>> from closerthan_study.baselines.pairs import distance_bounds, pairs_from_triplets
    >>> X, labels = load_iris(return_X_y=True)
    >>> pairs, y = pairs_from_triplets(sample_from_labels(labels, 100, random_state=0))
    >>> Z = LEGO().fit(X, pairs, np.where(y == 1, *distance_bounds(X))).transform(X)
    >>> distances = np.linalg.norm(Z[pairs[:, 0]] - Z[pairs[:, 1]], axis=1)
    >>> bool(distances[y == 1].mean() < 0.5 * distances[y == -1].mean())
    True
    """

    def __init__(self, eta: float = 0.125):
        self.eta = eta

    @all_or_nothing
    def fit(self, X: ArrayLike, pairs: ArrayLike, targets: ArrayLike) -> Self:
        """Learn the metric from each pair in turn, starting from the Euclidean metric.

        Parameters
        ----------
        X : array_like of shape (n, d)
        pairs : array_like of shape (n_pairs, 2), int
            Row numbers of X. A pair of two equal points has no influence.
        targets : array_like of shape (n_pairs,)
            Target squared distances of the pairs, not negative. `distance_bounds` gives targets
            for similar and dissimilar pairs.
        """
        X = check_squares(self, X)
        check_number("eta", self.eta, positive=True)
        allowed = "targets must be finite squared distances, not negative"
        pairs, targets = check_pairs(
            pairs, targets, len(X), lambda t: np.isfinite(t) & (t >= 0), allowed
        )
        matrix = np.eye(X.shape[1])
        for some in pieces(len(pairs), X.shape[1]):
            _update_by_each(matrix, X, pairs[some], targets[some], float(self.eta))
        with one_blas_thread(len(matrix)):
            self.components_ = components_of(0.5 * (matrix + matrix.T))
        return self

    def fit_transform(self, X: ArrayLike, pairs: ArrayLike, targets: ArrayLike) -> np.ndarray:
        """Fit, and map the points by the metric; the parameters are the same as in `fit`."""
        return self.fit(X, pairs, targets).transform(X)


@compiled
def _update_by_each(matrix, X, pairs, targets, eta):
    """Update the matrix by each pair."""
    z, product = np.empty(X.shape[1]), np.empty(X.shape[1])
    for t in range(len(pairs)):
        before = multiply_difference(matrix, X, pairs[t, 0], pairs[t, 1], z, product)
        if before > 0.0:
            ratio = _ratio(eta, before, targets[t])
            add_outer(matrix, (ratio - 1.0) / before, product)


@compiled
def _ratio(eta, before, target):
    """Return the ratio r of squared distance after and before an update.

    It is a root of eta before^2 r^2 + (1 - eta target before) r - 1 = 0.
    """
    a, b = eta * before * before, 1.0 - eta * target * before
    root = np.sqrt(b * b + 4.0 * a)
    # This form of the root does not subtract nearly equal numbers.
    return 2.0 / (b + root) if b > 0.0 else (root - b) / (2.0 * a)
