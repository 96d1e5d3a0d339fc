"""Questions with two alternatives: convert responses, including "neither"."""

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import as_numbers, check_length, refuse_entries
from closerthan.comparisons.answers import Answers, as_answers
from closerthan.comparisons.check import check_comparisons, exchange
from closerthan.comparisons.convert import to_query_response
from closerthan.comparisons.forms.checks import other_form, same_answers


def from_responses(
    questions: ArrayLike,
    responses: ArrayLike,
    *,
    participant: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> Answers:
    """Turn answers to questions with two alternatives, or "neither", to comparisons.

    A tie becomes both orders, each at half the weight. This assumes that "neither" means "equally
    close" and not "I cannot tell". Half of a tie is always an error, whatever a model predicts.

    Raise a ValueError as :func:`check_comparisons` does, and for any other response.

    Parameters
    ----------
    questions : array_like of int, shape (n_screens, 3) or (n_screens, 4)
        (i, j, k) asks "is i closer to j than to k?", (i, j, l, k) asks "is d(i, j) < d(l, k)?".
    responses : array_like of shape (n_screens,)
        1 for yes, -1 for no, 0 for neither.
    participant, time : as for `Answers`, optional

    Returns
    -------
    Answers
        The weight is 1, and 1/2 for both comparisons of a tie.

    Examples
    --------
    >>> answers = from_responses([[0, 1, 2], [3, 1, 2]], [-1, 0])
    >>> answers.comparisons
    array([[0, 2, 1],
           [3, 1, 2],
           [3, 2, 1]])
    >>> answers.sample_weight
    array([1. , 0.5, 0.5])
    """
    questions = check_comparisons(questions, source="questions")
    responses = _check_signs(responses, len(questions))
    tied = responses == 0
    both = np.stack([questions, exchange(questions)], axis=1)
    given = np.column_stack([responses >= 0, responses <= 0])
    screen, order = np.nonzero(given)
    weight = np.where(tied, 0.5, 1.0)
    return Answers(both[screen, order], screen, participant, time, weight)


def to_responses(answers: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Return questions with two alternatives and the responses; undoes `from_responses`.

    Raise a ValueError if a screen holds anything except one comparison, or one and its opposite.

    Returns
    -------
    questions : ndarray of shape (n_screens, 3) or (n_screens, 4), int64
        In the standard order of `to_query_response`.
    responses : ndarray of shape (n_screens,), int64
        1, -1, or 0 for a tie.

    Examples
    --------
    >>> questions, responses = to_responses(from_responses([[0, 2, 1], [3, 1, 2]], [1, 0]))
    >>> questions.tolist(), responses.tolist()
    ([[0, 1, 2], [3, 1, 2]], [-1, 0])
    """
    answers = as_answers(answers)
    questions, signs = to_query_response(answers.comparisons)
    starts = np.searchsorted(answers.screen, np.arange(answers.n_screens))
    responses = np.add.reduceat(signs, starts)
    several, name = np.abs(responses) > 1, "one question"
    if several.any():
        raise other_form(int(several.argmax()), answers, name)
    same_answers(answers, from_responses(questions[starts], responses), name)
    return questions[starts], responses


_NO_ANSWER = "is not an answer; allowed are 1, -1, or 0 (a tie)"


def _check_signs(responses, n_questions):
    responses = check_length(responses, n_questions, "responses")
    responses = as_numbers(responses, "responses", _NO_ANSWER)
    wrong = ~np.isin(responses, (-1, 0, 1)) | (responses.dtype == bool)
    refuse_entries(wrong, responses, "responses", _NO_ANSWER)
    return responses.astype(np.int64)
