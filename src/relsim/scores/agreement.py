"""How good can it be: whether people agree, with themselves and each other, and what that allows.

What is compared is any two answers to the same question, so nothing is known from questions that
were asked once. Intervals come from leaving out one unit at a time, a question or a person: what
another survey would draw anew.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import betaln
from scipy.stats import t as student_t

from relsim._validation import check_word
from relsim.comparisons.answers import Answers, number_rows
from relsim.comparisons.convert import to_query_response

LEVEL = 0.95  # of the intervals


class Agreement(NamedTuple):
    """Share of pairs of answers to the same question that are the same answer.

    Attributes
    ----------
    value : float
        NaN where no question was asked twice.
    low, high : float
        Its 95 % interval; NaN where fewer than two units have pairs.
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


class NoiseCeiling(NamedTuple):
    """The largest share of answers that any fixed set of distances could predict.

    Attributes
    ----------
    value : float
        The estimate; NaN where no question was asked twice.
    low, high : float
        Its 95 % interval, which follows from that of the agreement.
    least : float
        Share of answers that the majority of the other answers to the question predicts, ties
        counted as half: a predictor that exists, so the ceiling is not below it but for chance.
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


def agreement(answers, *, people="any", of="comparisons", unit="question") -> Agreement:
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
        to each, or other people.

    Returns
    -------
    Agreement
        A tuple of ``value``, ``low``, ``high``, ``n_pairs`` and ``n_questions``.

    Raises
    ------
    ValueError
        As `relsim.comparisons.Answers`, for another word, and where participants are needed and
        unknown.

    Notes
    -----
    The variance is the jackknife's over units, each with all pairs of answers that it is in, and
    the interval Student's, with one degree of freedom less than there are such units (Efron and
    Stein, The jackknife estimate of variance, Annals of Statistics 9(3), 1981).

    Examples
    --------
    >>> from relsim.comparisons import Answers
    >>> votes = [[0, 1, 2], [0, 1, 2], [0, 2, 1], [3, 1, 2], [3, 1, 2]]
    >>> agreement(Answers(votes, participant=["ann", "bo", "cy", "ann", "bo"])).value
    0.5
    """
    pairs = _Pairs(_as_answers(answers), people, of)
    return pairs.agreement(unit)


def noise_ceiling(answers, *, people="any", unit="question") -> NoiseCeiling:
    """The largest share of answers that any embedding could predict, from repeated questions.

    An embedding gives every question one answer. Where people, or one person at two times, answer
    it both ways, some answers are missed whatever the embedding: of a question that is answered one
    way with probability p at best max(p, 1 - p) are predicted. The error of an embedding is to be
    seen beside one minus this ceiling.

    Parameters
    ----------
    answers : Answers or array-like of shape (n_comparisons, 3) or (n_comparisons, 4)
    people : {"any", "same", "different"}, default="any"
        From which pairs of answers it is estimated, as in `agreement`: "any" is the ceiling of one
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
    Two answers to a question agree with probability p^2 + (1 - p)^2. With A its mean over the
    questions, and p following a symmetric Beta distribution with both parameters
    a = (1 - A) / (2 A - 1), the mean of max(p, 1 - p) is 1/2 + 4^-a / (a B(a, a)). Whatever the
    distribution, it lies between A and (1 + sqrt(2 A - 1)) / 2, by Jensen's inequality.

    Examples
    --------
    >>> from relsim.comparisons import from_votes
    >>> ceiling = noise_ceiling([[0, 1, 2]] * 7 + [[0, 2, 1]] + [[3, 1, 2]] * 8)
    >>> [round(number, 2) for number in ceiling[:5]]
    [0.91, 0.5, 1.0, 0.94, 0.93]
    """
    pairs = _Pairs(_as_answers(answers), people, "comparisons")
    found = pairs.agreement(unit)
    value, low, high = (_ceiling_of(share) for share in found[:3])
    most = (1 + np.sqrt(max(2 * found.value - 1, 0))) / 2 if found.n_pairs else np.nan
    return NoiseCeiling(value, low, high, pairs.majority(), float(most), found)


