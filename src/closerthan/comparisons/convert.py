"""Convert comparisons to quadruplets, and from and to the forms of cblearn and metric-learn.

The columns are the same in cblearn (https://cblearn.readthedocs.io) and metric-learn
(https://contrib.scikit-learn.org/metric-learn). In cblearn's "list-order", the row holds the
answer. In "list-boolean" and "list-count", the row is a question and a second array holds the
answer: True or +1 for the order of the row, False or -1 for the opposite order, 2 or -3 for so many
answers. "tensor-count" is a sparse array with such a count at the indices of each question.
"""

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import are_whole, as_numbers, check_length, refuse_entries
from closerthan.comparisons.check import check_comparisons, exchange_where

_MOST = 2**31  # answers to one question
_NO_ANSWER = (
    "is not an answer; allowed are True and False, 1 and -1, or counts: positive for yes, "
    "negative for no. For 0 and 1 give responses.astype(bool)"
)


def to_quadruplets(comparisons: ArrayLike) -> np.ndarray:
    """Write triplets as quadruplets, (i, j, k) as (i, j, i, k), int64; leave quadruplets as is.

    Examples
    --------
    >>> to_quadruplets([[0, 1, 2]])
    array([[0, 1, 0, 2]])
    """
    comparisons = check_comparisons(comparisons)
    if comparisons.shape[1] == 4:
        return comparisons
    return np.ascontiguousarray(comparisons[:, [0, 1, 0, 2]])


def from_query_response(queries: ArrayLike, responses: ArrayLike) -> np.ndarray:
    """Convert questions and answers, cblearn's "list-boolean" or "list-count", to comparisons.

    Raise a ValueError as :func:`check_comparisons` does, and if responses have another length or
    hold anything else, including 0 (undecided).

    Parameters
    ----------
    queries : array_like of shape (n_queries, 3) or (n_queries, 4)
        (i, j, k) asks "is i closer to j than to k?", (i, j, l, k) asks "is d(i, j) < d(l, k)?".
    responses : array_like of shape (n_queries,)
        True or 1 for yes, False or -1 for no; a count such as 2 for two yes, -2 for two no.

    Returns
    -------
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4), int64
        Row r answers query r if no response is a count. A count repeats the row.

    Examples
    --------
    >>> from_query_response([[0, 1, 2], [2, 1, 3]], [1, -1])
    array([[0, 1, 2],
           [2, 3, 1]])

    For a "tensor-count", the indices are the questions: ``np.stack(tensor.coords, axis=1)`` and
    ``tensor.data``.
    """
    queries = check_comparisons(queries, source="queries")
    counts = as_counts(responses, len(queries))
    return np.repeat(exchange_where(queries, counts < 0), np.abs(counts), axis=0)


def to_query_response(comparisons: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Split comparisons into questions in a standard order and the answers to them.

    The standard order is cblearn's. In a triplet, j < k. In a quadruplet, each pair has its
    smaller id first, and the pairs stand in lexicographic order. Rows that answer the same question
    then have the same query.

    Returns
    -------
    queries : ndarray of the shape of the comparisons, int64
    responses : ndarray of shape (n_comparisons,), int64
        1 if the comparison answers yes, -1 if it answers no ("list-count").

    Examples
    --------
    >>> queries, responses = to_query_response([[0, 1, 2], [2, 3, 1]])
    >>> queries
    array([[0, 1, 2],
           [2, 1, 3]])
    >>> responses
    array([ 1, -1])
    """
    comparisons = check_comparisons(comparisons)
    if comparisons.shape[1] == 3:
        standard = comparisons[:, 1] < comparisons[:, 2]
    else:
        comparisons = np.sort(comparisons.reshape(-1, 2, 2), axis=2).reshape(-1, 4)
        i, j, l, k = comparisons.T
        standard = (i < l) | ((i == l) & (j < k))
    return exchange_where(comparisons, ~standard), np.where(standard, 1, -1)


def as_counts(responses, n_queries):
    """Return responses as counts: positive for yes, negative for no."""
    responses = check_length(responses, n_queries, "responses", "row")
    if all(isinstance(response, bool | np.bool_) for response in responses.flat):
        return np.where(responses.astype(bool), 1, -1)
    responses = as_numbers(responses, "responses", _NO_ANSWER)
    allowed = are_whole(responses) & (responses != 0) & (np.abs(responses.astype(float)) < _MOST)
    refuse_entries(~allowed, responses, "responses", _NO_ANSWER)
    return responses.astype(np.int64)
