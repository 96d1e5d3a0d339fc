"""Draw random comparisons, answered by distances, points or labels, and split comparisons."""

from functools import partial
from math import comb
from numbers import Integral, Real
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.typing import Seed
from closerthan._core.validation import (
    as_floats,
    as_names,
    check_count,
    check_points,
    check_word,
    distinct_names,
    refuse_entries,
)
from closerthan.comparisons.answers import Answers, as_answers, number_people
from closerthan.comparisons.check import exchange_where, pair_columns

# Up to this number it is cheap to list all questions, and the count of ties is then exact.
FEW_QUESTIONS = 100_000
BLOCK = 100_000


def all_triplets(distances: ArrayLike) -> np.ndarray:
    """Return every triplet that a distance matrix answers, without ties.

    Parameters
    ----------
    distances : array_like of shape (n_objects, n_objects)
        Symmetric, finite, not negative; at least 3 objects.

    Returns
    -------
    triplets : ndarray of shape (n_triplets, 3), int64
        In the lexicographic order of the questions (i, {j, k}), j < k. There are at most
        n (n - 1) (n - 2) / 2 rows, and none if every question is a tie.

    Examples
    --------
    >>> all_triplets([[0, 1, 2], [1, 0, 2], [2, 2, 0]])
    array([[0, 1, 2],
           [1, 0, 2]])
    """
    distances = _check_distances(distances)
    return _answer(_all_questions(len(distances)), _matrix_lookup(distances))


def sample_from_distances(
    distances: ArrayLike, n_comparisons: int, *, replace: bool = False, random_state: Seed = None
) -> np.ndarray:
    """Draw random triplets, answered by a distance matrix, without ties.

    A question is an object i and two others {j, k}. Every question without a tie has the same
    probability.

    Raise a ValueError if there are too few questions without a tie (the message says how many there
    are) or fewer than three objects, or if the matrix is not as below.

    Parameters
    ----------
    distances : array_like of shape (n_objects, n_objects)
        Symmetric, finite, not negative.
    n_comparisons : int
    replace : bool, default False
        If False, no question is drawn twice.
    random_state : None, int, SeedSequence or Generator, optional

    Returns
    -------
    triplets : ndarray of shape (n_comparisons, 3), int64
        In random order.

    Examples
    --------
    >>> distances = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    >>> sample_from_distances(distances, 3, random_state=0).shape
    (3, 3)
    """
    distances = _check_distances(distances)
    lookup = _matrix_lookup(distances)
    return _sample(len(distances), n_comparisons, lookup, replace, random_state)


def _check_distances(distances):
    distances = as_floats(distances, "distances")
    if distances.ndim != 2 or len(distances) != distances.shape[1] or len(distances) < 3:
        raise ValueError(f"distances: shape {distances.shape}; expected (n, n), n at least 3")
    bad = ~(np.isfinite(distances) & (distances >= 0))
    refuse_entries(bad, distances, "distances", "distances must be finite, not negative")
    # Computed distances are symmetric only up to the square root of the rounding error.
    asymmetric = np.abs(distances - distances.T) > 1e-6 * distances.max()
    refuse_entries(asymmetric, distances, "distances", "distances must be symmetric")
    return distances


def _matrix_lookup(distances):
    return lambda first, second: distances[first, second]


def sample_from_points(
    points: ArrayLike, n_comparisons: int, *, replace: bool = False, random_state: Seed = None
) -> np.ndarray:
    """Draw random triplets, answered by the Euclidean distances of points, without ties.

    The questions are drawn as in :func:`sample_from_distances`. No distance matrix is formed.

    Parameters
    ----------
    points : array_like of shape (n_objects, n_dimensions)
        At least 3 finite points.
    n_comparisons, replace, random_state
        As for :func:`sample_from_distances`, with the same result and errors.

    Examples
    --------
    >>> sample_from_points([[0.0], [1.0], [3.0]], 3, random_state=0).shape
    (3, 3)
    """
    points = finite_points(points)
    distance = partial(squared_distances, points)
    return _sample(len(points), n_comparisons, distance, replace, random_state)


def finite_points(points):
    """Return finite points, scaled to about one, so that no squared distance overflows.

    The scale is a power of two: rounding, and so every tie, stays as in the input.
    """
    points = check_points(points, "points")
    return np.ldexp(points, -np.frexp(np.abs(points).max())[1])


def squared_distances(points, first, second):
    """Return the squared distances of pairs of points, in blocks to save memory."""
    squared = np.empty(len(first))
    for start in range(0, len(first), BLOCK):
        block = slice(start, start + BLOCK)
        difference = points[first[block]] - points[second[block]]
        squared[block] = np.einsum("ij,ij->i", difference, difference)
    return squared


