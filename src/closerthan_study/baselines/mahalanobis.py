"""Base of the learned Mahalanobis metrics: map points by L."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from closerthan._core.compiled import compiled
from closerthan._core.threads import one_blas_thread
from closerthan._core.validation import as_names, check_features, distinct_names, refuse_entries

_ENTRIES = 2**28  # of matrices, visited between two looks at the keyboard: a second's work at most


class MahalanobisMetric(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    """Hold a metric d(x, y) = ||L (x - y)||; subclasses learn L, `components_` of shape (k, d)."""

    @abstractmethod
    def fit(self, X: Any, *args: Any, **kwargs: Any) -> Self:
        """Learn the metric of rows of features."""

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Map points by ``X @ components_.T`` to where the metric is the Euclidean distance."""
        check_is_fitted(self, "components_")
        X = check_features(self, X, reset=False)
        with one_blas_thread(*X.shape, len(self.components_)):
            return X @ self.components_.T

    @property
    def _n_features_out(self):
        return len(self.components_)


class LabelMetric(MahalanobisMetric):
    """Hold a metric learned by ``fit(X, y)``, with one label for each point."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def check_squares(estimator, X):
    """Return finite features whose squares stay within the range of floats."""
    X = check_features(estimator, X)
    size = np.abs(X)
    far = size.any() and not 1e-150 < size.max() < 1e150
    rule = "the squares of features leave the range of floats; give them in another unit"
    refuse_entries(far & (size == size.max()), X, "X", rule)
    return X


def check_labels(estimator, y, n_points):
    """Return the distinct labels, and the number of the label of each point."""
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        )
    y = column_or_1d(as_names(y, "y", "every point needs a label"), warn=True)
    if len(y) != n_points:
        raise ValueError(f"y has {len(y)} labels; it must have {n_points}, one for each row of X")
    return distinct_names(y)


def components_of(matrix):
    """Factor a positive semidefinite matrix as L'L, and return L with the longest rows first."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.sqrt(np.maximum(values, 0.0))).T[::-1].copy()


def pieces(n_pairs, n_features):
    """Return slices of pairs; an interrupt is noticed between them."""
    step = max(1, _ENTRIES // n_features**2)
    return [slice(start, start + step) for start in range(0, n_pairs, step)]


@compiled
def multiply_difference(matrix, X, i, j, difference, product):
    """Write z = X[i] - X[j] and matrix z, for a symmetric matrix, and return z' matrix z."""
    d = len(difference)
    product[:] = 0.0
    for r in range(d):
        z = difference[r] = X[i, r] - X[j, r]
        for c in range(d):  # along a row, which vectorizes
            product[c] += z * matrix[r, c]
    total = 0.0
    for r in range(d):
        total += difference[r] * product[r]
    return total


@compiled
def add_outer(matrix, weight, vector):
    """Add weight * vector vector' to a matrix."""
    for r in range(len(vector)):
        w = weight * vector[r]
        for c in range(len(vector)):
            matrix[r, c] += w * vector[c]
