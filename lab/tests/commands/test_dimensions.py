"""`closerthan dimensions` finds, prints and writes the planted dimension."""

import json

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons import sample_from_points
from closerthan.comparisons.answers import Answers
from closerthan_lab.commands.dimensions import dimensions
from commands.planted import write_answers


def test_the_planted_dimension_is_found_and_written(tmp_path):
    found = dimensions(write_answers(tmp_path / "answers.csv"), [1, 2, 3], cv=5)
    assert found.chosen == 2
    assert "2  0." in found.text() and "<- chosen" in found.text()
    found.write(tmp_path / "out")
    table = pd.read_csv(tmp_path / "out" / "dimensions.csv")
    assert table["dimension"][table["chosen"]].tolist() == [2]
    assert table["error"].to_list() == list(found.search.errors_.mean(axis=1))
    facts = json.loads((tmp_path / "out" / "dimensions.json").read_text())
    assert facts == found.facts()
    assert facts["answers"] == 1000 and facts["objects"] == 20
    assert facts["folds"] == 5 and facts["repeats"] == 1
    for name in ("dimensions.png", "dimensions.pdf"):
        assert (tmp_path / "out" / name).stat().st_size > 1000


def test_more_dimensions_than_objects_are_left_out(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("anchor,near,far\n" + "a,b,c\nb,a,c\nc,b,a\n" * 10)
    found = dimensions(path, range(1, 11), cv=2)
    assert found.frame()["dimension"].to_list() == [1, 2, 3]


def test_the_last_of_those_tried_is_not_said_to_be_enough(tmp_path):
    answers = write_answers(tmp_path / "answers.csv")
    assert dimensions(answers, [1, 2], cv=5).sentence().endswith("not tried (raise --most).")
    found = dimensions(answers, [1, 2, 3], cv=5)
    said, changes = found.sentence(), found.search.errors_[2] - found.search.errors_[1]
    assert said.startswith("Of 1 to 3 dimensions, the search takes 2: the lowest held-out error.")
    assert f"With 3, the held-out error changes by {changes.mean():+.4f} ±" in said


@pytest.mark.parametrize(("n_questions", "n_people", "told"), [(200, 20, True), (700, 1, False)])
def test_few_different_questions_are_told_however_many_answers(n_questions, n_people, told):
    """To tell p dimensions from p + 1 takes 10 questions x 20 objects x (p + 1)."""
    points = np.random.default_rng(0).normal(size=(20, 2))
    asked = sample_from_points(points, n_questions, random_state=0)
    person = np.repeat(np.arange(n_people), n_questions)
    found = dimensions(Answers(np.tile(asked, (n_people, 1)), participant=person), [1, 2, 3], cv=2)
    p = found.chosen
    text = f"only 200 different comparisons: to tell {p} from {p + 1} dimensions takes about "
    text += f"{10 * 20 * (p + 1)}."
    assert (text in found.text()) == told == ("More answers to the same" in found.text())


def test_answers_of_a_coin_support_no_dimension():
    rng = np.random.default_rng(0)
    triplets = np.array([rng.permutation(10)[:3] for _ in range(300)])
    sentence = dimensions(Answers(triplets), [1, 2, 3]).sentence()
    assert sentence.startswith("No dimension predicts held-out answers better than chance")


def test_files_are_the_same_whenever_they_are_written(tmp_path, monkeypatch):
    found = dimensions(write_answers(tmp_path / "answers.csv"), [1, 2], cv=2)
    for day in ("0", "86400"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", day)
        found.write(tmp_path / day)
    for path in (tmp_path / "0").iterdir():
        assert path.read_bytes() == (tmp_path / "86400" / path.name).read_bytes()
