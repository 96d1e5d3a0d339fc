"""Comparisons from and to other forms: quadruplets, cblearn's arrays, answers about three objects.

cblearn (https://cblearn.readthedocs.io) has three forms for lists of comparisons. In "list-order"
the row holds the answer: (i, j, k) for d(i, j) <= d(i, k), (i, j, l, k) for d(i, j) <= d(l, k), the
columns of relsim. In "list-boolean" and "list-count" the row is a question, and a second array
answers it: True or +1 for the order as it stands, False or -1 for the opposite one.
"""

import numpy as np

from .check import check_comparisons, check_triplets, exchange


def to_quadruplets(comparisons):
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


def from_list_order(list_order):
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


def to_list_order(comparisons):
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


def from_query_response(queries, responses):
    """Turn questions and their answers, cblearn's "list-boolean" and "list-count", to comparisons.

    Parameters
    ----------
    queries : array-like of shape (n_queries, 3) or (n_queries, 4)
        (i, j, k) asks "is i closer to j than to k?", (i, j, l, k) asks "is d(i, j) < d(l, k)?".
    responses : array-like of shape (n_queries,)
        True or 1 for yes, False or -1 for no.

    Returns
    -------
    comparisons : ndarray of the shape of `queries`, int64
        Row r answers query r.

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
    """
    queries = check_comparisons(queries, source="queries")
    responses = _check_responses(responses, len(queries))
    return np.where((responses == 1)[:, None], queries, exchange(queries))


def to_query_response(comparisons):
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
    queries = np.where(standard[:, None], comparisons, exchange(comparisons))
    return queries, np.where(standard, 1, -1)


def from_odd_one_out(objects, odd):
    """Return the two triplets that each odd-one-out answer implies.

    Of three objects a, b and o, o is the odd one if a and b are the closest pair: a is closer to b
    than to o, and so is b to a.

    Parameters
    ----------
    objects : array-like of shape (n_answers, 3)
        The ids of the three objects shown.
    odd : array-like of shape (n_answers,)
        The id, not the position, of the odd one.

    Returns
    -------
    triplets : ndarray of shape (2 * n_answers, 3), int64
        Rows 2r and 2r + 1, (a, b, o) and (b, a, o), come from answer r.

    Raises
    ------
    ValueError
        As :func:`check_comparisons`, and for an answer that is not among the three objects.

    Examples
    --------
    >>> from_odd_one_out([[4, 7, 9]], [7])
    array([[4, 9, 7],
           [9, 4, 7]])
    """
    first, second, odd = _pick(objects, odd, "odd")
    return np.stack([first, second, odd, second, first, odd], axis=1).reshape(-1, 3)


def from_most_central(objects, central):
    """Return the two triplets that each most-central answer implies.

    Of three objects a, b and c, c is the most central one if a and b are the farthest pair: a is
    closer to c than to b, and so is b to c than to a.

    Parameters
    ----------
    objects : array-like of shape (n_answers, 3)
        The ids of the three objects shown.
    central : array-like of shape (n_answers,)
        The id, not the position, of the most central one.

    Returns
    -------
    triplets : ndarray of shape (2 * n_answers, 3), int64
        Rows 2r and 2r + 1, (a, c, b) and (b, c, a), come from answer r.

    Raises
    ------
    ValueError
        As :func:`check_comparisons`, and for an answer that is not among the three objects.

    Examples
    --------
    >>> from_most_central([[4, 7, 9]], [7])
    array([[4, 7, 9],
           [9, 7, 4]])
    """
    first, second, central = _pick(objects, central, "central")
    return np.stack([first, central, second, second, central, first], axis=1).reshape(-1, 3)


def _pick(objects, answers, source):
    """Return the two objects that were not picked, in the order shown, and the one that was."""
    objects = check_triplets(objects, source="objects")
    answers = _check_length(answers, len(objects), source)
    picked = objects == answers[:, None]
    if not picked.any(axis=1).all():
        row = picked.any(axis=1).argmin()
        shown = tuple(objects[row].tolist())
        answer = answers[row].item() if isinstance(answers[row], np.generic) else answers[row]
        raise ValueError(f"{source}, row {row}: {answer!r} is not one of the objects {shown}")
    first, second = objects[~picked].reshape(-1, 2).T
    return first, second, objects[picked]


def _check_responses(responses, n_queries):
    responses = _check_length(responses, n_queries, "responses")
    if responses.dtype == bool:
        return np.where(responses, 1, -1)
    allowed = (responses == 1) | (responses == -1)
    if not allowed.all():
        row = allowed.argmin()
        raise ValueError(
            f"responses, row {row}: {responses[row]} is no answer; allowed are True and False, "
            "or 1 and -1"
        )
    return responses


def _check_length(values, length, source):
    values = np.asarray(values)
    if values.shape != (length,):
        raise ValueError(f"{source}: shape {values.shape}; allowed is ({length},), one a row")
    return values