def _ceiling_of(agreement):
    """The mean of max(p, 1 - p) for a symmetric Beta distribution with that agreement."""
    if not 0.5 < agreement < 1:
        return 0.5 if agreement <= 0.5 else float(agreement)  # 1 or NaN
    a = (1 - agreement) / (2 * agreement - 1)
    return float(0.5 + np.exp(-a * np.log(4) - np.log(a) - betaln(a, a)))


def _as_answers(answers):
    return answers if isinstance(answers, Answers) else Answers(answers)


class _Pairs:
    """Pairs of answers to the same question, counted without writing them out.

    A row is a screen's weight on one side of a question; a screen may lie on both sides, as a tie
    does. Of two screens with weights v, w on the sides of a question, sum(v) sum(w) pairs count,
    and sum(v w) of them agree.
    """

    def __init__(self, answers, people, of):
        check_word("people", people, ("any", "same", "different"))
        check_word("of", of, ("comparisons", "screens"))
        if people != "any" and answers.participant is None:
            raise ValueError(f"people={people!r}; the participants of these answers are unknown")
        self.people = people
        self.answers = answers
        self.person = np.zeros(answers.n_screens, dtype=np.int64)
        if answers.participant is not None:
            self.person = np.unique(answers.participant, return_inverse=True)[1]
        rows = _sides_of_comparisons(answers) if of == "comparisons" else _sides_of_screens(answers)
        question, side, self.screen, self.weight = rows
        self.question = question
        self.side = number_rows(question, side)  # of a question
        self.item = number_rows(question, self.screen)

    def agreement(self, unit):
        check_word("unit", unit, ("question", "participant"))
        if unit == "participant" and self.answers.participant is None:
            raise ValueError("unit='participant'; the participants of these answers are unknown")
        unit = self.person if unit == "participant" else self.answers.question
        # An item is all that a screen says of a question, a row what it says of one side.
        first = np.unique(self.item, return_index=True)[1]
        items = np.bincount(self.item, self.weight)
        of_items = self.question[first], self.screen[first], items
        n, n_of_unit = self._count(*of_items, unit)
        same, same_of_unit = self._count(self.side, self.screen, self.weight, unit)
        if n == 0:
            return Agreement(np.nan, np.nan, np.nan, 0, 0)
        value = same / n
        low, high = _jackknife(n - n_of_unit, same - same_of_unit, n_of_unit > 0, value)
        ones = np.ones(len(items))
        n_pairs = self._count(*of_items[:2], ones, unit)[0]
        partners = self._partners(*of_items[:2], ones)
        n_questions = len(np.unique(of_items[0][partners > 0.5]))
        return Agreement(float(value), low, high, round(n_pairs), n_questions)

    def majority(self):
        """Share of answers that the majority of the others predicts; half where that is a tie."""
        others = self._partners(self.side, self.screen, self.weight)
        first, item = np.unique(self.item, return_index=True)[1], self.item
        items = np.bincount(item, self.weight)
        all_others = self._partners(self.question[first], self.screen[first], items)[item]
        asked = all_others > 0
        if not asked.any():
            return np.nan
        right = np.sign(np.round(2 * others - all_others, 9)) / 2 + 0.5
        return float(np.average(right[asked], weights=self.weight[asked]))

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


def _jackknife(n_without, same_without, is_in_pairs, value):
    """The interval from the shares that are left without each unit."""
    without = n_without[is_in_pairs]
    m = len(without)
    if m < 2 or (without <= 0).any():
        return np.nan, np.nan
    shares = same_without[is_in_pairs] / without
    error = np.sqrt((m - 1) / m * np.sum((shares - shares.mean()) ** 2))
    reach = student_t.ppf((1 + LEVEL) / 2, m - 1) * error
    return float(max(value - reach, 0)), float(min(value + reach, 1))


def _sides_of_comparisons(answers):
    """Rows of question, side, screen and weight; what a screen says twice is added."""
    questions, signs = to_query_response(answers.comparisons)
    question = number_rows(*questions.T)
    row = number_rows(question, signs, answers.screen)
    first = np.unique(row, return_index=True)[1]
    weight = np.bincount(row, answers.sample_weight)
    return question[first], signs[first], answers.screen[first], weight


def _sides_of_screens(answers):
    screens = np.arange(answers.n_screens)
    return answers.question, answers.response, screens, np.ones(len(screens))
