"""How alike a fitted model finds the pairs among three objects."""

import numpy as np

from closerthan.comparison_model import ComparisonModel
from closerthan.similarity.bilinear import BilinearModel
from closerthan_lab.spose.spose import SPoSE

PAIRS = ((1, 2), (0, 2), (0, 1))  # the pair that is left if an object is the odd one


def similarities(model, features, triples):
    """Return how alike each pair of three objects is, shape (n, 3), and if it is a log-odds.

    Column c is of the pair without object c. The softmax of log-odds are probabilities.
    """
    if isinstance(model, SPoSE):
        return np.log(model.predict_proba(triples)), True
    if isinstance(model, ComparisonModel):
        return log_odds(model, triples), True
    if isinstance(model, BilinearModel):
        matrix = model.similarity_
        return of_pairs(features @ (matrix + matrix.T), features, triples), False
    points = model.transform(features)
    return -_squared_distances(points, triples), False


def log_odds(model, triples):
    """Return log-odds of a model of distances, each beside the last pair's.

    The losses with probabilities have odds of Luce's form, so these agree for all three pairs.
    """
    last = triples[:, PAIRS[2]]
    columns = []
    for pair in PAIRS[:2]:
        nearer = model.predict_proba(np.hstack([triples[:, pair], last]))
        columns.append(np.log(nearer[:, 1]) - np.log(nearer[:, 0]))
    return np.column_stack([*columns, np.zeros(len(triples))])


def _squared_distances(points, triples):
    """Return the squared distances of the three pairs."""
    return np.column_stack(
        [((points[triples[:, a]] - points[triples[:, b]]) ** 2).sum(axis=1) for a, b in PAIRS]
    )


def of_pairs(one, other, triples):
    """Return the inner products of the rows of two arrays, for the three pairs."""
    return np.column_stack(
        [np.einsum("ij,ij->i", one[triples[:, a]], other[triples[:, b]]) for a, b in PAIRS]
    )


def accuracy(alike):
    """Return the share of answers whose odd one, the last, is predicted; ties are errors."""
    return float((alike[:, 2] > alike[:, :2].max(axis=1)).mean())


def log_loss_of_odds(log_odds):
    """Return the mean negative log-probability of the odd one, the last."""
    return float((np.logaddexp.reduce(log_odds, axis=1) - log_odds[:, 2]).mean())


def of_directions(features):
    """Return centered features whose rows have length one, so that products are cosines."""
    centered = features - features.mean(axis=0)
    lengths = np.linalg.norm(centered, axis=1, keepdims=True)
    return centered / np.where(lengths > 0, lengths, 1.0)
