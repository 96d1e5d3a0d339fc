"""Lists of pairs: convert choices of the most and the least similar pair."""

from math import log2

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import refuse
from closerthan.comparisons.answers import Answers, as_answers, number_pairs, small_ids
from closerthan.comparisons.check import check_length, hold_twice
from closerthan.comparisons.forms.checks import as_array, check_ids, same_sized_screens, undone


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

    Parameters
    ----------
    pairs : array-like of int, shape (n_screens, m, 2)
        The pairs shown, m at least 2.
    best, worst : array-like of int, shape (n_screens,)
        The positions, from 0, of the most and the least similar pair.
    participant, time : as for `Answers`, default None

    Returns
    -------
    Answers
        Quadruplets, those with the best pair first. The weight is log2(m (m - 1)) / (2 m - 3).

    Raises
    ------
    ValueError
        If a value is not an id, a pair holds one object twice, a pair is twice on a screen, a
        position does not exist, or one pair is both the best and the worst. The message names the
        row.

    Examples
    --------
    >>> from_best_worst([[[0, 1], [2, 3], [4, 5]]], [1], [0]).comparisons
    array([[2, 3, 0, 1],
           [2, 3, 4, 5],
           [4, 5, 0, 1]])
    """
    pairs = _check_pairs(pairs)
    n, m, _ = pairs.shape
    best, worst = (
        _check_positions(positions, name, n, m)
        for name, positions in (("best", best), ("worst", worst))
    )
    if (best == worst).any():
        row = int((best == worst).argmax())
        raise ValueError(f"worst, row {row}: {worst[row]} is also the best pair; they must differ")
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


def to_best_worst(answers: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of best-worst screens and the choices; undoes `from_best_worst`.

    Raise a ValueError if the comparisons of a screen do not come from a best-worst choice, or if
    the screens have different numbers of pairs.

    Returns
    -------
    pairs : ndarray of shape (n_screens, m, 2), int64
        The best pair first and the worst last. The order on the screen is lost.
    best, worst : ndarray of shape (n_screens,), int64
        The positions of the best and of the worst pair.

    Examples
    --------
    >>> pairs, best, worst = to_best_worst(from_best_worst([[[0, 1], [2, 3], [4, 5]]], [1], [0]))
    >>> pairs.tolist(), best, worst
    ([[[2, 3], [4, 5], [0, 1]]], array([0]), array([2]))
    """
    answers = as_answers(answers)
    form = "a best and a worst pair"
    n_rows = len(answers) // answers.n_screens
    rows = same_sized_screens(answers, n_rows, 4, form)
    middle = rows[:, (n_rows + 1) // 2 :, :2]
    pairs = np.concatenate([rows[:, :1, :2], middle, rows[:, -1:, 2:]], axis=1)
    n, m, _ = pairs.shape
    parts = pairs, np.zeros(n, dtype=np.int64), np.full(n, m - 1)
    return undone(answers, from_best_worst, parts, form)


def _check_pairs(pairs):
    pairs = as_array(pairs, "pairs", "every screen must show the same number of pairs")
    if pairs.ndim != 3 or pairs.shape[2] != 2 or pairs.shape[1] < 2 or len(pairs) == 0:
        raise ValueError(
            f"pairs: shape {pairs.shape}; expected (n_screens, m, 2) with m at least 2"
        )
    shape = pairs.shape
    pairs = check_ids(pairs.reshape(len(pairs), -1), "pairs", least=0).reshape(shape)
    ids = small_ids(pairs)
    numbers = number_pairs(ids[..., 0], ids[..., 1], int(ids.max()) + 1)
    for bad, fault in (
        ((pairs[..., 0] == pairs[..., 1]).any(axis=1), "the objects of a pair must differ"),
        (hold_twice(numbers), "the pairs of a screen must differ"),
    ):
        if bad.any():
            row = int(bad.argmax())
            raise ValueError(f"pairs, row {row}: {pairs[row].tolist()}; {fault}")
    return pairs


def _check_positions(positions, source, n_screens, n_pairs):
    positions = check_length(positions, n_screens, source)
    wrong = ~np.isin(positions, np.arange(n_pairs))
    refuse(wrong, positions, source, f"allowed are positions 0 to {n_pairs - 1}")
    return positions.astype(np.int64)
