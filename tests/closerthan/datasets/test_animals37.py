"""Check rankings of animals: tables by question, parsed and counted."""

import json

import numpy as np
import pytest

from closerthan.comparisons import to_query_response, to_rankings
from closerthan.datasets.animals37 import parse_rankings
from repeated import agreement, agreement_of_comparisons

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
    assert (answers.n_screens, answers.n_people, len(answers)) == (3330, 3, 93_240)
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


@pytest.mark.parametrize(
    ("person", "n_distinct", "n_both", "agreeing"),
    [("S1", 7870, 1876, 0.851), ("S4", 8015, 2021, 0.839), ("S7", 7863, 1869, 0.847)],
)
def test_the_answers_of_one_person(data, person, n_distinct, n_both, agreeing):
    own = data.answers.take(data.answers.participant == person)
    assert len(np.unique(own.comparisons, axis=0)) == n_distinct
    assert agreement_of_comparisons(own)[:3] == (5994, 5994, n_both)
    # Two repeats of a question differ in the order of two of its words.
    pairs, signs = to_query_response(own.comparisons)
    questions = np.column_stack([own.question[own.screen], pairs])
    assert round(agreement(questions, signs)[3], 3) == agreeing
