"""Lists of pairs: convert choices of the most and the least similar pair."""

from math import log2

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import as_array, check_length, check_whole
from closerthan.comparisons.answers import Answers, number_pairs, small_ids
from closerthan.comparisons.check import hold_twice
from closerthan.comparisons.forms.checks import PAD, check_ids, refuse_first, sizes


def from_best_worst(
    pairs: ArrayLike,
    best: ArrayLike,
    worst: ArrayLike,
    *,
    participant: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> Answers:
    """Turn choices of the most and the least similar of some pairs to quadruplets.

    The best pair is closer than every other pair, and every other pair is closer than the worst
    pair. One judgment of m pairs gives 2 m - 3 quadruplets. It says nothing about two pairs that
    are neither best nor worst.

    Raise a ValueError if a value is not an id, a pair holds one object twice, a pair is twice on a
    screen, a position does not exist, or one pair is both the best and the worst. The message names
    the row.

    Parameters
    ----------
    pairs : array_like of int, shape (n_screens, m, 2)
        The pairs shown, m at least 2.
    best, worst : array_like of int, shape (n_screens,)
        The positions, from 0, of the most and the least similar pair.
    participant, time : as for `Answers`, optional

    Returns
    -------
    Answers
        Quadruplets, those with the best pair first. The weight is log2(m (m - 1)) / (2 m - 3).

    Examples
    --------
    >>> from_best_worst([[[0, 1], [2, 3], [4, 5]]], [1], [0]).comparisons
    array([[2, 3, 0, 1],
           [2, 3, 4, 5],
           [4, 5, 0, 1]])
    """
    pairs = _check_pairs(pairs)
    n, m, _ = pairs.shape
    best, worst = _positions(best, n, "best"), _positions(worst, n, "worst")
    refuse_first(faults_of_best_worst(pairs.reshape(n, -1), best, worst))
    rows = np.arange(n)[:, None]
    position = np.arange(m)
    not_best = np.nonzero(position != best[:, None])[1].reshape(n, m - 1)
    middle = np.nonzero((position != best[:, None]) & (position != worst[:, None]))[1]
    middle = middle.reshape(n, m - 2)
    near = np.hstack([np.repeat(best[:, None], m - 1, axis=1), middle])
    far = np.hstack([not_best, np.repeat(worst[:, None], m - 2, axis=1)])
    quadruplets = np.concatenate([pairs[rows, near], pairs[rows, far]], axis=2)
    n_rows = 2 * m - 3
    weight = np.full(n, log2(m * (m - 1)) / n_rows)
    screen = np.repeat(np.arange(n), n_rows)
    return Answers(quadruplets.reshape(-1, 4), screen, participant, time, weight)


def _positions(positions, n_screens, source):
    positions = check_length(positions, n_screens, source)
    return check_whole(positions, source, "there is no pair with this number")


def _check_pairs(pairs):
    pairs = as_array(pairs, "pairs", "every screen must show the same number of pairs")
    if pairs.ndim != 3 or pairs.shape[2] != 2 or pairs.shape[1] < 2 or len(pairs) == 0:
        raise ValueError(
            f"pairs: shape {pairs.shape}; expected (n_screens, m, 2) with m at least 2"
        )
    return check_ids(pairs.reshape(len(pairs), -1), "pairs", least=0).reshape(pairs.shape)


def faults_of_best_worst(pairs, best, worst):
    """Yield the faults of rows of pairs, filled up at the end, and of choices among them."""
    n = sizes(pairs)
    yield (
        (n < 4) | (n % 2 == 1),
        "pairs",
        lambda row, say: f"{n[row]} objects; there must be two or more pairs",
    )
    pairs = pairs[:, : pairs.shape[1] // 2 * 2]
    fill, ids = pairs[:, ::2] == PAD, small_ids(pairs.astype(np.int64))
    numbers = np.where(fill, PAD, number_pairs(ids[:, ::2], ids[:, 1::2], int(ids.max()) + 1))
    for bad, rule in (
        (((pairs[:, ::2] == pairs[:, 1::2]) & ~fill).any(axis=1), "the two objects of a pair"),
        (hold_twice(numbers, fill=PAD), "the pairs"),
    ):
        yield bad, "pairs", lambda row, say, rule=rule: f"{say(pairs[row])}; {rule} must differ"
    for source, chosen in (("best", best), ("worst", worst)):
        strange = ~np.isin(chosen, np.arange(n.max() // 2)) | (chosen >= n // 2)
        yield strange, source, lambda row, say: "there is no pair with this number"
    yield best == worst, "worst", lambda row, say: "best and worst must differ"
