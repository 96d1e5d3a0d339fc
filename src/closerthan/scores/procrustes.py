"""Are two maps of the same objects more alike than chance has them: the Procrustes test."""

from typing import NamedTuple

import numpy as np

from closerthan._core.validation import check_count
from closerthan.scores.embedding import procrustes_distance

_TABLES = 2**22  # numbers in a block of permuted tables


class ProcrustesTest(NamedTuple):
    """How far one map is from the other, and how far it would be by chance.

    Attributes
    ----------
    distance : float
        Share of the one's spread that the other, moved onto it and scaled, leaves unexplained;
        from 0 to 1, the same both ways.
    correlation : float
        The square root of one minus the distance: 1 for maps of the same shape.
    p_value : float
        Share of permutations, the actual one among them, whose distance is as small or smaller.
    by_chance : float
        The median distance of the permutations.
    n_objects, n_permutations : int
    """

    distance: float
    correlation: float
    p_value: float
    by_chance: float
    n_objects: int
    n_permutations: int


def procrustes_test(first, second, *, n_permutations=9999, random_state=None) -> ProcrustesTest:
    """Test whether two maps of the same objects agree by more than chance.

    By chance any object of the one might be any object of the other. So the rows of the second are
    permuted, and the Procrustes distance is found for each permutation (PROTEST; Jackson,
    PROTEST: a PROcrustean randomization TEST of community environment concordance, Écoscience 2,
    1995; Peres-Neto and Jackson, How well do multivariate data sets match?, Oecologia 129, 2001).
    Maps of fewer than three objects are refused, and those that `procrustes_distance` refuses.
    """
    check_count("n_permutations", n_permutations)
    distance = procrustes_distance(first, second)
    procrustes_distance(second, first)  # which refuses a second map that is a single point
    first, second = _standard(first), _standard(second)
    n_objects = len(first)
    if n_objects < 3:
        raise ValueError(f"{n_objects} objects; maps of fewer than three are all alike")
    rng = np.random.default_rng(random_state)
    by_chance = np.empty(n_permutations)
    step = max(1, _TABLES // second.size)
    for start in range(0, n_permutations, step):
        size = min(step, n_permutations - start)
        order = rng.permuted(np.tile(np.arange(n_objects), (size, 1)), axis=1)
        products = first.T @ second[order]
        strengths = np.linalg.svd(products, compute_uv=False).sum(axis=1)
        by_chance[start : start + size] = 1 - strengths**2
    # A permutation that changes nothing is as near, whatever the last digits say.
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
    """Return the points around their mean, with a sum of squares of one."""
    points = np.asarray(points, dtype=float)
    points = points - points.mean(axis=0)
    return points / np.linalg.norm(points)
