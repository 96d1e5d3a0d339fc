"""Check that each form of answer gives exactly the comparisons that the answer implies."""

from itertools import permutations
from math import comb, factorial, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import euclidean_distances

from closerthan import comparisons as rc
from closerthan.comparisons import Answers
from closerthan.comparisons.check import exchange_where
from closerthan.scores import triplet_error
from slow_reference import random_quadruplets, random_triplets, squared_distances

SEEDS = st.integers(0, 2**32 - 1)
KINDS = {"triplets": random_triplets, "quadruplets": random_quadruplets}


def someone(seed, n_objects=9):
    """Return points that stand for a person's view of the objects, and their distances."""
    points = np.random.default_rng(seed).normal(size=(n_objects, 2))
    return points, euclidean_distances(points)


def triplets(answers):
    return {tuple(row) for row in answers.comparisons.tolist()}


def assert_known_of(answers, seed, points, n_rows, n_possible):
    """The rows agree with the points and all differ, and each screen has its bits as weight."""
    assert triplet_error(points, answers) == 0
    assert np.bincount(answers.screen).tolist() == list(n_rows)
    for screen, n in enumerate(n_possible):
        rows = answers.comparisons[answers.screen == screen]
        assert len(np.unique(rows, axis=0)) == len(rows)
        np.testing.assert_allclose(answers.weight[screen] * len(rows), log2(n))


# Three objects


@pytest.mark.parametrize(
    ("turn", "extreme", "follows"),
    [
        (rc.from_odd_one_out, min, lambda a, b, o: {(a, b, o), (b, a, o)}),
        (rc.from_most_central, max, lambda a, b, c: {(a, c, b), (b, c, a)}),
    ],
)
@given(seed=SEEDS)
def test_one_of_three(turn, extreme, follows, seed):
    """The odd one is not in the closest pair, and the central one not in the farthest."""
    points, distances = someone(seed)
    rng = np.random.default_rng(seed)
    objects = np.array([rng.permutation(9)[:3] for _ in range(6)])
    picked, expected = [], []
    for shown in objects:
        a, b = extreme(permutations(shown, 2), key=lambda pair: distances[pair])
        picked.append(next(one for one in shown if one not in (a, b)))
        expected.append(follows(a, b, picked[-1]))
    answers = turn(objects, picked)
    assert_known_of(answers, seed, points, [2] * 6, [3] * 6)
    assert [triplets(answers.take([screen])) for screen in range(6)] == expected
    if turn is rc.from_odd_one_out:
        back, again = rc.to_odd_one_out(answers)
        np.testing.assert_array_equal(np.sort(back), np.sort(objects))
        np.testing.assert_array_equal(again, picked)


# Lists


P = [[0, 1], [2, 3], [4, 5]]  # on a screen


def lists(seed, distances, n_screens=8, least=2):
    """Return lists of different lengths for an object, most similar first, padded with -1."""
    rng = np.random.default_rng(seed)
    anchors = rng.integers(len(distances), size=n_screens)
    rankings = np.full((n_screens, 6), -1)
    for row, i in enumerate(anchors):
        n = rng.integers(least, 7)
        shown = rng.permutation(np.delete(np.arange(len(distances)), i))[:n]
        rankings[row, :n] = shown[np.argsort(distances[i, shown])]
    return anchors, rankings


