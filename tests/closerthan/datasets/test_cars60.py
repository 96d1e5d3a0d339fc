"""Check the cars: questions with a control, and classes parsed from a text."""

import numpy as np
import pytest

from closerthan.datasets.cars60 import parse_classes, parse_survey
from closerthan_lab.quality import agreement

README = """----
60 Cars Data: what it is

AUTHORS:
Matth\u00e4us (in T\u00fcbingen)

ORDINARY CARS: 2 5

OFF-ROAD/SPORT UTILITY VEHICLES: 1 4

OUTLIERS: 3
* a: The number of the round
   \t
"""


def test_classes_are_read_out_of_the_text():
    labels, names = parse_classes(README.encode(), n_objects=5)
    assert labels.tolist() == [1, 0, 2, 1, 0]
    assert names.tolist() == ["ordinary cars", "off-road/sport utility vehicles", "outliers"]


def test_answers_are_numbered_from_zero_and_the_control_is_known():
    rows = ["1,15,53,18,15,12.345", "1,3,4,3,1,6.7890", "2,1,2,3,1,0.012000"]
    content = "\n".join(["names of columns", *rows])
    answers, control = parse_survey(content.encode())
    assert control.tolist() == [True, False, False]
    assert answers.comparisons[:, 1].tolist() == [14, 14, 2, 2, 0, 0]
    assert answers.comparisons[2:].tolist() == [[3, 2, 0], [0, 2, 3], [1, 0, 2], [2, 0, 1]]
    assert answers.participant.tolist() == [1, 1, 2]
    assert answers.time.tolist() == [12.345, 6.789, 0.012]


@pytest.fixture(scope="module")
def raw(mirror):
    return np.loadtxt(f"{mirror}/cars60/survey_data.csv", delimiter=",", skiprows=1)


def test_the_cars(data):
    answers = data.answers
    assert answers.n_screens == 7097 - 146 and answers.n_people == 146
    np.testing.assert_array_equal(np.unique(answers.comparisons), np.arange(60))
    np.testing.assert_array_equal(np.unique(answers.participant), np.arange(1, 147))
    assert data.info["dropped"] == [
        "146 of 7097 answers to the control question 15, 18, 53 (numbers from 1), "
        "which was asked in every round"
    ]
    assert np.bincount(data.labels).tolist() == [24, 15, 17, 4]
    assert data.class_names[data.labels[[0, 1, 14, 20]]].tolist() == [
        "off-road/sport utility vehicles", "ordinary cars", "sports cars", "outliers"
    ]  # fmt: skip
    assert answers.time.min() == 0.054 and round(np.median(answers.time), 1) == 4.1


def test_every_answer_but_those_to_the_control_is_there(data, raw):
    triples = np.sort(raw[:, 2:5], axis=1)
    control = (triples == [15, 18, 53]).all(axis=1)
    np.testing.assert_array_equal(np.sort(raw[control, 0]), np.arange(1, 147))
    assert (raw[control, 1] == 18).sum() == 139
    kept = raw[~control]
    first, second = data.answers.comparisons.reshape(-1, 2, 3).transpose(1, 0, 2)
    np.testing.assert_array_equal(first[:, 1] + 1, kept[:, 1])
    np.testing.assert_array_equal(second[:, 1] + 1, kept[:, 1])
    np.testing.assert_array_equal(np.sort(first + 1, axis=1), triples[~control])
    np.testing.assert_array_equal(first[:, ::2], second[:, 2::-2])
    np.testing.assert_array_equal(data.answers.participant, kept[:, 0])
    np.testing.assert_array_equal(data.answers.time, kept[:, 5])


def test_some_questions_are_asked_again_and_answered_otherwise(data):
    sizes = np.bincount(data.answers.question)
    assert len(sizes) == 6338 - 1 and (sizes > 1).sum() == 583 and sizes.max() == 4
    assert (data.answers.repeat == 0).all()
    assert round(agreement(data.answers, of="screens").value, 3) == 0.602
