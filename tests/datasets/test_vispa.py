"""The best and the worst of four pairs of words: parsed from told sessions, checked, counted."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from closerthan.comparisons import to_best_worst
from closerthan.datasets import load
from closerthan.datasets.archive import read_member
from closerthan.datasets.vispa import build, parse_prompts
from repeated import agreement

INSTRUCTIONS = "Judge the pairs.\nlamp - lemon\nday - dust\nNow two practice trials.\n"
PAIRS = ["d - frog", "oak - olive", "apple - oak", "cab - hat"]


def told(pairs=PAIRS, best=PAIRS[1], worst=PAIRS[3], again=None):
    return (
        f"Which look the most similar? {'; '.join(pairs)}. You choose <<{best}>> as most similar. "
        f"Which look the least similar? {'; '.join(again or pairs)}. "
        f"You choose <<{worst}>> as least similar."
    )


def session(*trials, participant=1, **changes):
    text = INSTRUCTIONS + "\n".join(trials) + "\n\n"
    return json.dumps(
        {"text": text, "experiment": "looks", "participant": participant} | changes
    ).encode()


def parse(*sessions, n_trials=2, newline=b"\n"):
    content = newline.join([*sessions, b""])
    return parse_prompts(content, n_people=len(sessions), n_trials=n_trials)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_trials_are_those_after_the_instructions(newline):
    trials, people = parse(
        session(told(), told(best=PAIRS[3], worst=PAIRS[0]), participant=4),
        session(told(), told(), participant=2),
        newline=newline,
    )
    assert trials == [(PAIRS, 1, 3), (PAIRS, 3, 0), (PAIRS, 1, 3), (PAIRS, 1, 3)]
    assert people.tolist() == [4, 2]


def test_words_are_numbered_by_the_alphabet():
    trials, people = parse(session(told(), participant=4), n_trials=1)
    words, answers = build(trials, people)
    assert words.tolist() == ["apple", "cab", "d", "frog", "hat", "oak", "olive"]
    best, worst, first, second = (5, 6), (1, 4), (2, 3), (0, 5)
    expected = {(*best, *worst), (*best, *first), (*best, *second), (*first, *worst)}
    assert set(map(tuple, answers.comparisons.tolist())) == expected | {(*second, *worst)}
    assert answers.participant.tolist() == [4] and answers.n_screens == 1


SAME = told(pairs=[*PAIRS[:3], "oak - apple"], worst="oak - apple")
CHANGED = PAIRS[::-1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("", "has 1 trials, expected 2"),
        (f"{told()}\n{told()}", "has 3 trials, expected 2"),
        ("lamp - lemon", "trial 2 is 'lamp - lemon', expected a best and a worst of four"),
        (told() + " Well done.", "trial 2 is .*[.]{3}, expected a best and a worst of four"),
        (told(PAIRS[:3], worst=PAIRS[0]), "trial 2 is .*, expected a best and a worst of four"),
        (told([*PAIRS, "a - b"]), "trial 2 is .*, expected a best and a worst of four pairs"),
        (told([*PAIRS[:3], "Cab - hat"]), "trial 2 is .*, expected a best and a worst of four"),
        (told([*PAIRS[:3], "cab"]), "trial 2 is .*, expected a best and a worst of four pairs"),
        (told(again=CHANGED), "trial 2 shows 'cab - .*' the second time, expected 'd - frog; .*'"),
        (told([*PAIRS[:3], PAIRS[1]], worst=PAIRS[0]), "trial 2 shows .*, expected four different"),
        (SAME, "trial 2 shows .*oak - apple', expected four different pairs of two words"),
        (told([*PAIRS[:3], "a - a"], worst=PAIRS[0]), "trial 2 shows .*a - a', expected four diff"),
        (told(best="x - y"), "trial 2 has the choice 'x - y', expected one of 'd - frog; .*'"),
        (told(worst="hat - cab"), "trial 2 has the choice 'hat - cab', expected one of"),
        (told(worst=PAIRS[1]), "trial 2 has 'oak - olive' as the best and the worst, expected two"),
    ],
)
def test_a_wrong_trial_is_named(wrong, message):
    with pytest.raises(ValueError, match=rf"^prompts\.jsonl: row 2(:|,)? {message}"):
        parse(session(told(), told()), session(told(), wrong, participant=2))


GOOD = session(told())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (session(told(), participant=1), "row 2: participant is 1, expected a number, each once"),
        (session(told(), participant=None), "row 2: participant is None, expected a number"),
        (session(told(), participant="7"), "row 2: participant is '7', expected a number"),
        (session(told(), participant=10**18), "row 2: cannot be read as JSON"),
        (GOOD.replace(b'"experiment"', b'"text"'), "row 2: .*the key 'text' is there twice"),
        (b"[" * 10**5, "row 2: cannot be read as JSON .maximum recursion depth exceeded"),
        (b'"a\\nb"', r"row 2 is 'a\\nb', expected"),
        (session(told(), participant=True), "row 2: participant is True, expected a number"),
        (session(told(), participant=2, text=None), "row 2: text is None, expected a text"),
        (session(told(), age=30), r"row 2 is \['age', .*, expected \['experiment', 'part"),
        (b"[3]", r"row 2 is \[3\], expected \['experiment', 'participant', 'text'\]"),
        (b"", "row 2: expected JSON"),
        (GOOD[:-9], "row 2: expected JSON"),
        (b"\xef\xbb\xbf" + GOOD, "row 2: expected JSON .*BOM"),
        (b'{"\xb4"}', f"byte {len(GOOD) + 4} is 0xb4, expected UTF-8 text"),
    ],
)
def test_a_wrong_row_is_named(content, message):
    with pytest.raises(ValueError, match=rf"^prompts\.jsonl: {message}"):
        parse(GOOD, content, n_trials=1)


@pytest.mark.parametrize("n_rows", [0, 1, 3])
def test_another_number_of_participants_is_refused(n_rows):
    sessions = [session(told(), participant=number) for number in range(n_rows)]
    with pytest.raises(ValueError, match=rf"^prompts\.jsonl: has {n_rows} rows, expected 2"):
        parse_prompts(b"\n".join(sessions), n_people=2, n_trials=1)


# The real file


@pytest.fixture
def data(mirror, tmp_path):
    return load("vispa", mirror=mirror, cache=tmp_path, offline=True)


def test_vispa(data):
    answers = data.answers
    assert (answers.n_screens, answers.n_people, len(answers)) == (33_055, 601, 165_275)
    assert 33_055 == 601 * 55 and 165_275 == 33_055 * 5
    np.testing.assert_array_equal(np.unique(answers.participant, return_counts=True)[1], 55)
    assert data.object_names.tolist() == sorted(set(data.object_names.tolist()))
    assert len(data.object_names) == 2235
    assert data.info["dropped"] == []
    assert json.loads(json.dumps(data.info)) == data.info


def test_the_pairs_of_the_instructions_are_no_trial(data, mirror):
    """Four pairs are an example, and none of them is in a trial."""
    archive = (Path(mirror) / "vispa/prompts.jsonl.zip").read_bytes()
    session = json.loads(read_member(archive, "a.zip", max_bytes=10**8).splitlines()[0])
    examples = re.findall(r"^([a-z]+) - ([a-z]+)$", session["text"], re.MULTILINE)
    names, quadruplets = data.object_names, data.answers.comparisons
    shown = set(map(tuple, names[np.unique(quadruplets.reshape(-1, 2), axis=0)].tolist()))
    assert len(examples) == 4 and not shown & set(examples)


def test_words_hang_together_badly(data):
    pairs = np.unique(data.answers.comparisons.reshape(-1, 2), axis=0)
    assert len(pairs) == 3020
    unordered = np.unique(np.sort(pairs, axis=1), axis=0)
    assert len(unordered) == 3019  # one pair occurs in both directions
    assert (unordered[:, 0] < unordered[:, 1]).all()
    assert np.median(np.bincount(unordered.ravel())) == 2
    graph = coo_array((np.ones(len(pairs)), pairs.T), shape=(2235, 2235))
    n_groups, group = connected_components(graph, directed=False)
    assert (n_groups, np.bincount(group).max()) == (241, 1612)


def test_people_agree_on_the_best_more_than_on_the_worst(data):
    answers = data.answers
    pairs, best, worst = to_best_worst(answers)
    rows = np.arange(len(pairs))
    n_shown = np.unique(np.sort(pairs.reshape(-1, 2), axis=1), axis=0, return_counts=True)[1]
    assert n_shown.min() == 32
    question = answers.question
    n_asked = np.bincount(question)
    assert len(n_asked) == 24_005
    assert (n_asked == 601).sum() == 5 and n_asked[n_asked < 601].max() == 4
    assert answers.repeat.max() == 0  # nobody saw a set twice
    few = n_asked[question] < 601
    for position, everybody, others in ((best, 0.816, 0.518), (worst, 0.520, 0.404)):
        chosen = pairs[rows, position] @ [2235, 1]
        assert round(agreement(question[:, None], chosen)[3], 3) == everybody
        assert round(agreement(question[few, None], chosen[few])[3], 3) == others
