"""Draw random questions about three objects, and odd ones out by chance."""

from math import comb

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_points

_BLOCK = 100_000
# The questions about three objects: each of them first, as the anchor, or one without an anchor.
_ORDERS = {
    "triplets": np.array([[0, 1, 2], [1, 0, 2], [2, 0, 1]]),
    "odd-one-out": np.array([[0, 1, 2]]),
}


def sample_odd_ones(
    dimensions: ArrayLike, n_answers: int, *, random_state: Seed = None
) -> np.ndarray:
    """Draw random questions about three objects, and the odd ones out by chance.

    The similarity of two objects is the inner product of their rows. A pair stays together with
    the softmax of the three similarities, and the third object is the odd one out (Hebart et al.,
    2020; see `SPoSE`). A question may be drawn twice.

    Parameters
    ----------
    dimensions : array_like of shape (n_objects, n_dimensions)
        Finite; at least 3 objects.
    n_answers : int
    random_state : None, int, SeedSequence or Generator, optional

    Returns
    -------
    triples : ndarray of shape (n_answers, 3), int64
        The odd one last.

    Examples
    --------
    >>> kinds = [[9, 0], [9, 0], [0, 9], [0, 9]]
    >>> first, second, odd = sample_odd_ones(kinds, 100, random_state=0).T
    >>> bool(((first < 2) == (second < 2)).all())
    True
    """
    dimensions = check_points(dimensions, "dimensions")
    if len(dimensions) < 3:
        raise ValueError(f"dimensions: {len(dimensions)} objects; at least 3 are needed")
    check_count("n_answers", n_answers)
    rng = np.random.default_rng(random_state)
    triples = np.empty((n_answers, 3), dtype=np.int64)
    for start in range(0, n_answers, _BLOCK):
        block = triples[start : start + _BLOCK]
        block[:] = _draw_three(len(dimensions), len(block), rng)
        a, b, c = (dimensions[column] for column in block.T)
        pairs = (b, c), (a, c), (a, b)
        similarity = np.stack([np.einsum("ij,ij->i", *pair) for pair in pairs], axis=1)
        # The largest of such sums is distributed as the softmax (Gumbel).
        odd = np.argmax(similarity + rng.gumbel(size=similarity.shape), axis=1)
        rows = np.arange(len(block))
        block[rows, odd], block[:, 2] = block[rows, 2], block[rows, odd]
    return triples


def _draw_three(n_objects, n, rng):
    """Draw rows of three different objects, in random order."""
    first = rng.integers(n_objects, size=n)
    second = _around(first, rng.integers(n_objects - 1, size=n))
    third = _around(np.minimum(first, second), rng.integers(n_objects - 2, size=n))
    return np.column_stack([first, second, _around(np.maximum(first, second), third)])


def count_questions(n_objects: int, form: str) -> int:
    """Return the number of different questions: triplets or odd-one-out."""
    return comb(n_objects, 3) * len(_ORDERS[form])


def draw_questions(
    n_objects: int, n_questions: int, form: str, rng: np.random.Generator
) -> np.ndarray:
    """Draw different questions, each with the same probability, in random order.

    A row is the anchor and two others in ascending order (triplets), or three objects in random
    order (odd-one-out).
    """
    orders = _ORDERS[form]
    number = rng.choice(count_questions(n_objects, form), n_questions, replace=False)
    sets = _sets_of_three(number // len(orders), n_objects)
    rows = np.take_along_axis(sets, orders[number % len(orders)], axis=1)
    return rows if form == "triplets" else rng.permuted(rows, axis=1)


def _sets_of_three(number, n_objects):
    """Return the sets of three objects with these numbers, each set in ascending order."""
    columns = []
    for size in (3, 2, 1):  # the largest object first, as in the combinatorial number system
        before = np.array([comb(largest, size) for largest in range(n_objects)])
        columns.append(np.searchsorted(before, number, side="right") - 1)
        number = number - before[columns[-1]]
    return np.column_stack(columns[::-1])


def _around(left_out, numbers):
    """Return the ids of objects that are numbered without the one that is left out."""
    return numbers + (numbers >= left_out)
