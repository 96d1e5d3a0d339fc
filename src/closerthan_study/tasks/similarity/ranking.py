"""How well a learned similarity ranks: mean average precision, also among a million others."""

import numpy as np

from closerthan.bilinear.model import BilinearModel
from closerthan.scores.retrieval import retrieval_scores


def is_bilinear(method):
    """Whether a method learns x'My; else a metric, by x -> Lx, or nothing."""
    return method.learner is not None and issubclass(method.learner, BilinearModel)


def places(bilinear, matrix, queries, items):
    """Map queries and items to where inner products (x'My) or distances (of Lx, Ly) rank them."""
    if bilinear:
        return queries @ matrix.astype(queries.dtype), items
    if matrix is None:
        return queries, items
    matrix = matrix.T.astype(queries.dtype)
    return queries @ matrix, items @ matrix


def mean_average_precision(bilinear, matrix, queries, items):
    """Mean average precision of queries that search items; NaN if the matrix is not finite."""
    if matrix is not None and not np.isfinite(matrix).all():
        return np.nan
    found = retrieval_scores(
        *places(bilinear, matrix, queries.features, items.features),
        queries.labels,
        items.labels,
        k=(),
        metric=_negated_product if bilinear else "euclidean",
    )
    return found.value.iloc[0]


def _negated_product(queries, items):
    return -(queries @ items.T)


def mean_average_precision_among(bilinear, matrix, queries, items, background):
    """Do the same where a background is searched too, which is read in chunks and never relevant.

    For every relevant item it counts, chunk by chunk, what is ranked before it. An item tied with
    one that is not relevant comes first; features drawn at random have no ties.
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
    """Average precision from the numbers of items before each hit, the last hit first."""
    return np.mean(np.arange(len(before), 0, -1) / (before + 1))


def _similarities(bilinear, matrix, queries, items):
    """Numbers by which items are ranked, the highest first: inner products, or less distances.

    Those of distances are halved and squared, and each query's own length is left out.
    """
    queries, items = places(bilinear, matrix, queries, items)
    similarities = queries @ items.T
    if not bilinear:
        similarities -= 0.5 * (items**2).sum(axis=1)
    return similarities
