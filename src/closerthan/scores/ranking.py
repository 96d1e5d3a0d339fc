"""Rank the items for each query, a block at a time: the routine behind all retrieval scores."""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from closerthan._core.compiled import compiled
from closerthan._core.validation import (
    as_floats,
    as_names,
    as_numbers,
    check_count,
    check_finite,
    check_length,
    check_points,
)
from closerthan._core.warn import warn

# Only metrics that do not depend on the other points of a block.
METRICS = ("euclidean", "cityblock", "chebyshev", "cosine", "correlation")

# Entries held at once: 8 MB, and about 40 MB with their ranking.
BLOCK_ENTRIES = 2**20


def mean_scores(ranked, *, k=(), ap_k=(), n_relevant=None):
    """Return mean average precision at `ap_k`, precision at `k` and recall at `k`.

    `values(rows)` returns the scores or distances between a slice of the queries and all items.
    `shape` is (n_queries, n_items). As `k` or `ap_k`, () asks for none, None for the last rank.
    """
    values, shape, query_labels, item_labels, greater_is_better, exclude_self = ranked
    n_queries, n_items = shape
    query_labels = _labels(query_labels, n_queries, "query_labels")
    item_labels = _labels(item_labels, n_items, "item_labels")
    if exclude_self and not np.array_equal(query_labels, item_labels):
        raise ValueError(
            "exclude_self=True needs the same query_labels and item_labels, because the queries "
            "are the items"
        )
    n_ranks = n_items - bool(exclude_self)
    ks, ap_ks = _check_k(k, n_ranks), _check_k(ap_k, n_ranks)
    check_count("n_relevant", n_relevant, optional=True)
    size = max(1, BLOCK_ENTRIES // n_items)
    by_query = []
    for start in range(0, n_queries, size):
        rows = slice(start, min(start + size, n_queries))
        block, relevant = values(rows), query_labels[rows, None] == item_labels
        if block.shape != relevant.shape:
            raise ValueError(
                f"metric: it returned the shape {block.shape} for {len(relevant)} queries and "
                f"{n_items} items; it must be {relevant.shape}"
            )
        itself = np.arange(n_items) == np.arange(n_queries)[rows, None]
        check_finite(np.where(exclude_self & itself, 0.0, block), "scores", start)
        if exclude_self:
            block, relevant = (x[~itself].reshape(len(x), -1) for x in (block, relevant))
        order = np.argsort(-block if greater_is_better else block, axis=1)
        by_query.append(_scores_by_query(block, relevant, order, ks, ap_ks, n_relevant))
    averages, precisions, recalls = map(np.concatenate, zip(*by_query, strict=True))
    _check_answered(len(averages), n_queries)
    return (
        _like_k(averages.mean(0), ap_k),
        _like_k(precisions.mean(0), k),
        _like_k(recalls.mean(0), k),
    )


def _scores_by_query(values, relevant, order, ks, ap_ks, n_relevant):
    """Return the three scores of each query that has a relevant item, one row per query."""
    n_hits = relevant.sum(axis=1, keepdims=True)
    answered = n_hits[:, 0] > 0
    n_hits = n_hits[answered]
    if n_relevant is not None:
        most = np.minimum(n_hits, ap_ks).max(initial=0)
        if most > n_relevant:
            raise ValueError(
                f"n_relevant={n_relevant}, but {most} hits are possible; it must be {most} or more"
            )
    hits, precision_sums = _walk_ranks(values[answered], relevant[answered], order[answered])
    hits_at_k = hits.take(ks - 1, axis=1)
    average = precision_sums.take(ap_ks - 1, axis=1) / (n_relevant or n_hits)
    return average, hits_at_k / ks, hits_at_k / n_hits


@compiled
def _walk_ranks(values, relevant, order):
    """Return expected hits and the sum of average precision up to each rank of each ranking."""
    n_queries, n_items = values.shape
    hits = np.empty((n_queries, n_items))
    precision_sums = np.empty((n_queries, n_items))
    for q in range(n_queries):
        hits_before = sum_before = 0.0
        start = 0
        while start < n_items:
            tied = values[q, order[q, start]]
            found = 0
            stop = start
            while stop < n_items and values[q, order[q, stop]] == tied:
                found += relevant[q, order[q, stop]]
                stop += 1
            for r in range(start, stop):
                gain = found * (r + 1 - start) / (stop - start)
                hits[q, r] = hits_before + gain
                precision_sums[q, r] = sum_before + gain * hits[q, r] / (r + 1)
            hits_before, sum_before = hits[q, stop - 1], precision_sums[q, stop - 1]
            start = stop
    return hits, precision_sums


def row_reader(scores) -> tuple[Callable, tuple[int, int]]:
    """Return a function that returns rows of a matrix of scores, and the shape of the matrix."""
    scores = as_numbers(scores, "scores")
    if scores.ndim != 2 or scores.size == 0:
        raise ValueError(f"scores: the shape is {scores.shape}; it must be (n_queries, n_items)")
    return lambda rows: scores[rows].astype(np.float64), scores.shape


def rows_between(queries, items, metric) -> tuple[Callable, tuple[int, int]]:
    """Return a function for the distances of some queries to all items, and the full shape."""
    queries, items = check_points(queries, "queries"), check_points(items, "items")
    if not callable(metric):
        if metric not in METRICS:
            raise ValueError(f"metric={metric!r}; it must be a callable or one of {METRICS}")
        if queries.shape[1] != items.shape[1]:
            raise ValueError(
                f"queries have {queries.shape[1]} coordinates and items {items.shape[1]}; the "
                "numbers must be the same"
            )
        metric = partial(cdist, metric=metric)

    def distances(rows):
        return as_floats(metric(queries[rows], items), "metric")

    return distances, (len(queries), len(items))


def _check_k(k, n_ranks):
    """Return the ranks k as a flat array; None stands for the last rank."""
    ks = np.atleast_1d(n_ranks if k is None else k)
    whole = ks.size == 0 or ks.dtype.kind in "iu"
    if ks.ndim > 1 or not whole or (ks < 1).any() or (ks > n_ranks).any():
        raise ValueError(
            f"k={k}; it must be a whole number from 1 to {n_ranks}, the number of ranked items, or "
            "a list of such numbers"
        )
    return ks.astype(np.int64)


def _like_k(values, k):
    """Return a number for a single k, and an array for a sequence."""
    return values if np.ndim(k) else float(values[0])


def _labels(labels, n, name):
    return check_length(as_names(labels, name, "every point needs a label"), n, name, "point")


def _check_answered(n_answered, n_queries):
    if n_answered == 0:
        raise ValueError(
            "no query has a relevant item, so there is no score; at least one query needs one"
        )
    if n_answered < n_queries:
        warn(
            f"{n_queries - n_answered} of {n_queries} queries have no relevant item and are left "
            "out of the means",
        )
