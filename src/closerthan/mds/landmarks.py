"""LandmarkMDS: MDS of many points by a few landmarks, without a matrix of all pairs."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone

from closerthan._core.maps import MapMixin
from closerthan._core.threads import Team, one_blas_thread
from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_features
from closerthan.mds.dissimilarities import distances
from closerthan.mds.geodesic import geodesic_distances
from closerthan.mds.pattern_search import PatternSearchMDS

_ENTRIES = 2**24  # dissimilarities placed at once, 128 MiB


@dataclass(eq=False, repr=False)
class LandmarkMDS(MapMixin, BaseEstimator):
    """Embed some points, the landmarks, and place all others among them.

    This is section 7 of Paraskevopoulos et al. (2018), after de Silva and Tenenbaum (2004). Each
    landmark is the point farthest from the landmarks before it, so the landmarks cover the points.

    Parameters
    ----------
    mds : PatternSearchMDS or SMACOF, optional
        The model that embeds the landmarks and then places the others. Its parameter `metric` is
        not used. Default: `PatternSearchMDS` with its defaults.
    n_landmarks : int, default 500
        Number of landmarks, at most the number of points.
    n_neighbors : int, optional
        Neighbors in the graph of geodesic distances. Without it, distances are Euclidean.
    random_state : int, SeedSequence, Generator or None, default None
        Draws the first landmark, and seeds the default `mds`; see :doc:`the glossary </glossary>`.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, n_components)
        The points, landmarks included.
    landmarks_ : ndarray of shape (n_landmarks,)
        Rows of the landmarks.
    mds_ : PatternSearchMDS or SMACOF
        The fitted model of the landmarks.

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(1000, 2))
    >>> model = LandmarkMDS(n_landmarks=50, random_state=0)
    >>> model.fit_transform(points).shape
    (1000, 2)
    """

    mds: BaseEstimator | None = None
    _: KW_ONLY
    n_landmarks: int = 500
    n_neighbors: int | None = None
    random_state: Seed = None

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Embed the points X, an array of shape (n, n_features); `y` is ignored.

        Raise a ValueError if a point is not finite, there are more landmarks than points, or the
        graph of neighbors is not connected.
        """
        self.__dict__.pop("embedding_", None)  # an interrupt or error leaves nothing half-fitted
        points = check_features(self, X)
        n = len(points)
        check_count("n_landmarks", self.n_landmarks, n, "the number of points")
        rng = np.random.default_rng(self.random_state)
        mds = PatternSearchMDS(random_state=rng) if self.mds is None else clone(self.mds)
        mds.set_params(metric="precomputed")
        with one_blas_thread():
            landmarks = _farthest_points(points, self.n_landmarks, rng)
            between = self._distances(points, landmarks)
            mds.fit(_among(between, landmarks))
            embedding = np.empty((n, mds.n_components))
            size = max(1, _ENTRIES // self.n_landmarks)
            for first in range(0, n, size):
                rows = slice(first, first + size)
                embedding[rows] = mds.transform(between(rows))
        embedding[landmarks] = mds.embedding_
        self.landmarks_, self.mds_, self.embedding_ = landmarks, mds, embedding
        return self

    def _distances(self, points, landmarks):
        """Return a function that gives the distances of some rows from the landmarks."""
        if self.n_neighbors is None:
            return lambda rows: distances(points[rows], points[landmarks], Team(1))
        from_landmarks = geodesic_distances(points, self.n_neighbors, sources=landmarks)
        return lambda rows: from_landmarks[:, rows].T

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> np.ndarray:
        """Fit, and return `embedding_`; the parameters are the same as in `fit`."""
        return self.fit(X).embedding_


def _among(between, landmarks):
    """Return the distances among landmarks, exactly symmetric and zero on the diagonal."""
    D = between(landmarks)
    D = (D + D.T) / 2
    np.fill_diagonal(D, 0.0)
    return D


def _farthest_points(points, n_chosen, rng):
    """Return rows of points, the first at random, each next the farthest from all before it."""
    chosen = [rng.integers(len(points))]
    nearest = np.full(len(points), np.inf)
    while len(chosen) < n_chosen:
        difference = points - points[chosen[-1]]
        np.minimum(nearest, np.einsum("ij,ij->i", difference, difference), out=nearest)
        nearest[chosen] = -1.0  # points that coincide with a landmark come last, itself never
        chosen.append(np.argmax(nearest))
    return np.array(chosen)
