"""Check rankings of animals: tables by question, parsed and counted."""

import json

import numpy as np

from closerthan.comparisons import to_rankings
from closerthan_lab.datasets.animals37 import parse_rankings

NAMES = list("jabcdefghi")  # their ids are not in alphabetical order
WORDS = list("abcdefgh")


def question(reference="j", words=WORDS):
    return f"{reference}:{'.'.join(words)}"


def parse(questions):
    return parse_rankings(json.dumps(questions), NAMES)


def test_rankings_are_of_the_ids_in_the_order_given():
    backwards = WORDS[::-1]
    anchors, rankings = parse(
        {question(): [WORDS, backwards], question("i"): [backwards, backwards]}
    )
    assert anchors.tolist() == [0, 0, 9, 9]
    assert rankings[0].tolist() == list(range(1, 9))
    assert all(row == list(range(8, 0, -1)) for row in rankings[1:].tolist())


# The real files


def test_animals37(data):
    answers = data.answers
    assert data.info["dropped"] == [] and answers.time is None
    assert data.object_names[[0, 1, -1]].tolist() == ["dolphin", "goldfish", "crocodile"]
    np.testing.assert_array_equal(np.bincount(to_rankings(answers)[0]), [6 * 3 * 5] * 37)


def test_all_three_people_ranked_the_same_questions_five_times(data):
    answers = data.answers
    asked = []
    for person in ("S1", "S4", "S7"):
        own = answers.participant == person
        np.testing.assert_array_equal(np.bincount(answers.repeat[own]), [222] * 5)
        asked.append(np.unique(answers.question[own]))
    np.testing.assert_array_equal(asked, [asked[0]] * 3)
