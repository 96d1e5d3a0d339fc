"""Check agreement and noise ceiling against pairs counted one by one and simulated people."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student_t

from closerthan import comparisons as rc
from closerthan.comparisons import Answers
from closerthan_lab.quality import agreement, noise_ceiling

SEEDS = st.integers(0, 2**32 - 1)
WORDS = {"any": lambda a, b: True, "same": lambda a, b: a == b, "different": lambda a, b: a != b}


def some_answers(seed, n_screens=30):
    """Return choices from two or more objects by a few people; some questions are repeated."""
    rng = np.random.default_rng(seed)
    lists = np.array([rng.permutation(np.arange(1, 5)) for _ in range(n_screens)])
    lists[rng.random(n_screens) < 0.4, 2:] = -1
    people = rng.integers(4, size=n_screens)
    return rc.from_choices(np.zeros(n_screens, int), lists, lists[:, :1], participant=people)


def ties(seed, n=25):
    rng = np.random.default_rng(seed)
    questions = np.array([[0, 1, 2], [0, 1, 3]])[rng.integers(2, size=n)]
    people = rng.choice(["ann", "bo", "cy"], n)
    return rc.from_responses(questions, rng.integers(-1, 2, size=n), participant=people)


def weights_of_sides(answers, of):
    """Return, per screen, the weights of both sides of each question, by definition."""
    if of == "screens":
        question, response = answers.question, answers.response
        return [{question[s]: {response[s]: 1.0}} for s in range(answers.n_screens)]
    weights = [{} for _ in range(answers.n_screens)]
    rows = zip(answers.comparisons.tolist(), answers.screen, answers.sample_weight, strict=True)
    for (i, j, k), screen, weight in rows:
        sides = weights[screen].setdefault((i, frozenset((j, k))), {})
        sides[j] = sides.get(j, 0) + weight
    return weights


def count(weights, people, allowed, without=None, unit=None):
    """Sum the weights of all pairs and of agreeing pairs, leaving one unit out."""
    total = same = n_pairs = 0
    for a, b in combinations(range(len(weights)), 2):
        if without is not None and without in (unit[a], unit[b]):
            continue
        if not allowed(people[a], people[b]):
            continue
        for question in weights[a].keys() & weights[b].keys():
            one, other = weights[a][question], weights[b][question]
            total += sum(one.values()) * sum(other.values())
            same += sum(one[side] * other.get(side, 0) for side in one)
            n_pairs += 1
    return total, same, n_pairs


@pytest.mark.parametrize("of", ["comparisons", "screens"])
@pytest.mark.parametrize("people", list(WORDS))
@pytest.mark.parametrize("unit", ["question", "participant"])
@given(seed=SEEDS)
@settings(max_examples=10)
def test_agreement_counts_the_pairs_and_its_interval_leaves_out_units(of, people, unit, seed):
    answers = some_answers(seed) if seed % 2 else ties(seed)
    weights, person = weights_of_sides(answers, of), answers.participant
    total, same, n_pairs = count(weights, person, WORDS[people])
    found = agreement(answers, people=people, of=of, unit=unit)
    assert found.n_pairs == n_pairs
    if total == 0:
        assert np.isnan(found.value)
        return
    np.testing.assert_allclose(found.value, same / total)
    units = answers.question if unit == "question" else person
    shares = []
    for left_out in np.unique(units):
        n, s, _ = count(weights, person, WORDS[people], left_out, units)
        if n < total - 1e-12:  # the unit is in some pair
            shares.append(s / n if n else np.nan)
    m = len(shares)
    if m < 2 or np.isnan(shares).any():
        assert np.isnan(found.low) and np.isnan(found.high)
        return
    # Both bounds lie a Student quantile of their own standard errors away.
    share = same / total
    variance = (m - 1) / m * np.sum((np.array(shares) - np.mean(shares)) ** 2)
    n = share * (1 - share) / max(variance, 1e-15) if 1e-9 < share < 1 - 1e-9 else m
    assert found.low - 1e-9 <= share <= found.high + 1e-9
    for bound in (found.low, found.high):
        error = student_t.ppf(0.975, m - 1) * np.sqrt(bound * (1 - bound) / n)
        np.testing.assert_allclose(abs(bound - share), error, atol=1e-6)


def test_what_was_asked_once_tells_nothing():
    found = agreement([[0, 1, 2], [1, 0, 2]])
    assert np.isnan(found[:3]).all() and found[3:] == (0, 0)
    ceiling = noise_ceiling([[0, 1, 2], [1, 0, 2]])
    assert np.isnan(ceiling[:5]).all()


@pytest.mark.parametrize("others", [[], [[0, 1, 3], [0, 2, 3], [1, 0, 2]]])
def test_one_question_tells_nothing_of_the_others(others):
    ceiling = noise_ceiling([[0, 1, 2]] * 5 + others)
    assert np.isnan(ceiling[:3]).all() and ceiling.least == 1


def test_people_who_never_differ_have_a_ceiling_of_one():
    ceiling = noise_ceiling([[0, 1, 2]] * 5 + [[2, 3, 1]] * 4)
    value, low, high, least, most, _ = ceiling
    np.testing.assert_allclose([value, high, least, most], 1, atol=1e-3)
    assert 0.5 <= low < 0.9  # two questions prove little


def votes(rng, p, n):
    """Return independent answers; a share p[q] of the answers to question q says yes."""
    yes = rng.random((len(p), n)) < p[:, None]
    question = np.repeat(np.arange(len(p)), n)
    near, far = 2 * question + 1, 2 * question + 2
    swapped = np.where(yes.ravel()[:, None], np.c_[near, far], np.c_[far, near])
    return np.c_[np.zeros(len(question), int), swapped]


def drawn(rng, people, n):
    """Return shares of n questions, drawn from a Beta distribution or from a list."""
    return rng.beta(people, people, n) if np.isscalar(people) else rng.choice(people, n)


BETAS = [(0.1, 2), (0.1, 10), (0.5, 3), (2, 2), (2, 10)]
OTHERS = [([0.5, 1.0], 2), ([0.7, 0.7], 2), ([0.5, 0.9, 0.9], 2)]
MANY = [([0.875], 30), ([0.5, 1.0], 30), ([0.6, 0.7, 0.95], 30)]


@pytest.mark.parametrize(("people", "n_votes"), BETAS + OTHERS + MANY)
def test_the_ceiling_is_that_of_the_people(people, n_votes):
    """The bounds hold for any distribution; the value holds for Beta shares or many answers."""
    rng = np.random.default_rng(1)
    p = drawn(rng, people, 4000 if n_votes == 30 else 10_000)
    truth = np.maximum(p, 1 - p).mean()
    found = noise_ceiling(votes(rng, p, n_votes))
    # With 10,000 questions, chance moves the bounds by a few thousandths; 0.01 is allowed.
    assert found.least - 0.01 <= truth <= found.most + 0.01
    if np.isscalar(people):
        assert found.low <= truth <= found.high
    if np.isscalar(people) or n_votes == 30:
        assert abs(found.value - truth) < (0.015 if n_votes == 30 else 0.01)


@given(seed=SEEDS)
@settings(max_examples=20)
def test_the_majority_of_the_others_by_definition(seed):
    answers = some_answers(seed) if seed % 2 else ties(seed)
    weights = weights_of_sides(answers, "comparisons")
    right = total = 0
    for a, own in enumerate(weights):
        for question, sides in own.items():
            others = {}
            for b, theirs in enumerate(weights):
                if a != b:
                    for side, weight in theirs.get(question, {}).items():
                        others[side] = others.get(side, 0) + weight
            if not others:
                continue
            for side, weight in sides.items():
                lead = others.get(side, 0) - sum(w for s, w in others.items() if s != side)
                right += weight * (0.5 if abs(lead) < 1e-9 else lead > 0)
                total += weight
    found = noise_ceiling(answers).least
    np.testing.assert_allclose(found, right / total if total else np.nan)


@pytest.mark.parametrize(
    ("score", "people", "n_questions", "n_votes"),
    [
        (noise_ceiling, 0.5, 100, 2),
        (noise_ceiling, 0.5, 100, 20),
        *((score, [p], 20, 2) for score in (agreement, noise_ceiling) for p in (0.9, 0.99)),
    ],
)
def test_the_interval_covers(score, people, n_questions, n_votes):
    """At least 24 of 30 intervals cover the truth; 28.5 are expected: four errors more."""
    rng = np.random.default_rng(2)
    p = drawn(rng, people, 10**6)
    each = np.maximum(p, 1 - p) if score is noise_ceiling else p**2 + (1 - p) ** 2
    surveys = (votes(rng, drawn(rng, people, n_questions), n_votes) for _ in range(30))
    found = [score(survey) for survey in surveys]
    assert sum(one.low <= each.mean() <= one.high for one in found) >= 24


@pytest.mark.parametrize("n_votes", [2, 3, 10])
def test_the_interval_of_guessers_includes_chance(n_votes):
    """At least 18 of 20 intervals, because the agreement exceeds chance in one of forty."""
    rng = np.random.default_rng(3)
    found = [noise_ceiling(votes(rng, np.full(200, 0.5), n_votes)) for _ in range(20)]
    guesses = [one for one in found if one.low == 0.5]
    assert len(guesses) >= 18
    bounds = [(1 + max(2 * one.agreement.high - 1, 0) ** 0.5) / 2 for one in guesses]
    assert all(one.high >= bound for one, bound in zip(guesses, bounds, strict=True))


def test_thousands_of_votes_on_a_question_do_not_underflow():
    said = np.tile(np.repeat([1, -1], [4000, 2000]), 2)
    answers = rc.from_responses(np.repeat([[0, 1, 2], [3, 1, 2]], 6000, axis=0), said)
    assert abs(noise_ceiling(answers).value - 2 / 3) < 0.01


def test_answers_without_weight_do_not_count():
    rows = [[0, 1, 2]] * 6 + [[0, 2, 1], [3, 1, 2], [3, 1, 2], [3, 2, 1]]
    weight = np.ones(10)
    weight[[0, 7]] = 0
    answers = Answers(rows, weight=weight)
    counted = answers.take(weight > 0)
    np.testing.assert_allclose(agreement(answers), agreement(counted))
    np.testing.assert_allclose(noise_ceiling(answers)[:5], noise_ceiling(counted)[:5])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: agreement([[0, 1, 2]], people="same"), "people='same'; the participants of"),
        (lambda: agreement([[0, 1, 2]], unit="participant"), "unit='participant'; the "),
        (lambda: agreement([[0, 1, 2]], people="all"), "people='all'; it must be one of any, same"),
        (lambda: agreement([[0, 1, 2]], of="rows"), "of='rows'; it must be one of comparisons"),
        (lambda: agreement([[0, 1, 2]], unit="row"), "unit='row'; it must be one of question"),
        (lambda: agreement([[0, 1, 1]]), "comparisons, row 0: .* object 1 twice"),
        (lambda: agreement(Answers([[0, 1, 2]], weight=[0])), "weight: all are 0; at least one"),
        (lambda: noise_ceiling(Answers([[0, 1, 2]], weight=[0])), "weight: all are 0; at least"),
    ],
)  # fmt: skip
def test_agreement_refuses(call, message):
    with pytest.raises(ValueError, match=message):
        call()
