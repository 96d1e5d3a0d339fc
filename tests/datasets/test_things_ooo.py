"""THINGS: two files of answers, people who are numbered in each, and names of the objects."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons import from_odd_one_out, to_odd_one_out
from closerthan.datasets.things_ooo import FILES
from closerthan.scores import agreement


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


def count_votes(question, answer):
    """Count the answers to each question, those that are alike, and the different ones."""
    votes = pd.DataFrame({"question": question, "answer": answer}).value_counts()
    return votes.groupby("question").agg(size="sum", modal="max", different="size")


def test_some_of_the_ten_people_were_asked_again(data):
    answers = data.answers
    ten = (answers.participant >= 264) & (answers.participant < 274)
    assert (answers.repeat[ten] > 0).sum() == (answers.repeat[answers.participant >= 264] > 0).sum()
    _, odd = to_odd_one_out(answers)
    votes = count_votes((answers.question * 473 + answers.participant)[ten], odd[ten])
    repeated = votes[votes["size"] > 1]
    assert (len(repeated), (repeated["size"] - 1).sum()) == (481, 584)
    assert round((repeated["different"] == 1).mean(), 3) == 0.873


def test_the_person_in_both_files_would_seem_to_be_two_who_agree(data, raw):
    once = data.answers.take(data.answers.participant < 274)
    rows = np.concatenate([raw[0], raw[1][raw[1][:, 3] < 10] + [0, 0, 0, 264]])
    twice = from_odd_one_out(rows[:, :3], rows[:, 2], participant=rows[:, 3])
    shares = [agreement(some, people="different", of="screens").value for some in (twice, once)]
    assert [round(share, 3) for share in shares] == [0.609, 0.575]
