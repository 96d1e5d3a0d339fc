"""Repeated answers and contradictory answers to the same question."""

from typing import NamedTuple

import numpy as np

from closerthan._core.validation import check_word
from closerthan.comparisons.answers import as_answers, number_people, number_rows


class Repeated(NamedTuple):
    """Groups of screens with the same question, and their answers.

    Attributes
    ----------
    group : ndarray of shape (n_screens,), int64
        Number of the question, or of the pair of question and participant.
    answer : ndarray of shape (n_screens,), int64
        Number of the pair of group and answer.
    again : ndarray of shape (n_screens,), bool
        Whether an earlier screen of the group has the same answer.
    contradictory : ndarray of shape (n_screens,), bool
        Whether another screen of the group has a different answer.
    """

    group: np.ndarray
    answer: np.ndarray
    again: np.ndarray
    contradictory: np.ndarray


def repeated(answers, *, people="any") -> Repeated:
    """Find repeated and contradictory answers to a question, of "any" or the "same" people."""
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
