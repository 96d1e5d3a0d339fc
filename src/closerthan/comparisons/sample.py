"""Comparisons at random, answered by distances, points or labels, and their random split."""

from math import comb
from numbers import Integral, Real
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_finite, check_word, refuse_missing
from closerthan.comparisons.answers import Answers, number_people
from closerthan.comparisons.check import check_comparisons, pair_columns
from closerthan.comparisons.convert import turn

KINDS = {"triplets": 3, "quadruplets": 4}
# Where that many questions exist, listing them all is cheap, and then the count of ties is exact.
FEW_QUESTIONS = 100_000
BLOCK = 100_000


def all_triplets(distances: ArrayLike) -> np.ndarray:
    """Return every triplet that a matrix of distances answers; ties are left out.

    Parameters
    ----------
    distances : array-like of shape (n_objects, n_objects)
        Symmetric, finite, not negative.

    Returns
    -------
    triplets : ndarray of shape (n_triplets, 3), int64
        In the lexicographic order of the questions (i, {j, k}), j < k; at most
        n (n - 1) (n - 2) / 2 rows, none at all if every question is a tie.

    Raises
    ------
    ValueError
        For a matrix that is not as above, or of fewer than 3 objects.

    Examples
    --------
    >>> all_triplets([[0, 1, 2], [1, 0, 2], [2, 2, 0]])
    array([[0, 1, 2],
           [1, 0, 2]])
    """
    distances = _check_distances(distances)
    return _answer(_all_questions(len(distances), "triplets"), _matrix_lookup(distances))


def sample_from_distances(
    distances: ArrayLike,
    n_comparisons: int,
    *,
    kind: str = "triplets",
    replace: bool = False,
    random_state: Seed = None,
) -> np.ndarray:
    """Draw random questions and answer them by a matrix of distances; ties are left out.

    Every question that is not a tie has the same probability. A triplet question is an object i
    and two others {j, k}; a quadruplet question is two different pairs, which may share an object.

    Parameters
    ----------
    distances : array-like of shape (n_objects, n_objects)
        Symmetric, finite, not negative.
    n_comparisons : int
    kind : {"triplets", "quadruplets"}, default="triplets"
    replace : bool, default=False
        False: no question twice.
    random_state : None, int, SeedSequence or Generator, default=None

    Returns
    -------
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4), int64
        In random order.

    Raises
    ------
    ValueError
        If there are not as many questions without a tie (the message says how many there are), and
        for a matrix that is not as above.

    Examples
    --------
    >>> distances = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    >>> sample_from_distances(distances, 3, random_state=0).shape
    (3, 3)
    """
    distances = _check_distances(distances)
    lookup = _matrix_lookup(distances)
    return _sample(len(distances), n_comparisons, kind, lookup, replace, random_state)


def sample_from_points(
    points: ArrayLike,
    n_comparisons: int,
    *,
    kind: str = "triplets",
    replace: bool = False,
    random_state: Seed = None,
) -> np.ndarray:
    """Draw random questions and answer them by the Euclidean distances of points.

    As :func:`sample_from_distances`, but no matrix of distances is ever formed, so that there may
    be as many points as memory holds.

    Parameters
    ----------
    points : array-like of shape (n_objects, n_dimensions)
    n_comparisons : int
    kind : {"triplets", "quadruplets"}, default="triplets"
    replace : bool, default=False
        False: no question twice.
    random_state : None, int, SeedSequence or Generator, default=None

    Returns
    -------
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4), int64
        In random order.

    Raises
    ------
    ValueError
        If there are not as many questions without a tie (the message says how many there are), and
        for points that are not finite or fewer than 3.

    Examples
    --------
    >>> sample_from_points([[0.0], [1.0], [3.0]], 3, random_state=0).shape
    (3, 3)
    """
    points = finite_points(points, n_minimum=3)
    return _sample(
        len(points),
        n_comparisons,
        kind,
        lambda first, second: squared_distances(points, first, second),
        replace,
        random_state,
    )


