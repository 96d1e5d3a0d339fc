"""Rank by a learned similarity: places, average precision of rankings, also at large scale."""

import numpy as np

from closerthan.scores.retrieval import retrieval_scores
from closerthan.similarity.bilinear import BilinearModel


def is_bilinear(method):
    """Return whether a method learns x'My, rather than a metric (x -> Lx) or nothing."""
    return method.learner is not None and issubclass(method.learner, BilinearModel)


def _places(bilinear, matrix, queries, items):
    """Map queries and items so that inner products (x'My) or distances (Lx, Ly) rank items."""
    if bilinear:
        return queries @ matrix.astype(queries.dtype), items
    if matrix is None:
        return queries, items
    matrix = matrix.T.astype(queries.dtype)
    return queries @ matrix, items @ matrix


def average_precision_by(bilinear, matrix, queries, items):
    """Return the mean average precision of queries, or NaN if the matrix is not finite."""
    if matrix is not None and not np.isfinite(matrix).all():
        return np.nan
    found = retrieval_scores(
        *_places(bilinear, matrix, queries.features, items.features),
        queries.labels,
        items.labels,
        k=(),
        metric=(lambda left, right: -(left @ right.T)) if bilinear else "euclidean",
    )
    return found.value.iloc[0]


def average_precision_among(bilinear, matrix, queries, items, background):
    """Return the mean average precision of queries among items and unlabeled objects.

    The unlabeled objects (`background`) come in chunks and are never relevant. A relevant item
    ranks before objects with the same similarity; random features have no such ties.
    """
    if matrix is not None and not np.isfinite(matrix).all():
        return np.nan
    similarities = _similarities(bilinear, matrix, queries.features, items.features)
    relevant = queries.labels[:, None] == items.labels
    found = [np.sort(row[of_class]) for row, of_class in zip(similarities, relevant, strict=True)]
    before = [np.zeros(len(row), dtype=np.int64) for row in found]

    def count(similarities):
        for row, hits, n in zip(similarities, found, before, strict=True):
            n += len(row) - np.searchsorted(np.sort(row), hits, side="right")

    count(similarities)
    for chunk in background:
        count(_similarities(bilinear, matrix, queries.features, chunk))
    return np.mean([_average_precision(n) for n in before if len(n)])


def _average_precision(before):
    """Return the average precision from the number of items before each hit, last hit first."""
    return np.mean(np.arange(len(before), 0, -1) / (before + 1))


def _similarities(bilinear, matrix, queries, items):
    """Return scores that rank items, highest first: inner products or negated distances."""
    queries, items = _places(bilinear, matrix, queries, items)
    similarities = queries @ items.T
    if not bilinear:
        similarities -= 0.5 * (items**2).sum(axis=1)
    return similarities
