"""Add wrong answers: a given fraction, or by the Bradley-Terry-Luce model."""

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.typing import Seed
from closerthan._core.validation import check_number, is_number
from closerthan.comparisons.check import check_comparisons, exchange_where, pair_columns
from closerthan.comparisons.sample import finite_points, squared_distances


def swap_answers(
    comparisons: ArrayLike, fraction: float, *, random_state: Seed = None
) -> tuple[np.ndarray, np.ndarray]:
    """Swap the answers of a random fraction of the comparisons, as in SVRG-SBB (sec. 5.4).

    Parameters
    ----------
    comparisons : array_like of shape (n_comparisons, 3) or (n_comparisons, 4)
    fraction : float in [0, 1]
        Exactly ``round(fraction * n_comparisons)`` answers are swapped. In a triplet, j and k are
        exchanged; in a quadruplet, the two pairs.
    random_state : None, int, SeedSequence or Generator, optional

    Returns
    -------
    noisy : ndarray of the shape of `comparisons`, int64
    swapped : ndarray of shape (n_comparisons,), bool
        True where the answer was swapped.

    Examples
    --------
    >>> noisy, swapped = swap_answers([[0, 1, 2], [1, 2, 0]], 1.0)
    >>> noisy
    array([[0, 2, 1],
           [1, 0, 2]])
    """
    comparisons = check_comparisons(comparisons)
    if not (is_number(fraction) and 0 <= fraction <= 1):
        raise ValueError(f"fraction={fraction!r}; it must be from 0 to 1")
    rng = np.random.default_rng(random_state)
    n_swapped = round(float(fraction) * len(comparisons))
    swapped = np.zeros(len(comparisons), dtype=bool)
    swapped[rng.choice(len(comparisons), n_swapped, replace=False)] = True
    return exchange_where(comparisons, swapped), swapped


def bradley_terry_luce(
    comparisons: ArrayLike, points: ArrayLike, *, exponent: float = 1.0, random_state: Seed = None
) -> tuple[np.ndarray, np.ndarray]:
    """Answer every comparison anew, with Bradley-Terry-Luce probabilities from the true points.

    This is Luce's choice rule on the similarities s = d**-exponent, where d is the Euclidean
    distance. The pair (i, j) is called nearer than (l, k) with probability ::

        s_ij / (s_ij + s_lk) = d_lk**exponent / (d_ij**exponent + d_lk**exponent)

    Equal distances give a coin toss. A larger exponent makes fewer errors. Exponent 2 gives the
    model of CKL at mu = 0 (Tamuz et al., ICML 2011, "Adaptively learning the crowd kernel").

    Parameters
    ----------
    comparisons : array_like of shape (n_comparisons, 3) or (n_comparisons, 4)
        The questions. The answers that they hold matter only for `swapped`.
    points : array_like of shape (n_objects, n_dimensions)
        The true points, finite, one for each id.
    exponent : float > 0, default 1.0
    random_state : None, int, SeedSequence or Generator, optional

    Returns
    -------
    noisy, swapped : ndarrays, as for `swap_answers`

    References
    ----------
    R. D. Luce, "Individual choice behavior", 1959. R. A. Bradley and M. E. Terry, "Rank analysis of
    incomplete block designs", Biometrika 39, 1952.

    Examples
    --------
    >>> noisy, swapped = bradley_terry_luce([[0, 1, 2], [0, 2, 1]], [[0.0], [0.0], [1.0]])
    >>> noisy
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    points = finite_points(points)
    comparisons = check_comparisons(comparisons, len(points))
    check_number("exponent", exponent, positive=True)
    rng = np.random.default_rng(random_state)
    swapped = rng.random(len(comparisons)) >= _probability(comparisons, points, exponent)
    return exchange_where(comparisons, swapped), swapped


def _probability(comparisons, points, exponent):
    """Return the probability of the given answer, for each comparison."""
    i, j, l, k = pair_columns(comparisons)
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.log(squared_distances(points, i, j))
        far = np.log(squared_distances(points, l, k))
        log_odds = exponent / 2 * (far - near)
    from scipy.special import expit  # imported here because it takes longer than all the rest

    return expit(np.where(near == far, 0.0, log_odds))
