"""Check the cars: questions with a control, and classes parsed from a text."""

import numpy as np

from closerthan_lab.datasets.cars60 import parse_classes, parse_survey

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


def test_the_cars(data):
    answers = data.answers
    assert set(map(tuple, answers.comparisons[:2].tolist())) == {(15, 31, 29), (29, 31, 15)}
    assert (answers.participant[0], answers.time[0]) == (1, 11.108)
    np.testing.assert_array_equal(np.unique(answers.comparisons), np.arange(60))
    assert data.info["dropped"] == [
        "146 of 7097 answers to the control question 15, 18, 53 (numbers from 1), "
        "which was asked in every round"
    ]
    assert np.bincount(data.labels).tolist() == [24, 15, 17, 4]
    assert data.class_names[data.labels[[0, 1, 14, 20]]].tolist() == [
        "off-road/sport utility vehicles", "ordinary cars", "sports cars", "outliers"
    ]  # fmt: skip
