"""How well items are found: average precision, Precision@K and Recall@K.

**Ties in a ranking** follow one rule everywhere: tied items share the ranks that they occupy. If
`f` of `m` tied items are relevant, each of their `m` ranks counts `f / m` hits, which is its
expected value when the ties are broken at random. Precision@K and Recall@K are therefore the means
over all orders of the tied items. Average precision sums, over the groups of tied items, the hits
that a group gains times the precision at its end: with all ranks counted this is
`sklearn.metrics.average_precision_score`. A cut after K ranks ends the group that it falls into.

**Queries without a relevant item** have neither a recall nor an average precision. They are left
out of every mean, and one warning says how many they were.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from closerthan.scores.ranking import Rankings, rows_between, rows_of


def average_precision(
    scores: ArrayLike,
    relevant: ArrayLike,
    k: int | Sequence[int] | None = None,
    n_relevant: int | None = None,
) -> float | np.ndarray:
    """Average precision of one query's ranking.

    The precision at the rank of each hit, summed and divided by the number of relevant items
    (Manning et al., 2008, section 8.4). `closerthan.scores.retrieval` says what ties do.

    Parameters
    ----------
    scores : array-like of shape (n_items,)
        The higher, the earlier in the ranking; give `-distances` to rank by distance.
    relevant : array-like of bool, shape (n_items,)
        Which items are hits.
    k : int or sequence of int, optional
        Only the first k ranks count. By default all do.
    n_relevant : int, optional
        What the sum is divided by. By default the number of relevant items, those beyond rank k
        included.

    Returns
    -------
    float, or ndarray if k is a sequence
        Between 0 and 1.

    Raises
    ------
    ValueError
        If a score is not finite, the shapes differ, no item is relevant, k is not in 1..n_items,
        or `n_relevant` is smaller than the number of hits that k ranks can hold.

    Examples
    --------
    >>> average_precision([0.9, 0.8, 0.7, 0.6], [True, False, True, False])
    0.8333333333333333
    >>> average_precision([0.9, 0.8, 0.7, 0.6], [True, False, True, False], k=2)
    0.5
    """
    scores, relevant = np.asarray(scores, dtype=np.float64), np.asarray(relevant)
    if scores.ndim != 1 or scores.shape != relevant.shape:
        raise ValueError(
            f"scores and relevant have the shapes {scores.shape} and {relevant.shape}; both must "
            "be (n_items,)"
        )
    strange = ~np.isin(relevant, (0, 1))
    if strange.any():
        row = strange.argmax()
        raise ValueError(f"relevant, row {row}: {relevant[row]} is neither True nor False")
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
    """Mean of the queries' `average_precision`.

    An item is relevant for a query if it has the query's label.

    Parameters
    ----------
    scores : array-like of shape (n_queries, n_items)
        Similarities or, with `greater_is_better=False`, distances.
    query_labels, item_labels : array-like of shape (n_queries,) and (n_items,)
        Their classes, numbers or names.
    k, n_relevant : optional
        As for `average_precision`.
    greater_is_better : bool, default=True
        Whether the highest score comes first (similarities) or the lowest (distances).
    exclude_self : bool, default=False
        Take each query out of its own ranking; the queries are the items.

    Returns
    -------
    float, or ndarray if k is a sequence
        Between 0 and 1.

    Raises
    ------
    ValueError
        If a score is not finite, shapes do not match, k is not in 1..(number of ranked items),
        `n_relevant` is smaller than the number of hits that k ranks can hold, or no query has a
        relevant item.

    Examples
    --------
    >>> distances = [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]
    >>> mean_average_precision(distances, list("aba"), list("aba"), greater_is_better=False)
    0.8888888888888888
    """
    ranked = Rankings(*rows_of(scores), query_labels, item_labels, greater_is_better, exclude_self)
    return ranked.mean_scores(ap_k=k, n_relevant=n_relevant)[0]


def precision_at_k(
    scores: ArrayLike,
    query_labels: ArrayLike,
    item_labels: ArrayLike,
    k: int | Sequence[int],
    *,
    greater_is_better: bool = True,
    exclude_self: bool = False,
) -> np.ndarray | float:
    """Mean share of relevant items among the first k.

    Parameters, errors and result are those of `mean_average_precision`; k has to be given.

    Examples
    --------
    >>> precision_at_k([[0.9, 0.5, 0.1]], ["a"], ["a", "b", "a"], k=[1, 2])
    array([1. , 0.5])
    """
    ranked = Rankings(*rows_of(scores), query_labels, item_labels, greater_is_better, exclude_self)
    return ranked.mean_scores(k=k)[1]


def recall_at_k(
    scores: ArrayLike,
    query_labels: ArrayLike,
    item_labels: ArrayLike,
    k: int | Sequence[int],
    *,
    greater_is_better: bool = True,
    exclude_self: bool = False,
) -> np.ndarray | float:
    """Mean share of a query's relevant items that are among the first k.

    Parameters, errors and result are those of `mean_average_precision`; k has to be given.

    Examples
    --------
    >>> recall_at_k([[0.9, 0.5, 0.1]], ["a"], ["a", "b", "a"], k=[1, 3])
    array([0.5, 1. ])
    """
    ranked = Rankings(*rows_of(scores), query_labels, item_labels, greater_is_better, exclude_self)
    return ranked.mean_scores(k=k)[2]


def retrieval_scores(
    queries: ArrayLike,
    items: ArrayLike,
    query_labels: ArrayLike,
    item_labels: ArrayLike,
    *,
    k: int | Sequence[int] = (1, 5, 10),
    metric: str | Callable = "euclidean",
    exclude_self: bool = False,
    ap_k: int | None = None,
    n_relevant: ArrayLike | None = None,
    block_size: int | None = None,
) -> pd.DataFrame:
    """Rank the items by their distance to each query, and score the rankings.

    Every ranking is sorted once for all scores. Only a block of queries is held against the items
    at a time, and the result does not depend on its size.

    Parameters
    ----------
    queries, items : array-like of shape (n_queries, p) and (n_items, p)
        Points to search with, and points to search.
    query_labels, item_labels : array-like of shape (n_queries,) and (n_items,)
        Their classes. The items of its class are a query's relevant ones.
    k : int or sequence of int, default=(1, 5, 10)
        Ranks at which precision and recall are taken.
    metric : {"euclidean", "cityblock", "chebyshev", "cosine", "correlation"} or callable
        A callable takes a block of queries and all items and returns their distances, shape
        (n_block, n_items). A learned similarity is negated: `lambda q, x: -(q @ M @ x.T)`.
    exclude_self : bool, default=False
        Take each query out of its own ranking; the queries are the items.
    ap_k, n_relevant : optional
        The `k` and `n_relevant` of `mean_average_precision`.
    block_size : int, optional
        Queries in a block. By default as many as make about a million distances.

    Returns
    -------
    DataFrame with the columns measure, k and value
        "MAP" (k is then `ap_k`, or the number of ranked items), "precision" and "recall".

    Raises
    ------
    ValueError
        As `mean_average_precision`; also if a coordinate is not finite or the metric is unknown.

    Examples
    --------
    >>> retrieval_scores([[0.0], [9.0]], [[1.0], [4.0], [8.0]], [0, 1], [0, 1, 1], k=[1, 2])
         measure  k  value
    0        MAP  3   1.00
    1  precision  1   1.00
    2  precision  2   0.75
    3     recall  1   0.75
    4     recall  2   1.00
    """
    distances = rows_between(queries, items, metric)
    ranked = Rankings(*distances, query_labels, item_labels, exclude_self=exclude_self)
    means = ranked.mean_scores(k=k, ap_k=ap_k, n_relevant=n_relevant, block_size=block_size)
    ap_k = np.shape(items)[0] - exclude_self if ap_k is None else ap_k
    rows = zip(("MAP", "precision", "recall"), (ap_k, k, k), means, strict=True)
    tables = [
        pd.DataFrame({"measure": name, "k": np.atleast_1d(r), "value": v}) for name, r, v in rows
    ]
    return pd.concat(tables, ignore_index=True)
