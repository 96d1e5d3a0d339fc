"""Check that splits keep screens whole, differ by trial and agree between experiments."""

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan.scores.error import triplet_error
from closerthan_study.reading import coordinates
from closerthan_study.spec import ConfigError
from closerthan_study.tasks.setup import Setup
from closerthan_survey.tasks.answers.split import read_split
from closerthan_survey.tasks.answers.trials import draw, thin


def question(answers):
    near, far = answers.pairs
    return {frozenset(pair) for pair in zip(near, far, strict=True)}


def test_a_question_is_on_one_side_and_nothing_is_lost(survey, people):
    toy = survey()
    for trial in (0, 1):
        train, test = read_split(toy.trials, trial)
        assert len(train) + len(test) == len(people)
        assert not question(train) & question(test) and len(question(test)) == 20
        found = np.vstack([train.comparisons, test.comparisons])
        assert sorted(map(tuple, found)) == sorted(map(tuple, people.comparisons))
    first, second = (question(read_split(toy.trials, trial)[1]) for trial in (0, 1))
    assert first != second
    objects = toy.objects[toy.objects.trial == 0]
    assert list(objects.object) == list(range(10)) and set(objects.part) == {"item"}


def test_screens_weights_and_quadruplets_arrive_as_they_were(survey):
    rng = np.random.default_rng(1)
    shown = np.array([rng.choice(10, 3, replace=False) for _ in range(60)])
    given = from_odd_one_out(shown, shown[:, 0])
    toy = survey(arrays=given.arrays())
    train, test = read_split(toy.trials, 0)
    assert train.n_screens + test.n_screens == 60
    for part in (train, test):
        assert (np.bincount(part.screen) == 2).all()
        np.testing.assert_allclose(part.weight, given.weight[0])
    four = np.array([rng.choice(10, 4, replace=False) for _ in range(60)])
    toy = survey(arrays=Answers(four, weight=rng.random(60)).arrays())
    train, test = read_split(toy.trials, 1)
    found = {tuple(row): weight for part in (train, test) for row, weight in _rows(part)}
    weights = np.load(toy.npz)["weight"]
    assert found == {tuple(r): w for r, w in _rows(Answers(four, weight=weights))}


def _rows(answers):
    return zip(answers.comparisons.tolist(), answers.sample_weight.tolist(), strict=True)


def test_people_can_be_kept_whole(survey):
    toy = survey(comparisons={"n_train": 0.6, "by": "participant"})
    train, test = read_split(toy.trials, 0)
    assert (len(train), len(test)) == (300, 200)
    assert question(test) <= question(train), "the same questions, of other people"


def test_simulated_answers_are_drawn_anew_and_come_with_their_truth(survey):
    toy = survey("simulated_exact", {"points": np.zeros((2, 2))})
    truths = []
    for trial, objects in toy.objects.groupby("trial"):
        points = coordinates(objects)
        for part in read_split(toy.trials, trial):
            assert triplet_error(points, part) == 0
        truths.append(points)
    assert truths[0].shape == (60, 3) and not np.isin(*truths).any()


def test_experiments_of_a_study_have_the_same_parts(survey, people):
    toy = survey()
    other = toy.experiment.model_copy(update={"name": "other", "n_components": 5})
    for trial in (0, 1):
        setups = (Setup(toy.spec, e, toy.dataset) for e in (toy.experiment, other))
        one, two = (draw(setup, trial)[0] for setup in setups)
        pd.testing.assert_frame_equal(one, two)


def test_thinning_takes_whole_screens_and_about_as_many_comparisons_as_asked_for():
    rng = np.random.default_rng(0)
    shown = np.array([rng.choice(9, 3, replace=False) for _ in range(200)])
    answers = from_odd_one_out(shown, shown[:, 1])
    fewer = thin(answers, 101, rng)
    assert len(fewer) == 100 and (np.bincount(fewer.screen) == 2).all()
    assert thin(answers, None, rng) is answers and thin(answers, 400, rng) is answers


def test_data_without_answers_are_refused(survey):
    with pytest.raises(ConfigError, match=r"datasets: 'eurodist' holds no answers"):
        survey("eurodist")