def sample_from_labels(
    labels: ArrayLike, n_comparisons: int, *, replace: bool = False, random_state: Seed = None
) -> np.ndarray:
    """Draw random triplets (i, j, k) with i and j of one class and k of another.

    So the training triplets of the retrieval experiments of SVRG-SBB are made (sec. 5.4). Every
    such triplet has the same probability; (i, j, k) and (j, i, k) are two triplets. An object that
    is alone in its class is only ever the k.

    Parameters
    ----------
    labels : array-like of shape (n_objects,)
        Numbers or strings.
    n_comparisons : int
    replace : bool, default=False
        False: no triplet twice.
    random_state : None, int, SeedSequence or Generator, default=None

    Returns
    -------
    triplets : ndarray of shape (n_comparisons, 3), int64
        In random order.

    Raises
    ------
    ValueError
        If there is one class only, if no class has two objects, if there are not as many triplets
        (the message says how many there are), and for missing labels.

    Examples
    --------
    >>> sample_from_labels(["cat", "dog", "dog"], 2, random_state=0).shape
    (2, 3)
    """
    classes, sizes = _check_labels(labels)
    check_count("n_comparisons", n_comparisons)
    n_comparisons = int(n_comparisons)  # of a narrow type products could overflow
    n_others = len(classes) - sizes[classes]
    per_anchor = (sizes[classes] - 1) * n_others
    end = np.cumsum(per_anchor)
    n_triplets = int(end[-1])
    if n_comparisons > n_triplets and not replace:
        raise ValueError(f"n_comparisons={n_comparisons}; there are only {n_triplets} triplets")
    number = np.random.default_rng(random_state).choice(n_triplets, n_comparisons, replace=replace)
    # Number the triplets by anchor, then by the anchor's mate, then by the object of another class.
    anchor = np.searchsorted(end, number, side="right")
    mate, other = np.divmod(number - (end - per_anchor)[anchor], n_others[anchor])
    return _label_triplets(classes, sizes, anchor, mate, other)


@overload
def split(
    comparisons: Answers, n_train: float, *, by: str | None = None, random_state: Seed = None
) -> tuple[Answers, Answers]: ...
@overload
def split(
    comparisons: ArrayLike, n_train: float, *, by: str | None = None, random_state: Seed = None
) -> tuple[np.ndarray, np.ndarray]: ...
def split(
    comparisons: ArrayLike, n_train: float, *, by: str | None = None, random_state: Seed = None
) -> tuple[np.ndarray, np.ndarray] | tuple[Answers, Answers]:
    """Split comparisons at random into a training and a test set.

    Every row of an array lands in exactly one of the two, and a comparison that stands in two rows
    may land in both. Of `Answers` whole screens are drawn, and all that ask the same question
    together, so that no comparison of the test set comes from a judgment that was trained on, or
    repeats a question. (Screens that overlap but differ, such as two grids with some objects in
    common, are different questions; a comparison may follow from either.)

    Parameters
    ----------
    comparisons : Answers, or array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
    n_train : int or float
        The number of training rows, from 1 to n_comparisons - 1, or their share, between 0 and 1;
        of answers, the number or share of what `by` says.
    by : {"question", "screen", "participant"}, default=None
        What stays whole, of answers; None: questions. With "participant" the test set holds people
        of whom nothing was trained on.
    random_state : None, int, SeedSequence or Generator, default=None

    Returns
    -------
    train, test : ndarray, int64, or Answers
        Rows in random order; answers in the order of the table.

    Raises
    ------
    ValueError
        As :func:`check_comparisons`, where one of the two sets would be empty, and for a `by` that
        the comparisons do not know.

    Examples
    --------
    >>> train, test = split([[0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 2, 1]], 0.75)
    >>> len(train), len(test)
    (3, 1)
    >>> from closerthan.comparisons import from_rankings
    >>> answers = from_rankings([0, 0, 5], [[1, 2, 3], [3, 2, 1], [1, 2, 3]])
    >>> [len(part) for part in split(answers, 1, random_state=1)]  # one question was asked twice
    [6, 3]
    """
    if isinstance(comparisons, Answers):
        groups = _groups(comparisons, by or "question")
        n = int(groups.max()) + 1
        order = np.random.default_rng(random_state).permutation(n)
        trained = np.zeros(n, dtype=bool)
        trained[order[: _count_train(n_train, n, f"{by or 'question'}s")]] = True
        return comparisons.take(trained[groups]), comparisons.take(~trained[groups])
    if by is not None:
        raise ValueError(f"by={by!r}; it is for Answers, an array knows no {by}s")
    comparisons = check_comparisons(comparisons)
    order = np.random.default_rng(random_state).permutation(len(comparisons))
    count = _count_train(n_train, len(comparisons), "comparisons")
    return comparisons[order[:count]], comparisons[order[count:]]


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
            f"n_train={n_train!r} of {n} {what}; allowed is a number from 1 to {n - 1}, or a "
            "share between 0 and 1 that leaves no set empty"
        )
    return count


