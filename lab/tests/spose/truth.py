"""Sparse dimensions, and odd ones out that follow from them."""

import numpy as np

N, P = 40, 5


def planted(seed=0):
    """Return sparse dimensions: each object has one or two of five."""
    rng = np.random.default_rng(seed)
    dimensions = np.zeros((N, P))
    for row in dimensions:
        row[rng.choice(P, rng.integers(1, 3), replace=False)] = rng.uniform(1.0, 2.5)
    return dimensions


def odd_ones_out(dimensions, n, seed):
    """Return questions, and odd ones drawn with the softmax of the other two's inner product."""
    rng = np.random.default_rng(seed)
    questions = rng.permuted(np.tile(np.arange(len(dimensions)), (n, 1)), axis=1)[:, :3]
    shares = softmax_of(dimensions, questions)
    place = (rng.random((n, 1)) > shares.cumsum(axis=1)[:, :2]).sum(axis=1)
    return questions, questions[np.arange(n), place]


def softmax_of(dimensions, questions):
    """Return the probability of each object to be the odd one, as the papers write it."""
    a, b, c = dimensions[questions].transpose(1, 0, 2)
    weights = np.exp([(b * c).sum(axis=1), (a * c).sum(axis=1), (a * b).sum(axis=1)])
    return (weights / weights.sum(axis=0)).T


TRUTH = planted()
QUESTIONS, ODD = odd_ones_out(TRUTH, 40_000, 1)
