"""Simulate answers from a known truth, so that methods can be compared with it."""

from typing import NamedTuple

import numpy as np

from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_word, is_number
from closerthan.comparisons.answers import Answers
from closerthan.comparisons.check import exchange_where
from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.comparisons.noise import swap_answers
from closerthan.comparisons.sample import (
    sample_from_distances,
    sample_from_points,
    squared_distances,
)
from closerthan.datasets.dataset import Dataset
from closerthan_lab.datasets.registered import describe
from closerthan_lab.sampling import count_questions, draw_questions

FORMS = {2: "triplets", 3: "odd-one-out"}


class Survey(NamedTuple):
    """How many questions are asked about how many objects, and how they are answered."""

    n_objects: int = 60
    n_components: int = 3
    n_per_object: int = 60
    swapped: float = 0.1
    lapse: float = 0.0
    n_alternatives: int = 2  # which of two is closer to a third, or which of three is the odd one
    logistic: bool = False  # answers by chance, the surer the more the squared distances differ
    city_block: bool = False

    @property
    def n_judgments(self):
        return self.n_objects * self.n_per_object // (self.n_alternatives - 1)


# What each differs in from the first, which has the defaults.
SURVEYS = {
    "simulated": Survey(),
    "simulated_2d": Survey(n_components=2),
    "simulated_5d": Survey(n_components=5),
    "simulated_large": Survey(n_objects=200),
    "simulated_few": Survey(n_per_object=20),
    "simulated_many": Survey(n_per_object=300),
    "simulated_exact": Survey(swapped=0.0),
    "simulated_noisy": Survey(swapped=0.25),
    "simulated_lapses": Survey(swapped=0.0, lapse=0.1, logistic=True),
    "simulated_city": Survey(n_components=5, city_block=True),
    "simulated_odd_one_out": Survey(n_alternatives=3),
}


def make_answers(
    name: str = "simulated",
    *,
    n_objects: int | None = None,
    n_components: int | None = None,
    n_per_object: int | None = None,
    swapped: float | None = None,
    lapse: float | None = None,
    random_state: Seed = None,
) -> Dataset:
    r"""Simulate the answers of a survey with a known truth.

    ``simulated`` is the default survey: triplets of 60 points from the normal distribution N(0, I)
    in three dimensions, 60 per object, 10% of them swapped. Every other survey changes one factor,
    except the surveys of lapses and city-block distances, which change several:

    ``simulated_2d``, ``simulated_5d``
        Two dimensions, or five.
    ``simulated_large``
        200 objects.
    ``simulated_few``, ``simulated_many``
        20 triplets per object, or 300.
    ``simulated_exact``, ``simulated_noisy``
        No answer is swapped, or 25% are.
    ``simulated_lapses``
        No answer is swapped, but answers are random: j is called closer to i than k with the
        probability of stochastic triplet embedding (STE),
        :math:`1 / (1 + \exp(d_{ij}^2 - d_{ik}^2))`. Moreover, 10% of the answers are lapses.
    ``simulated_city``
        City-block distances between points in five dimensions with log-normal coordinates,
        exp N(0, 1). Euclidean points in few dimensions cannot reproduce these distances.
    ``simulated_odd_one_out``
        The odd one out of three objects: the object outside the closest pair. Each judgment implies
        two comparisons, and there are as many comparisons as in ``simulated``.

    No question is asked twice; too few questions are a ValueError. The same seed gives surveys with
    the same number of objects and dimensions the same truth.

    Parameters
    ----------
    name : str, default "simulated"
        One of the above. It sets all parameters that are not given.
    n_objects : int, optional
        At least 3.
    n_components : int, optional
        The dimension of the true points.
    n_per_object : int, optional
        The number of comparisons divided by the number of objects.
    swapped : float in [0, 1], optional
        The share of wrong judgments: the other answer to a triplet, or one of the two other objects
        at random as the odd one out. Exactly this share (rounded) of the answers by distance is
        swapped; in ``simulated_lapses``, this share of the random answers.
    lapse : float in [0, 1], optional
        The probability that a judgment is a random guess. A guess may be right.
    random_state : None, int, SeedSequence or Generator, optional
        Passed to `numpy.random.default_rng`.

    Returns
    -------
    Dataset
        ``answers`` and the truth: ``points``, shape (n_objects, n_components). For
        ``simulated_city`` ``distances``, shape (n_objects, n_objects), in place of the points.

    References
    ----------
    L. van der Maaten and K. Weinberger, Stochastic triplet embedding, MLSP, 2012.

    Examples
    --------
    >>> from closerthan_lab.datasets import make_answers
    >>> data = make_answers("simulated_2d", n_objects=30, random_state=0)
    >>> data.answers
    Answers: 1800 triplets from 1800 screens
    >>> from closerthan.scores import triplet_error
    >>> triplet_error(data.points, data.answers)
    0.1
    """
    check_word("name", name, SURVEYS)
    survey = _survey(
        name,
        n_objects=n_objects,
        n_components=n_components,
        n_per_object=n_per_object,
        swapped=swapped,
        lapse=lapse,
    )
    rng = np.random.default_rng(random_state).spawn(1)[0]  # not what a fit with it draws
    points = rng.standard_normal((survey.n_objects, survey.n_components))
    city = survey.city_block
    truth = {"distances": _city_block(np.exp(points))} if city else {"points": points}
    judgments = _judge(survey, rng, **truth)
    if survey.n_alternatives == 2:
        answers = Answers(judgments)
    else:
        answers = from_odd_one_out(rng.permuted(judgments, axis=1), judgments[:, 2])
    return describe(name, survey.n_objects, answers=answers, **truth)