def finite_points(points, n_minimum=1):
    """Return finite points, in units in which no squared distance over- or underflows.

    The unit is a power of two, so that rounding, and with it every tie, is that of the input.
    """
    points = np.asarray(points, dtype=float)
    if points.ndim != 2 or points.shape[1] == 0:
        raise ValueError(f"points: shape {points.shape}; allowed is (n_objects, n_dimensions)")
    if len(points) < n_minimum:
        raise ValueError(f"points: {len(points)} objects; at least {n_minimum} are needed")
    check_finite(points, "points")
    return np.ldexp(points, -np.frexp(np.abs(points).max(initial=0))[1])


def squared_distances(points, first, second):
    """Return the squared distances of pairs of points, block by block to spare memory."""
    squared = np.empty(len(first))
    for start in range(0, len(first), BLOCK):
        block = slice(start, start + BLOCK)
        difference = points[first[block]] - points[second[block]]
        squared[block] = np.einsum("ij,ij->i", difference, difference)
    return squared


def _sample(n_objects, n_comparisons, kind, distance, replace, random_state):
    check_word("kind", kind, KINDS)
    check_count("n_comparisons", n_comparisons)
    n_comparisons = int(n_comparisons)  # of a narrow type products could overflow
    rng = np.random.default_rng(random_state)
    n_questions = _count_questions(n_objects, kind)
    if not replace and n_comparisons > n_questions:
        raise ValueError(
            f"n_comparisons={n_comparisons}; there are only {n_questions} {kind} of {n_objects} "
            "objects"
        )
    if n_questions <= max(FEW_QUESTIONS, 0 if replace else 4 * n_comparisons):
        return _choose(n_objects, n_comparisons, kind, distance, replace, rng)
    return _reject(n_objects, n_comparisons, kind, distance, replace, rng)


def _choose(n_objects, n_comparisons, kind, distance, replace, rng):
    """Answer all questions and choose some of the answers."""
    answers = _answer(_all_questions(n_objects, kind), distance)
    if len(answers) < (1 if replace else n_comparisons):
        raise ValueError(
            f"n_comparisons={n_comparisons}; there are only {len(answers)} {kind} of {n_objects} "
            "objects without a tie"
        )
    return answers[rng.choice(len(answers), n_comparisons, replace=replace)]


def _reject(n_objects, n_comparisons, kind, distance, replace, rng):
    """Draw questions until enough of them are neither a tie nor, without replacement, seen."""
    answers = np.empty((0, KINDS[kind]), dtype=np.int64)
    n_drawn, share = 0, 1.0
    while len(answers) < n_comparisons:
        if n_drawn > 100 * n_comparisons + 1_000_000:
            raise ValueError(
                f"n_comparisons={n_comparisons}; only {len(answers)} of {n_drawn} random {kind} of "
                f"{n_objects} objects are different and no ties"
            )
        n_before = len(answers)
        n_wanted = int(1.1 * (n_comparisons - n_before) / share) + 1000
        n_wanted = min(n_wanted, n_comparisons + 1_000_000)
        questions = _random_questions(n_objects, kind, n_wanted, rng)
        answers = np.concatenate([answers, _answer(questions, distance)])
        if not replace:
            answers = answers[~_duplicated(answers)]
        n_drawn += n_wanted
        share = max(len(answers) - n_before, 1) / n_wanted
    return answers[:n_comparisons]


