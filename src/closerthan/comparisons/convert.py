"""Comparisons from and to other arrays: quadruplets, and those of cblearn and metric-learn.

cblearn (https://cblearn.readthedocs.io) has three forms for lists of comparisons. In "list-order"
the row holds the answer: (i, j, k) for d(i, j) <= d(i, k), (i, j, l, k) for d(i, j) <= d(l, k), the
columns of closerthan. In "list-boolean" and "list-count" the row is a question, and a second array
answers it: True or +1 for the order as it stands, False or -1 for the opposite one, and 2 or -3 for
so many answers. Its "tensor-count" is a sparse array with such a count at the indices of each
question.

metric-learn (https://contrib.scikit-learn.org/metric-learn) has the same columns, either of row
numbers or, in "tuples", with the features of the points in their place.
"""

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from closerthan.comparisons.check import check_comparisons, check_length, exchange

_MOST = 2**31  # answers to a question


def to_quadruplets(comparisons: ArrayLike) -> np.ndarray:
    """Write triplets as quadruplets: (i, j, k) is (i, j, i, k).

    Parameters
    ----------
    comparisons : array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
        Triplets, or quadruplets, which pass unchanged.

    Returns
    -------
    quadruplets : ndarray of shape (n_comparisons, 4), int64

    Raises
    ------
    ValueError
        As :func:`check_comparisons`.

    Examples
    --------
    >>> to_quadruplets([[0, 1, 2]])
    array([[0, 1, 0, 2]])
    """
    comparisons = check_comparisons(comparisons)
    if comparisons.shape[1] == 4:
        return comparisons
    return np.ascontiguousarray(comparisons[:, [0, 1, 0, 2]])


def from_list_order(list_order: ArrayLike) -> np.ndarray:
    """Take over comparisons in cblearn's "list-order" form.

    The columns mean the same there, so this checks them and makes the unsigned ids signed.

    Parameters
    ----------
    list_order : array-like of shape (n_comparisons, 3) or (n_comparisons, 4)

    Returns
    -------
    comparisons : ndarray of the same shape, int64

    Raises
    ------
    ValueError
        As :func:`check_comparisons`.

    Examples
    --------
    >>> import numpy as np
    >>> from_list_order(np.array([[0, 2, 1]], dtype=np.uint32))
    array([[0, 2, 1]])
    """
    return check_comparisons(list_order, source="list_order")


def to_list_order(comparisons: ArrayLike) -> np.ndarray:
    """Return comparisons in cblearn's "list-order" form.

    Parameters
    ----------
    comparisons : array-like of shape (n_comparisons, 3) or (n_comparisons, 4)

    Returns
    -------
    list_order : ndarray of the same shape, uint32

    Raises
    ------
    ValueError
        As :func:`check_comparisons`, and for ids from 2**32 on.

    Examples
    --------
    >>> to_list_order([[0, 2, 1]])
    array([[0, 2, 1]], dtype=uint32)
    """
    return check_comparisons(comparisons, dtype=np.uint32)


def from_query_response(queries: ArrayLike, responses: ArrayLike) -> np.ndarray:
    """Turn questions and their answers, cblearn's "list-boolean" and "list-count", to comparisons.

    Parameters
    ----------
    queries : array-like of shape (n_queries, 3) or (n_queries, 4)
        (i, j, k) asks "is i closer to j than to k?", (i, j, l, k) asks "is d(i, j) < d(l, k)?".
    responses : array-like of shape (n_queries,)
        True or 1 for yes, False or -1 for no; 2 for yes and -2 for no twice, and so on.

    Returns
    -------
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4), int64
        Row r answers query r, if no response is a count; such rows are repeated.

    Raises
    ------
    ValueError
        As :func:`check_comparisons`, for responses of another length, and for any other response,
        0 (undecided) included.

    Examples
    --------
    >>> from_query_response([[0, 1, 2], [2, 1, 3]], [1, -1])
    array([[0, 1, 2],
           [2, 3, 1]])

    Of a "tensor-count" the indices are the questions: ``np.stack(tensor.coords, axis=1)`` and
    ``tensor.data``.
    """
    queries = check_comparisons(queries, source="queries")
    counts = check_responses(responses, len(queries))
    return np.repeat(turn(queries, counts > 0), np.abs(counts), axis=0)