@pytest.mark.parametrize("top", [None, 1, 2, 3, 10])
@given(seed=SEEDS)
def test_rankings(top, seed):
    points, distances = someone(seed)
    anchors, rankings = lists(seed, distances)
    sizes = (rankings >= 0).sum(axis=1)
    answers = rc.from_rankings(anchors, rankings, top=top)
    ranked = np.minimum(sizes, top or 10)
    n_rows = [comb(n, 2) - comb(n - m, 2) for n, m in zip(sizes, ranked, strict=True)]
    n_possible = [factorial(n) // factorial(n - m) for n, m in zip(sizes, ranked, strict=True)]
    assert_known_of(answers, seed, points, n_rows, n_possible)
    if top is None:
        back = rc.to_rankings(answers)
        np.testing.assert_array_equal(back[0], anchors)
        np.testing.assert_array_equal(back[1], rankings[:, : sizes.max()])


@given(SEEDS)
def test_choices(seed):
    points, distances = someone(seed)
    anchors, rankings = lists(seed, distances)
    rng = np.random.default_rng(seed)
    candidates, chosen = np.full_like(rankings, -1), np.full((len(anchors), 5), -1)
    sizes, n_chosen = (rankings >= 0).sum(axis=1), []
    for row, n in enumerate(sizes):
        k = rng.integers(1, n)
        candidates[row, :n] = rng.permutation(rankings[row, :n])
        chosen[row, :k] = rng.permutation(rankings[row, :k])
        n_chosen.append(k)
    answers = rc.from_choices(anchors, candidates, chosen)
    n_rows = [k * (n - k) for n, k in zip(sizes, n_chosen, strict=True)]
    n_possible = [comb(n, k) for n, k in zip(sizes, n_chosen, strict=True)]
    assert_known_of(answers, seed, points, n_rows, n_possible)
    of_screen = [answers.take([screen]).comparisons for screen in range(answers.n_screens)]
    for rows, i, shown, picked in zip(of_screen, anchors, candidates, chosen, strict=True):
        picked, shown = set(picked) - {-1}, set(shown) - {-1}
        expected = {(i, near, far) for near in picked for far in shown - picked}
        assert set(map(tuple, rows.tolist())) == expected and len(rows) == len(expected)


# Pairs


@pytest.mark.parametrize("m", [2, 3, 4, 6])
@given(seed=SEEDS)
def test_best_and_worst_pairs(m, seed):
    points, distances = someone(seed)
    rng = np.random.default_rng(seed)
    all_pairs = np.column_stack(np.triu_indices(9, k=1))
    pairs = np.array([rng.permutation(all_pairs)[:m] for _ in range(5)])
    of_pairs = distances[pairs[..., 0], pairs[..., 1]]
    best, worst = of_pairs.argmin(axis=1), of_pairs.argmax(axis=1)
    answers = rc.from_best_worst(pairs, best, worst)
    assert_known_of(answers, seed, points, [2 * m - 3] * 5, [m * (m - 1)] * 5)
    for screen, (shown, first, last) in enumerate(zip(pairs, best, worst, strict=True)):
        middle = [tuple(pair) for place, pair in enumerate(shown) if place not in (first, last)]
        first, last = tuple(shown[first]), tuple(shown[last])
        expected = {
            (*first, *last),
            *((*first, *p) for p in middle),
            *((*p, *last) for p in middle),
        }
        rows = answers.take([screen]).comparisons.tolist()
        assert set(map(tuple, rows)) == expected


# One question


@pytest.mark.parametrize("kind", KINDS)
@given(seed=SEEDS)
def test_responses_and_ties(kind, seed):
    points, _ = someone(seed)
    rows = KINDS[kind](np.random.default_rng(seed), len(points), 30)
    near, far = squared_distances(points, rows)
    questions, given = rc.to_query_response(exchange_where(rows, near > far))
    responses = np.where(np.random.default_rng(seed).random(30) < 0.3, 0, given)
    responses[0] = 1
    answers = rc.from_responses(questions, responses)
    np.testing.assert_array_equal(np.bincount(answers.screen), 2 - np.abs(responses))
    np.testing.assert_allclose(np.bincount(answers.screen, answers.sample_weight), 1)
    ties = answers.take(responses == 0) if (responses == 0).any() else None
    assert ties is None or triplet_error(points, ties) == 0.5
    back = rc.to_responses(answers)
    np.testing.assert_array_equal(back[0], questions)
    np.testing.assert_array_equal(back[1], responses)


# Who and when


def test_each_form_keeps_who_answered_and_when():
    known = {"participant": ["ann", "bo"], "time": [1.5, np.nan]}
    pairs = [[0, 1], [2, 3], [4, 5]]
    for answers in (
        rc.from_odd_one_out([[0, 1, 2], [1, 2, 3]], [0, 1], **known),
        rc.from_most_central([[0, 1, 2], [1, 2, 3]], [0, 1], **known),
        rc.from_choices([0, 1], [[1, 2, 3], [2, 3, -1]], [[1, 2], [3, -1]], **known),
        rc.from_rankings([0, 1], [[1, 2, 3], [2, 3, -1]], **known),
        rc.from_best_worst([pairs, pairs], [0, 1], [1, 2], **known),
        rc.from_responses([[0, 1, 2], [1, 2, 3]], [0, 1], **known),
    ):
        assert answers.participant.tolist() == ["ann", "bo"]
        np.testing.assert_array_equal(answers.time, [1.5, np.nan])


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rc.from_odd_one_out([[4, 7, 9]], [0]), r"odd, row 0: 0 is not one of .*\(4, 7, 9"),
        (lambda: rc.from_most_central([[4, 7, 9]], [1]), "central, row 0: 1 is not one of"),
        (lambda: rc.from_odd_one_out([[4, 7, 4]], [7]), "objects, row 0: .* object 4 twice"),
        (lambda: rc.from_odd_one_out([[1, 2, 3, 4]], [1]), r"objects: shape \(1, 4\)"),
        (lambda: rc.from_odd_one_out([[4, 7, 9]], 4), r"odd: shape \(\)"),
        (
            lambda: rc.from_rankings([0, 3], [[1, 2], [2, 3]]),
            r"rankings, row 1: \(2, 3\) include the anchor itself",
        ),
        (lambda: rc.from_rankings([0], [[1, 2, 1]]), r"rankings, row 0: \(1, 2, 1\); they must"),
        (lambda: rc.from_rankings([0], [[1, -1, 2]]), "row 0, column 2: 2 is after -1"),
        (lambda: rc.from_rankings([0], [[1, -1]]), "rankings, row 0: 1; there must be at"),
        (lambda: rc.from_rankings([-1], [[1, 2]]), "anchors, row 0, column .: -1 is not an"),
        (lambda: rc.from_rankings([0], [[1, 2]], top=0), "top=0; it must be a whole number from 1"),
        (lambda: rc.from_rankings([0], [1, 2]), r"rankings: shape \(2,\); expected \(1, n\)"),
        (lambda: rc.from_rankings([], np.empty((0, 2))), "anchors: shape"),
        (
            lambda: rc.from_choices([0], [[1, 2, 3]], [[4]]),
            r"chosen, row 0: \(4,\) is not among the candidates \(1, 2, 3\)",
        ),
        (lambda: rc.from_choices([0], [[1, 2, 3]], [[1, 1]]), r"row 0: \(1, 1\); they must"),
        (lambda: rc.from_choices([0], [[1, 2]], [[-1]]), "chosen, row 0: 0 of 2; at least one"),
        (
            lambda: rc.from_choices([0], [[1, 2, -1]], [[1, 2]]),
            "chosen, row 0: 2 of 2; at least one must be chosen, but not all",
        ),
        (lambda: rc.from_choices([2], [[1, 2]], [[1]]), "candidates, row 0: .* the anchor itself"),
        (lambda: rc.from_best_worst([[[0, 1], [2, 3]]], [2], [0]), "best, row 0: there is no pair"),
        (lambda: rc.from_best_worst([[[0, 1], [2, 3]]], [1], [1]), "worst, row 0: best and worst"),
        (lambda: rc.from_best_worst([[[0, 1], [1, 0]]], [1], [0]), "row 0: .* the pairs must"),
        (lambda: rc.from_best_worst([[[0, 0], [1, 0]]], [1], [0]), "row 0: .* of a pair must"),
        (
            lambda: rc.from_best_worst([P, [[0, 1], [4, 5], [2, 3], [3, 2]]], [0, 0], [1, 1]),
            "pairs, row 1: 4 entries, but row 0 has 3; every screen",
        ),
        (lambda: rc.from_best_worst([P, [[0, 1], [-1, 2], [4, 5]]], [0, 0], [2, 2]), "2: -1 is no"),
        (lambda: rc.from_rankings(0, [1, 2]), r"anchors: shape \(\); expected \(n_screens,\)"),
        (lambda: rc.from_rankings([0, 0], [[1, 2, 3], [1, 2]]), "row 1: 2 entries, .* with -1"),
        (lambda: rc.from_best_worst([[0, 1]], [1], [0]), r"pairs: shape \(1, 2\)"),
        (lambda: rc.from_responses([[0, 1, 2]], [2]), "responses, row 0: 2 is not an answer"),
        (lambda: rc.from_rankings([0], [[1, 2]], time=[1, 2]), r"time: shape \(2,\)"),
    ],
)  # fmt: skip
def test_forms_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("undo", "form"),
    [
        (rc.to_odd_one_out, "an odd one out"),
        (rc.to_rankings, "a ranking"),
        (rc.to_responses, "one question"),
    ],
)
def test_the_way_back_refuses_answers_of_another_form(undo, form):
    answers = rc.from_choices([0, 0], [[1, 2, 3], [4, 5, 6]], [[1], [4]])
    with pytest.raises(ValueError, match=rf"answers, screen 0: \(0, 1, 2\).* come from {form}"):
        undo(answers)


