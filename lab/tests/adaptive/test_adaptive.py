"""Check adaptive questions: gains against slow references, and savings over random questions."""

import pickle
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers, sample_from_points
from closerthan.comparisons.check import exchange_where
from closerthan.scores import triplet_error
from closerthan_lab.adaptive import (
    STRATEGIES,
    AdaptiveQuestions,
    crowd_kernel_gain,
    information_gain,
    number_questions,
    questions_of,
)
from slow_reference import random_quadruplets, squared_distances

POINTS = np.random.default_rng(0).normal(size=(8, 2))
TRIPLETS = sample_from_points(POINTS, 60, random_state=0)
QUESTIONS = sample_from_points(POINTS, 20, random_state=1)


GAINS = [information_gain, partial(crowd_kernel_gain, random_state=0)]


def fitted(**options):
    return OrdinalEmbedding(**{"loss": "ste", "random_state": 0} | options).fit(TRIPLETS)


def probability(model, points, triplet):
    (p,) = model.loss_.probability(*squared_distances(points, [triplet]), points.shape[1])
    return model.lapse_ / 2 + (1 - model.lapse_) * p


def slow_direction(model, triplet, step=1e-5):
    """Return the derivative of P by each coordinate over sqrt(P (1 - P)), by differences."""
    points, slope = model.embedding_, []
    for place in np.ndindex(points.shape):
        moved = [points.copy(), points.copy()]
        moved[0][place] -= step
        moved[1][place] += step
        below, above = (probability(model, x, triplet) for x in moved)
        slope.append((above - below) / (2 * step))
    p = probability(model, points, triplet)
    return np.array(slope) / np.sqrt(p * (1 - p))


def slow_information(model, triplets):
    prior = np.eye(model.embedding_.size) / model.embedding_.var(axis=0).mean()
    directions = np.array([slow_direction(model, triplet) for triplet in triplets])
    return prior + directions.T @ directions


def bits(information):
    return np.linalg.slogdet(information)[1] / np.log(2) / 2


@pytest.mark.parametrize("options", [{}, {"loss": "t-ste"}, {"loss": "ckl"}, {"lapse": 0.2}])
def test_the_gain_is_the_fall_of_the_entropy_of_all_places(options):
    model = fitted(**options)
    before = slow_information(model, TRIPLETS)
    after = [before + np.outer(h, h) for h in (slow_direction(model, q) for q in QUESTIONS)]
    expected = [bits(information) - bits(before) for information in after]
    assert np.allclose(information_gain(model, TRIPLETS, QUESTIONS), expected, atol=1e-5)


def test_weights_are_as_many_answers():
    twice = np.concatenate([TRIPLETS, TRIPLETS])
    for gain in GAINS:
        weighted = gain(fitted(), TRIPLETS, QUESTIONS, sample_weight=np.full(60, 2.0))
        assert np.allclose(weighted, gain(fitted(), twice, QUESTIONS))


def test_answers_are_told_with_their_weights():
    asked = [AdaptiveQuestions(8, n_random=0, random_state=0) for _ in range(2)]
    asked[0].tell(Answers(TRIPLETS, weight=np.full(60, 2.0)))
    asked[1].tell(np.concatenate([TRIPLETS, TRIPLETS]))
    places = [each.model_.embedding_ for each in asked]
    assert np.allclose(*places, atol=1e-2)
    assert asked[0].weights.tolist() == 60 * [2.0]


def test_quadruplets_are_learned_from():
    quadruplets = random_quadruplets(np.random.default_rng(0), 8, 60)
    near, far = squared_distances(POINTS, quadruplets)
    quadruplets = exchange_where(quadruplets, near > far)
    asked = AdaptiveQuestions(8, n_random=0, random_state=0)
    asked.tell(TRIPLETS)
    asked.tell(quadruplets)
    assert asked.answers.shape == (120, 4)
    as_quadruplets, turned = TRIPLETS[:, [0, 1, 0, 2]], QUESTIONS[:, [0, 2, 1]]
    for gain in GAINS:
        one = gain(fitted(), TRIPLETS, QUESTIONS)
        assert np.allclose(one, gain(fitted(), as_quadruplets, QUESTIONS))
        assert np.allclose(one, gain(fitted(), TRIPLETS, turned))
    more = information_gain(fitted(), asked.answers, QUESTIONS)
    assert (more < information_gain(fitted(), TRIPLETS, QUESTIONS)).all()
    new = number_questions(asked.propose(100), 8)
    assert not np.isin(new, number_questions(TRIPLETS, 8)).any()


