"""THINGS: two files of answers, people who are numbered in each, and names of the objects."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons import to_odd_one_out
from closerthan.datasets.things_ooo import FILES


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
