"""Find participants who answer at random, reversed or on one side, and no others."""

import numpy as np
import pytest

from closerthan import comparisons as rc
from closerthan_lab.quality.participants import (
    compare_participants,
    find_guessers,
    find_hurried,
    find_sides,
)


def survey(seed, careless=(), n_people=12, n_questions=60, error=0.15, form="triplets"):
    """Return answers of people; each careless person errs in their own share of cases."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(12, 2))
    truth = rc.sample_from_points(points, n_questions, random_state=seed)
    parts = []
    for person in range(n_people):
        rate = dict(careless).get(person, error)
        parts.append(rc.swap_answers(truth, rate, random_state=int(rng.integers(2**31)))[0])
    people = np.repeat([f"p{person:02}" for person in range(n_people)], n_questions)
    return rc.Answers(np.concatenate(parts), participant=people)


def unlike(answers):
    found = compare_participants(answers)
    return found["participant"][found["unlike"]].tolist()


def test_the_careless_and_the_contrary_are_named():
    hits = [unlike(survey(seed, {3: 0.5, 7: 0.9})) for seed in range(20)]
    assert sum(hit == ["p03", "p07"] for hit in hits) >= 18


@pytest.mark.parametrize("error", [0.05, 0.2, 0.35])
def test_hardly_anybody_is_named_who_is_like_the_others(error):
    named = [unlike(survey(seed, error=error)) for seed in range(40)]
    assert sum(map(bool, named)) <= 2


def test_agreement_is_that_with_each_other_person():
    """Compare with a plain loop over all pairs of answers."""
    answers = survey(0, {1: 0.5}, n_people=4, n_questions=10)
    found = compare_participants(answers)
    question, side = rc.to_query_response(answers.comparisons)
    for row, name in enumerate(found["participant"]):
        shares = []
        for s in np.flatnonzero(answers.participant == name):
            others = (question == question[s]).all(axis=1) & (answers.participant != name)
            if others.any():
                shares.append(np.mean(side[others] == side[s]))
        np.testing.assert_allclose(found["agreement"][row], np.mean(shares))
        assert found["n_shared"][row] == len(shares)
    assert (found["n_answers"] == 10).all()


def test_the_comparisons_of_one_screen_are_not_counted_as_independent():
    """Five comparisons from one judgment count as one."""
    answers = survey(0, {3: 0.4})
    shift = 12 * np.arange(5)[:, None, None]
    rows = (answers.comparisons + shift).swapaxes(0, 1).reshape(-1, 3)
    screen = np.repeat(np.arange(answers.n_screens), 5)
    fivefold = rc.Answers(rows, screen, participant=answers.participant)
    once, five = compare_participants(answers), compare_participants(fivefold)
    np.testing.assert_allclose(five["p_value"], once["p_value"])
    assert (five["n_shared"] == 5 * once["n_shared"]).all()
    assert once["p_value"].min() < 0.01


def test_where_nothing_is_shared_nothing_is_said():
    answers = rc.Answers([[0, 1, 2], [1, 2, 3]], participant=["ann", "bo"])
    found = compare_participants(answers)
    assert found["agreement"].isna().all() and not found["unlike"].any()
    with pytest.raises(ValueError, match="participants of these answers are unknown"):
        compare_participants([[0, 1, 2]])


def sided(seed, rates, n=40):
    rng = np.random.default_rng(seed)
    people = np.repeat(np.arange(len(rates)), n)
    return (rng.random(len(people)) < np.repeat(rates, n)).astype(int), people


def test_who_keeps_to_one_side_is_found():
    for seed in range(20):
        found = find_sides(*sided(seed, [0.5] * 9 + [0.95]))
        assert np.flatnonzero(found["one_sided"]).tolist() == [9]
        assert found["place"][9] == 1


def test_who_does_as_all_do_is_not():
    """If the chosen object is always first in the file, the file's order is not the screen's."""
    assert not find_sides(*sided(0, [0.95] * 10))["one_sided"].any()
    falsely = [find_sides(*sided(seed, [0.5] * 10, 12))["one_sided"].any() for seed in range(100)]
    assert sum(falsely) <= 3


def test_places_that_are_unknown_do_not_count():
    found = find_sides([-1, 0, 1, 0, -1, -1], ["a", "a", "a", "a", "b", "b"])
    assert found["n_picks"].tolist() == [3, 0]
    assert np.isnan(found["share"][1]) and not found["one_sided"].any()
    assert find_sides([-1, -1])["n_picks"].tolist() == [0]


def guessing(seed, n_people=30, n_guessers=3, n_answers=100):
    """Return answers and whether a map predicts each: 85 % of all but the guessers'."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(n_people), n_answers)
    holds = rng.random(len(person)) < np.where(person < n_guessers, 0.5, 0.85)
    return rc.Answers(np.tile([[0, 1, 2]], (len(person), 1)), participant=person), holds


def test_guessers_are_found_and_nobody_else():
    found = np.array([find_guessers(*guessing(seed))["guesses"] for seed in range(200)])
    assert found[:, :3].mean() > 0.95
    assert found[:, 3:].any(axis=1).mean() < 0.05


def test_a_share_far_above_chance_is_no_guess():
    answers, holds = guessing(0, n_answers=1000)
    holds[answers.participant == 5] = np.arange(1000) < 600
    table = find_guessers(answers, holds)
    assert table["predicted"][5] == 0.6
    assert table["guesses"].sum() == 3
    assert not table["guesses"][5]


def test_comparisons_without_a_place_do_not_count():
    answers, holds = guessing(0)
    placed = np.ones(len(answers), dtype=bool)
    of_five = np.flatnonzero(answers.participant == 5)
    holds[of_five[20:]] = placed[of_five[20:]] = False
    table = find_guessers(answers, holds, placed)
    assert table["n_answers"][5] == 20
    assert table["guesses"].sum() == 3
    holds[answers.participant == 6] = False  # always the opposite, which is no guess
    assert not find_guessers(answers, holds, placed)["guesses"][6]


def test_who_answers_in_a_third_of_the_time_hurries():
    time = np.repeat([2.0, 2.2, 0.5, np.nan], 5)
    answers = rc.Answers([[0, 1, 2]] * 20, participant=np.repeat(list("abcd"), 5), time=time)
    table = find_hurried(answers).set_index("participant")
    assert table["hurried"].tolist() == [False, False, True, False]
    assert table.loc["c", ["seconds", "of_others"]].tolist() == [0.5, pytest.approx(2.1)]
