"""Questions with two alternatives: convert responses, including "neither", and vote counts."""

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import check_word
from closerthan.comparisons.answers import Answers, as_answers
from closerthan.comparisons.check import check_comparisons, check_length, exchange
from closerthan.comparisons.convert import to_query_response
from closerthan.comparisons.forms.checks import are_whole, other_form, same_answers


def from_responses(
    questions: ArrayLike,
    responses: ArrayLike,
    *,
    ties: str = "half",
    participant: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> Answers:
    """Turn answers to questions with two alternatives, or "neither", to comparisons.

    A tie becomes both orders, each at half the weight. This assumes that "neither" means "equally
    close" and not "I cannot tell". Half of a tie is always an error, whatever a model predicts.

    Raise a ValueError as :func:`check_comparisons` does, for any other response, and if
    ``ties="drop"`` leaves none.

    Parameters
    ----------
    questions : array_like of int, shape (n_screens, 3) or (n_screens, 4)
        (i, j, k) asks "is i closer to j than to k?", (i, j, l, k) asks "is d(i, j) < d(l, k)?".
    responses : array_like of shape (n_screens,)
        1 for yes, -1 for no, 0 for neither.
    ties : {"half", "drop"}, default "half"
        Whether ties are kept, as above, or left out.
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
    check_word("ties", ties, ("half", "drop"))
    questions = check_comparisons(questions, source="questions")
    responses = _check_signs(responses, len(questions))
    tied = responses == 0
    both = np.stack([questions, exchange(questions)], axis=1)
    given = np.column_stack([responses >= 0, responses <= 0])
    screen, order = np.nonzero(given)
    weight = np.where(tied, 0.5, 1.0)
    if ties == "drop" and tied.all():
        raise ValueError("responses: all are ties; none is left with ties='drop'")
    answers = Answers(both[screen, order], screen, participant, time, weight)
    return answers.take(~tied) if ties == "drop" and tied.any() else answers


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


def from_votes(questions: ArrayLike, votes: ArrayLike, *, ties: str = "half") -> Answers:
    """Turn counts of answers to the same questions to comparisons.

    Each vote becomes its own screen and counts as an independent answer.

    Raise a ValueError as :func:`check_comparisons` does, and if votes are not counts or all are
    zero.

    Parameters
    ----------
    questions, ties
        As for `from_responses`.
    votes : array_like of int, shape (n_questions, 2) or (n_questions, 3)
        How many said yes, how many no and, in an optional third column, how many neither.

    Returns
    -------
    Answers
        Ordered by question: first the votes for yes, then neither, then no.

    Examples
    --------
    >>> answers = from_votes([[0, 1, 2], [3, 1, 2]], [[2, 1], [0, 1]])
    >>> answers.comparisons
    array([[0, 1, 2],
           [0, 1, 2],
           [0, 2, 1],
           [3, 2, 1]])
    """
    questions = check_comparisons(questions, source="questions")
    votes = np.asarray(votes)
    n = len(questions)
    if votes.shape not in ((n, 2), (n, 3)):
        raise ValueError(f"votes: shape {votes.shape}; expected ({n}, 2) or ({n}, 3)")
    bad = ~are_whole(votes, 0)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise ValueError(
            f"votes, row {row}: {votes[row, column]}; votes must be whole numbers from 0"
        )
    by_response = np.zeros((n, 3), dtype=np.int64)  # yes, neither, no
    by_response[:, [0, 2, 1][: votes.shape[1]]] = votes
    if not by_response.any():
        raise ValueError("votes: all are 0; give at least one vote")
    responses = np.repeat(np.tile([1, 0, -1], n), by_response.ravel())
    return from_responses(
        np.repeat(questions, by_response.sum(axis=1), axis=0), responses, ties=ties
    )


def _check_signs(responses, n_questions):
    responses = check_length(responses, n_questions, "responses")
    wrong = ~np.isin(responses, (-1, 0, 1)) | (responses.dtype == bool)
    if wrong.any():
        row = int(wrong.argmax())
        response = responses.tolist()[row]
        raise ValueError(
            f"responses, row {row}: {response!r} is not an answer; allowed are 1, -1, or 0 (a tie)"
        )
    return responses.astype(np.int64)
