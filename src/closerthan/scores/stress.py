"""Stress: the errors of the distances in an embedding, compared with given dissimilarities."""

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import check_points


def raw_stress(embedding: ArrayLike, dissimilarities: ArrayLike) -> float:
    """Compute the sum of the squared errors of the distances, with each pair counted once.

    This is half of eq. (4) of Paraskevopoulos et al. (2018), as in `sklearn.manifold.MDS`. Their
    mean squared error, eq. (17), is the raw stress times 2 / n**2.

    Parameters
    ----------
    embedding : array_like of shape (n, n_components)
        The points, finite.
    dissimilarities : array_like of shape (n, n)
        The target distances; NaN if unknown. Only pairs i < j are used.

    Examples
    --------
    >>> raw_stress([[0.0], [1.0], [3.0]], [[0, 1, 5], [1, 0, 2], [5, 2, 0]])
    4.0
    """
    return _sums(embedding, dissimilarities)[0]


def normalized_stress(embedding: ArrayLike, dissimilarities: ArrayLike) -> float:
    """Compute Kruskal's Stress-1, eq. (3) of Paraskevopoulos et al. (2018).

    This is the square root of the raw stress divided by the sum of squared distances in the
    embedding, as in `sklearn.manifold.MDS`. It is 0 for a perfect fit, and infinite if all points
    coincide or no dissimilarity is known. Parameters as for `raw_stress`.

    Examples
    --------
    >>> round(normalized_stress([[0.0], [1.0], [3.0]], [[0, 1, 5], [1, 0, 2], [5, 2, 0]]), 4)
    0.5345
    """
    stress, size = _sums(embedding, dissimilarities)
    return float(np.sqrt(stress / size)) if size > 0 else np.inf


def _sums(embedding, dissimilarities):
    """Return the sums of (delta - d)**2 and of d**2 over the known pairs."""
    points = check_points(embedding, "embedding")
    n = len(points)
    D = np.asarray(dissimilarities, dtype=np.float64)
    if D.shape != (n, n):
        raise ValueError(f"dissimilarities: the shape is {D.shape}; it must be ({n}, {n})")
    stress = size = 0.0
    for i in range(n - 1):
        d = np.linalg.norm(points[i + 1 :] - points[i], axis=1)
        target = D[i, i + 1 :]
        known = ~np.isnan(target)
        stress += np.sum((target - d) ** 2, where=known)
        size += np.sum(d**2, where=known)
    return float(stress), float(size)