def _sample(n_objects, n_comparisons, distance, replace, random_state):
    n_comparisons = check_count("n_comparisons", n_comparisons)
    rng = np.random.default_rng(random_state)
    n_questions = 3 * comb(n_objects, 3)
    if not replace and n_comparisons > n_questions:
        raise ValueError(
            f"n_comparisons={n_comparisons}; there are only {n_questions} triplets of {n_objects} "
            "objects"
        )
    if n_questions <= max(FEW_QUESTIONS, 0 if replace else 4 * n_comparisons):
        return _choose(n_objects, n_comparisons, distance, replace, rng)
    return _reject(n_objects, n_comparisons, distance, replace, rng)


def _choose(n_objects, n_comparisons, distance, replace, rng):
    """Answer all questions and choose some of the answers at random."""
    answers = _answer(_all_questions(n_objects), distance)
    if len(answers) < (1 if replace else n_comparisons):
        raise ValueError(
            f"n_comparisons={n_comparisons}; there are only {len(answers)} triplets of {n_objects} "
            "objects without a tie"
        )
    return answers[rng.choice(len(answers), n_comparisons, replace=replace)]


def _reject(n_objects, n_comparisons, distance, replace, rng):
    """Draw questions until enough are not ties and, without replacement, not seen before."""
    import pandas as pd  # imported here because it takes longer than this whole folder

    answers = np.empty((0, 3), dtype=np.int64)
    n_drawn, share = 0, 1.0
    while len(answers) < n_comparisons:
        if n_drawn > 100 * n_comparisons + 1_000_000:
            raise ValueError(
                f"n_comparisons={n_comparisons}; only {len(answers)} of {n_drawn} random triplets "
                f"of {n_objects} objects are different and not ties"
            )
        n_before = len(answers)
        n_wanted = int(1.1 * (n_comparisons - n_before) / share) + 1000
        n_wanted = min(n_wanted, n_comparisons + 1_000_000)
        questions = _random_questions(n_objects, n_wanted, rng)
        answers = np.concatenate([answers, _answer(questions, distance)])
        if not replace:
            answers = answers[~pd.DataFrame(answers).duplicated().to_numpy()]
        n_drawn += n_wanted
        share = max(len(answers) - n_before, 1) / n_wanted
    return answers[:n_comparisons]


def _answer(questions, distance):
    """Put the nearer pair of each question first, and drop ties."""
    i, j, l, k = pair_columns(questions)
    gap = distance(i, j) - distance(l, k)
    return exchange_where(questions, gap > 0)[gap != 0]


def _all_questions(n_objects):
    """Return every question once, in lexicographic order."""
    pairs = np.column_stack(np.triu_indices(n_objects - 1, k=1))
    anchor = np.repeat(np.arange(n_objects), len(pairs))[:, None]
    return np.hstack([anchor, _around(anchor, np.tile(pairs, (n_objects, 1)))])


def _random_questions(n_objects, size, rng):
    """Return random questions, each in the form that `_all_questions` gives it."""
    anchor = rng.integers(n_objects, size=(size, 1))
    first = rng.integers(n_objects - 1, size=size)
    second = _around(first, rng.integers(n_objects - 2, size=size))
    pairs = np.sort(np.column_stack([first, second]), axis=1)
    return np.hstack([anchor, _around(anchor, pairs)])


def _around(left_out, numbers):
    """Return the ids of objects that are numbered without the one that is left out."""
    return numbers + (numbers >= left_out)


def sample_from_labels(
    labels: ArrayLike, n_comparisons: int, *, replace: bool = False, random_state: Seed = None
) -> np.ndarray:
    """Draw random triplets (i, j, k) with i and j of one class and k of another.

    So do the retrieval experiments of SVRG-SBB (sec. 5.4). Every such triplet has the same
    probability; (i, j, k) and (j, i, k) are two different triplets.

    Raise a ValueError if there is only one class, no class has two objects, there are too few
    triplets (the message says how many there are), or a label is missing.

    Parameters
    ----------
    labels : array_like of shape (n_objects,)
        Numbers or strings.
    n_comparisons : int
    replace : bool, default False
        If False, no triplet is drawn twice.
    random_state : None, int, SeedSequence or Generator, optional

    Returns
    -------
    triplets : ndarray of shape (n_comparisons, 3), int64
        In random order.

    Examples
    --------
    >>> sample_from_labels(["cat", "dog", "dog"], 2, random_state=0).shape
    (2, 3)
    """
    classes, sizes = _classes_of(labels)
    n_comparisons = check_count("n_comparisons", n_comparisons)
    n_others = len(classes) - sizes[classes]
    per_anchor = (sizes[classes] - 1) * n_others
    end = np.cumsum(per_anchor)
    n_triplets = int(end[-1])
    if n_comparisons > n_triplets and not replace:
        raise ValueError(f"n_comparisons={n_comparisons}; there are only {n_triplets} triplets")
    number = np.random.default_rng(random_state).choice(n_triplets, n_comparisons, replace=replace)
    # Number the triplets by anchor, then by the object of its class, then by the other object.
    anchor = np.searchsorted(end, number, side="right")
    nth_mate, nth_other = np.divmod(number - (end - per_anchor)[anchor], n_others[anchor])
    return _label_triplets(classes, sizes, anchor, nth_mate, nth_other)


