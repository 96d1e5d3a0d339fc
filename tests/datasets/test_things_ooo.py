"""THINGS: two files of answers, people who are numbered in each, and names of the objects."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons import from_odd_one_out, to_odd_one_out
from closerthan.datasets import load
from closerthan.datasets.things_ooo import FILES
from closerthan.scores import agreement


@pytest.fixture
def data(mirror, tmp_path):
    return load("things_ooo", mirror=mirror, cache=tmp_path / "cache", offline=True)


@pytest.fixture
def raw(mirror):
    """The lines of the two files."""
    tables = (pd.read_csv(f"{mirror}/things_ooo/{file}", sep=" ", header=None) for file in FILES)
    return [table.to_numpy() for table in tables]


def number(objects):
    """A number for each three objects, whatever their order."""
    a, b, c = np.sort(objects[:, :3], axis=1).T
    return (a * 1854 + b) * 1854 + c


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
    assert json.loads(json.dumps(data.info)) == data.info


def test_every_object_is_shown_and_has_a_name(data, raw, mirror):
    for table in raw:
        np.testing.assert_array_equal(np.unique(table[:, :3]), np.arange(1854))
    names = Path(f"{mirror}/things_ooo/unique_id.txt").read_text(encoding="ascii").split("\n")
    assert data.object_names.tolist() == names[:1854] and not any(names[1854:])


def test_a_fifth_of_the_answers_of_264_people(raw):
    table = raw[0]
    sizes = np.bincount(table[:, 3])
    assert (sizes.min(), sizes.max(), np.median(sizes)) == (52, 960, 482)
    assert (np.diff(table[:, 3]) >= 0).all()
    assert len(table) - len(np.unique(table, axis=0)) == 95
    votes = count_votes(number(table), table[:, 2])
    repeated = votes[votes["size"] > 1]
    assert (len(votes), len(repeated)) == (125_644, 732)
    assert (repeated["different"] > 1).sum() == 410
    assert round(repeated["modal"].sum() / repeated["size"].sum(), 3) == 0.771


def count_votes(question, answer):
    """Count the answers to each question, those that are alike, and the different ones."""
    votes = pd.DataFrame({"question": question, "answer": answer}).value_counts()
    return votes.groupby("question").agg(size="sum", modal="max", different="size")


def test_ten_people_beside_199_who_answered_the_same_questions(raw):
    table = raw[1]
    sizes = np.bincount(table[:, 3])
    assert sizes[:10].sum() == 19_820 and (sizes[10:] == 440).all()
    assert (sizes[:10].min(), sizes[:10].max()) == (320, 6620)
    assert len(np.unique(number(table))) == 19_268
    same = table[table[:, 3] >= 10]
    triples, times = np.unique(number(same), return_counts=True)
    assert len(triples) == 440 and (times == 199).all()
    assert np.isin(triples, number(raw[0])).sum() == 305
    asked = np.isin(number(table), triples)
    votes = count_votes(number(table[asked]), table[asked, 2])
    modal = votes["modal"] / votes["size"]
    shares = (modal.median(), modal.min(), modal.max())
    assert [round(share, 3) for share in shares] == [0.545, 0.335, 0.985]


def test_some_of_the_ten_people_were_asked_again(data):
    answers = data.answers
    ten = (answers.participant >= 264) & (answers.participant < 274)
    assert (answers.repeat[ten] > 0).sum() == (answers.repeat[answers.participant >= 264] > 0).sum()
    _, odd = to_odd_one_out(answers)
    votes = count_votes((answers.question * 473 + answers.participant)[ten], odd[ten])
    repeated = votes[votes["size"] > 1]
    assert (len(repeated), (repeated["size"] - 1).sum()) == (481, 584)
    assert round((repeated["different"] == 1).mean(), 3) == 0.873


def test_one_person_is_in_both_files(raw):
    """All answers of number 184 are among those of number 8, of whom they are a fifth."""
    fifth, all_of_them = raw[0][raw[0][:, 3] == 184], raw[1][raw[1][:, 3] == 8]
    assert (len(fifth), len(all_of_them)) == (616, 5 * 616)
    assert {tuple(row[:3]) for row in fifth} <= {tuple(row[:3]) for row in all_of_them}


def test_the_person_in_both_files_would_seem_to_be_two_who_agree(data, raw):
    once = data.answers.take(data.answers.participant < 274)
    rows = np.concatenate([raw[0], raw[1][raw[1][:, 3] < 10] + [0, 0, 0, 264]])
    twice = from_odd_one_out(rows[:, :3], rows[:, 2], participant=rows[:, 3])
    shares = [agreement(some, people="different", of="screens").value for some in (twice, once)]
    assert [round(share, 3) for share in shares] == [0.609, 0.575]


def test_no_other_person_is_known_to_be_in_both_files(raw):
    lines = [np.column_stack([number(table), table[:, 2:]]) for table in raw]
    for person in range(10):
        theirs = lines[1][lines[1][:, 2] == person]
        shared = pd.MultiIndex.from_arrays(lines[0][:, :2].T).isin(
            pd.MultiIndex.from_arrays(theirs[:, :2].T)
        )
        share = np.bincount(lines[0][shared, 2], minlength=264) / np.bincount(lines[0][:, 2])
        assert (share == 1).sum() == (person == 8)
        assert np.sort(share)[-2 if person == 8 else -1] < 0.1
