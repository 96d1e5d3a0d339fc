"""Scores of an embedding: triplet error, and Procrustes distance to known points."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike
from scipy.linalg import norm, orthogonal_procrustes

from closerthan._core.validation import check_matrix, check_points, check_weights
from closerthan.comparisons.check import check_blocks


def triplet_error(
    embedding: ArrayLike, comparisons: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Compute the weighted share of the comparisons that the points contradict.

    A tie is an error. A comparison with an object whose row has NaN or infinity is an error, too.

    Parameters
    ----------
    embedding : array-like of shape (n_objects, n_components)
        The points. Distances are Euclidean.
    comparisons : array-like of int, shape (n_comparisons, 3) or (n_comparisons, 4)
        Triplets (i, j, k), "i is closer to j than to k", or quadruplets (i, j, l, k),
        d(i, j) < d(l, k).
    sample_weight : array-like of shape (n_comparisons,), default=None
        Weights of the comparisons. By default `Answers` use their own weights, and rows of an
        array have weight 1.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the embedding is not a matrix, if a comparison is malformed or names an object that the
        embedding does not have (see `closerthan.comparisons.check_comparisons`), or if a weight is
        negative or not finite.

    Examples
    --------
    >>> triplet_error([[0.0], [1.0], [3.0]], [(0, 1, 2), (2, 0, 1)])
    0.5
    """
    points = check_matrix(embedding, "embedding")
    points = np.where(np.isfinite(points), points, np.nan)
    weights = check_weights(sample_weight, comparisons)
    errors = total = n_comparisons = 0
    for block in check_blocks(comparisons, len(points)):  # comparisons may fill a large file
        wrong = _are_wrong(points, block)
        rows = slice(n_comparisons, n_comparisons + len(block))
        errors += wrong.sum() if weights is None else wrong @ weights[rows]
        total += len(block) if weights is None else weights[rows].sum()
        n_comparisons += len(block)
    return float(errors / total)


@njit(cache=True, nogil=True)
def _are_wrong(points, comparisons):
    n_comparisons, width = comparisons.shape
    third = 0 if width == 3 else 2
    wrong = np.empty(n_comparisons, np.bool_)
    for row in range(n_comparisons):
        i, j = comparisons[row, 0], comparisons[row, 1]
        l, k = comparisons[row, third], comparisons[row, width - 1]
        near = far = 0.0
        for c in range(points.shape[1]):
            near += (points[i, c] - points[j, c]) ** 2
            far += (points[l, c] - points[k, c]) ** 2
        wrong[row] = not near < far  # also true of NaN
    return wrong


def procrustes_align(truth: ArrayLike, embedding: ArrayLike, *, scale: bool = True) -> np.ndarray:
    """Align an embedding with the truth by rotation, reflection, translation and scaling.

    The alignment has the smallest sum of squared residuals (Schönemann, 1966; Gower, 1975).

    Parameters
    ----------
    truth : array-like of shape (n_objects, p)
        The points to align with.
    embedding : array-like of shape (n_objects, q)
        The points to align. If p and q differ, the narrower array gets columns of zeros.
    scale : bool, default=True
        Whether to scale the embedding.

    Returns
    -------
    ndarray of shape (n_objects, max(p, q))
        The aligned embedding.

    Raises
    ------
    ValueError
        If a coordinate is not finite, the numbers of points differ, or all points of the truth
        coincide.

    Examples
    --------
    >>> truth = [[0, 0], [2, 0], [0, 2]]
    >>> turned = [[5, 5], [5, 6], [4, 5]]
    >>> np.abs(procrustes_align(truth, turned).round(6))
    array([[0., 0.], [2., 0.], [0., 2.]])
    """
    truth, embedding = _same_width(truth, embedding)
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
    Without scaling it has no upper bound.

    Parameters
    ----------
    truth, embedding, scale
        As for `procrustes_align`, with the same errors.

    Returns
    -------
    float
        The distance, 0 for a perfect fit.

    Examples
    --------
    >>> line = [[0.0], [1.0], [2.0]]
    >>> round(procrustes_distance(line, [[10.0], [8.0], [6.0]]), 12)
    0.0
    >>> round(procrustes_distance(line, [[10.0], [8.0], [6.0]], scale=False), 12)
    1.0
    """
    aligned = procrustes_align(truth, embedding, scale=scale)
    truth, _ = _same_width(truth, embedding)
    residual, spread = truth - aligned, truth - truth.mean(axis=0)
    return float((norm(residual.ravel()) / norm(spread.ravel())) ** 2)


def _same_width(truth, embedding):
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
