"""Check the faces: matching ids and names, attention checks, times in milliseconds."""

import numpy as np
import pandas as pd
import pytest

from closerthan.datasets.cfd36 import parse_answers
from closerthan_lab.quality import agreement

HEADER = "head,winner,loser,worker_id,rt,Center,Left,Right,Answer,sampleAlg,sampleSet"
NAMES = ["a", "b", "c", "d"]


def line(head, winner, loser, worker=70, ms=1500, right_won=False, sample="random,train"):
    shown = (loser, winner) if right_won else (winner, loser)
    names = ",".join(NAMES[i] for i in (head, *shown, winner))
    return f"{head},{winner},{loser},{worker},{ms},{names},{sample}"


ROWS = [
    line(0, 1, 2),
    line(1, 3, 2, worker=71, ms=2, right_won=True, sample="validation,train"),
    line(2, 2, 0, sample="check,NA"),
    line(3, 1, 3, right_won=True, sample="check,NA"),
    line(3, 1, 2, sample="random,test"),
]


def test_answers_are_read():
    content = "\n".join([HEADER, *ROWS]).encode()
    answers, checks, names = parse_answers(content)
    assert checks.tolist() == [False, False, True, True, False]
    assert answers.comparisons.tolist() == [[0, 1, 2], [1, 3, 2], [3, 1, 2]]
    assert answers.participant.tolist() == [70, 71, 70]
    assert answers.time.tolist() == [1.5, 0.002, 1.5]
    assert names.tolist() == NAMES


@pytest.fixture(scope="module")
def raw(mirror):
    return pd.read_csv(f"{mirror}/cfd36/cfd36_triplets_individual.csv", keep_default_na=False)


def test_the_faces(data, raw):
    answers = data.answers
    assert answers.n_screens == len(answers) == 39_468 - 2234 and answers.n_people == 39
    kept = raw[raw["sampleAlg"] != "check"]
    np.testing.assert_array_equal(answers.comparisons, kept[["head", "winner", "loser"]])
    np.testing.assert_array_equal(answers.participant, kept["worker_id"])
    np.testing.assert_allclose(answers.time, kept["rt"] / 1000)
    np.testing.assert_array_equal(data.object_names[answers.comparisons[:, 0]], kept["Center"])
    np.testing.assert_array_equal(data.object_names[answers.comparisons[:, 1]], kept["Answer"])
    assert data.object_names.shape == (36,) and (answers.weight == 1).all()
    assert data.info["dropped"] == [
        "2234 of 39468 answers to checks of attention, "
        "where one of the two faces is the third itself"
    ]


def test_people_agree_with_themselves_more_than_with_others(data, raw):
    assert (data.answers.repeat > 0).sum() == 782
    assert round(agreement(data.answers, people="same").value, 3) == 0.715
    assert round(agreement(data.answers).value, 3) == 0.635
    lower, higher = raw[["winner", "loser"]].min(axis=1), raw[["winner", "loser"]].max(axis=1)
    asked = pd.concat([raw["worker_id"], raw["head"], lower, higher], axis=1)
    sizes = asked.value_counts()
    assert ((sizes > 1).sum(), (sizes - 1).sum()) == (812, 830)
