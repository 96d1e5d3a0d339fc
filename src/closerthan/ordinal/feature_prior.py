"""Points that are a linear function of features plus a correction of each object.

The ridge is a normal prior on the coordinates. A share s of its variance comes from the features:
the covariance of the objects is K = (1 - s) I + s F F', for scaled features F. Solvers minimize
over V: the points are K^(1/2) V, and the ridge penalizes V.
"""

from copy import copy

import numpy as np

from closerthan._core.threads import one_blas_thread
from closerthan.optimize.lapse import LapsingObjective


class FeaturePrior:
    """The prior of points with centered and scaled features; `share` is above 0 and below 1."""

    def __init__(self, features, share):
        self._center = features.mean(axis=0)
        centered = features - self._center
        size = np.sqrt((centered**2).sum(axis=1).mean())
        self._scale = 1.0 / size if size > 0 else 0.0
        with one_blas_thread():
            parts = np.linalg.svd(self._scale * centered, full_matrices=False)
        # F = objects diag(lengths) axes; the columns of `objects` are eigenvectors of K.
        self._objects, self._lengths, self._axes = parts
        self._set(share)

    def with_share(self, share):
        """Return the prior of the same features with another share."""
        other = copy(self)
        other._set(share)
        return other

    def _set(self, share):
        # Square roots of the eigenvalues of K: along the columns of `objects`, and elsewhere.
        self._sizes = np.sqrt(1.0 - share + share * self._lengths**2)
        self._free = np.sqrt(1.0 - share)
        self._slopes = share * self._lengths / self._sizes**2  # the most likely, along each axis

    def spread(self, V):
        """Return K^(1/2) V."""
        return self._times(V, self._free, self._sizes)

    def gather(self, points):
        """Return the V that `spread` turns into these points."""
        return self._times(points, 1.0 / self._free, 1.0 / self._sizes)

    def linear_function(self, points):
        """Return coefficients and intercept of the most likely linear function of the features."""
        with one_blas_thread():
            along = self._slopes[:, None] * (self._objects.T @ points)
            coefficients = self._scale * self._axes.T @ along
            return coefficients, points.mean(axis=0) - self._center @ coefficients

    def _times(self, points, free, sizes):
        with one_blas_thread():
            along = (sizes - free)[:, None] * (self._objects.T @ points)
            return free * points + self._objects @ along


class FeatureObjective(LapsingObjective):
    """Mean loss as a function of V, see `FeaturePrior`; `losses` takes the points."""

    def __init__(self, *args, prior, **options):
        super().__init__(*args, **options)
        self._prior = prior

    def _sum(self, X, out, with_value, slopes=None):
        value = super()._sum(self._prior.spread(X), out, with_value, slopes)
        if len(out):
            out[:] = self._prior.spread(out)
        return value