def _classes_of(labels):
    """Return the class of each object as a number, and the size of each class."""
    labels = as_names(labels, "labels", "every object needs a label")
    if labels.ndim != 1:
        raise ValueError(f"labels: shape {labels.shape}; expected (n_objects,)")
    classes = distinct_names(labels)[1]
    sizes = np.bincount(classes)
    if len(sizes) < 2 or sizes.max() < 2:
        raise ValueError(
            f"labels: {len(labels)} objects in {len(sizes)} classes; give at least two classes, "
            "one of them with at least two objects"
        )
    return classes, sizes


def _label_triplets(classes, sizes, anchor, nth_mate, nth_other):
    """Turn the positions of mates and of others, counted for each anchor, into ids."""
    by_class = np.argsort(classes, kind="stable")
    place = np.argsort(by_class)
    start = (np.cumsum(sizes) - sizes)[classes[anchor]]
    mate = by_class[_around(place[anchor], start + nth_mate)]
    other = by_class[nth_other + sizes[classes[anchor]] * (nth_other >= start)]
    return np.column_stack([anchor, mate, other])


@overload
def split(
    comparisons: Answers, n_train: float, *, by: str = "question", random_state: Seed = None
) -> tuple[Answers, Answers]: ...
@overload
def split(
    comparisons: ArrayLike, n_train: float, *, by: str = "question", random_state: Seed = None
) -> tuple[np.ndarray, np.ndarray]: ...
def split(
    comparisons: ArrayLike, n_train: float, *, by: str = "question", random_state: Seed = None
) -> tuple[np.ndarray, np.ndarray] | tuple[Answers, Answers]:
    """Split comparisons at random into a training and a test set.

    Each row of an array is a screen. By default all screens that ask the same question go into the
    same set, so the two sets share no judgment and no question. Screens that overlap but differ,
    such as two grids with some objects in common, are different questions. The same comparison may
    follow from both.

    Raise a ValueError as :func:`check_comparisons` does, if one of the two sets would be empty, or
    if `by` is "participant" and the participants are unknown.

    Parameters
    ----------
    comparisons : Answers, or array_like of shape (n_comparisons, 3) or (n_comparisons, 4)
    n_train : int or float
        The number of what `by` names in the training set, or its share, between 0 and 1.
    by : {"question", "screen", "participant"}, default "question"
        What is kept whole. With "participant", nobody in the test set has an answer in the training
        set. With "screen", repeats of a question may be in both sets.
    random_state : None, int, SeedSequence or Generator, optional

    Returns
    -------
    train, test : ndarray, int64, or Answers
        An array has its questions (or screens) in random order, and the rows of a question one
        after another. `Answers` keep the order of the table.

    Examples
    --------
    The first and the last row ask the same question, so they stay together:

    >>> rows = [[0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 2, 1]]
    >>> [part.tolist() for part in split(rows, 2, random_state=0)]
    [[[2, 0, 1], [0, 1, 2], [0, 2, 1]], [[1, 0, 2]]]

    A screen stays whole, too:

    >>> from closerthan.comparisons import from_rankings
    >>> answers = from_rankings([0, 0, 5], [[1, 2, 3], [3, 2, 1], [1, 2, 3]])
    >>> [len(part) for part in split(answers, 1, random_state=1)]  # one question was asked twice
    [6, 3]
    """
    answers = as_answers(comparisons)
    groups = _groups(answers, by)
    if answers is not comparisons:  # number questions by their first rows
        first = np.unique(groups, return_index=True)[1]
        groups = np.argsort(np.argsort(first))[groups]
    n = int(groups.max()) + 1
    place = np.argsort(np.random.default_rng(random_state).permutation(n))[groups]
    trained = place < _count_train(n_train, n, f"{by}s")
    if isinstance(comparisons, Answers):
        return comparisons.take(trained), comparisons.take(~trained)
    order = np.argsort(place, kind="stable")
    return tuple(answers.comparisons[order[part[order]]] for part in (trained, ~trained))


def _groups(answers, by):
    """Return for each screen the number, from 0, of the group that stays whole."""
    check_word("by", by, ("question", "screen", "participant"))
    if by == "screen":
        return np.arange(answers.n_screens)
    if by == "question":
        return answers.question
    return number_people(answers, "by='participant'")


def _count_train(n_train, n, what):
    share = isinstance(n_train, Real) and not isinstance(n_train, Integral)
    count = round(float(n_train) * n) if share and 0 < n_train < 1 else n_train
    if isinstance(n_train, bool) or not isinstance(count, Integral) or not 1 <= count < n:
        raise ValueError(
            f"n_train={n_train!r} of {n} {what}; give a number from 1 to {n - 1}, or a share "
            "between 0 and 1 that leaves neither set empty"
        )
    return count
