"""Coverage of the objects by answers, and groups of objects that no answers connect."""

import numpy as np

from closerthan.comparisons.answers import as_answers
from closerthan.comparisons.check import pair_columns


def answers_by_object(answers, n_objects):
    """Return the number of answers with each object, and their information in bits (weights).

    A comparison has at most one bit, however many votes it has. All answers to a question share its
    bits, because a repeat is no news about the map.
    """
    answers = as_answers(answers)
    objects, rows = each_object_once(answers.comparisons)
    share = np.minimum(answers.weight, 1) / np.bincount(answers.question)[answers.question]
    bits = np.bincount(objects, share[answers.screen[rows]], n_objects).round(9)
    if answers.n_screens < len(answers):
        objects = np.unique(answers.screen[rows] * n_objects + objects) % n_objects
    return np.bincount(objects, minlength=n_objects), bits


def least_bits(n_objects, n_components):
    """Return about how many bits the position of an object takes."""
    return n_components * float(np.log2(n_objects))


def each_object_once(comparisons):
    """Return the different objects of each comparison, and the row of each."""
    objects, rows = [], []
    for column in range(comparisons.shape[1]):
        new = (comparisons[:, :column] != comparisons[:, [column]]).all(axis=1)
        objects.append(comparisons[new, column])
        rows.append(np.flatnonzero(new))
    return np.concatenate(objects), np.concatenate(rows)


def share_by_object(comparisons, holds, weight, n_objects):
    """Return each object's number of comparisons, and the weighted share that holds; skip NaN."""
    objects, rows = each_object_once(comparisons)
    known = ~np.isnan(holds[rows])
    total = np.bincount(objects[known], weight[rows[known]], n_objects)
    held = np.bincount(objects[known], (weight * holds)[rows[known]], n_objects)
    share = np.divide(held, total, out=np.full(n_objects, np.nan), where=total > 0)
    return np.bincount(objects, minlength=n_objects), share


def connected_objects(answers, n_objects):
    """Return the group of each object, the largest first; no comparison connects two groups."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    i, j, l, k = pair_columns(as_answers(answers).comparisons)
    tail, head = np.concatenate([i, l, i]), np.concatenate([j, k, l])
    links = np.unique(tail * n_objects + head)
    tail, head = np.divmod(links, n_objects)
    graph = coo_array((np.ones(len(links), dtype=np.int8), (tail, head)), (n_objects, n_objects))
    group = connected_components(graph, directed=False)[1]
    sizes = np.bincount(group)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[group]
