"""The noise ceiling: the largest share of answers that any embedding could predict."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, xlog1py, xlogy

from closerthan.comparisons.answers import as_answers, number_rows
from closerthan_lab.quality.agreement import Agreement, Pairs, jackknife_interval

_GROUPS = 40  # groups of units, each left out once for the interval
_SHARES = np.linspace(0.5, 1, 51)  # possible shares of the more frequent answer
_EDGES = np.r_[0.5, (_SHARES[1:] + _SHARES[:-1]) / 2, 1]
_STEPS = 100


class NoiseCeiling(NamedTuple):
    """The largest share of answers that any embedding could predict.

    Attributes
    ----------
    value : float
        The estimate; NaN if no question was asked twice, or only in one unit (or group of units),
        so that its error is unknown.
    low, high : float
        95 % confidence interval of the estimate. If the interval of the agreement includes chance,
        it goes from 1/2 to the upper bound of the ceiling, given the high end of the agreement.
    least : float
        Share of answers that the majority of the other answers to the question predicts, with ties
        counted as half. This predictor exists, so the ceiling is not below it, except by chance.
    most : float
        Upper bound of the ceiling, given the agreement.
    agreement : Agreement
        The agreement of answers to the same question.
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
    """Estimate the noise ceiling: the largest share of answers that any embedding could predict.

    Of the answers to a question, an embedding predicts at best a share max(p, 1 - p), where p is
    the probability of one answer. The estimate uses repeated questions and assumes that the other
    questions are equally hard.

    Parameters
    ----------
    answers : Answers or array_like of shape (n_comparisons, 3) or (n_comparisons, 4)
        The answers, with repeated questions. A tie counts as half an answer either way.
    people : {"any", "same", "different"}, default "any"
        The pairs of answers to compare, as in `agreement`. "any" gives the ceiling of one embedding
        for all people, and "same" the ceiling of a separate embedding for each person.
    unit : {"question", "participant"}, default "question"
        The unit of the confidence interval, as in `agreement`.

    Notes
    -----
    The distribution of p over the questions is estimated by maximum likelihood (Laird, Journal of
    the American Statistical Association 73, 1978), from a Beta distribution with the observed
    agreement. With two or three answers to a question, the value depends on this start; the
    interval does not cover the bias. The :doc:`page on answers </answers>` has its size, and how
    often the interval held the true value.

    Examples
    --------
    >>> from closerthan.comparisons import from_responses
    >>> questions = np.repeat([[0, 1, 2], [3, 1, 2], [1, 2, 3], [4, 2, 1]], 10, axis=0)
    >>> said = [1] * 9 + [-1] + [1] * 8 + [-1] * 2 + [1] * 4 + [-1] * 6 + [1] * 10
    >>> answers = from_responses(questions, said)
    >>> ceiling = noise_ceiling(answers)
    >>> round(ceiling.value, 2), round(ceiling.low, 2), round(ceiling.high, 2)
    (0.8, 0.5, 0.96)
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
    without = np.array([votes.ceiling(found.value, group != one) for one in np.unique(group)])
    if np.isnan(without).any():
        value = np.nan
    # The excess over chance is rescaled to a share from 0 to 1. Trials are at most the answers.
    above = jackknife_interval(2 * value - 1, 2 * without - 1, 1 / len(pairs.weight))
    low, high = (np.array(above) + 1) / 2
    if found.low <= 0.5:  # the answers may be guesses, which the excess over chance cannot show
        low, high = 0.5, max(high, most_given(found.high))
    most = most_given(found.value)
    return NoiseCeiling(value, float(low), float(high), pairs.majority(), most, found)


def most_given(agreement: float) -> float:
    """Return the largest possible ceiling if two answers agree in this share of cases."""
    return (1 + max(2 * agreement - 1, 0) ** 0.5) / 2


class _Votes:
    """Votes for each question, with a row for each side that a screen is on.

    If people="same", each person has separate questions; if "different", one vote a question.
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
        """Return the mean of max(p, 1 - p) over answers to questions with two or more answers."""
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
    """Return the expected max(p, 1 - p) for each kind of question, given its votes."""
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
    """Return the symmetric Beta distribution with the given agreement, folded at one half."""
    agreement = min(max(agreement, 0.501), 0.999)
    a = (1 - agreement) / (2 * agreement - 1)
    prior = np.diff(2 * betainc(a, a, _EDGES))
    return 0.999 * prior / prior.sum() + 0.001 / len(prior)  # EM cannot leave zeros
