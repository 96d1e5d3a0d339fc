"""Check choices of dishes on grids: tasks of screens, parsed, checked and counted."""

import json

import numpy as np

from closerthan_lab.datasets.food100 import _number_dishes, drop_catch_trials, parse_run


def path(name):
    return f"images/{name}.jpg"


def screen(probe="z", images="abcd", near="ca", timer=2500, catch=False):
    return {
        "probe": path(probe),
        "images": [path(name) for name in images],
        "near_answer": [path(name) for name in near],
        "is_catchtrial": catch,
        "correct_answer": [0, 1] if catch else None,
        "timer": timer,
    }


def task(*screens, worker=7):
    """Return a task padded to ten screens, with two catch trials."""
    screens = [*screens, *[screen()] * (8 - len(screens)), screen(catch=True), screen(catch=True)]
    return {
        "created_at": "2000-01-01 00:00:00+00:00",
        "worker_id": worker,
        "quality": 100.0,
        "HIT_screens": screens,
    }


def parse(*tasks):
    return parse_run(json.dumps(tasks))


def test_screens_keep_their_order_and_worker():
    found = parse(task(screen(timer=1)), task(screen(timer=2), worker=9))
    assert [(s["timer"], s["worker_id"]) for s in found[::10]] == [(1, 7), (2, 9)]
    kept, dropped = drop_catch_trials(found)
    assert len(kept) == 16 and not any(s["is_catchtrial"] for s in kept)
    assert dropped == ["4 of 20 screens that were catch trials, of known answer"]


def test_a_choice_is_of_the_dishes_by_the_order_of_their_names():
    names, answers = _number_dishes(parse(task(screen("b", "zyxa", "ax")))[:1])
    assert names == ["a", "b", "x", "y", "z"]
    expected = {(1, 2, 3), (1, 2, 4), (1, 0, 3), (1, 0, 4)}
    assert {tuple(row) for row in answers.comparisons.tolist()} == expected
    assert answers.n_screens == 1
    assert answers.participant.tolist() == [7] and answers.time.tolist() == [2.5]


def test_grids_of_different_sizes_stand_together():
    screens = [s | {"worker_id": 1} for s in (screen("a", "bcde", "ec"), screen("c", "ab", "b"))]
    _, answers = _number_dishes(screens)
    assert answers.screen.tolist() == [0, 0, 0, 0, 1]
    assert answers.comparisons[-1].tolist() == [2, 1, 0]


# The real files


def test_food100(data):
    answers = data.answers
    assert (answers.n_screens, answers.n_people, len(answers)) == (15_320, 243, 250_320)
    assert data.info["dropped"] == ["3830 of 19150 screens that were catch trials, of known answer"]
    np.testing.assert_array_equal(np.unique(answers.comparisons), np.arange(100))
    names = data.object_names.tolist()
    assert names == sorted(set(names)) and len(names) == 100
