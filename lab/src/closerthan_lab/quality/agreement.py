"""Agreement of people with themselves and with each other, in answers to repeated questions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit  # scipy.stats takes half a second to import

from closerthan._core.validation import check_word
from closerthan.comparisons.answers import as_answers, number_people, number_rows
from closerthan.comparisons.convert import to_query_response

LEVEL = 0.95  # of the intervals


class Agreement(NamedTuple):
    """Share of pairs of answers to the same question that agree.

    Attributes
    ----------
    value : float
        The share; NaN if no question was asked twice.
    low, high : float
        95 % confidence interval; NaN if fewer than two units have pairs, or if one unit is in all
        pairs.
    n_pairs : int
        Number of pairs of answers.
    n_questions : int
        Number of questions with a pair.
    """

    value: float
    low: float
    high: float
    n_pairs: int
    n_questions: int


def agreement(
    answers: ArrayLike, *, people: str = "any", of: str = "comparisons", unit: str = "question"
) -> Agreement:
    """Compute the share of pairs of answers to the same question that agree.

    Raise a ValueError if answers are malformed, a word is unknown, or participants are needed and
    unknown.

    Parameters
    ----------
    answers : Answers or array_like of shape (n_comparisons, 3) or (n_comparisons, 4)
        The answers, with repeated questions.
    people : {"any", "same", "different"}, default "any"
        The pairs to compare: any two answers, two answers of the same person, or answers of two
        different people. "same" and "different" need participants.
    of : {"comparisons", "screens"}, default "comparisons"
        What a question is. "comparisons" takes each comparison as a question, on whatever screen
        it was. The chance level is 1/2, a pair counts by the product of the two weights, and a tie
        agrees by half with everything. "screens" takes each whole screen as a question. The chance
        level is one over its number of answers, and a tie is an answer like the others.
    unit : {"question", "participant"}, default "question"
        What another survey would draw anew, for the interval: other questions, or other people. If
        people differ in reliability, an interval over questions is too narrow for other people.

    Notes
    -----
    The interval is Wilson's (1927), with Student's quantile. Its number of trials gives the
    jackknife variance over units (Efron and Stein, Annals of Statistics 9(3), 1981), or is the
    number of units if all pairs agree.

    Examples
    --------
    >>> from closerthan.comparisons import Answers
    >>> votes = [[0, 1, 2], [0, 1, 2], [0, 2, 1], [3, 1, 2], [3, 1, 2]]
    >>> agreement(Answers(votes, participant=["ann", "bo", "cy", "ann", "bo"])).value
    0.5
    """
    pairs = Pairs(as_answers(answers), people, of)
    return pairs.agreement(unit)


class Pairs:
    """Pairs of answers to the same question, counted without listing them.

    A row holds the weight of a screen on one side of a question. A tie is on both sides. Two
    screens with weights v and w on the sides of a question make pairs of total weight
    sum(v) sum(w), and sum(v w) of it agrees.
    """

    def __init__(self, answers, people, of):
        check_word("people", people, ("any", "same", "different"))
        check_word("of", of, ("comparisons", "screens"))
        self.people = people
        self.answers = answers
        self.person = np.zeros(answers.n_screens, dtype=np.int64)
        if people != "any" or answers.participant is not None:
            self.person = number_people(answers, f"people={people!r}")
        rows = _sides_of_comparisons(answers) if of == "comparisons" else _sides_of_screens(answers)
        self.question, self.response, self.screen, self.weight = rows
        self.side = number_rows(self.question, self.response)
        self.item = number_rows(self.question, self.screen)

    def agreement(self, unit):
        unit = self.units(unit)
        # An item is a screen's whole answer to a question; a row is its weight on one side.
        question, screen, weight = self._items()
        n, n_of_unit = self._count(question, screen, weight, unit)
        same, same_of_unit = self._count(self.side, self.screen, self.weight, unit)
        if n == 0:
            return Agreement(np.nan, np.nan, np.nan, 0, 0)
        interval = jackknife(same, n, same_of_unit, n_of_unit)
        ones = np.ones(len(weight))
        n_pairs = self._count(question, screen, ones, unit)[0]
        n_questions = len(np.unique(question[self._partners(question, screen, ones) > 0.5]))
        return Agreement(float(same / n), *interval, round(n_pairs), n_questions)

    def majority(self):
        """Share of answers that the majority of the others predicts; ties count as half."""
        agreeing = self._partners(self.side, self.screen, self.weight)
        all_others = self._partners(*self._items())[self.item]
        weight = np.where(all_others > 1e-12, self.weight, 0.0)
        if weight.sum() == 0:
            return np.nan
        right = np.sign(np.round(2 * agreeing - all_others, 9)) / 2 + 0.5
        return float(np.average(right, weights=weight))

    def units(self, unit):
        """Return the number of the unit of each screen."""
        check_word("unit", unit, ("question", "participant"))
        if unit == "question":
            return self.answers.question
        return number_people(self.answers, "unit='participant'")

    def _items(self):
        first = np.unique(self.item, return_index=True)[1]
        return self.question[first], self.screen[first], np.bincount(self.item, self.weight)

    def _partners(self, group, screen, weight):
        """Return for each row the weight of the other rows of its group that pair with it."""
        own = number_rows(group, self.person[screen])
        of_person = np.bincount(own, weight)[own]
        total = np.bincount(group, weight)[group]
        paired = {"any": total, "same": of_person, "different": total - of_person}[self.people]
        return paired if self.people == "different" else paired - weight

    def _count(self, group, screen, weight, unit):
        """Return the weight of all pairs within groups, and of the pairs of each unit."""
        of_row = weight * self._partners(group, screen, weight)
        # A pair with both answers in one unit is in two rows of the unit.
        within = weight * self._partners(number_rows(group, unit[screen]), screen, weight)
        return of_row.sum() / 2, np.bincount(unit[screen], of_row - within / 2)


def jackknife(part, whole, part_of_unit, whole_of_unit):
    """Return the jackknife interval of part / whole, leaving out one unit at a time."""
    counts = whole_of_unit > 0
    without = whole - whole_of_unit[counts]
    if (without <= 1e-12 * whole).any():
        return np.nan, np.nan
    return jackknife_interval(part / whole, (part - part_of_unit[counts]) / without)


def jackknife_interval(value, without, least=0.0):
    """Return Wilson's interval of a share, from the shares without each unit or group of units.

    The number of trials gives the jackknife variance, and is at most 1 / least.
    """
    m = len(without)
    if m < 2:
        return np.nan, np.nan
    variance = (m - 1) / m * np.sum((without - np.mean(without)) ** 2)
    spread = value * (1 - value)
    per_trial = max(variance / spread, least) if spread > 1e-12 else 1 / m
    c = stdtrit(m - 1, (1 + LEVEL) / 2) ** 2 * per_trial
    middle, half = value + c / 2, np.sqrt(c * spread + c**2 / 4)
    return float(max(middle - half, 0) / (1 + c)), float(min((middle + half) / (1 + c), 1))


def _sides_of_comparisons(answers):
    """Return question, response, screen and weight of rows, added within a screen, if positive."""
    questions, signs = to_query_response(answers.comparisons)
    question = number_rows(*questions.T)
    row = number_rows(question, signs, answers.screen)
    first = np.unique(row, return_index=True)[1]
    weight = np.bincount(row, answers.sample_weight)
    if not weight.any():
        raise ValueError("weight: all are 0; at least one answer must count")
    first, weight = first[weight > 0], weight[weight > 0]
    return question[first], signs[first], answers.screen[first], weight


def _sides_of_screens(answers):
    screens = np.arange(answers.n_screens)
    return answers.question, answers.response, screens, np.ones(len(screens))
