"""Which answers were given again, and which contradict one another."""

from typing import NamedTuple

import numpy as np

from closerthan._core.validation import check_word
from closerthan.comparisons.answers import as_answers, number_rows


class Repeated(NamedTuple):
    """Screens that ask the same question, and what they answer.

    Attributes
    ----------
    group : ndarray of shape (n_screens,), int64
        The number of the question, or of the question and the participant.
    answer : ndarray of shape (n_screens,), int64
        The number of the group and its answer.
    again : ndarray of shape (n_screens,), bool
        Whether an earlier screen of the group gives the same answer.
    contradictory : ndarray of shape (n_screens,), bool
        Whether another screen of the group gives another answer.
    """

    group: np.ndarray
    answer: np.ndarray
    again: np.ndarray
    contradictory: np.ndarray


def repeated(answers, *, people="any") -> Repeated:
    """Find the answers that were given again, and those that contradict one another.

    Parameters
    ----------
    answers : Answers or array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
    people : {"any", "same"}, default="any"
        Whether the answers of all are compared, or those of each person alone.

    Returns
    -------
    Repeated
        A tuple of ``group``, ``answer``, ``again`` and ``contradictory``, by screen.

    Raises
    ------
    ValueError
        As `closerthan.comparisons.Answers`, for another word, and where participants are needed and
        unknown.

    Examples
    --------
    >>> repeated([[0, 1, 2], [0, 2, 1], [3, 1, 2], [3, 1, 2]])
    Repeated(group=array([0, 0, 1, 1]), answer=array([..., 2, 2]),
    again=array([False, False, False,  True]), contradictory=array([ True,  True, False, False]))
    """
    answers = as_answers(answers)
    check_word("people", people, ("any", "same"))
    group = answers.question
    if people == "same":
        if answers.participant is None:
            raise ValueError("people='same'; the participants of these answers are unknown")
        group = number_rows(group, answers.participant)
    answer = number_rows(group, answers.response)
    first = np.unique(answer, return_index=True)[1]
    again = np.ones(len(group), dtype=bool)
    again[first] = False
    n_answers = np.bincount(group[first])
    return Repeated(group, answer, again, n_answers[group] > 1)
