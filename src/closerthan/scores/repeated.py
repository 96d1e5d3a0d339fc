"""Which answers were given again, and which contradict one another."""

from typing import NamedTuple

import numpy as np

from closerthan._core.validation import check_word
from closerthan.comparisons.answers import as_answers, number_people, number_rows


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

    With ``people="same"`` the answers of each person alone are compared, with "any" those of all.
    """
    answers = as_answers(answers)
    check_word("people", people, ("any", "same"))
    group = answers.question
    if people == "same":
        group = number_rows(group, number_people(answers, "people='same'"))
    answer = number_rows(group, answers.response)
    first = np.unique(answer, return_index=True)[1]
    again = np.ones(len(group), dtype=bool)
    again[first] = False
    n_answers = np.bincount(group[first])
    return Repeated(group, answer, again, n_answers[group] > 1)
