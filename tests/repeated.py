"""Count repeated questions in people's answers, and how often two answers agree."""

import numpy as np

from closerthan.comparisons import to_query_response


def agreement(questions, answers):
    """Count the questions, the repeated ones and the contradicted ones; measure agreement.

    Returns the number of questions, how many were asked more than once, and how many of these got
    different answers. The last value is the share of equal answers over all pairs of answers to a
    question. Questions are rows, and answers are numbers.
    """
    questions = np.asarray(questions)
    asked = np.unique(questions.reshape(len(questions), -1), axis=0, return_inverse=True)[1].ravel()
    n_asked = np.bincount(asked)
    given, n_given = np.unique(np.column_stack([asked, answers]), axis=0, return_counts=True)
    n_different = np.bincount(given[:, 0])
    agreeing = (n_given * (n_given - 1)).sum() / (n_asked * (n_asked - 1)).sum()
    return len(n_asked), int((n_asked > 1).sum()), int((n_different > 1).sum()), float(agreeing)


def agreement_of_comparisons(comparisons):
    """Return the same for triplets or quadruplets, with each row as an answer."""
    return agreement(*to_query_response(np.asarray(comparisons)))
