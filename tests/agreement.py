"""How often people agree."""

import numpy as np


def agreement(question, answer):
    """Return the share of equal ones among all pairs of answers to the same question.

    Parameters
    ----------
    question, answer : array-like of shape (n_answers,)
    """
    question = np.unique(question, return_inverse=True)[1]
    answer = np.unique(answer, return_inverse=True)[1]
    given = question * (answer.max() + 1) + answer
    return _count_pairs(given) / _count_pairs(question)


def _count_pairs(group):
    sizes = np.bincount(group)
    return (sizes * (sizes - 1) // 2).sum()
