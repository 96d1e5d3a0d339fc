"""Coverage of the objects by answers."""

import numpy as np

from closerthan.comparisons.answers import as_answers
from closerthan_lab.shown import shown_list

_SHOWN = 5  # groups and names in a sentence


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


def describe_groups(groups):
    """Return a sentence on groups of names that no comparison links; empty if there is one."""
    if len(groups) < 2:
        return ""
    sizes = ", ".join(f"{len(names):,}" for names in groups[:_SHOWN])
    fewer = " and fewer" if len(groups) > _SHOWN else ""
    apart = [name for names in groups[1:] for name in names]
    return (
        f"Unconnected objects: no comparison links the {len(groups):,} groups of objects (sizes "
        f"{sizes}{fewer}). A map cannot show how the groups lie to each other. Outside the largest "
        f"group: {shown_list(apart, _SHOWN)}. Ask questions that mix the groups."
    )
