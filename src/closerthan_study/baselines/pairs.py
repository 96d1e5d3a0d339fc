"""Pairs of similar and of dissimilar points, and the target distances of pairs."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import pdist
from sklearn.utils.validation import check_array

from closerthan._core.typing import Seed
from closerthan.comparisons.check import check_triplets

_MOST_ROWS = 1000


def pairs_from_triplets(triplets: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Split triplets (i, j, k), shape (n, 3), into similar pairs (i, j) and dissimilar (i, k).

    Triplets of labels, from `closerthan.comparisons.sample_from_labels`, give pairs of labels.

    Returns
    -------
    pairs : ndarray of shape (2 n, 2), int64
        Similar and dissimilar pairs alternate.
    y : ndarray of shape (2 n,), int64
        1 for similar, -1 for dissimilar.

    Examples
    --------
    >>> pairs, y = pairs_from_triplets([[0, 1, 2]])
    >>> pairs.tolist(), y.tolist()
    ([[0, 1], [0, 2]], [1, -1])
    """
    triplets = check_triplets(triplets)
    return triplets[:, [0, 1, 0, 2]].reshape(-1, 2), np.tile([1, -1], len(triplets))


def distance_bounds(
    X: ArrayLike, percentiles: tuple[float, float] = (5, 95), *, random_state: Seed = None
) -> np.ndarray:
    """Return percentiles of the squared Euclidean distances between points.

    Davis et al. (2007) ask similar pairs to be nearer than the 5th percentile and dissimilar pairs
    farther than the 95th.

    Parameters
    ----------
    X : array_like of shape (n, d)
        If there are more than 1,000 rows, 1,000 random ones are used.
    percentiles : pair of float, default (5, 95)
        The result has their order.
    random_state
        A seed or a numpy Generator.

    Examples
    --------
    >>> distance_bounds([[0.0], [1.0], [3.0]], (0, 100))
    array([1., 9.])
    """
    X = check_array(X, dtype=np.float64, ensure_min_samples=2)
    if len(X) > _MOST_ROWS:
        rng = np.random.default_rng(random_state)
        X = X[rng.choice(len(X), _MOST_ROWS, replace=False)]
    return np.percentile(pdist(X, "sqeuclidean"), percentiles)
