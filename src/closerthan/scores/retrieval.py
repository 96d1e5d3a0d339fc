"""Retrieval scores: average precision, Precision@K and Recall@K.

**A query among the items is its own first hit**, as in the papers' printed scores. Give
``exclude_self=True`` to leave it out of its ranking. Each ranking then has one item fewer, so k is
at most the number of items minus one.

**Ties in a ranking**: tied items share their ranks. If `f` of `m` tied items are relevant, each of
their `m` ranks counts `f / m` hits, the expected number if ties are broken at random. Average
precision sums the hits of each group of tied items times the precision at its end, as
`sklearn.metrics.average_precision_score` does. A cut after K ranks ends the group at this rank.

**Queries without a relevant item** are left out of every mean, with a warning that says how many.
If no query has a relevant item, a ValueError is raised.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from closerthan._core.validation import as_floats, as_numbers, refuse_entries
from closerthan.scores.ranking import mean_scores, row_reader, rows_between


def average_precision(
    scores: ArrayLike,
    relevant: ArrayLike,
    k: int | Sequence[int] | None = None,
    n_relevant: int | None = None,
) -> float | np.ndarray:
    """Compute the average precision of the ranking of one query, from 0 to 1.

    This is the sum of the precisions at the ranks of the hits, divided by the number of relevant
    items (Manning et al., 2008, section 8.4). For ties see `closerthan.scores.retrieval`.

    Raise a ValueError if a score is not finite, the shapes differ, no item is relevant, k is not in
    1..n_items, or `n_relevant` is below the number of hits that k ranks can hold.

    Parameters
    ----------
    scores : array_like of shape (n_items,)
        Scores; the highest is first in the ranking. Give `-distances` to rank by distance.
    relevant : array_like of bool, shape (n_items,)
        Whether each item is relevant.
    k : int or sequence of int, optional
        Number of ranks that count, by default all. A sequence gives an array.
    n_relevant : int, optional
        The divisor of the sum. By default it is the number of relevant items, including those
        beyond rank k.

    Examples
    --------
    >>> average_precision([0.9, 0.8, 0.7, 0.6], [True, False, True, False])
    0.8333333333333333
    >>> average_precision([0.9, 0.8, 0.7, 0.6], [True, False, True, False], k=2)
    0.5
    """
    scores, relevant = as_floats(scores, "scores"), as_numbers(relevant, "relevant")
    if scores.ndim != 1 or scores.shape != relevant.shape:
        raise ValueError(
            f"scores and relevant have shapes {scores.shape} and {relevant.shape}; both must be "
            "(n_items,)"
        )
    refuse_entries(~np.isin(relevant, (0, 1)), relevant, "relevant", "it must be True or False")
    return mean_average_precision(scores[None], [True], relevant, k=k, n_relevant=n_relevant)


def mean_average_precision(
    scores: ArrayLike,
    query_labels: ArrayLike,
    item_labels: ArrayLike,
    *,
    k: int | Sequence[int] | None = None,
    n_relevant: int | None = None,
    greater_is_better: bool = True,
    exclude_self: bool = False,
) -> float | np.ndarray:
    """Compute the mean `average_precision` over queries.

    The result and the errors are those of `average_precision`. A query without a relevant item is
    left out, with a warning. A query among the items is its own first hit, unless `exclude_self` is
    True. Raise a ValueError if `exclude_self` is True and the two arrays of labels differ.

    Parameters
    ----------
    scores : array_like of shape (n_queries, n_items)
        Similarities or, with `greater_is_better=False`, distances.
    query_labels, item_labels : array_like of shape (n_queries,) and (n_items,)
        Class labels. An item is relevant for a query if both have the same label.
    k, n_relevant : optional
        As for `average_precision`.
    greater_is_better : bool, default True
        Whether the highest score comes first (similarities) or the lowest (distances).
    exclude_self : bool, default False
        Whether to leave each query out of its ranking, and out of its relevant items. Query i is
        then item i, so the scores are square and the labels the same.

    Examples
    --------
    >>> places, labels = np.array([0.0, 1.0, 3.0, 7.0]), list("abab")
    >>> similarities = -abs(places[:, None] - places)
    >>> mean_average_precision(similarities, labels, labels)
    0.8125
    >>> round(mean_average_precision(similarities, labels, labels, exclude_self=True), 4)
    0.4583
    """
    ranked = *row_reader(scores), query_labels, item_labels, greater_is_better, exclude_self
    return mean_scores(ranked, ap_k=k, n_relevant=n_relevant)[0]


def precision_at_k(
    scores: ArrayLike,
    query_labels: ArrayLike,
    item_labels: ArrayLike,
    k: int | Sequence[int],
    *,
    greater_is_better: bool = True,
    exclude_self: bool = False,
) -> np.ndarray | float:
    """Compute the mean share of relevant items among the first k.

    A query among the items is its own first hit, unless `exclude_self` is True. Parameters, errors
    and result as for `mean_average_precision`; k is required.

    Examples
    --------
    >>> places, labels = np.array([0.0, 1.0, 3.0, 7.0]), list("abab")
    >>> similarities = -abs(places[:, None] - places)
    >>> precision_at_k(similarities, labels, labels, k=[1, 2])
    array([1. , 0.5])
    >>> precision_at_k(similarities, labels, labels, k=[1, 2], exclude_self=True)
    array([0.   , 0.375])
    """
    ranked = *row_reader(scores), query_labels, item_labels, greater_is_better, exclude_self
    return mean_scores(ranked, k=k)[1]


def recall_at_k(
    scores: ArrayLike,
    query_labels: ArrayLike,
    item_labels: ArrayLike,
    k: int | Sequence[int],
    *,
    greater_is_better: bool = True,
    exclude_self: bool = False,
) -> np.ndarray | float:
    """Compute the mean share of a query's relevant items that are among the first k.

    A query among the items is its own first hit, unless `exclude_self` is True. Parameters, errors
    and result as for `mean_average_precision`; k is required.

    Examples
    --------
    >>> places, labels = np.array([0.0, 1.0, 3.0, 7.0]), list("abab")
    >>> similarities = -abs(places[:, None] - places)
    >>> recall_at_k(similarities, labels, labels, k=[1, 2])
    array([0.5, 0.5])
    >>> recall_at_k(similarities, labels, labels, k=[1, 2], exclude_self=True)
    array([0.  , 0.75])
    """
    ranked = *row_reader(scores), query_labels, item_labels, greater_is_better, exclude_self
    return mean_scores(ranked, k=k)[2]


def retrieval_scores(
    queries: ArrayLike,
    items: ArrayLike | None = None,
    query_labels: ArrayLike | None = None,
    item_labels: ArrayLike | None = None,
    *,
    k: int | Sequence[int] = (1, 5, 10),
    metric: str | Callable = "euclidean",
    exclude_self: bool = False,
    ap_k: int | None = None,
    n_relevant: int | None = None,
) -> pd.DataFrame:
    """Rank the items by their distance to each query, and score the rankings.

    A query among the items is its own first hit, unless `exclude_self` is True. Distances are
    computed for one block of queries at a time, about a million distances.

    Parameters
    ----------
    queries : array_like of shape (n_queries, p)
        Points of the queries.
    items : array_like of shape (n_items, p), optional
        Points to rank. Without them, the queries are the items.
    query_labels, item_labels : array_like of shape (n_queries,) and (n_items,), optional
        Class labels. An item is relevant for a query if both have the same label. Give the first
        always, and the second with `items`.
    k : int or sequence of int, default (1, 5, 10)
        Ranks for precision and recall, each at most the number of ranked items.
    metric : {"euclidean", "cityblock", "chebyshev", "cosine", "correlation"} or callable, default \
