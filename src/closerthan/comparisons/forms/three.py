"""Three objects: convert answers on the odd one out, and on the most central one."""

from math import log2

import numpy as np
from numpy.typing import ArrayLike

from closerthan.comparisons.answers import Answers, as_answers
from closerthan.comparisons.check import check_length, check_triplets
from closerthan.comparisons.forms.checks import other_form, refuse_first


def from_odd_one_out(
    objects: ArrayLike,
    odd: ArrayLike,
    *,
    participant: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> Answers:
    """Turn odd-one-out answers to two triplets each.

    If o is the odd one out of a, b and o, then a is closer to b than to o, and b is closer to a
    than to o. The answer does not tell whether a or b is closer to o. This assumes that people
    compare the three distances, and not, for example, features that two objects share.

    Raise a ValueError as :func:`check_comparisons` does, and if an answer is not one of the three
    objects.

    Parameters
    ----------
    objects : array_like of shape (n_screens, 3)
        The ids of the three objects shown.
    odd : array_like of shape (n_screens,)
        The id, not the position, of the odd one.
    participant, time : as for `Answers`, optional

    Returns
    -------
    Answers
        Answer r gives rows 2r and 2r + 1: (a, b, o) and (b, a, o), each of weight log2(3) / 2.

    Examples
    --------
    >>> answers = from_odd_one_out([[4, 7, 9]], [7])
    >>> answers.comparisons
    array([[4, 9, 7],
           [9, 4, 7]])
    >>> answers.weight.round(3)
    array([0.792])
    """
    first, second, odd = _pick(objects, odd, "odd")
    pairs_of_triplets = np.stack([first, second, odd, second, first, odd], axis=1)
    return _answers_of(pairs_of_triplets, participant, time)


def to_odd_one_out(answers: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Return the objects of odd-one-out screens, and the odd ones; undoes `from_odd_one_out`.

    Raise a ValueError if the comparisons of a screen do not come from an odd-one-out answer.

    Returns
    -------
    objects : ndarray of shape (n_screens, 3), int64
        The odd one last. The order on the screen is lost.
    odd : ndarray of shape (n_screens,), int64

    Examples
    --------
    >>> to_odd_one_out(from_odd_one_out([[4, 7, 9]], [7]))
    (array([[4, 9, 7]]), array([7]))
    """
    answers = as_answers(answers)
    objects, wrong = answers.comparisons[::2], np.bincount(answers.screen) != 2
    if objects.shape[1] == 3 and not wrong.any():
        wrong = (answers.comparisons[1::2] != objects[:, [1, 0, 2]]).any(axis=1)
        if not wrong.any():
            return objects.copy(), objects[:, 2].copy()
    raise other_form(int(wrong.argmax()), answers, "an odd one out")


def from_most_central(
    objects: ArrayLike,
    central: ArrayLike,
    *,
    participant: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> Answers:
    """Turn most-central answers to two triplets each.

    If c is the most central of a, b and c, then a is closer to c than to b, and b is closer to c
    than to a (Kleindessner and von Luxburg, 2017). It does not tell whether a or b is closer to c.

    Raise a ValueError as :func:`check_comparisons` does, and if an answer is not one of the three
    objects.

    Parameters
    ----------
    objects : array_like of shape (n_screens, 3)
        The ids of the three objects shown.
    central : array_like of shape (n_screens,)
        The id, not the position, of the most central one.
    participant, time : as for `Answers`, optional

    Returns
    -------
    Answers
        Answer r gives rows 2r and 2r + 1: (a, c, b) and (b, c, a), each of weight log2(3) / 2.

    Examples
    --------
    >>> from_most_central([[4, 7, 9]], [7]).comparisons
    array([[4, 7, 9],
           [9, 7, 4]])
    """
    first, second, central = _pick(objects, central, "central")
    pairs_of_triplets = np.stack([first, central, second, second, central, first], axis=1)
    return _answers_of(pairs_of_triplets, participant, time)


def _answers_of(pairs_of_triplets, participant, time):
    """Return `Answers` with a screen for each row, which holds two triplets."""
    n = len(pairs_of_triplets)
    screen, weight = np.repeat(np.arange(n), 2), np.full(n, log2(3) / 2)
    return Answers(pairs_of_triplets.reshape(-1, 3), screen, participant, time, weight)


def faults_of_pick(objects, picked, source):
    """Yield the fault that an answer is not one of the objects; see `refuse_first`."""
    bad = ~(objects == picked[:, None]).any(axis=1)
    yield bad, source, lambda row, say: f"{say(picked[row])} is not one of {say(objects[row])}"


def _pick(objects, answers, source):
    """Return the two objects that were not picked, in the order shown, and the picked one."""
    objects = check_triplets(objects, source="objects")
    answers = check_length(answers, len(objects), source)
    refuse_first(faults_of_pick(objects, answers, source))
    picked = objects == answers[:, None]
    first, second = objects[~picked].reshape(-1, 2).T
    return first, second, objects[picked]
