"""Lists of objects beside an anchor: convert choices of some objects, and rankings of all."""

from math import comb, log2, perm

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import as_array, check_count
from closerthan.comparisons.answers import Answers, as_answers
from closerthan.comparisons.check import hold_twice
from closerthan.comparisons.forms.checks import (
    PAD,
    check_ids,
    other_form,
    refuse_first,
    same_answers,
    sizes,
)

_BLOCK = 2**14  # screens handled at once, so that they stay in the cache


def from_choices(
    anchors: ArrayLike,
    candidates: ArrayLike,
    chosen: ArrayLike,
    *,
    participant: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> Answers:
    """Turn answers to "choose the k of these n that are most like this one" to triplets.

    Each of the k chosen objects is closer to the anchor than each of the n - k others. The choice
    depends on which objects are shown together. These triplets therefore differ from the answers to
    single questions, and agree with each other more (Wilber, Kwak and Belongie, 2014).

    Raise a ValueError if a value is not an id, an object is twice in a list or is its own anchor, a
    chosen object is not in the list, none is chosen, or all are chosen. The message names the row.

    Parameters
    ----------
    anchors : array_like of int, shape (n_screens,)
        The object beside each list.
    candidates : array_like of int, shape (n_screens, n)
        The objects of each list. Fill up shorter rows with -1 at the end.
    chosen : array_like of int, shape (n_screens, k)
        The candidates that were chosen, in any order. Fill up shorter rows with -1 at the end.
    participant, time : as for `Answers`, optional

    Returns
    -------
    Answers
        Triplets of weight log2(n choose k) / (k (n - k)).

    Examples
    --------
    >>> answers = from_choices([0, 5], [[1, 2, 3, 4], [1, 2, -1, -1]], [[4, 1], [2, -1]])
    >>> answers.comparisons
    array([[0, 1, 2],
           [0, 1, 3],
           [0, 4, 2],
           [0, 4, 3],
           [5, 2, 1]])
    >>> answers.screen
    array([0, 0, 0, 0, 1])
    """
    anchors, candidates = _check_lists(anchors, candidates, "candidates")
    chosen = check_ids(chosen, "chosen", len(anchors))
    refuse_first(faults_of_choices(candidates, chosen))
    blocks = []
    for start in range(0, len(anchors), _BLOCK):
        block = slice(start, start + _BLOCK)
        is_object = candidates[block] != PAD
        is_chosen = (candidates[block, :, None] == chosen[block, None, :]).any(axis=2) & is_object
        is_other = is_object & ~is_chosen
        screen, near, far = np.nonzero(is_chosen[:, :, None] & is_other[:, None, :])
        blocks.append((screen + start, near, far))
    screen, near, far = (np.concatenate(column) for column in zip(*blocks, strict=True))
    triplets = np.column_stack([anchors[screen], candidates[screen, near], candidates[screen, far]])
    n, n_chosen = sizes(candidates), sizes(chosen)
    weight = _log2_of(comb, n, n_chosen) / (n_chosen * (n - n_chosen))
    return Answers(triplets, screen, participant, time, weight)


def from_rankings(
    anchors: ArrayLike,
    rankings: ArrayLike,
    *,
    top: int | None = None,
    participant: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> Answers:
    """Turn rankings by similarity to an anchor to triplets.

    The anchor is closer to each object of a ranking than to every later object. A ranking cannot
    contradict itself, even if people err.

    Raise a ValueError if a value is not an id, an object is twice in a ranking or is its own
    anchor, a ranking has fewer than two objects, or `top` is below 1. The message names the row.

    Parameters
    ----------
    anchors : array_like of int, shape (n_screens,)
        The object that the others are compared with.
    rankings : array_like of int, shape (n_screens, n)
        The other objects, the most similar one first. Fill up shorter rows with -1 at the end.
    top : int, optional
        How many places were ranked. The objects after these places are not compared with each
        other. None means all places.
    participant, time : as for `Answers`, optional

    Returns
    -------
    Answers
        Triplets, ordered by the place of the nearer and then of the farther object. The weight is
        log2(n!) / (n (n - 1) / 2); with `top`, log2(n! / (n - top)!) over the number of triplets.

    Examples
    --------
    >>> from_rankings([0], [[3, 1, 2]]).comparisons
    array([[0, 3, 1],
           [0, 3, 2],
           [0, 1, 2]])
    >>> from_rankings([0], [[3, 1, 2]], top=1).comparisons
    array([[0, 3, 1],
           [0, 3, 2]])
    """
    anchors, rankings = _check_lists(anchors, rankings, "rankings")
    n_places = rankings.shape[1]
    check_count("top", top, optional=True)
    near, far = np.triu_indices(n_places, k=1)
    near, far = near[near < (top or n_places)], far[near < (top or n_places)]
    n_objects = sizes(rankings)
    triplets = np.empty((len(anchors), len(near), 3), dtype=np.int64)
    for start in range(0, len(anchors), _BLOCK):
        block = slice(start, start + _BLOCK)
        triplets[block, :, 0] = anchors[block, None]
        triplets[block, :, 1] = rankings[block, near]
        triplets[block, :, 2] = rankings[block, far]
    triplets = triplets.reshape(-1, 3)
    screen = np.repeat(np.arange(len(anchors)), len(near))
    if n_objects.min() < n_places:
        whole = triplets[:, 2] != PAD
        triplets, screen = triplets[whole], screen[whole]
    n_ranked = n_objects if top is None else np.minimum(n_objects, top)
    n_rows = n_ranked * n_objects - n_ranked * (n_ranked + 1) // 2
    weight = _log2_of(perm, n_objects, n_ranked) / n_rows
    return Answers(triplets, screen, participant, time, weight)


def to_rankings(answers: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Return the anchors and rankings of screens; undoes `from_rankings` without `top`.

    Raise a ValueError if the comparisons of a screen do not come from a ranking of all its objects.

    Returns
    -------
    anchors : ndarray of shape (n_screens,), int64
    rankings : ndarray of shape (n_screens, n), int64
        The most similar object first, shorter rows filled up with -1.

    Examples
    --------
    >>> to_rankings(from_rankings([0], [[3, 1, 2]]))
    (array([0]), array([[3, 1, 2]]))
    """
    answers = as_answers(answers)
    if answers.comparisons.shape[1] != 3:
        raise ValueError("answers: quadruplets; a ranking is made of triplets")
    anchors = answers.comparisons[np.flatnonzero(np.diff(answers.screen, prepend=-1)), 0]
    others = answers.comparisons[:, 0] != anchors[answers.screen]
    if others.any():
        raise other_form(int(answers.screen[others.argmax()]), answers, "a ranking")
    screen, objects, place = _members(answers, [1, 2])
    n_before = np.bincount(place[:, 1], minlength=len(objects))  # farther than each before it
    order = np.lexsort([n_before, screen])
    rankings = _rows(screen, objects[order])
    same_answers(answers, from_rankings(anchors, rankings), "a ranking")
    return anchors, rankings


def _check_lists(anchors, lists, source):
    """Return the ids of anchors and of the objects listed beside each, which must all differ."""
    anchors = as_array(anchors, "anchors")
    if anchors.ndim != 1 or len(anchors) == 0:
        raise ValueError(f"anchors: shape {anchors.shape}; expected (n_screens,)")
    anchors = check_ids(anchors[:, None], "anchors", least=0)[:, 0]
    lists = check_ids(lists, source, len(anchors))
    refuse_first(faults_of_lists(anchors, lists, source))
    return anchors, lists


def faults_of_lists(anchors, lists, source):
    """Yield the faults of lists of objects beside anchors; see `refuse_first`."""
    n = sizes(lists)
    yield n < 2, source, lambda row, say: f"{n[row]}; there must be at least 2"
    own = (lists == anchors[:, None]).any(axis=1)
    yield own, source, lambda row, say: f"{say(lists[row])} include the anchor itself; leave it out"
    twice = hold_twice(lists, fill=PAD)
    yield twice, source, lambda row, say: f"{say(lists[row])}; they must differ"


def faults_of_choices(candidates, chosen):
    """Yield the faults of choices among candidates; see `refuse_first`."""
    n, n_chosen = sizes(candidates), sizes(chosen)
    yield (
        (n_chosen == 0) | (n_chosen >= n),
        "chosen",
        lambda row, say: f"{n_chosen[row]} of {n[row]}; at least one must be chosen, but not all",
    )
    twice = hold_twice(chosen, fill=PAD)
    yield twice, "chosen", lambda row, say: f"{say(chosen[row])}; they must differ"
    strange = [(candidates != one[:, None]).all(axis=1) & (one != PAD) for one in chosen.T]
    strange = np.stack(strange, axis=1)
    yield (
        strange.any(axis=1),
        "chosen",
        lambda row, say: (
            f"{say(chosen[row][strange[row]])} is not among the candidates {say(candidates[row])}"
        ),
    )


def _members(answers, columns):
    """Return screens and ids of the objects in these columns, once each, and each entry's place."""
    ids, which = np.unique(answers.comparisons[:, columns], return_inverse=True)
    key = answers.screen[:, None] * len(ids) + which.reshape(-1, len(columns))
    key, place = np.unique(key, return_inverse=True)
    screen, which = np.divmod(key, len(ids))
    return screen, ids[which], place.reshape(-1, len(columns))


def _rows(screen, objects):
    """Return the objects of each screen as a row, in their order, filled up with -1."""
    n = np.bincount(screen)
    place = np.arange(len(screen)) - np.repeat(np.cumsum(n) - n, n)
    table = np.full((len(n), n.max()), PAD)
    table[screen, place] = objects
    return table


def _log2_of(count, n, k):
    """Return log2(count(n, k)) for arrays n and k that hold few different pairs."""
    pairs, which = np.unique(n * (int(n.max()) + 1) + k, return_inverse=True)
    possible = (count(*divmod(int(pair), int(n.max()) + 1)) for pair in pairs)
    return np.array([log2(number) for number in possible])[which]
