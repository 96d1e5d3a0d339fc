"""Check rankings of animals: tables by question and sessions, parsed, checked and counted."""

import json
from pathlib import Path

import numpy as np
import pytest

from closerthan.comparisons import to_query_response, to_rankings
from closerthan.datasets.animals37 import parse_rankings, parse_session
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


# Sessions

HEADER = "ref,stim1,stim2,stim3,stim4,stim5,stim6,stim7,stim8,clicks,participant,session,date,"
HEADER += "expName,psychopyVersion,frameRate"


def clicks(*places):
    return str([f"stim{place}" for place in places])


def trial(reference="j", words=WORDS, places=range(1, 9), person="S4", rest="5,day,exp,1,60"):
    order = places if isinstance(places, str) else clicks(*places)
    return f'{reference},{",".join(words)},"{order}",{person},{rest}'


def session(*trials, header=HEADER, mark="\ufeff", newline="\n"):
    return (mark + newline.join([header, *trials])).encode()


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("first", ["ref", "  "])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_session_is_read_in_the_order_of_the_clicks(mark, first, newline):
    header = first + HEADER.removeprefix("ref")
    content = session(
        trial(places=[8, 7, 6, 5, 4, 3, 2, 1]),
        trial("i", person="S7"),
        header=header,
        mark=mark,
        newline=newline,
    )
    answers, dropped = parse_session(content, "s.csv", NAMES, n_trials=2)
    anchors, rankings = to_rankings(answers)
    assert anchors.tolist() == [0, 9] and dropped == []
    assert rankings.tolist() == [list(range(8, 0, -1)), list(range(1, 9))]
    assert answers.participant.tolist() == ["S4", "S7"]


def test_a_second_click_on_the_same_stimulus_is_dropped_and_counted():
    content = session(
        trial(places=[1, 2, 3, 4, 5, 6, 7, 7, 8]), trial(places=[3, 3, 3, 1, 2, 4, 5, 6, 7, 8])
    )
    answers, dropped = parse_session(content, "s.csv", NAMES, n_trials=2)
    assert to_rankings(answers)[1].tolist() == [[1, 2, 3, 4, 5, 6, 7, 8], [3, 1, 2, 4, 5, 6, 7, 8]]
    assert dropped == ["3 clicks on a stimulus that was clicked just before"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (trial(places=[1, 2, 3, 4, 5, 6, 7]), r"has the clicks .*'stim1', .*, expected each of"),
        (trial(places=[1, 2, 1, 3, 4, 5, 6, 7, 8]), r"has the clicks .*, expected each of"),
        (trial(places=[1, 2, 3, 4, 5, 6, 7, 9]), r"has the clicks .*'stim9'\]\", expected each of"),
        (
            trial(places=[1, 2, 3, 4, 5, 6, 7, 8, 18]),
            r"has the clicks .*'stim18'\]\", expected each",
        ),
        (trial(places="[]"), r"has the clicks '\[\]', expected each of"),
        (trial(places=""), r"has the clicks '', expected each of"),
        (trial(places="12345678"), r"has the clicks '12345678', expected each of"),
        (trial("x"), "has 'x', expected one of the 10 animals"),
        (trial("a"), "has 'a', expected one of the 10 animals, and each once"),
        (trial(words=[*WORDS[:7], "z"]), "has 'z', expected one of the 10 animals"),
        (trial(words=[*WORDS[:7], "a"]), "has 'a', expected .* and each once"),
        (trial(words=WORDS[:7]), "has .*, expected one of the 10 animals"),
        (trial(person=" "), "has the participant ' ', expected a name"),
    ],
)
def test_a_wrong_trial_is_named(wrong, message):
    with pytest.raises(ValueError, match=rf"^s\.csv: row 3 {message}"):
        parse_session(session(trial(), wrong, trial()), "s.csv", NAMES, n_trials=3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read as a table with commas"),
        (
            session(trial(), trial() + ",1"),
            "cannot be read as a table .*16 fields in line 3, saw 17",
        ),
        (session(trial(), header=HEADER + ",age"), "row 1 is 'ref,.*,age', expected the reference"),
        (session(trial(), header=HEADER.replace("clicks,", "")), "row 1 is .*, expected the ref"),
        (session(trial()), "has 1 trials, expected 2"),
        (session(trial()) + b"\xb4", "cannot be read as a table with commas .*byte 0xb4"),
    ],
)
def test_another_table_is_refused(content, message):
    with pytest.raises(ValueError, match=rf"^s\.csv: {message}"):
        parse_session(content, "s.csv", NAMES, n_trials=2)


# The real files


def test_animals37(data):
    answers = data.answers
    assert (answers.n_screens, answers.n_people, len(answers)) == (3330, 3, 93_240)
    assert answers.n_screens == 3 * 222 * 5 and len(answers) == 3 * 31_080
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


@pytest.mark.parametrize(
    ("file", "person", "n_again"),
    [
        ("S4-word_exp-2021_Jul_01_1105_responses.csv", "S4", 2),
        ("S7_word_exp_2020_May_28_1633_responses.csv", "S7", 0),
    ],
)
def test_rankings_of_the_sessions_are_among_those_by_question(data, mirror, file, person, n_again):
    content = (Path(mirror) / "animals37" / file).read_bytes()
    session, dropped = parse_session(content, file, data.object_names.tolist())
    assert session.n_screens == 111 and set(session.participant) == {person}
    assert [said.split()[0] for said in dropped] == ([str(n_again)] if n_again else [])
    own = data.answers.take(data.answers.participant == person)
    known, found = (
        {(anchor, *ranking) for anchor, ranking in zip(a.tolist(), r.tolist(), strict=True)}
        for a, r in (to_rankings(own), to_rankings(session))
    )
    assert found <= known and len(found) == 111
