"""The base of all similarities learned from features: bilinear ones and Mahalanobis metrics."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin


class LearnedSimilarity(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    """A similarity of feature vectors that is learned, and that maps them to points."""

    @abstractmethod
    def fit(self, X: Any, *args: Any, **kwargs: Any) -> Self:
        """Learn the similarity of rows of features."""

    @abstractmethod
    def transform(self, X: Any) -> np.ndarray:
        """Map features to points, whose inner products or distances are the learned ones."""
