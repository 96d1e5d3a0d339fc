"""THINGS: two files of answers, people who are numbered in each, and names of the objects."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons import to_odd_one_out
from closerthan_lab.datasets import load
from closerthan_lab.datasets.things_ooo import FILES


@pytest.fixture(scope="module")
def raw(mirror):
    """The lines of the two files."""
    tables = (pd.read_csv(f"{mirror}/things_ooo/{file}", sep=" ", header=None) for file in FILES)
    return [table.to_numpy() for table in tables]


def test_both_files_are_there_one_after_the_other(data, raw):
    answers = data.answers
    assert answers.n_screens + 616 == 127_304 + 107_380
    assert answers.n_people + 1 == 264 + 209
    objects, odd = to_odd_one_out(answers)
    rows = np.concatenate([raw[0][raw[0][:, 3] != 184], raw[1]])
    np.testing.assert_array_equal(odd, rows[:, 2])
    np.testing.assert_array_equal(np.sort(objects, axis=1), np.sort(rows[:, :3], axis=1))
    first = raw[0][raw[0][:, 3] != 184, 3]
    np.testing.assert_array_equal(answers.participant, np.r_[first, raw[1][:, 3] + 264])
    np.testing.assert_array_equal(np.unique(answers.participant), np.delete(np.arange(473), 184))
    assert data.info["dropped"] == [
        "616 of 234684 answers, those of participant 184 of the first file, which are in the "
        "second file too"
    ]


def test_every_object_is_shown_and_has_a_name(data, raw, mirror):
    for table in raw:
        np.testing.assert_array_equal(np.unique(table[:, :3]), np.arange(1854))
    names = Path(f"{mirror}/things_ooo/unique_id.txt").read_text(encoding="ascii").split("\n")
    assert data.object_names.tolist() == names[:1854] and not any(names[1854:])


def test_repeated_questions_have_their_ceiling_and_the_objects_of_things(mirror):
    data = load("things_repeated", mirror=mirror)
    lines = pd.read_csv(f"{mirror}/things_repeated/test_triplets.csv", sep="\t", header=None)
    objects, odd = to_odd_one_out(data.answers)
    for row, shown, place in zip(odd[:50], lines.to_numpy()[:50, :3], lines[3], strict=False):
        assert row == shown[place - 1] - 1
    np.testing.assert_array_equal(np.sort(objects) + 1, np.sort(lines.to_numpy()[:, :3]))
    question = np.unique(np.sort(objects), axis=0, return_inverse=True)[1].ravel()
    asked = np.bincount(question)
    assert len(asked) == 1000 and (asked.min(), asked.max()) == (14, 25)
    most = [np.unique(odd[question == n], return_counts=True)[1].max() for n in range(1000)]
    assert np.mean(most / asked) == pytest.approx(0.6722, abs=5e-5)
    similar = load("things_spose", mirror=mirror).features
    a, b, c = similar[objects].transpose(1, 0, 2)
    pair, first, second = ((x * y).sum(axis=1) for x, y in ((a, b), (a, c), (b, c)))
    assert np.mean(pair > np.maximum(first, second)) > 0.6  # objects are numbered alike
