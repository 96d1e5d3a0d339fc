"""Find participants who answer at random, reversed or on one side, and no others."""

import numpy as np
import pytest

from closerthan import comparisons as rc
from closerthan.scores.participants import compare_participants, find_sides


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
