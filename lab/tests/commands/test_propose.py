"""`closerthan next` turns a file of answers into a file of questions."""

import json

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons import Answers, sample_from_points
from closerthan_lab.commands.propose import propose
from closerthan_lab.files.answers import read_answers

POINTS = np.random.default_rng(0).normal(size=(12, 2))
ANSWERS = Answers(sample_from_points(POINTS, 150, random_state=0))


@pytest.fixture
def path(tmp_path):
    names = np.array([f"=name {number:02}" for number in range(12)])
    rows = pd.DataFrame(names[ANSWERS.comparisons], columns=["anchor", "near", "far"])
    rows.to_csv(tmp_path / "answers.csv", index=False)
    return tmp_path / "answers.csv"


def questions(rows):
    return {(head, frozenset(pair)) for head, *pair in np.asarray(rows).tolist()}


def test_questions_are_new_and_by_name(path):
    table = read_answers(path)
    proposed = propose(path, 20)
    asked = questions(table.names[table.answers.comparisons])
    assert len(proposed.frame()) == 20
    assert not questions(proposed.frame()) & asked
    assert set(proposed.frame().to_numpy().ravel()) <= set(table.names)


def test_what_is_written_is_what_was_proposed(path, tmp_path):
    proposed = propose(path, 20)
    proposed.write(tmp_path / "out")
    written = pd.read_csv(tmp_path / "out" / "questions.csv")
    assert list(written) == ["anchor", "first", "second"] and len(written) == 20
    assert not written["anchor"].str.startswith("=").any()  # a formula to a spreadsheet
    facts = json.loads((tmp_path / "out" / "next.json").read_text())
    assert facts["questions"] == proposed.frame().to_dict("records")
    assert (facts["answers"], facts["objects"], facts["strategy"]) == (150, 12, "information-gain")


def test_text_says_how_and_shows_some():
    text = propose(ANSWERS, 20).text()
    start = "20 questions with the highest expected information about the whole map, given 150"
    assert text.startswith(start)
    assert text.endswith("... and 10 more")
    assert "more" not in propose(ANSWERS, 5).text()


def test_with_few_answers_questions_are_random_and_that_is_said():
    proposed = propose(ANSWERS.take(np.arange(15)), 5)
    assert proposed.facts()["strategy"] == "random"
    assert "drawn at random, given 15 answers, too few to choose by" in proposed.text()


def test_fewer_are_proposed_where_fewer_are_left():
    every = sample_from_points(POINTS[:4], 12, random_state=0)
    few = propose(Answers(every[:9]), 5)
    assert len(few.questions) == 3 and "No other questions are left." in few.text()
    with pytest.raises(ValueError, match="no question is left"):
        propose(Answers(every), 5)


def test_no_name_is_printed_raw():
    rows = [["a", "\x1b[31mb", "c"], ["\x1b[31mb", "c", "a"]]
    table = read_answers(pd.DataFrame(rows, columns=["anchor", "near", "far"]))
    text = propose(table, 1).text()
    assert "\x1b" not in text and "'\\x1b[31mb'" in text
