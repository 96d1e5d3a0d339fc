"""THINGS: two files of answers, people who are numbered in each, and names of the objects."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, permutations, tuples

from closerthan.comparisons import from_odd_one_out, to_odd_one_out
from closerthan.datasets import load
from closerthan.datasets.things_ooo import FILES, parse_answers, parse_names
from closerthan.scores import agreement


def parse(content, n_answers=3):
    return parse_answers(content, "a.txt", n_answers, 4, n_objects=6)


@given(lists(tuples(permutations(range(6)), integers(0, 3)), min_size=1))
def test_answers_are_read_back(answers):
    rows = [[*objects[:3], person] for objects, person in answers]
    content = "".join(" ".join(map(str, row)) + "\n" for row in rows).encode()
    objects, people = parse(content, len(rows))
    np.testing.assert_array_equal(np.column_stack([objects, people]), rows)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 1 6 0", "shows the objects 0, 1, 6, expected numbers from 0 to 5"),
        ("0 1 1 0", "shows the objects 0, 1, 1, expected three different ones"),
        ("1 0 1 0", "shows the objects 1, 0, 1, expected three different ones"),
        ("1 1 0 0", "shows the objects 1, 1, 0, expected three different ones"),
        ("0 1 2 4", "is of participant 4, expected one from 0 to 3"),
        ("0 1 2", "is '0 1 2', expected 4 whole numbers"),
        ("0 1 2 ", "is '0 1 2 ', expected 4 whole numbers"),
        ("0 1 2 -1", "is '0 1 2 -1', expected 4 whole numbers"),
        ("0 1 2 3.0", "is '0 1 2 3.0', expected 4 whole numbers"),
        ("0 1 x 3", "is '0 1 x 3', expected 4 whole numbers"),
        ("", "is '', expected 4 whole numbers"),
    ],
)
def test_a_wrong_answer_is_named(line, message):
    with pytest.raises(ValueError, match=rf"^a\.txt: row 2 {re.escape(message)}$"):
        parse(f"0 1 2 3\n{line}\n2 5 4 0\n".encode())


@pytest.mark.parametrize("content", [b"0 1 2 3\n1 0 2 3\n", b"", b"0 1 2 3\n" * 4])
def test_another_number_of_answers_is_refused(content):
    with pytest.raises(ValueError, match=r"^a\.txt: has \d rows, expected 3$"):
        parse(content)


def test_a_byte_order_mark_is_refused():
    with pytest.raises(ValueError, match=r"^a\.txt: byte 1 is 0xef, expected ASCII text$"):
        parse(b"\xef\xbb\xbf0 1 2 3\n")


def test_names_are_read():
    assert parse_names(b"aardvark\r\nbat2\n", n_objects=2).tolist() == ["aardvark", "bat2"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\nb\n", "has 2 rows, expected 3"),
        (b"a\nb\na\n", "row 3 is 'a', expected a name of its own"),
        (b"a\n\nb\n", "row 2 is '', expected a name of its own"),
        (b"a\nb\n\xe9\n", "byte 5 is 0xe9, expected ASCII text"),
    ],
)
def test_other_names_are_refused(content, message):
    with pytest.raises(ValueError, match=rf"^unique_id\.txt: {message}$"):
        parse_names(content, n_objects=3)


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
