"""How often questions are repeated in answers of people, and how often two answers agree."""

import numpy as np

from closerthan.comparisons import to_query_response


def agreement(questions, answers):
    """Return how many questions there are, how many were asked more than once, how many of these
    got different answers, and how often two answers to a question agree, all such pairs pooled.

    The questions are rows, the answers numbers.
    """
    questions = np.asarray(questions)
    asked = np.unique(questions.reshape(len(questions), -1), axis=0, return_inverse=True)[1].ravel()
    n_asked = np.bincount(asked)
    given, n_given = np.unique(np.column_stack([asked, answers]), axis=0, return_counts=True)
    n_different = np.bincount(given[:, 0])
    agreeing = (n_given * (n_given - 1)).sum() / (n_asked * (n_asked - 1)).sum()
    return len(n_asked), int((n_asked > 1).sum()), int((n_different > 1).sum()), float(agreeing)


def agreement_of_comparisons(comparisons):
    """The same of triplets or quadruplets, each an answer of its own."""
    return agreement(*to_query_response(np.asarray(comparisons)))
