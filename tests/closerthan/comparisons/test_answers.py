"""Check the table of answers: its checks, derived columns, parts and splits."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan import comparisons as rc
from closerthan.comparisons import Answers

LISTS = [[1, 2, 3], [3, 1, 2]]
PAIRS = [[0, 1], [2, 3], [4, 5]]
ENDS = [[0, 1], [2, 0]]  # the best and the worst pair of each screen


def random_answers(seed, n_screens=40, n_objects=8):
    """Return rankings and choices of random people; screens differ in size."""
    rng = np.random.default_rng(seed)
    anchors = rng.integers(n_objects, size=n_screens)
    others = np.array([rng.permutation(np.delete(np.arange(n_objects), i))[:4] for i in anchors])
    others[rng.random(n_screens) < 0.5, 3:] = -1
    people = rng.choice(["ann", "bo", "cy", "di"], n_screens)
    return rc.from_rankings(anchors, others, participant=people, time=rng.random(n_screens))


def rows_of(answers):
    return [tuple(row) for row in answers.comparisons.tolist()]


def test_what_is_left_out_is_one_screen_a_comparison_of_weight_one():
    answers = Answers([[0, 1, 2], [0, 2, 1]])
    np.testing.assert_array_equal(answers.screen, [0, 1])
    np.testing.assert_array_equal(answers.sample_weight, [1, 1])
    assert answers.participant is answers.time is answers.n_people is None
    assert (len(answers), answers.n_screens) == (2, 2)


@given(st.integers(0, 2**32 - 1))
def test_two_screens_ask_the_same_if_they_compare_the_same_pairs(seed):
    answers = random_answers(seed, n_screens=30, n_objects=5)
    pairs = [
        frozenset(
            frozenset(pair)
            for i, j, k in answers.comparisons[answers.screen == screen].tolist()
            for pair in ((i, j), (i, k))
        )
        for screen in range(answers.n_screens)
    ]
    question = answers.question
    same = np.array([[a == b for a in pairs] for b in pairs])
    np.testing.assert_array_equal(question[:, None] == question, same)
    expected = [
        sum(
            pairs[earlier] == pairs[screen]
            and answers.participant[earlier] == answers.participant[screen]
            for earlier in range(screen)
        )
        for screen in range(answers.n_screens)
    ]
    np.testing.assert_array_equal(answers.repeat, expected)


@pytest.mark.parametrize(
    ("turn", "asked", "given"),
    [
        (lambda lists, chosen: rc.from_choices([0, 0], lists, chosen), LISTS, [[1], [3]]),
        (lambda lists, _: rc.from_rankings([0, 0], lists), LISTS, None),
        (lambda pairs, ends: rc.from_best_worst(pairs, *ends), [PAIRS, PAIRS[::-1]], ENDS),
        (rc.from_odd_one_out, [[4, 7, 9], [9, 4, 7], [7, 9, 4]], [4, 7, 9]),
        (rc.from_most_central, [[4, 7, 9], [9, 4, 7], [7, 9, 4]], [4, 7, 9]),
        (rc.from_responses, [[4, 7, 9], [4, 9, 7], [4, 7, 9]], [1, -1, 0]),
        (rc.from_responses, [[1, 2, 3, 4], [4, 3, 1, 2], [2, 1, 4, 3]], [1, -1, 0]),
    ],
)
def test_a_question_is_the_same_whatever_the_answer_and_the_order(turn, asked, given):
    assert turn(asked, given).question.tolist() == [0] * len(asked)
    assert rc.from_responses([[0, 1, 2], [1, 0, 2]], [1, 1]).question.tolist() != [0, 0]


def test_repeats_of_anybody_count_where_people_are_unknown():
    assert Answers([[0, 1, 2], [0, 2, 1], [1, 0, 2], [0, 1, 2]]).repeat.tolist() == [0, 1, 0, 2]


@given(st.integers(0, 2**32 - 1))
def test_taken_screens_keep_all_that_is_known_of_them(seed):
    answers = random_answers(seed)
    chosen = np.random.default_rng(seed).random(answers.n_screens) < 0.5
    chosen[0] = True
    taken = answers.take(chosen)
    again = answers.take(np.flatnonzero(chosen))
    for name, array in taken.arrays().items():
        np.testing.assert_array_equal(array, again.arrays()[name])
    rows = chosen[answers.screen]
    np.testing.assert_array_equal(taken.comparisons, answers.comparisons[rows])
    np.testing.assert_array_equal(taken.participant, answers.participant[chosen])
    np.testing.assert_array_equal(taken.sample_weight, answers.sample_weight[rows])
    np.testing.assert_array_equal(taken.time[taken.screen], answers.time[answers.screen][rows])


def test_arrays_make_the_same_answers_again():
    answers = random_answers(3)
    stream = io.BytesIO()
    np.savez(stream, **answers.arrays())
    stream.seek(0)
    with np.load(stream, allow_pickle=False) as stored:
        again = Answers(**stored)
    for name, array in answers.arrays().items():
        np.testing.assert_array_equal(array, again.arrays()[name])


def test_the_table_has_a_row_a_comparison():
    answers = random_answers(1)
    table = answers.to_frame()
    assert list(table) == [
        "anchor", "near", "far", "screen", "repeat", "weight", "participant", "time"
    ]  # fmt: skip
    np.testing.assert_array_equal(table[["anchor", "near", "far"]], answers.comparisons)
    np.testing.assert_array_equal(table.weight, answers.sample_weight)
    assert table.groupby("screen").participant.nunique().eq(1).all()
    quadruplets = Answers([[0, 1, 2, 3]]).to_frame()
    assert list(quadruplets)[:4] == ["near_1", "near_2", "far_1", "far_2"]


@pytest.mark.parametrize("by", ["question", "screen", "participant"])
@given(seed=st.integers(0, 2**32 - 1))
def test_a_split_keeps_groups_whole_and_loses_nothing(by, seed):
    answers = random_answers(seed, n_objects=5)
    train, test = rc.split(answers, 0.5, by=by, random_state=seed)
    assert sorted(rows_of(train) + rows_of(test)) == sorted(rows_of(answers))
    assert train.n_screens + test.n_screens == answers.n_screens
    # The times all differ, so they name the screens.
    group = answers.time if by == "screen" else getattr(answers, by)
    group_of = dict(zip(answers.time, group, strict=True))
    assert not {group_of[t] for t in train.time} & {group_of[t] for t in test.time}
    n_groups = len(set(group_of.values()))
    assert len({group_of[t] for t in train.time}) == round(0.5 * n_groups)


T = [[0, 1, 2], [0, 2, 1], [1, 0, 2]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Answers(Answers(T)), "comparisons: these are Answers; give their array"),
        (lambda: Answers([[0, 1, 1]]), "comparisons, row 0: .* object 1 twice"),
        (lambda: Answers(T, screen=[0, 1]), r"screen: shape \(2,\); expected \(3,\)"),
        (lambda: Answers(T, screen=[0, 2, 2]), "screen, row 1: 2 after 0; screens count from 0"),
        (lambda: Answers(T, screen=[0, 1, 0]), "screen, row 2: 0 after 1; .* consecutive rows"),
        (lambda: Answers(T, screen=[1, 1, 2]), "screen, row 0: 1 at the start"),
        (lambda: Answers(T, [0, 0, 1], participant=[1, 2, 3]), r"participant: shape \(3,\); .*\(2"),
        (lambda: Answers(T, participant=["a", " ", "b"]), "participant, row 1: ' ' is not a name"),
        (lambda: Answers(T, participant=[1.5, 2, 3]), "participant: float64; .* whole numbers or"),
        (lambda: Answers(T, time=[1, -2, 3]), r"time, row 1: -2\.0; it must be finite and not"),
        (lambda: Answers(T).take([3]), "screens, row 0: 3; allowed are the rows -3 to 2"),
        (lambda: Answers(T).take([False] * 3), "screens: no screen is taken"),
        (lambda: rc.split(Answers(T), 0.5, by="people"), "by='people'; it must be one of question"),
        (lambda: rc.split(Answers(T), 0.5, by="participant"), "the participants .* unknown"),
        (lambda: rc.split(T, 0.5, by="participant"), "the participants .* unknown"),
        (lambda: rc.split(Answers(T), 2), "n_train=2 of 2 questions; give a"),
    ],
)  # fmt: skip
def test_answers_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_ids_may_be_as_large_as_integers_are():
    """Pair numbers (id times number of objects) would overflow."""
    most = 2**63 - 1
    answers = Answers([[most, 0, 1], [most, 1, 0], [2**24, 2**40 - 1, 5], [0, 2**40 - 1, 5]])
    assert answers.question[0] == answers.question[1]
    assert len(set(answers.question)) == 3
    rows = Answers([[2**24, 2**40 - 1, 5], [0, 2**40 - 1, 5], [2**40 - 1, 0, 5]])
    assert len(set(rows.question)) == 3
