"""Check the best and worst of four word pairs: sessions, parsed, checked and counted."""

import json

import numpy as np
import pytest

from closerthan_lab.datasets.vispa import parse_prompts

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


def pairs_of(answers):
    """Return the four pairs of each screen, the best first and the worst last."""
    rows = answers.comparisons.reshape(-1, 5, 4)  # three with the best pair, two with the worst
    pairs = [rows[:, 0, :2], rows[:, 3, :2], rows[:, 4, :2], rows[:, 3, 2:]]
    return np.sort(np.stack(pairs, axis=1), axis=2)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_trials_are_those_after_the_instructions_and_words_go_by_the_alphabet(newline):
    content = newline.join(
        [
            session(told(), told(best=PAIRS[3], worst=PAIRS[0]), participant=4),
            session(told(), participant=2),
        ]
    )
    words, answers = parse_prompts(content)
    assert words.tolist() == ["apple", "cab", "d", "frog", "hat", "oak", "olive"]
    assert answers.participant.tolist() == [4, 4, 2] and answers.n_screens == 3
    best, worst, first, second = (5, 6), (1, 4), (2, 3), (0, 5)
    expected = {(*best, *worst), (*best, *first), (*best, *second), (*first, *worst)}
    of_first = answers.comparisons[answers.screen == 0].tolist()
    assert set(map(tuple, of_first)) == expected | {(*second, *worst)}
    pairs = pairs_of(answers)
    chosen = [pairs[:, place].tolist() for place in (0, 3)]
    assert chosen == [[[5, 6], [1, 4], [5, 6]], [[1, 4], [2, 3], [1, 4]]]


# The real file


def test_vispa(data):
    answers = data.answers
    np.testing.assert_array_equal(np.unique(answers.participant, return_counts=True)[1], 55)
    assert data.object_names.tolist() == sorted(set(data.object_names.tolist()))
    assert data.info["dropped"] == []
