"""Whether people agree, with themselves and with each other.

What is compared is any two answers to the same question, so nothing is known from questions that
were asked once. Intervals come from leaving out one unit at a time, a question or a person: what
another survey would draw anew.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit  # scipy.stats takes half a second to import

from closerthan._core.validation import check_word
from closerthan.comparisons.answers import as_answers, number_people, number_rows
from closerthan.comparisons.convert import to_query_response

LEVEL = 0.95  # of the intervals


class Agreement(NamedTuple):
    """Share of pairs of answers to the same question that are the same answer.

    Attributes
    ----------
    value : float
        NaN where no question was asked twice.
    low, high : float
        Its 95 % interval; NaN where fewer than two units have pairs, or one is in all of them.
    n_pairs : int
        Pairs of answers.
    n_questions : int
        Questions with a pair.
    """

    value: float
    low: float
    high: float
    n_pairs: int
    n_questions: int


def agreement(
    answers: ArrayLike, *, people: str = "any", of: str = "comparisons", unit: str = "question"
) -> Agreement:
    """Share of pairs of answers to the same question that agree, with a 95 % interval.

    Parameters
    ----------
    answers : Answers or array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
    people : {"any", "same", "different"}, default="any"
        Which two answers are compared: any two, those of one person, or those of two people. The
        last two need participants.
    of : {"comparisons", "screens"}, default="comparisons"
        What is the same question: that of one comparison, from whatever screens, so that 1/2 is
        chance; or that of a whole screen, so that chance is one over its number of answers. Of
        comparisons a pair counts by the product of their weights, and a tie agrees by half with
        everything; of screens a tie is an answer like the others.
    unit : {"question", "participant"}, default="question"
        What another survey would draw anew, for the interval: other questions, with other answers
        to each, or other people. Where people are unequally reliable, an interval over questions is
        much too narrow for other people.

    Returns
    -------
    Agreement
        A tuple of ``value``, ``low``, ``high``, ``n_pairs`` and ``n_questions``.

    Raises
    ------
    ValueError
        As `closerthan.comparisons.Answers`, for another word, and where participants are needed and
        unknown.

    Notes
    -----
    The variance is the jackknife's over units, each with all pairs of answers that it is in (Efron
    and Stein, The jackknife estimate of variance, Annals of Statistics 9(3), 1981). The interval is
    Wilson's (Journal of the American Statistical Association 22, 1927) for as many trials as would
    give that variance, or as there are units where all pairs agree, with Student's quantile of one
    degree of freedom less than there are units.

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
    """Pairs of answers to the same question, counted without writing them out.

    A row is a screen's weight on one side of a question; a screen may lie on both sides, as a tie
    does. Of two screens with weights v, w on the sides of a question, sum(v) sum(w) pairs count,
    and sum(v w) of them agree.
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
        # An item is all that a screen says of a question, a row what it says of one side.
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
        """Share of answers that the majority of the others predicts, half of it where that ties."""
        agreeing = self._partners(self.side, self.screen, self.weight)
        all_others = self._partners(*self._items())[self.item]
        weight = np.where(all_others > 1e-12, self.weight, 0.0)
        if weight.sum() == 0:
            return np.nan
        right = np.sign(np.round(2 * agreeing - all_others, 9)) / 2 + 0.5
        return float(np.average(right, weights=weight))

    def units(self, unit):
        """The number of the unit of each screen."""
        check_word("unit", unit, ("question", "participant"))
        if unit == "question":
            return self.answers.question
        return number_people(self.answers, "unit='participant'")

    def _items(self):
        first = np.unique(self.item, return_index=True)[1]
        return self.question[first], self.screen[first], np.bincount(self.item, self.weight)

    def _partners(self, group, screen, weight):
        """The weight of the other rows of the group with which each row makes a pair."""
        own = number_rows(group, self.person[screen])
        of_person = np.bincount(own, weight)[own]
        total = np.bincount(group, weight)[group]
        paired = {"any": total, "same": of_person, "different": total - of_person}[self.people]
        return paired if self.people == "different" else paired - weight

    def _count(self, group, screen, weight, unit):
        """The weight of all pairs within groups, and that of the pairs which each unit is in."""
        of_row = weight * self._partners(group, screen, weight)
        # A pair with both answers in one unit is in two of its rows.
        within = weight * self._partners(number_rows(group, unit[screen]), screen, weight)
        return of_row.sum() / 2, np.bincount(unit[screen], of_row - within / 2)


def jackknife(part, whole, part_of_unit, whole_of_unit):
    """The interval of part / whole, from the shares that are left without each unit."""
    counts = whole_of_unit > 0
    without = whole - whole_of_unit[counts]
    if (without <= 1e-12 * whole).any():
        return np.nan, np.nan
    return interval(part / whole, (part - part_of_unit[counts]) / without)


def interval(value, without, least=0.0):
    """Wilson's interval of a share, from those without each unit or group of units.

    Its number of trials is that with which the share would vary as much, at most 1 / least.
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
    """Rows of question, response, screen and weight; what a screen says twice is added.

    Those without weight are left out.
    """
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
