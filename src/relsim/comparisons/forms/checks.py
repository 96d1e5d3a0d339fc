"""What the forms share: ids in rows of different lengths, and the way back that is verified."""

import numpy as np

PAD = -1  # ends a row that is shorter than others


def check_ids(ids, source, n_rows=None):
    """Return ids, or -1 at the end of a row, as an array of shape (n_rows, n)."""
    ids = np.asarray(ids)
    if ids.ndim != 2 or ids.size == 0 or (n_rows is not None and len(ids) != n_rows):
        expected = "n_screens" if n_rows is None else n_rows
        raise ValueError(f"{source}: shape {ids.shape}; allowed is ({expected}, n)")
    fits = ids.dtype.kind in "iuf" and ids.dtype != bool
    whole = (ids == np.floor(ids)) & (ids >= PAD) & (ids < 2**53) if fits else np.zeros_like(ids)
    if not whole.all():
        row, column = np.argwhere(~whole.astype(bool))[0]
        value = ids[row, column]
        value = value.item() if isinstance(value, np.generic) else value
        raise ValueError(f"{source}, row {row}: {value!r} is no object id")
    ids = ids.astype(np.int64, copy=False)
    late = (ids[:, 1:] != PAD) & (ids[:, :-1] == PAD)
    if late.any():
        row = int(late.any(axis=1).argmax())
        raise ValueError(f"{source}, row {row}: {tuple(ids[row].tolist())}; {PAD} ends a row")
    return ids


def check_length(values, length, source):
    values = np.asarray(values)
    if values.shape != (length,):
        raise ValueError(f"{source}: shape {values.shape}; allowed is ({length},), one a screen")
    return values


def same_sized_screens(answers, n_rows, width, form):
    """Return the comparisons as an array of shape (n_screens, n_rows, width)."""
    sizes = np.bincount(answers.screen)
    if answers.comparisons.shape[1] != width or (sizes != n_rows).any():
        row = int((sizes != n_rows).argmax())
        raise other_form(row, answers, form)
    return answers.comparisons.reshape(-1, n_rows, width)


def undone(answers, form, parts, name):
    """Return the parts of a form, if turning them to comparisons brings back the answers."""
    try:
        again = form(*parts)
    except ValueError:
        again = None
    same_size = again is not None and np.array_equal(again.screen, answers.screen)
    if not same_size:
        sizes = np.bincount(answers.screen)
        expected = np.zeros(1) if again is None else np.bincount(again.screen)
        raise other_form(_first_difference(sizes, expected), answers, name)
    ours, theirs = (_sorted_by_screen(each) for each in (answers, again))
    wrong = (ours != theirs).any(axis=1)
    if wrong.any():
        raise other_form(int(answers.screen[wrong.argmax()]), answers, name)
    return parts


def _first_difference(sizes, expected):
    n = min(len(sizes), len(expected))
    different = sizes[:n] != expected[:n]
    return int(different.argmax()) if different.any() else min(n, len(sizes) - 1)


def _sorted_by_screen(answers):
    """The comparisons, those of each screen in order, quadruplets in standard form of each pair."""
    rows = answers.comparisons
    if rows.shape[1] == 4:
        rows = np.sort(rows.reshape(-1, 2, 2), axis=2).reshape(-1, 4)
    return rows[np.lexsort([*rows.T[::-1], answers.screen])]


def other_form(screen, answers, form):
    rows = answers.comparisons[answers.screen == screen]
    shown = ", ".join(str(tuple(row)) for row in rows[:3].tolist())
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    return ValueError(f"answers, screen {screen}: {shown}{more} do not come from {form}")
