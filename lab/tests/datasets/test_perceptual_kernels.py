"""Check perceptual kernels: training, questions, catch trials and matrices of ratings."""

import numpy as np
import pytest

from closerthan.comparisons import to_odd_one_out
from closerthan_lab.datasets import load
from closerthan_lab.datasets.perceptual_kernels import SETS, Design, parse_ratings, parse_triples

# Objects 0 and 1 for training, then four objects: 2, 3, 4, 5.
DESIGN = Design(n_objects=4, n_training_objects=2, n_training=2)
FIRST = [(0, 0, 1), (1, 1, 0), (2, 3, 4), (5, 2, 3), (4, 2, 5), (5, 4, 3), *[(2, 2, 5)] * 10]
SECOND = [(0, 1, 0), (1, 0, 1), (3, 2, 4), (2, 3, 5), (2, 4, 5), (3, 5, 4), *[(2, 5, 2)] * 10]


def text(rows):
    return "".join(",".join(map(str, np.ravel(row))) + "\n" for row in rows).encode()


def test_a_line_has_questions_between_training_and_catch_trials():
    triples, dropped = parse_triples(text([FIRST, SECOND]), DESIGN)
    assert triples[0].tolist() == [[0, 1, 2], [3, 0, 1], [2, 0, 3], [3, 2, 1]]
    assert triples[1].tolist() == [[1, 0, 2], [0, 1, 3], [0, 2, 3], [1, 3, 2]]
    assert [said.split(" answers")[0] for said in dropped] == ["4 of 32", "20 of 32"]


def test_ratings_are_those_of_two_objects():
    scores = np.array([[[0, 4, 9], [4, 1, 7], [9, 7, 0]], [[0, 1, 2], [1, 0, 3], [2, 3, 0]]])
    rows, dropped = parse_ratings(text(scores), 3)
    assert rows[:3].tolist() == [[0, 1, 4, 1], [0, 2, 9, 1], [1, 2, 7, 1]]
    assert rows[3:, 2:].tolist() == [[1, 2], [2, 2], [3, 2]]
    assert dropped == ["6 of 12 ratings of an object beside itself, 1 of them above 0"]


@pytest.fixture(params=SETS, scope="module")
def data(request, places):
    return load(request.param, **places)


# Questions, training trials, and ratings above 0 of an object with itself.
SIZES = {"color": (120, 160, 47), "shape": (120, 160, 11), "shapecolor": (560, 480, 9)}


def test_everybody_answered_as_many_questions_and_the_rest_is_counted(data):
    kind, _ = SETS[data.name]
    n_questions, n_training, n_above = SIZES[kind]
    n_objects = data.info["n_objects"]
    assert np.bincount(data.answers.participant).tolist() == [0] + [n_questions] * 20
    n_all = 20 * n_questions + n_training + 200
    assert data.info["dropped"] == [
        f"{n_training} of {n_all} answers in training, to questions on other objects",
        f"200 of {n_all} answers to catch trials, which show an object twice",
        f"{20 * n_objects} of {10 * n_objects * (n_objects + 1)} ratings of an object beside "
        f"itself, {n_above} of them above 0",
    ]


def test_answers_are_those_of_the_file(data, mirror):
    kind, task = SETS[data.name]
    n_objects = data.info["n_objects"]
    file = f"{mirror}/perceptual_kernels/{kind}-{'tm' if task == 'triplets' else 'td'}.txt"
    lines = np.loadtxt(file, delimiter=",", dtype=int)
    lines = lines.reshape(20, -1, 3)[:, SIZES[kind][1] // 20 : -10].reshape(-1, 3)
    expected = lines - (6 if kind == "shapecolor" else 4)
    if task == "triplets":
        np.testing.assert_array_equal(data.comparisons, expected)
    else:
        objects, odd = to_odd_one_out(data.answers)
        np.testing.assert_array_equal(odd, expected[:, 2])
        np.testing.assert_array_equal(np.sort(objects, axis=1), np.sort(expected, axis=1))
    assert (expected.min(), expected.max()) == (0, n_objects - 1)


def test_ratings(data, mirror):
    kind, _ = SETS[data.name]
    n_objects = data.info["n_objects"]
    i, j, score, person = data.ratings["rating"].T
    assert len(i) == 10 * n_objects * (n_objects - 1) and (i < j).all()
    assert (score.min(), score.max()) == (0 if kind != "color" else 1, 9)
    file = f"{mirror}/perceptual_kernels/{kind}-l9.txt"
    matrices = np.loadtxt(file, delimiter=",", dtype=int).reshape(20, n_objects, n_objects)
    np.testing.assert_array_equal(matrices[person - 1, i, j], score)
    np.testing.assert_array_equal(matrices[person - 1, j, i], score)
