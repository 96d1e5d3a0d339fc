"""Food: which k of the n dishes of a grid taste most like another, answers of a crowd."""

import re

import numpy as np

from closerthan.comparisons.forms.lists import from_choices
from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader
from closerthan.datasets.tables import parse_json
from closerthan.files.faults import shown

# How many dishes a grid shows and how many of them are chosen, and how often that was run.
_N_RUNS = {(n, k): 3 for n in (4, 8, 12, 16) for k in (1, 2, 4) if k < n} | {(2, 1): 3, (8, 4): 4}
RUNS = {
    f"grid{n}force{k}_rep{run}_food.json": (n, k)
    for (n, k), n_runs in _N_RUNS.items()
    for run in range(1, n_runs + 1)
}

# A task for a worker is ten screens, two of them with a known answer, to see who pays attention.
_N_SCREENS = 10
_N_CATCH = 2
_TASK_KEYS = {"created_at", "worker_id", "quality", "HIT_screens"}
_SCREEN_KEYS = {"probe", "images", "near_answer", "is_catchtrial", "correct_answer", "timer"}
_IMAGE = re.compile(r"images/(\w+)\.jpg")


@loader("food100")
def load_food100(*, read) -> Dataset:
    """Load 15,320 choices of the k dishes of a grid of n that taste most like a probe dish.

    Grids show 2, 4, 8, 12 or 16 of 100 dishes, and 1, 2 or 4 are chosen. Each choice implies that
    the probe is closer to every dish that was chosen than to every other of the grid. The 3,830
    screens with a known answer, two in each task of ten, are dropped.

    Returns
    -------
    Dataset
        ``answers``, 15,320 screens with participants and times, 250,320 triplets;
        ``object_names``, shape (100,), the names of the images, in the order of the ids.

    References
    ----------
    M. J. Wilber, I. S. Kwak and S. J. Belongie, Cost-effective HITs for relative similarity
    comparisons, HCOMP 2014.
    """
    screens, dropped = drop_catch_trials(
        screen
        for file, (n_images, n_chosen) in RUNS.items()
        for screen in parse_run(read(file), file, n_images=n_images, n_chosen=n_chosen)
    )
    names, answers = build(screens)
    return describe(
        "food100", len(names), dropped=dropped, answers=answers, object_names=np.array(names)
    )


def parse_run(content, file, *, n_images, n_chosen):
    """Parse one run, a list of tasks of ten screens.

    Parameters
    ----------
    content : bytes
    file : str
        Its name, for errors.
    n_images : int
        The dishes that a grid shows.
    n_chosen : int
        The dishes that are to be chosen of them.

    Returns
    -------
    list of dict
        The screens as they are in the file, with the ``worker_id`` of their task.

    Raises
    ------
    ValueError
        If it is no such list; the message names the task and the screen, counted from 1.
    """
    screens = []
    tasks = parse_json(content, file)
    if not isinstance(tasks, list) or not tasks:
        raise ValueError(f"{file}: is {shown(tasks)}, expected a list of tasks")
    for number, task in enumerate(tasks, start=1):
        where = f"{file}: task {number}"
        _check_task(task, where)
        for place, screen in enumerate(task["HIT_screens"], start=1):
            _check_screen(screen, f"{where}, screen {place}", n_images, n_chosen)
            screens.append(screen | {"worker_id": task["worker_id"]})
    return screens


def _check_task(task, where):
    _check_keys(task, _TASK_KEYS, where)
    worker, screens = task["worker_id"], task["HIT_screens"]
    if type(worker) is not int or worker < 0:
        raise ValueError(f"{where}: worker_id is {shown(worker)}, expected a number of a worker")
    if not isinstance(screens, list) or len(screens) != _N_SCREENS:
        found = len(screens) if isinstance(screens, list) else type(screens).__name__
        raise ValueError(f"{where}: HIT_screens is {found}, expected a list of {_N_SCREENS}")
    for place, screen in enumerate(screens, start=1):
        _check_keys(screen, _SCREEN_KEYS, f"{where}, screen {place}")
    n_catch = sum(screen["is_catchtrial"] is True for screen in screens)
    if n_catch != _N_CATCH:
        raise ValueError(f"{where}: has {n_catch} catch trials, expected {_N_CATCH}")


def _check_keys(content, expected, where):
    if not isinstance(content, dict) or content.keys() != expected:
        found = sorted(content) if isinstance(content, dict) else content
        raise ValueError(f"{where}: is {shown(found, 200)}, expected {sorted(expected)}")


def _check_screen(screen, where, n_images, n_chosen):
    probe, images, chosen = screen["probe"], screen["images"], screen["near_answer"]
    _check_images("probe", [probe], where, 1)
    _check_images("images", images, where, n_images)
    _check_images("near_answer", chosen, where, n_chosen)
    if probe in images:
        raise ValueError(f"{where}: images has the probe {shown(probe)}, expected others")
    for image in chosen:
        if image not in images:
            raise ValueError(f"{where}: near_answer has {shown(image)}, expected one of images")
    timer, is_catch = screen["timer"], screen["is_catchtrial"]
    if type(timer) is not int or timer < 0:
        raise ValueError(f"{where}: timer is {shown(timer)}, expected milliseconds")
    if type(is_catch) is not bool:
        raise ValueError(f"{where}: is_catchtrial is {shown(is_catch)}, expected true or false")


def _check_images(key, images, where, length):
    if not isinstance(images, list):
        raise ValueError(f"{where}: {key} is {shown(images)}, expected a list of images")
    for image in images:
        if not isinstance(image, str) or not _IMAGE.fullmatch(image):
            raise ValueError(f"{where}: {key} has {shown(image)}, expected images/<name>.jpg")
    if len(images) != length or len(set(images)) != length:
        raise ValueError(
            f"{where}: {key} has {len(images)} images, {len(set(images))} of them different; "
            f"expected {length}"
        )


def drop_catch_trials(screens):
    """Drop the screens with a known answer; returns the others, and what to say about it."""
    screens = list(screens)
    kept = [screen for screen in screens if not screen["is_catchtrial"]]
    n_catch = len(screens) - len(kept)
    return kept, [f"{n_catch} of {len(screens)} screens that were catch trials, of known answer"]


def build(screens):
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
    return [_IMAGE.fullmatch(path)[1] for path in paths], answers


def _table(rows):
    """Put rows of different lengths below each other, filled up with -1."""
    table = np.full((len(rows), max(map(len, rows))), -1)
    table[np.arange(table.shape[1]) < np.array([[len(row)] for row in rows])] = np.concatenate(rows)
    return table
