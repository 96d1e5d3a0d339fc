"""The test of differences: its size and power in simulations, and what it refuses."""

import numpy as np
import pytest

from closerthan.comparisons import Answers
from closerthan_lab.people import PeopleEmbedding, differences_test
from people.simulated import simulate

SAME = {"width": 0.0, "scale": 0.0, "n_people": 12, "n_answers": 80, "n_objects": 12}
HALVES = {person: "novices" if person < 6 else "experts" for person in range(12)}


def outcome(answers, groups=None, n_permutations=99, seed=0):
    model = PeopleEmbedding(random_state=0).fit(answers)
    return differences_test(
        model, answers, groups, n_permutations=n_permutations, random_state=seed
    )


@pytest.mark.parametrize("groups", [None, HALVES])
def test_without_differences_p_values_are_uniform(groups):
    p_values = [outcome(simulate(seed, **SAME)[2], groups, 39, seed).p_value for seed in range(30)]
    assert 0.34 < np.mean(p_values) < 0.66  # three standard errors
    assert np.mean(np.array(p_values) <= 0.05) < 0.17


def test_finds_people_who_differ():
    _, _, answers = simulate(1, width=0.5, scale=0.0)
    found = outcome(answers)
    assert found.p_value == 0.01
    scale, *weights = found.table.itertuples()
    assert all(row.p_value <= 0.05 and row.low > 0.1 for row in weights)
    assert scale.p_value > 0.05
    assert found.groups is None
    assert found.n_people == 30


def test_a_difference_of_scale_alone_is_not_one_of_weights():
    found = outcome(simulate(2, width=0.0, scale=0.5)[2])
    assert found.table["p_value"][0] <= 0.05
    assert found.table["p_value"][1:].min() > 0.05


@pytest.mark.parametrize("turned", [False, True])
def test_finds_the_dimension_that_a_group_weighs_more(turned):
    groups = {person: person >= 20 for person in range(40)}
    logs = np.repeat([0, 1], 20)[:, None] * [np.log(2.5), 0]
    if turned:
        logs = logs[::-1]
    points, _, answers = simulate(3, n_people=40, width=0.2, scale=0.2, logs=logs)
    model = PeopleEmbedding(random_state=0).fit(answers)
    found = differences_test(model, answers, groups, random_state=0)
    assert found.p_value <= 0.01
    axis = np.abs(np.corrcoef(points[:, 0], model.embedding_.T)[0, 1:]).argmax() + 1
    row = found.table.iloc[axis]
    sign = -1 if turned else 1
    assert row["p_value"] <= 0.05
    low, high = sorted([sign * row["low"], sign * row["high"]])
    # Half of log 2.5 is scale, because the mean of the weights is one.
    assert 0 < low < np.log(2.5) / 2 < high


def test_people_with_few_answers_do_not_matter_more():
    """Different numbers of answers alone are no difference."""
    p_values = []
    for seed in range(25):
        _, _, answers = simulate(seed, **SAME)
        kept = np.random.default_rng(seed).random(len(answers)) < answers.participant / 12 + 0.05
        p_values.append(outcome(answers.take(kept), None, 39, seed).p_value)
    assert 0.32 < np.mean(p_values) < 0.68


def test_faults_of_a_flat_map_are_no_differences():
    """The truth has five dimensions, the map two; all people are alike."""
    p_values = []
    for seed in range(20):
        _, _, answers = simulate(seed, **SAME | {"n_components": 5, "n_objects": 20})
        p_values.append(outcome(answers, None, 39, seed).p_value)
    assert np.mean(p_values) > 0.35


def test_says_if_people_were_asked_about_other_objects():
    _, _, answers = simulate(6, **SAME)
    assert outcome(answers).same_objects
    few = (answers.comparisons < 9).all(axis=1) | (answers.participant < 6)
    found = outcome(answers.take(few), HALVES)
    assert not found.same_objects
    told = "Not all were asked about each object equally often, so faults of the map may look like"
    assert f"{told} differences." in found.sentence()


def test_all_asked_about_all_objects_but_some_more_often_are_not_told_of_other_objects():
    _, _, answers = simulate(6, **SAME)
    again = (answers.comparisons < 9).all(axis=1) & (answers.participant < 6)
    rows = np.r_[np.arange(len(answers)), np.repeat(np.flatnonzero(again), 20)]
    more = Answers(answers.comparisons[rows], participant=answers.participant[rows])
    found = outcome(more)
    assert not found.same_objects
    assert "the same objects" not in found.sentence()


def test_a_map_of_one_question_shows_nothing():
    answers = Answers([[0, 1, 2]] * 6, participant=range(6))
    found = outcome(answers, n_permutations=9)
    assert found.p_value == 1
    assert (found.table["p_value"] == 1).all()
    assert all(row["p_value"] == 1 for row in found.facts()["effects"])


def test_the_same_seed_gives_the_same_result():
    _, _, answers = simulate(4, **SAME)
    one, other = outcome(answers, HALVES), outcome(answers, HALVES)
    assert one.p_value == other.p_value
    assert one.table.equals(other.table)


_, _, ANSWERS = simulate(0, **SAME)
FITTED = PeopleEmbedding(random_state=0).fit(ANSWERS)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({person: "a" for person in range(12)}, "groups: there are 1"),
        ({person: person % 3 for person in range(12)}, "groups: there are 3"),
        ({person: person == 3 for person in range(12)}, "True has 1 of 12 people; with so few"),
    ],
)
def test_refuses_groups(groups, message):
    with pytest.raises(ValueError, match=message):
        differences_test(FITTED, ANSWERS, groups)


def test_one_dimension_has_only_a_scale():
    _, _, answers = simulate(5, n_components=1, width=0.0, scale=0.6)
    model = PeopleEmbedding(1, random_state=0).fit(answers)
    found = differences_test(model, answers, n_permutations=99, random_state=0)
    assert found.table["what"].tolist() == ["scale"]
    assert found.p_value <= 0.05


def test_objects_of_nobody_are_left_out():
    answers = Answers(ANSWERS.comparisons * 2, participant=ANSWERS.participant)
    model = PeopleEmbedding(random_state=0).fit(answers)
    assert np.isnan(model.embedding_[1]).all()
    assert 0 < differences_test(model, answers, n_permutations=9).p_value <= 1