"euclidean"
        A callable returns the distances of a block of queries to all items, (n_block, n_items).
        Negate a learned similarity: `lambda q, x: -(q @ M @ x.T)`.
    exclude_self : bool, default False
        Whether to leave each query out of its ranking, and out of its relevant items. Leave out
        `items` then, because the queries are the items.
    ap_k, n_relevant : optional
        The `k` and `n_relevant` of `mean_average_precision`.

    Returns
    -------
    DataFrame with the columns measure, k and value
        "MAP" (k is then `ap_k`, or the number of ranked items), "precision" and "recall".

    Examples
    --------
    >>> retrieval_scores([[0.0], [9.0]], [[1.0], [4.0], [8.0]], [0, 1], [0, 1, 1], k=[1, 2])
         measure  k  value
    0        MAP  3   1.00
    1  precision  1   1.00
    2  precision  2   0.75
    3     recall  1   0.75
    4     recall  2   1.00

    If the queries are the items, the precision at rank 1 is 1 because each finds itself:

    >>> places, labels = [[0.0], [1.0], [3.0], [7.0]], list("abab")
    >>> retrieval_scores(places, query_labels=labels, k=1).value.tolist()
    [0.8125, 1.0, 0.5]
    >>> table = retrieval_scores(places, query_labels=labels, k=1, exclude_self=True)
    >>> table.value.round(4).tolist()
    [0.4583, 0.0, 0.0]
    """
    if (items is None) != (item_labels is None) or (exclude_self and items is not None):
        raise ValueError(
            "items, item_labels: give both, or leave both out if the queries are the items; "
            "exclude_self=True needs them left out"
        )
    if items is None:
        items, item_labels = queries, query_labels
    distances, shape = rows_between(queries, items, metric)
    ranked = distances, shape, query_labels, item_labels, False, exclude_self
    means = mean_scores(ranked, k=k, ap_k=ap_k, n_relevant=n_relevant)
    ap_k = shape[1] - bool(exclude_self) if ap_k is None else ap_k
    rows = zip(("MAP", "precision", "recall"), (ap_k, k, k), means, strict=True)
    tables = [
        pd.DataFrame({"measure": name, "k": np.atleast_1d(r), "value": v}) for name, r, v in rows
    ]
    return pd.concat(tables, ignore_index=True)
