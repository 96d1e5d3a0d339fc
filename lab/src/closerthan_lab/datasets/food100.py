"""Food: crowd answers on which k of the n dishes of a grid taste most like another dish."""

import json
import re
from itertools import zip_longest

import numpy as np

from closerthan.comparisons.forms.lists import from_choices
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader, registry


def load_food100(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 15,320 choices of the k dishes of a grid of n that taste most like a probe dish.

    Grids show 2, 4, 8, 12 or 16 of 100 dishes, and 1, 2 or 4 are chosen. Each choice implies that
    the probe is closer to every chosen dish than to every other dish of the grid. In each task of
    ten screens, two have a known answer; these 3,830 screens are dropped.

    The data set has ``answers``, 15,320 screens with participants and times, 250,320 triplets;
    ``object_names``, shape (100,), the names of the images, in the order of the ids.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    M. J. Wilber, I. S. Kwak and S. J. Belongie, Cost-effective HITs for relative similarity
    comparisons, HCOMP 2014.
    """
    read = reader("food100", mirror, cache, offline)
    screens, dropped = drop_catch_trials(
        screen for file in registry()["food100"]["files"] for screen in parse_run(read(file))
    )
    names, answers = _number_dishes(screens)
    return describe(
        "food100", len(names), dropped=dropped, answers=answers, object_names=np.array(names)
    )


def parse_run(content):
    """Return the screens of a run, a list of tasks, with the ``worker_id`` of their task."""
    return [
        screen | {"worker_id": task["worker_id"]}
        for task in json.loads(content)
        for screen in task["HIT_screens"]
    ]


def drop_catch_trials(screens):
    """Drop the screens with a known answer; returns the others, and what to say about it."""
    screens = list(screens)
    kept = [screen for screen in screens if not screen["is_catchtrial"]]
    n_catch = len(screens) - len(kept)
    return kept, [f"{n_catch} of {len(screens)} screens that were catch trials, of known answer"]


def _number_dishes(screens):
    """Number the dishes in the order of their names; returns the names and the `Answers`."""
    paths = sorted({path for screen in screens for path in (screen["probe"], *screen["images"])})
    ids = {path: number for number, path in enumerate(paths)}
    answers = from_choices(
        np.array([ids[screen["probe"]] for screen in screens]),
        _table([[ids[path] for path in screen["images"]] for screen in screens]),
        _table([[ids[path] for path in screen["near_answer"]] for screen in screens]),
        participant=[screen["worker_id"] for screen in screens],
        time=np.array([screen["timer"] for screen in screens]) / 1000,
    )
    return [re.fullmatch(r"images/(\w+)\.jpg", path)[1] for path in paths], answers


def _table(rows):
    """Put rows of different lengths below each other, filled up with -1."""
    return np.array(list(zip_longest(*rows, fillvalue=-1))).T
