"""Check which odd ones out are learned from, and which test."""

import numpy as np

from closerthan.comparisons.forms.three import from_odd_one_out
from closerthan_lab.datasets.simulated_dimensions import make_dimensions
from closerthan_survey.tasks.odd_ones.trials import answered_triples, draw, questions

N_ANSWERS = 6000


def parts(toy, trial=0):
    """Return the training and the test answers."""
    return toy.setup.comparisons(trial)


def test_a_question_is_on_one_side_and_nothing_is_lost(odd_ones):
    toy = odd_ones({"share": 0.25})
    train, test = parts(toy)
    assert len(train) + len(test) == N_ANSWERS
    assert not set(questions(train)) & set(questions(test))
    n_questions = len(set(questions(np.vstack([train, test]))))
    assert len(set(questions(test))) == round(0.25 * n_questions)
    assert set(map(tuple, test)) != set(map(tuple, parts(toy, 1)[1]))


def test_no_training_answer_names_a_new_object(odd_ones):
    toy = odd_ones({"test": "object", "share": 0.2})
    objects = toy.objects[toy.objects.trial == 0]
    new = objects.object[objects.part == "new"]
    train, test = parts(toy)
    assert len(new) == 12 and not np.isin(train, new).any()
    assert np.isin(test, new).any(axis=1).all() and len(train) + len(test) == N_ANSWERS


def test_questions_that_many_answered_are_left_out(odd_ones):
    asked = np.array([[0, 1, 2]] * 3 + [[2, 1, 0]] * 2 + [[3, 4, 5], [4, 5, 3], [6, 7, 8]])
    arrays = from_odd_one_out(asked, asked[:, 2]).arrays()
    toy = odd_ones({"share": 0.5, "most_asked": 4}, arrays, methods={"one": {"control": "ceiling"}})
    train, test = parts(toy)
    assert sorted(map(tuple, np.vstack([train, test]))) == [(3, 4, 5), (4, 5, 3), (6, 7, 8)]


def test_another_data_set_tests_and_shares_no_question(odd_ones, tmp_path):
    asked = answered_triples(make_dimensions(random_state=0).arrays())[:2]
    data = tmp_path / "results" / "data"
    data.mkdir(parents=True)
    np.savez(data / "things_repeated.npz", **from_odd_one_out(asked, asked[:, 2]).arrays())
    toy = odd_ones({"test": "things_repeated"})
    assert toy.experiment.also_reads == ["things_repeated"]
    train, test = parts(toy)
    assert sorted(map(tuple, test)) == sorted(map(tuple, asked))
    assert not np.isin(questions(train), questions(test)).any() and len(train) < N_ANSWERS


def test_drawn_answers_come_from_the_dimensions(odd_ones):
    arrays = {"features": np.repeat([[9.0, 0.0], [0.0, 9.0]], 30, axis=0)}
    drawn = {"test": "drawn", "n_train": 500, "n_test": 100}
    toy = odd_ones(drawn, arrays, methods={"truth": {"control": "truth"}})
    for part, n in zip(parts(toy), (500, 100), strict=True):
        kinds = part // 30
        mixed = kinds.min(axis=1) < kinds.max(axis=1)
        assert len(part) == n and (kinds[mixed, 0] == kinds[mixed, 1]).all()


def test_trials_differ_and_experiments_with_the_same_settings_agree(odd_ones):
    toy = odd_ones({"share": 0.3})
    (again, _), (other, _) = draw(toy.setup, 0), draw(toy.setup, 1)
    assert (again.part == "train").sum() == len(parts(toy)[0])
    np.testing.assert_array_equal(again[again.part == "train"][["i", "j", "k"]], parts(toy)[0])
    assert not np.array_equal(other[["i", "j", "k"]], again[["i", "j", "k"]])