def test_a_batch_is_chosen_as_if_those_before_had_been_answered():
    asked = AdaptiveQuestions(8, model=fitted(), n_random=0, random_state=0)
    asked.tell(TRIPLETS)
    batch = asked.propose(4)
    model = asked.model_
    information = slow_information(model, TRIPLETS)
    every = questions_of(np.arange(8 * 21), 8)
    left = every[~np.isin(number_questions(every, 8), number_questions(TRIPLETS, 8))]
    for question in batch:
        directions = [slow_direction(model, q) for q in left]
        gains = [bits(information + np.outer(h, h)) for h in directions]
        best = left[np.argmax(gains)]
        assert number_questions(best[None], 8) == number_questions(question[None], 8)
        h = directions[np.argmax(gains)]
        information += np.outer(h, h)


def test_the_crowd_kernels_gain_is_that_of_one_anchor_after_another():
    model = fitted()
    points = model.embedding_
    draw = np.random.default_rng(5).multivariate_normal
    places = draw(points.mean(axis=0), np.cov(points.T), 10, method="eigh")
    places = np.concatenate([points, places])

    def entropy(p):
        return -(p * np.log2(p) + (1 - p) * np.log2(1 - p))

    def at(place, triplet):
        moved = np.vstack([points, place])
        return probability(model, moved, np.array([8, *triplet[1:]]))

    expected = []
    for question in QUESTIONS:
        own = TRIPLETS[TRIPLETS[:, 0] == question[0]]
        posterior = np.array([np.prod([at(place, t) for t in own]) for place in places])
        posterior /= posterior.sum()
        p = np.array([at(place, question) for place in places])
        expected.append(entropy(posterior @ p) - posterior @ entropy(p))
    gains = crowd_kernel_gain(model, TRIPLETS, QUESTIONS, n_places=10, random_state=5)
    assert np.allclose(gains, expected)


def test_every_question_has_a_number():
    numbers = np.arange(7 * 15)
    questions = questions_of(numbers, 7)
    every = [(i, {j, k}) for i in range(7) for j, k in combinations(range(7), 2) if i not in (j, k)]
    asked = [(i, set(pair)) for i, *pair in questions.tolist()]
    assert len(asked) == len(every) and all(question in asked for question in every)
    assert np.array_equal(number_questions(questions, 7), numbers)
    assert np.array_equal(number_questions(questions[:, [0, 2, 1]], 7), numbers)


