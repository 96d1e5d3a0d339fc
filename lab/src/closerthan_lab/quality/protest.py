"""The Procrustes test: whether two embeddings of the same objects agree beyond chance."""

from typing import NamedTuple

import numpy as np

from closerthan._core.validation import check_count
from closerthan.scores.procrustes import procrustes_distance

_TABLES = 2**22  # numbers in a block of permuted embeddings


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