def to_query_response(comparisons: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Split comparisons into questions, in one standard order, and the answers to them.

    The standard order is cblearn's: j < k in a triplet; in a quadruplet the smaller id first in
    each pair, and the pairs in lexicographic order. So two rows that answer the same question have
    the same query.

    Parameters
    ----------
    comparisons : array-like of shape (n_comparisons, 3) or (n_comparisons, 4)

    Returns
    -------
    queries : ndarray of the same shape, int64
    responses : ndarray of shape (n_comparisons,), int64
        1 where the comparison answers yes, -1 where it answers no ("list-count").

    Raises
    ------
    ValueError
        As :func:`check_comparisons`.

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
    return turn(comparisons, standard), np.where(standard, 1, -1)


def from_tuples(tuples: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Take over triplets or quadruplets of points, metric-learn's tuples.

    The way back is ``points[comparisons]``. Where triplets are row numbers of points, as with a
    preprocessor of metric-learn, they are comparisons as they stand.

    Parameters
    ----------
    tuples : array-like of shape (n_comparisons, 3, n_features) or (n_comparisons, 4, n_features)
        The points of each comparison, in the order of closerthan's columns.

    Returns
    -------
    points : ndarray of shape (n_points, n_features)
        Each point once, sorted.
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4), int64
        Their row numbers.

    Raises
    ------
    ValueError
        For another shape, features that are not finite, and as :func:`check_comparisons`: equal
        points are one object.

    Examples
    --------
    >>> points, comparisons = from_tuples([[[0.0, 1.0], [0.5, 1.0], [2.0, 0.0]]])
    >>> points.shape, comparisons
    ((3, 2), array([[0, 1, 2]]))
    """
    tuples = np.asarray(tuples)
    if tuples.ndim != 3 or not tuples.shape[2] or tuples.dtype.kind not in "biuf":
        raise ValueError(
            f"tuples: shape {tuples.shape} of {tuples.dtype}; allowed are numbers, of shape "
            "(n, 3, n_features) or (n, 4, n_features)"
        )
    bad = ~np.isfinite(tuples).all(axis=(1, 2))  # NaN would equal no point, not even itself
    if bad.any():
        raise ValueError(f"tuples, row {bad.argmax()}: features must not be NaN or infinite")
    n, width, n_features = tuples.shape
    points, row = np.unique(tuples.reshape(-1, n_features), axis=0, return_inverse=True)
    return points, check_comparisons(row.reshape(n, width), source="tuples")


def turn(queries, yes):
    """Return the queries as they stand where the answer is yes, and else the other way round."""
    return np.where(yes[:, None], queries, exchange(queries))


def check_responses(responses, n_queries):
    """Return responses as counts: how many say yes, or how many, below zero, say no."""
    responses = check_length(responses, n_queries, "responses", "row")
    if responses.dtype.kind not in "biuf":  # objects, as a column of a table may hold them
        allowed = np.array([isinstance(response, Real | np.bool_) for response in responses])
        responses = np.array(responses.tolist()) if allowed.all() else responses
    if responses.dtype == bool:
        return np.where(responses, 1, -1)
    if responses.dtype.kind in "iuf":
        whole = (responses != 0) & (responses == np.floor(responses))
        allowed = whole & (responses > -_MOST) & (responses < _MOST)
    if not allowed.all():
        row = allowed.argmin()
        raise ValueError(
            f"responses, row {row}: {responses[row]} is no answer; allowed are True and False, "
            "1 and -1, or counts, positive for yes and negative for no"
        )
    return responses.astype(np.int64)
