"""Principal axes: the directions in which features vary most."""

import numpy as np
from sklearn.base import BaseEstimator


class PrincipalAxes(BaseEstimator):
    """Places of objects along the principal axes of their features.

    Parameters
    ----------
    n_components : int, default 2
    """

    def __init__(self, n_components=2):
        self.n_components = n_components

    def fit_transform(self, X, y=None):
        """Return the places, shape (n, n_components)."""
        left, sizes, _ = np.linalg.svd(X - np.mean(X, axis=0), full_matrices=False)
        return (left * sizes)[:, : self.n_components]
