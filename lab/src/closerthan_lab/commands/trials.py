"""Draw the trials of an experiment: questions, repeats, checks and practice."""

import numpy as np

from closerthan_lab.commands.reading import read_frame
from closerthan_lab.files.spreadsheets import unescape_formula
from closerthan_lab.sampling import draw_questions

KINDS = ("question", "repeat", "check", "practice")
FORMS = ("triplets", "odd-one-out")


def draw_lists(n_objects, form, n_lists, counts, questions=None, random_state=0):
    """Return lists of trials as an array of shape (n_lists, n_trials, 4).

    A trial is the place of its kind in `KINDS`, then three objects: the anchor, the left and the
    right one (triplets), or all three in the order on the screen (odd-one-out). `counts` are the
    numbers of trials of each kind in a list.
    """
    seeds = np.random.SeedSequence(random_state).spawn(n_lists)
    return np.stack(
        [_draw_list(n_objects, form, counts, questions, np.random.default_rng(s)) for s in seeds]
    )


def _draw_list(n_objects, form, counts, questions, rng):
    n, n_repeats, n_checks, n_practice = counts
    if questions is None:
        questions = draw_questions(n_objects, n, form, rng)
    trials = _labeled("question", _turned(rng.permutation(questions), form, rng))
    # Some questions of the first half are repeated, evenly spread over the second half.
    half = max(n // 2, n_repeats)
    again = np.sort(rng.choice(half, n_repeats, replace=False))
    repeats = _labeled("repeat", _rolled(trials[again, 1:], form, 1))
    trials = np.insert(trials, np.linspace(half, n, n_repeats, False).astype(int), repeats, axis=0)
    checks = _labeled("check", _turned(_draw_checks(n_objects, n_checks, form, rng), form, rng))
    places = (np.arange(n_checks) + 0.5) * len(trials) / max(n_checks, 1)
    trials = np.insert(trials, places.astype(int), checks, axis=0)
    practice = _turned(draw_questions(n_objects, n_practice, form, rng), form, rng)
    return np.concatenate([_labeled("practice", practice), trials])


def _draw_checks(n_objects, n_checks, form, rng):
    """Return questions with a known answer, the first of their alternatives."""
    twice = np.resize(rng.permutation(n_objects), n_checks)
    once = (twice + rng.integers(1, n_objects, n_checks)) % n_objects
    return np.column_stack([twice, twice, once] if form == "triplets" else [once, twice, twice])


def _turned(rows, form, rng):
    """Return the questions with every place equally often for the first alternative."""
    n_alternatives = 2 if form == "triplets" else 3
    return _rolled(rows, form, rng.permutation(np.arange(len(rows)) % n_alternatives))


def _rolled(rows, form, steps):
    """Move the alternatives of each question to the right; the last one comes first."""
    start = 1 if form == "triplets" else 0
    width = 3 - start
    order = (np.arange(width) - np.reshape(steps, (-1, 1))) % width + start
    order = np.broadcast_to(order, (len(rows), width))
    return np.hstack([rows[:, :start], np.take_along_axis(rows, order, axis=1)])


def _labeled(kind, rows):
    return np.insert(rows, 0, KINDS.index(kind), axis=1)


def read_questions(path, names):
    """Return the questions of a table by the places of their objects in `names`."""
    table = read_frame(path, dtype=str, keep_default_na=False).rename(columns={"head": "anchor"})
    for column in ("anchor", "first", "second"):
        if column not in table:
            raise ValueError(f"{path}: no column is called {column!r}; `closerthan next` writes it")
    place = {name: number for number, name in enumerate(names)}
    lines = {}
    for line, row in enumerate(table[["anchor", "first", "second"]].itertuples(index=False), 2):
        cells = [unescape_formula(cell.strip()) for cell in row]
        for cell in cells:
            if cell not in place:
                raise ValueError(f"{path}, line {line}: no stimulus has the name {cell!r}")
        anchor, *others = (place[cell] for cell in cells)
        if len({anchor, *others}) < 3:
            raise ValueError(f"{path}, line {line}: the same object twice in a question")
        earlier = lines.setdefault((anchor, *sorted(others)), line)
        if earlier != line:
            raise ValueError(f"{path}, line {line}: the same question as in line {earlier}")
    if not lines:
        raise ValueError(f"{path}: no questions")
    return np.array(list(lines))
