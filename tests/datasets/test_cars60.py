"""The cars: questions, a control among them, and classes that are read out of a text."""

import json
import re

import numpy as np
import pytest

from closerthan.datasets import load
from closerthan.datasets.cars60 import COLUMNS, parse_classes, parse_survey
from closerthan.scores import agreement

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


def classes(readme):
    return parse_classes(readme.encode(), n_objects=5)


def test_classes_are_read_out_of_the_text():
    labels, names = classes(README)
    assert labels.tolist() == [1, 0, 2, 1, 0]
    assert names.tolist() == ["ordinary cars", "off-road/sport utility vehicles", "outliers"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2 5", "2 5 6", "row 7 names the car '6', expected each number from 1 to 5 once"),
        ("2 5", "2 5 0", "row 7 names the car '0', expected each number from 1 to 5 once"),
        ("2 5", "2, 5", "row 7 names the car '2,', expected each number from 1 to 5 once"),
        ("1 4", "1 2 4", "row 9 names the car '2', expected each number from 1 to 5 once"),
        ("1 4", "1", "car 4 is in no class, expected each car in one"),
        ("OUTLIERS: 3", "OUTLIERS:", "car 3 is in no class, expected each car in one"),
    ],
)
def test_classes_that_are_none_are_refused(old, new, message):
    with pytest.raises(ValueError, match=rf"^README\.txt: {re.escape(message)}$"):
        classes(README.replace(old, new))


def test_a_text_of_another_encoding_is_refused():
    with pytest.raises(ValueError, match=r"^README\.txt: byte 6 is 0xe4, expected UTF-8 text$"):
        parse_classes("Matth\u00e4us".encode("latin-1"), n_objects=5)


ROWS = ["1,5,5,2,3,12.345", "1,3,4,3,1,6.7890", "2,1,2,3,1,.5e0"]


def survey(*rows):
    content = "\n".join([",".join(COLUMNS), *rows]) + "\n"
    return parse_survey(content.encode(), n_answers=3, n_objects=5, n_rounds=2)


def test_answers_are_numbered_from_zero():
    objects, central, rounds, seconds = survey(*ROWS[:2], "2,1,2,3,1,0.012000")
    assert objects.tolist() == [[4, 1, 2], [3, 2, 0], [1, 2, 0]]
    assert central.tolist() == [4, 2, 0]
    assert rounds.tolist() == [1, 1, 2]
    assert seconds.tolist() == [12.345, 6.789, 0.012]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            f"{'1' * 99},1,2,3,1,1",
            f"survey_round is '{'1' * 60}'..., expected a whole number from 1 to 2",
        ),
        ("0,1,2,3,1,1", "survey_round is '0', expected a whole number from 1 to 2"),
        ("3,1,2,3,1,1", "survey_round is '3', expected a whole number from 1 to 2"),
        (",1,2,3,1,1", "survey_round is '', expected a whole number from 1 to 2"),
        ("2,4,2,3,1,1", "chosen_center is 4, expected one of 2, 3, 1"),
        ("2,6,2,3,1,1", "chosen_center is '6', expected a whole number from 1 to 5"),
        ("2,1,2,6,1,1", "triplet_object_2 is '6', expected a whole number from 1 to 5"),
        ("2,1,2,3,0,1", "triplet_object_3 is '0', expected a whole number from 1 to 5"),
        ("2,1,x,3,1,1", "triplet_object_1 is 'x', expected a whole number from 1 to 5"),
        *(
            (f"2,1,2,3,1,{wrong}", f"response_time is {wrong!r}, expected a number of seconds")
            for wrong in ("", "x", "-1", "nan", "inf", "1_0", ".5e0", "1234567890")
        ),
    ],
)
def test_a_wrong_answer_is_named(row, message):
    with pytest.raises(ValueError, match=rf"^survey_data\.csv: row 4: {re.escape(message)}$"):
        survey(*ROWS[:2], row)


@pytest.mark.parametrize("shown", ["2,2,1", "2,1,2", "1,2,2"])
def test_a_car_shown_twice_is_refused(shown):
    cars = tuple(map(int, shown.split(",")))
    message = f"survey_data.csv: row 3 shows the cars {cars}, expected three different ones"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        survey(ROWS[0], f"1,2,{shown},1.0", ROWS[1])


@pytest.mark.parametrize("rows", [ROWS[:2], [*ROWS, ROWS[0]]])
def test_another_number_of_answers_is_refused(rows):
    with pytest.raises(ValueError, match=r"^survey_data\.csv: has \d rows, expected 4$"):
        survey(*rows)


@pytest.fixture
def data(mirror, tmp_path):
    return load("cars60", mirror=mirror, cache=tmp_path / "cache", offline=True)


@pytest.fixture
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
    assert json.loads(json.dumps(data.info)) == data.info


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


def test_times_and_rounds_of_the_source(raw):
    assert (raw[:, 5].min(), raw[:, 5].max()) == (0.054, 2797.8)
    assert round(np.median(raw[:, 5]), 1) == 4.0
    sizes = np.bincount(raw[:, 0].astype(int))[1:]
    assert len(sizes) == 146 and (sizes.min(), sizes.max()) == (30, 50)


def test_some_questions_are_asked_again_and_answered_otherwise(data):
    sizes = np.bincount(data.answers.question)
    assert len(sizes) == 6338 - 1 and (sizes > 1).sum() == 583 and sizes.max() == 4
    assert (data.answers.repeat == 0).all()
    assert round(agreement(data.answers, of="screens").value, 3) == 0.602
