"""Stress: the errors of the distances in an embedding, compared with given dissimilarities."""

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import check_points


def raw_stress(
    embedding: ArrayLike, dissimilarities: ArrayLike, weights: ArrayLike | None = None
) -> float:
    """Compute the sum of the squared errors of the distances, with each pair counted once.

    This is half of eq. (4) of Paraskevopoulos et al. (2018), as in `sklearn.manifold.MDS`. Their
    mean squared error, eq. (17), is the raw stress times 2 / n**2.

    Parameters
    ----------
    embedding : array-like of shape (n, n_components)
        The points.
    dissimilarities : array-like of shape (n, n)
        The target distances; NaN if unknown. Only pairs i < j are used.
    weights : array-like of shape (n, n), optional
        Weights of the squared errors, one by default.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a coordinate is not finite, or a shape is wrong.

    Examples
    --------
    >>> raw_stress([[0.0], [1.0], [3.0]], [[0, 1, 5], [1, 0, 2], [5, 2, 0]])
    4.0
    """
    return _sums(embedding, dissimilarities, weights)[0]


def normalized_stress(
    embedding: ArrayLike, dissimilarities: ArrayLike, weights: ArrayLike | None = None
) -> float:
    """Compute Kruskal's Stress-1, eq. (3) of Paraskevopoulos et al. (2018).

    This is the square root of the raw stress divided by the sum of squared distances in the
    embedding, as in `sklearn.manifold.MDS`.

    Parameters
    ----------
    embedding, dissimilarities, weights
        As for `raw_stress`, with the same errors.

    Returns
    -------
    float
        0 for a perfect fit; infinite if all points coincide.

    Examples
    --------
    >>> round(normalized_stress([[0.0], [1.0], [3.0]], [[0, 1, 5], [1, 0, 2], [5, 2, 0]]), 4)
    0.5345
    """
    stress, size = _sums(embedding, dissimilarities, weights)
    return float(np.sqrt(stress / size)) if size > 0 else np.inf


def _sums(embedding, dissimilarities, weights):
    """Return the sums of w (delta - d)**2 and of w d**2 over the pairs."""
    points = check_points(embedding, "embedding")
    n = len(points)
    D = _square(dissimilarities, n, "dissimilarities")
    W = None if weights is None else _square(weights, n, "weights")
    stress = size = 0.0
    for i in range(n - 1):
        d = np.linalg.norm(points[i + 1 :] - points[i], axis=1)
        target = D[i, i + 1 :]
        w = 1.0 if W is None else W[i, i + 1 :]
        known = ~np.isnan(target)
        stress += np.sum(w * (target - d) ** 2, where=known)
        size += np.sum(w * d**2, where=known)
    return float(stress), float(size)


def _square(matrix, n, name):
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.shape != (n, n):
        raise ValueError(f"{name}: the shape is {matrix.shape}; it must be ({n}, {n})")
    return matrix
