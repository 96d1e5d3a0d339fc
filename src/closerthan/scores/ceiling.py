"""How good can it be: the share of answers that a fixed set of distances could at best predict."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, xlog1py, xlogy

from closerthan.comparisons.answers import as_answers, number_rows
from closerthan.scores.agreement import Agreement, Pairs, interval

_GROUPS = 40  # of units, each left out once for the interval
_SHARES = np.linspace(0.5, 1, 51)  # with which a question is answered one way
_EDGES = np.r_[0.5, (_SHARES[1:] + _SHARES[:-1]) / 2, 1]
_STEPS = 100


class NoiseCeiling(NamedTuple):
    """The largest share of answers that any fixed set of distances could predict.

    Attributes
    ----------
    value : float
        The estimate; NaN where no question was asked twice.
    low, high : float
        Its 95 % interval.
    least : float
        Share of answers that the majority of the other answers to the question predicts, ties
        counted as half: a predictor that exists, so but for chance the ceiling is not below it.
    most : float
        What the ceiling cannot exceed with this agreement, however the questions differ.
    agreement : Agreement
    """

    value: float
    low: float
    high: float
    least: float
    most: float
    agreement: Agreement


def noise_ceiling(
    answers: ArrayLike, *, people: str = "any", unit: str = "question"
) -> NoiseCeiling:
    """The largest share of answers that any embedding could predict, from repeated questions.

    An embedding gives every question one answer. Where people, or one person at two times, answer
    it both ways, some answers are missed whatever the embedding: of a question that is answered one
    way with probability p at best max(p, 1 - p) are predicted. The error of an embedding is to be
    seen beside one minus this ceiling. Questions that were asked once are taken to be as hard as
    those that were repeated.

    Parameters
    ----------
    answers : Answers or array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
        A tie counts as half an answer either way.
    people : {"any", "same", "different"}, default="any"
        Whose answers to a question are compared, as in `agreement`: "any" is the ceiling of one
        embedding for all, "same" that of an embedding for each person.
    unit : {"question", "participant"}, default="question"
        As in `agreement`.

    Returns
    -------
    NoiseCeiling
        A tuple of ``value``, ``low``, ``high``, ``least``, ``most`` and ``agreement``.

    Raises
    ------
    ValueError
        As `agreement`.

    Notes
    -----
    How the p of the questions are distributed is estimated by maximum likelihood, by 100 steps of
    the EM algorithm for mixtures (Laird, Journal of the American Statistical Association 73, 1978),
    and the value is the mean over the answers of max(p, 1 - p) given the answers to the question.
    The steps start at the symmetric Beta distribution with the agreement A that was found, whose
    parameters are (1 - A) / (2 A - 1). With two or three answers to a question only A can be known,
    and all rests on that distribution: where half of the questions are beyond doubt and the others
    open, the value is 0.07 too high, with five answers 0.03 and with ten 0.02; where all are as
    hard, it is 0.04 too low, 0.02 and 0.01. The interval, which is for chance, does not hold that.
    Whatever the distribution, the ceiling lies between A and (1 + sqrt(2 A - 1)) / 2, by Jensen's
    inequality.

    The interval is that of `agreement`, for what the ceiling is above 1/2, from a jackknife that
    leaves out one of 40 random groups of units at a time.

    Examples
    --------
    >>> from closerthan.comparisons import from_votes
    >>> votes = [[9, 1], [8, 2], [4, 6], [10, 0]]
    >>> answers = from_votes([[0, 1, 2], [3, 1, 2], [1, 2, 3], [4, 2, 1]], votes)
    >>> ceiling = noise_ceiling(answers)
    >>> round(ceiling.value, 2), round(ceiling.low, 2), round(ceiling.high, 2)
    (0.8, 0.58, 0.96)
    """
    pairs = Pairs(as_answers(answers), people, "comparisons")
    found = pairs.agreement(unit)
    if found.n_pairs == 0:
        return NoiseCeiling(np.nan, np.nan, np.nan, np.nan, np.nan, found)
    votes = _Votes(pairs)
    value = votes.ceiling(found.value)
    units = pairs.units(unit)
    group = np.random.default_rng(0).permutation(int(units.max()) + 1) % _GROUPS
    group = group[units][pairs.screen]
    without = [votes.ceiling(found.value, group != one) for one in np.unique(group)]
    # What is above chance is a share from 0 to 1, in as many trials as there are answers at most.
    above = 2 * np.array([share for share in without if np.isfinite(share)]) - 1
    low, high = (np.array(interval(2 * value - 1, above, 1 / len(pairs.weight))) + 1) / 2
    most = (1 + np.sqrt(max(2 * found.value - 1, 0))) / 2
    return NoiseCeiling(value, float(low), float(high), pairs.majority(), float(most), found)


class _Votes:
    """What was answered to each question, a row for each side that a screen is on.

    Where each person is apart, a question to each is one of its own; where people are compared, the
    answers of one person to a question count as one together.
    """

    def __init__(self, pairs):
        person = pairs.person[pairs.screen]
        of_person = number_rows(pairs.question, person)
        self.question = of_person if pairs.people == "same" else pairs.question
        self.yes = pairs.response == 1
        self.weight = pairs.weight
        self.vote = pairs.weight / np.bincount(pairs.item, pairs.weight)[pairs.item]
        if pairs.people == "different":
            self.vote = self.vote / np.bincount(of_person, self.vote)[of_person]

    def ceiling(self, agreement, rows=slice(None)):
        """The mean of max(p, 1 - p) over the answers to questions with two and more."""
        question, yes, vote = self.question[rows], self.yes[rows], self.vote[rows]
        weight = np.bincount(question, self.weight[rows])
        votes = np.stack([np.bincount(question, vote * side) for side in (yes, ~yes)], axis=1)
        asked_twice = votes.sum(axis=1) > 1 + 1e-9
        if not asked_twice.any():
            return np.nan
        votes = np.sort(np.round(votes[asked_twice], 6), axis=1)  # the fewer first
        kinds, kind, n = np.unique(votes, axis=0, return_inverse=True, return_counts=True)
        weight = np.bincount(kind.ravel(), weight[asked_twice])
        return float(np.average(_expected_shares(kinds, n, agreement), weights=weight))


def _expected_shares(votes, n_questions, agreement):
    """The expected max(p, 1 - p) for each kind of question, given its votes on either side."""
    fewer, more = votes.T[:, :, None]
    likelihood = np.logaddexp(
        xlogy(more, _SHARES) + xlog1py(fewer, -_SHARES),
        xlogy(fewer, _SHARES) + xlog1py(more, -_SHARES),
    )
    likelihood = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
    prior = _beta_prior(agreement)
    for _ in range(_STEPS):
        posterior = likelihood * prior
        posterior /= posterior.sum(axis=1, keepdims=True)
        prior = n_questions @ posterior / n_questions.sum()
    return posterior @ _SHARES


def _beta_prior(agreement):
    """The symmetric Beta distribution in which two answers agree so often, folded at a half."""
    agreement = min(max(agreement, 0.501), 0.999)
    a = (1 - agreement) / (2 * agreement - 1)
    prior = np.diff(2 * betainc(a, a, _EDGES))
    return 0.999 * prior / prior.sum() + 0.001 / len(prior)  # all can be reached
