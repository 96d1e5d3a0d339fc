"""Procrustes: align an embedding with known points, and measure the distance."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import norm, orthogonal_procrustes

from closerthan._core.validation import check_points


def procrustes_align(truth: ArrayLike, embedding: ArrayLike, *, scale: bool = True) -> np.ndarray:
    """Align an embedding with the truth by rotation, reflection, translation and scaling.

    The alignment has the smallest sum of squared residuals (Schönemann, 1966; Gower, 1975).

    Raise a ValueError if a coordinate is not finite, the numbers of points differ, or all points of
    the truth coincide.

    Parameters
    ----------
    truth : array_like of shape (n_objects, p)
        The points to align with.
    embedding : array_like of shape (n_objects, q)
        The points to align. If p and q differ, the narrower array gets columns of zeros.
    scale : bool, default True
        Whether to scale the embedding.

    Returns
    -------
    ndarray of shape (n_objects, max(p, q))
        The aligned embedding.

    Examples
    --------
    >>> truth = [[0, 0], [2, 0], [0, 2]]
    >>> turned = [[5, 5], [5, 6], [4, 5]]
    >>> np.abs(procrustes_align(truth, turned).round(6))
    array([[0., 0.], [2., 0.], [0., 2.]])
    """
    truth, embedding = _check_both(truth, embedding)
    center = truth.mean(axis=0)
    centered = embedding - embedding.mean(axis=0)
    size = norm(centered.ravel())  # scipy's norm of a vector, unlike a matrix's, cannot underflow
    unit = centered / size if size > 0 else centered  # coinciding points go to the center
    rotation, best_size = orthogonal_procrustes(unit, truth - center)
    return unit @ rotation * (best_size if scale else size) + center


def procrustes_distance(truth: ArrayLike, embedding: ArrayLike, *, scale: bool = True) -> float:
    """Compute the share of the truth's variance that the aligned embedding leaves unexplained.

    This is the sum of squared residuals after `procrustes_align`, divided by the sum of squared
    distances of the true points from their mean. With `scale=True` it lies in [0, 1] and equals the
    disparity of `scipy.spatial.procrustes`. It is 1 if all points of the embedding coincide.
    Without scaling it has no upper bound. Parameters and errors as for `procrustes_align`.

    Examples
    --------
    >>> line = [[0.0], [1.0], [2.0]]
    >>> round(procrustes_distance(line, [[10.0], [8.0], [6.0]]), 12)
    0.0
    >>> round(procrustes_distance(line, [[10.0], [8.0], [6.0]], scale=False), 12)
    1.0
    """
    aligned = procrustes_align(truth, embedding, scale=scale)
    truth, _ = _check_both(truth, embedding)
    residual, spread = truth - aligned, truth - truth.mean(axis=0)
    return float((norm(residual.ravel()) / norm(spread.ravel())) ** 2)


def _check_both(truth, embedding):
    truth, embedding = check_points(truth, "truth"), check_points(embedding, "embedding")
    if len(truth) != len(embedding):
        raise ValueError(
            f"truth has {len(truth)} points and embedding has {len(embedding)}; row i of both must "
            "be the same object"
        )
    if not np.ptp(truth, axis=0).any():
        raise ValueError(f"truth: all points are {truth[0]}; at least two must differ")
    width = max(truth.shape[1], embedding.shape[1])
    return tuple(np.pad(x, ((0, 0), (0, width - x.shape[1]))) for x in (truth, embedding))
