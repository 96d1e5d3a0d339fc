"""Procrustes: align an embedding with known points, measure the distance, test the agreement."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import norm, orthogonal_procrustes

from closerthan._core.validation import check_count, check_points

_TABLES = 2**22  # numbers in a block of permuted embeddings


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


class ProcrustesTest(NamedTuple):
    """Result of the Procrustes test.

    Attributes
    ----------
    distance : float
        Procrustes distance of the two embeddings, from 0 to 1. It is symmetric.
    correlation : float
        The square root of one minus the distance; 1 for embeddings of the same shape.
    p_value : float
        Share of permutations (including the actual order) with a distance as small or smaller.
    by_chance : float
        Median distance of the permutations.
    n_objects, n_permutations : int
        Numbers of objects and of permutations.
    """

    distance: float
    correlation: float
    p_value: float
    by_chance: float
    n_objects: int
    n_permutations: int


def procrustes_test(first, second, *, n_permutations=9999, random_state=None) -> ProcrustesTest:
    """Test whether two embeddings of the same objects agree beyond chance.

    This is a permutation test of the Procrustes distance: it permutes the objects of the second
    embedding (PROTEST; Jackson, PROTEST: a PROcrustean randomization TEST of community environment
    concordance, Écoscience 2, 1995; Peres-Neto and Jackson, How well do multivariate data sets
    match?, Oecologia 129, 2001). It raises a ValueError for fewer than three objects, and for
    embeddings that `procrustes_distance` rejects.
    """
    check_count("n_permutations", n_permutations)
    distance = procrustes_distance(first, second)
    procrustes_distance(second, first)  # rejects a second embedding with coinciding points
    first, second = _standard(first), _standard(second)
    n_objects = len(first)
    if n_objects < 3:
        raise ValueError(f"first and second have {n_objects} objects; give three or more")
    rng = np.random.default_rng(random_state)
    by_chance = np.empty(n_permutations)
    step = max(1, _TABLES // second.size)
    for start in range(0, n_permutations, step):
        size = min(step, n_permutations - start)
        order = rng.permuted(np.tile(np.arange(n_objects), (size, 1)), axis=1)
        products = first.T @ second[order]
        strengths = np.linalg.svd(products, compute_uv=False).sum(axis=1)
        by_chance[start : start + size] = 1 - strengths**2
    # The tolerance counts permutations with the same distance, up to rounding.
    as_near = np.count_nonzero(by_chance <= distance + 1e-9)
    return ProcrustesTest(
        distance=distance,
        correlation=float(np.sqrt(max(0.0, 1 - distance))),
        p_value=float((1 + as_near) / (1 + n_permutations)),
        by_chance=float(np.median(by_chance)),
        n_objects=n_objects,
        n_permutations=n_permutations,
    )


def _standard(points):
    """Return the points centered, with a sum of squares of one."""
    points = np.asarray(points, dtype=float)
    points = points - points.mean(axis=0)
    return points / np.linalg.norm(points)


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
