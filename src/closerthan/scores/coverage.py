"""How much is known of each object, and which objects were never compared with each other."""

import numpy as np

from closerthan.comparisons.answers import as_answers
from closerthan.comparisons.check import pair_columns


def answers_by_object(answers, n_objects=None):
    """Count the answers in which each object takes part, and what these say.

    Parameters
    ----------
    answers : Answers or array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
    n_objects : int, default=None
        None: as many as the largest id tells.

    Returns
    -------
    n_answers : ndarray of shape (n_objects,), int64
        The number of screens.
    bits : ndarray of shape (n_objects,)
        The sum of the weights of the comparisons: an answer between two alternatives weighs one
        bit, and one between m of them log2(m), shared by its comparisons.

    Examples
    --------
    >>> from closerthan.comparisons import from_odd_one_out
    >>> answers = from_odd_one_out([[0, 1, 2], [0, 1, 3]], [2, 3])
    >>> answers_by_object(answers)[0]
    array([2, 2, 1, 1])
    """
    answers = as_answers(answers)
    if n_objects is None:
        n_objects = int(answers.comparisons.max()) + 1
    objects, rows = each_object_once(answers.comparisons)
    bits = np.bincount(objects, answers.sample_weight[rows], n_objects)
    if answers.n_screens < len(answers):
        objects = np.unique(answers.screen[rows] * n_objects + objects) % n_objects
    return np.bincount(objects, minlength=n_objects), bits


def each_object_once(comparisons):
    """Return the objects of each comparison, one that is in both its pairs once.

    Parameters
    ----------
    comparisons : ndarray of shape (n, 3) or (n, 4)

    Returns
    -------
    objects, rows : ndarray
        The objects, and the row of the comparison of each.

    Examples
    --------
    >>> each_object_once(np.array([[0, 1, 0, 2], [0, 1, 2, 3]]))
    (array([0, 0, 1, 1, 2, 2, 3]), array([0, 1, 0, 1, 1, 0, 1]))
    """
    objects, rows = [], []
    for column in range(comparisons.shape[1]):
        new = (comparisons[:, :column] != comparisons[:, [column]]).all(axis=1)
        objects.append(comparisons[new, column])
        rows.append(np.flatnonzero(new))
    return np.concatenate(objects), np.concatenate(rows)


def connected_objects(answers, n_objects=None):
    """Return the number of the group of each object; comparisons never lead from one to another.

    An embedding says nothing of how objects of different groups lie to each other. Groups are
    numbered by size, the largest first.

    Parameters
    ----------
    answers : Answers or array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
    n_objects : int, default=None
        None: as many as the largest id tells. An object in no comparison is a group of its own.

    Returns
    -------
    ndarray of shape (n_objects,), int64

    Examples
    --------
    >>> connected_objects([[0, 1, 2], [4, 5, 6], [0, 1, 3]])
    array([0, 0, 0, 0, 1, 1, 1])
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    comparisons = as_answers(answers).comparisons
    n_objects = int(comparisons.max()) + 1 if n_objects is None else n_objects
    i, j, l, k = pair_columns(comparisons)
    tail, head = np.concatenate([i, l, i]), np.concatenate([j, k, l])
    links = np.unique(tail * n_objects + head)
    tail, head = np.divmod(links, n_objects)
    graph = coo_array((np.ones(len(links), dtype=np.int8), (tail, head)), (n_objects, n_objects))
    group = connected_components(graph, directed=False)[1]
    sizes = np.bincount(group)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[group]