def test_the_way_back_keeps_large_ids():
    rankings = np.tile([10**15, 1], (10_000, 1))  # ids times screens exceed 64 bits
    answers = rc.from_rankings(np.zeros(10_000, int), rankings)
    np.testing.assert_array_equal(rc.to_rankings(answers)[1], rankings)


R = [[0, 1, 2], [0, 1, 3], [0, 2, 3]]  # a ranking


@pytest.mark.parametrize(
    ("turn", "rows", "screen"),
    [
        (rc.to_rankings, [[0, 1, 2], [0, 1, 2], [0, 2, 1]], [0, 1, 1]),
        (rc.to_rankings, [*R, [0, 1, 2], [0, 2, 3], [0, 3, 1], *R], np.repeat([0, 1, 2], 3)),
        (rc.to_rankings, [*R, [0, 1, 2], [1, 0, 2], [0, 2, 3], *R], np.repeat([0, 1, 2], 3)),
        (rc.to_responses, [[0, 1, 2], [0, 1, 2], [0, 1, 2]], [0, 1, 1]),
        (rc.to_odd_one_out, [[0, 1, 2], [1, 0, 2], [0, 1, 2], [0, 2, 1]], [0, 0, 1, 1]),
    ],
)
def test_the_way_back_names_the_screen_that_is_of_another_form(turn, rows, screen):
    with pytest.raises(ValueError, match="answers, screen 1: "):
        turn(Answers(rows, screen))