def _duplicated(answers):
    import pandas as pd  # here: it takes longer to import than this whole folder

    return pd.DataFrame(answers).duplicated().to_numpy()


def _answer(questions, distance):
    """Put the nearer pair of each question first, and drop the ties."""
    i, j, l, k = pair_columns(questions)
    gap = distance(i, j) - distance(l, k)
    return turn(questions, gap <= 0)[gap != 0]


def _count_questions(n_objects, kind):
    if kind == "triplets":
        return n_objects * comb(n_objects - 1, 2)
    return comb(comb(n_objects, 2), 2)


def _all_questions(n_objects, kind):
    """Return every question once, in lexicographic order."""
    if kind == "triplets":
        pairs = np.column_stack(np.triu_indices(n_objects - 1, k=1))
        anchor = np.repeat(np.arange(n_objects), len(pairs))[:, None]
        return np.hstack([anchor, _around(anchor, np.tile(pairs, (n_objects, 1)))])
    pairs = np.column_stack(np.triu_indices(n_objects, k=1))
    first, second = np.triu_indices(len(pairs), k=1)
    return np.hstack([pairs[first], pairs[second]])


def _random_questions(n_objects, kind, size, rng):
    """Return random questions, each of them in the form that `_all_questions` gives it."""
    if kind == "triplets":
        anchor = rng.integers(n_objects, size=(size, 1))
        return np.hstack([anchor, _around(anchor, _random_pairs(n_objects - 1, size, rng))])
    first = _random_pairs(n_objects, size, rng)
    second = _random_pairs(n_objects, size, rng)
    sign = np.sign(first - second)
    order = 2 * sign[:, 0] + sign[:, 1]
    pairs = np.where((order < 0)[:, None], np.hstack([first, second]), np.hstack([second, first]))
    return pairs[order != 0]


def _random_pairs(n_objects, size, rng):
    first = rng.integers(n_objects, size=size)
    second = rng.integers(n_objects - 1, size=size)
    return np.sort(np.column_stack([first, _around(first, second)]), axis=1)


def _around(left_out, numbers):
    """Turn numbers of the objects other than one that is left out to ids."""
    return numbers + (numbers >= left_out)


def _label_triplets(classes, sizes, anchor, mate, other):
    """Turn numbers among the mates and among the others of an anchor to ids."""
    order = np.argsort(classes, kind="stable")
    place = np.argsort(order)
    start = (np.cumsum(sizes) - sizes)[classes[anchor]]
    mate = _around(place[anchor], start + mate)
    other = other + sizes[classes[anchor]] * (other >= start)
    return np.column_stack([anchor, order[mate], order[other]])


def _matrix_lookup(distances):
    return lambda first, second: distances[first, second]


def _check_distances(distances):
    distances = np.asarray(distances, dtype=float)
    if distances.ndim != 2 or len(distances) != distances.shape[1] or len(distances) < 3:
        raise ValueError(f"distances: shape {distances.shape}; allowed is (n, n), n at least 3")
    _refuse_entries(~(np.isfinite(distances) & (distances >= 0)), distances, "finite, not negative")
    # Computed distances are symmetric up to the square root of the rounding error only.
    asymmetric = np.abs(distances - distances.T) > 1e-6 * distances.max()
    _refuse_entries(asymmetric, distances, "symmetric")
    return distances


def _refuse_entries(bad, distances, rule):
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise ValueError(
            f"distances, row {row}, column {column}: {distances[row, column]}; distances must be "
            f"{rule}"
        )


def _check_labels(labels):
    """Return the class of each object as a number, and the size of each class."""
    labels = np.asarray(labels)
    if labels.ndim != 1:
        raise ValueError(f"labels: shape {labels.shape}; allowed is (n_objects,)")
    refuse_missing(labels, "labels", "object")
    classes, sizes = np.unique(labels, return_inverse=True, return_counts=True)[1:]
    if len(sizes) < 2 or sizes.max() < 2:
        raise ValueError(
            f"labels: {len(labels)} objects in {len(sizes)} classes; at least two classes are "
            "needed, one of them with two objects"
        )
    return classes, sizes