def test_numbers_of_many_objects_are_exact():
    n = 100_000
    last = np.array([n * (n - 1) * (n - 2) // 2 - 1])
    assert questions_of(last, n).tolist() == [[n - 1, n - 3, n - 2]]
    assert AdaptiveQuestions(n, random_state=0).propose(3).max() < n


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_question_is_asked_twice_and_all_are_in_the_end(strategy):
    asked = AdaptiveQuestions(5, strategy=strategy, n_random=4, random_state=0)
    questions = []
    while len(questions) < 30:
        batch = asked.propose(4)
        asked.tell(batch[::2])  # the others are still with people
        questions.extend(batch)
    assert len(np.unique(number_questions(np.array(questions), 5))) == len(questions) == 30
    with pytest.raises(ValueError, match="no question is left: all were proposed"):
        asked.propose()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_batch_has_many_anchors(strategy):
    asked = AdaptiveQuestions(8, strategy=strategy, n_random=0, random_state=0)
    asked.tell(TRIPLETS)
    assert len(np.unique(asked.propose(8)[:, 0])) >= 4


@pytest.mark.parametrize(("strategy", "batch"), [("random", 1), ("information-gain", 15)])
def test_random_questions_are_about_all_objects_alike(strategy, batch):
    """Random questions are the baseline, and every strategy begins with them."""
    asked = AdaptiveQuestions(30, strategy=strategy, random_state=0)
    questions = np.concatenate([asked.propose(batch) for _ in range(300 // batch)])
    counts = np.bincount(questions[:, 0], minlength=30)
    assert counts.min() >= 2 and counts.max() <= 22  # 10 each, with a deviation of 3
    pairs = np.bincount(questions[:, 1:].ravel(), minlength=30)
    assert pairs.min() >= 8 and pairs.max() <= 35  # 20 each


def test_questions_may_be_drawn_from_those_that_were_given():
    asked = AdaptiveQuestions(8, n_random=0, random_state=0)
    asked.tell(TRIPLETS)
    given = number_questions(QUESTIONS, 8)
    new = set(given) - set(number_questions(TRIPLETS, 8))
    assert set(number_questions(asked.propose(100, among=QUESTIONS), 8)) == new


def test_a_seed_says_what_is_asked_also_if_it_is_stored_between_sessions():
    def ask(store):
        asked = AdaptiveQuestions(8, random_state=3)
        for _ in range(5):
            asked.tell(asked.propose(6))
            asked = store(asked)
        return asked.answers

    assert np.array_equal(ask(lambda asked: asked), ask(lambda a: pickle.loads(pickle.dumps(a))))


def test_an_object_without_answers_is_asked_about():
    asked = AdaptiveQuestions(9, n_random=0, random_state=0)
    asked.tell(np.tile(TRIPLETS, (3, 1)))
    assert (asked.propose(4) == 8).any()


def answers_of(points, questions, noise, rng):
    near, far = squared_distances(points, questions)
    triplets = np.where((near < far)[:, None], questions, questions[:, [0, 2, 1]])
    swapped = rng.random(len(triplets)) < noise
    return np.where(swapped[:, None], triplets[:, [0, 2, 1]], triplets)


def error_after(n_answers, strategy, seed, batch=15):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(30, 2))
    asked = AdaptiveQuestions(30, strategy=strategy, random_state=seed)
    while len(asked.answers) < n_answers:
        asked.tell(answers_of(points, asked.propose(batch), 0.1, rng))
    every = questions_of(np.arange(30 * 29 * 14), 30)
    return triplet_error(asked.model_.embedding_, answers_of(points, every, 0.0, rng))


def test_half_the_answers_are_enough():
    ours = [error_after(600, "information-gain", seed) for seed in range(3)]
    random = [error_after(1200, "random", seed) for seed in range(3)]
    assert np.mean(ours) <= np.mean(random)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objects": 2}, "give three or more objects"),
        ({"objects": ["a", "b", "a", "c"]}, "objects: a occurs twice"),
        ({"strategy": "best"}, "strategy='best'; it must be one of information-gain"),
        ({"n_components": 9}, "n_components=9; it must be a whole number from 1 to 8"),
        ({"n_candidates": 0}, "n_candidates=0"),
        ({"n_random": -1}, "n_random=-1"),
        ({"model": OrdinalEmbedding(loss="soe")}, "take ckl, ste, t-ste or smooth-soe"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        AdaptiveQuestions(**{"objects": 8} | options)


def test_a_bad_answer_is_refused_and_nothing_is_taken():
    asked = AdaptiveQuestions(8)
    with pytest.raises(ValueError, match=r"answers, row 1: .*"):
        asked.tell([[0, 1, 2], [0, 1, 8]])
    with pytest.raises(ValueError, match="shape"):
        asked.tell([[0, 1]])
    assert len(asked.answers) == 0
    with pytest.raises(ValueError, match="no answers yet"):
        asked.model_  # noqa: B018
    with pytest.raises(ValueError, match="among, row 0"):
        asked.propose(among=[[0, 0, 1]])
    with pytest.raises(ValueError, match="n=0"):
        asked.propose(0)
