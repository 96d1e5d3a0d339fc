"""Check ids in rows of different lengths, and verify that a form is turned back correctly."""

import numpy as np

from closerthan._core.validation import as_array, check_whole, refuse_entries
from closerthan.comparisons.answers import hash_numbers
from closerthan.comparisons.check import NO_ID

PAD = -1  # ends a row that is shorter than others


def check_ids(ids, source, n_rows=None, least=PAD):
    """Return ids as an array of shape (n_rows, n); -1 fills up shorter rows."""
    ids = as_array(ids, source, f"fill up shorter rows with {PAD}")
    if ids.ndim != 2 or ids.size == 0 or (n_rows is not None and len(ids) != n_rows):
        raise ValueError(f"{source}: shape {ids.shape}; expected ({n_rows}, n)")
    ids = check_whole(ids, source, NO_ID, least)
    late = (ids != PAD) & np.maximum.accumulate(ids == PAD, axis=1)
    refuse_entries(late, ids, source, f"is after {PAD}, which may only fill up the end of a row")
    return ids


def refuse_first(faults):
    """Raise an error for the first kind of fault, and the first row that has it.

    A fault is the rows that have it, the name of the input, and a function ``describe(row, say)``
    that returns the sentence of a row; `say` shows ids.
    """
    for bad, source, describe in faults:
        if bad.any():
            row = int(bad.argmax())
            raise ValueError(f"{source}, row {row}: {describe(row, _say)}")


def _say(ids):
    return str(tuple(i for i in ids.tolist() if i != PAD) if np.ndim(ids) else ids)


def sizes(lists):
    """Return the number of objects in each list."""
    return (lists != PAD).sum(axis=1)


def same_answers(answers, again, name):
    """Refuse answers whose screens have other comparisons than `again`, in any order."""
    wrong = _sums_by_screen(answers) != _sums_by_screen(again)
    if wrong.any():
        raise other_form(int(wrong.argmax()), answers, name)


def _sums_by_screen(answers):
    """Return a number for each screen that depends on its comparisons, but not on their order."""
    rows = answers.comparisons
    if rows.shape[1] == 4:  # the objects of a pair may come in any order
        rows = np.sort(rows.reshape(-1, 2, 2), axis=2).reshape(-1, 4)
    hashes = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        hashes = hash_numbers(hashes + column.astype(np.uint64))
    starts = np.flatnonzero(np.diff(answers.screen, prepend=-1))
    return np.add.reduceat(hashes, starts)


def other_form(screen, answers, name):
    """Return the error that a screen is no answer to a form of question."""
    rows = answers.comparisons[answers.screen == screen]
    shown = ", ".join(str(tuple(row)) for row in rows[:3].tolist())
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    return ValueError(f"answers, screen {screen}: {shown}{more} do not come from {name}")