def _survey(name, **given):
    """Return a survey with what is given in place of its own settings, all checked."""
    given = {key: value for key, value in given.items() if value is not None}
    for key, value in given.items():
        if key not in ("swapped", "lapse"):
            check_count(key, value)
            given[key] = int(value)  # of a narrow type products could overflow
        elif not (is_number(value) and 0 <= value <= 1):
            raise ValueError(f"{key}={value!r}; it must be a share from 0 to 1")
    survey = SURVEYS[name]._replace(**given)
    if survey.n_objects < 3:
        raise ValueError(f"n_objects={survey.n_objects}; a question needs at least 3")
    n_questions = count_questions(survey.n_objects, FORMS[survey.n_alternatives])
    if survey.n_judgments > n_questions:
        raise ValueError(
            f"n_per_object={survey.n_per_object} takes {survey.n_judgments} questions; there are "
            f"only {n_questions} of {survey.n_objects} objects"
        )
    return survey


def _city_block(points):
    return sum(np.abs(np.subtract.outer(axis, axis)) for axis in points.T)


def _judge(survey, rng, points=None, distances=None):
    """Return a row of three objects a judgment, last the farther one or the odd one."""
    n = survey.n_judgments
    if distances is not None:
        judgments = sample_from_distances(distances, n, random_state=rng)
    elif survey.n_alternatives == 3:
        judgments = _sample_odd_ones(points, n, rng)
    else:
        judgments = sample_from_points(points, n, random_state=rng)
    if survey.logistic:
        judgments = _answer_by_chance(judgments, points, rng)
    # Of an odd one out this makes the object odd that stands before: one of the others at random.
    judgments, _ = swap_answers(judgments, survey.swapped, random_state=rng)
    lapsed = np.flatnonzero(rng.random(n) < survey.lapse)
    alternatives = slice(3 - survey.n_alternatives, 3)
    judgments[lapsed, alternatives] = rng.permuted(judgments[lapsed, alternatives], axis=1)
    return judgments


def _sample_odd_ones(points, n, rng):
    """Draw sets of three objects; the odd one is put last, the others in random order."""
    i, j, k = objects = draw_questions(len(points), n, FORMS[3], rng).T
    between_others = [squared_distances(points, *pair) for pair in ((j, k), (i, k), (i, j))]
    odd = np.argmin(between_others, axis=0)
    return np.stack([np.choose((odd + place) % 3, objects) for place in (1, 2, 3)], axis=1)


def _answer_by_chance(triplets, points, rng):
    """Swap true answers with the probability of STE."""
    i, j, k = triplets.T
    margin = squared_distances(points, i, k) - squared_distances(points, i, j)
    return exchange_where(triplets, rng.random(len(triplets)) > 1 / (1 + np.exp(-margin)))