def test_many_screens_are_turned_as_a_few_are():
    """Conversion and its checks work block by block."""
    n = 40_000
    rng = np.random.default_rng(0)
    lists = rng.permuted(np.tile(np.arange(1, 6), (n, 1)), axis=1)
    lists[rng.random(n) < 0.5, 4] = -1
    parts = [slice(0, n // 2), slice(n // 2, n)]
    for form in (
        lambda rows: rc.from_choices(np.zeros(len(lists[rows]), int), lists[rows], lists[rows, :2]),
        lambda rows: rc.from_rankings(np.zeros(len(lists[rows]), int), lists[rows]),
    ):
        whole, halves = form(slice(None)), [form(rows) for rows in parts]
        for name in ("comparisons", "sample_weight"):
            both = np.concatenate([getattr(half, name) for half in halves])
            np.testing.assert_array_equal(getattr(whole, name), both)
        shown = np.sort(lists, axis=1)
        same = np.unique(shown, axis=0, return_inverse=True)[1].ravel()
        assert len(set(zip(same, whole.question, strict=True))) == same.max() + 1
        assert whole.question.max() == same.max()


def test_the_way_back_takes_arrays_of_single_answers():
    questions, responses = rc.to_responses([[0, 2, 1], [3, 1, 2]])
    assert questions.tolist() == [[0, 1, 2], [3, 1, 2]] and responses.tolist() == [-1, 1]
    with pytest.raises(ValueError, match="quadruplets; a ranking is made of triplets"):
        rc.to_rankings(rc.Answers([[0, 1, 2, 3]]))
    with pytest.raises(ValueError, match=r"answers, screen 0: .* do not come from an odd one"):
        rc.to_odd_one_out([[0, 1, 2], [1, 0, 2]])
