"""Number the questions (anchor, first, second); first and second may be swapped."""

import numpy as np


def number_questions(questions: np.ndarray, n_objects: int) -> np.ndarray:
    """Return the number of each question; the order of its last two objects does not matter."""
    anchor, *pair = questions.T
    first, second = (other - (other > anchor) for other in (np.minimum(*pair), np.maximum(*pair)))
    return anchor * _n_pairs(n_objects) + second * (second - 1) // 2 + first


def questions_of(numbers: np.ndarray, n_objects: int) -> np.ndarray:
    """Return the questions with the given numbers."""
    anchor, pair = np.divmod(numbers, _n_pairs(n_objects))
    second = ((1 + np.sqrt(1 + 8.0 * pair)) / 2).astype(np.int64)
    first = pair - second * (second - 1) // 2
    return np.column_stack([anchor, *(other + (other >= anchor) for other in (first, second))])


def _n_pairs(n_objects):
    """Return the number of pairs of objects that an anchor can be compared with."""
    return (n_objects - 1) * (n_objects - 2) // 2
