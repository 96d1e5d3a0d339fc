"""Leave out the trials that are no answers: checks, practice, and questions without an answer."""

import re

import numpy as np
import pandas as pd

from closerthan_lab.files.cells import PAD
from closerthan_lab.files.values import is_nothing

_ANSWERS = ("response", "chosen", "odd", "central", "ranking", "best", "worst")
_WORDS = {
    "check": {"check", "checks", "catch", "attention", "attentioncheck"},
    "practice": {"practice", "practise", "training", "warmup", "tutorial", "example"},
    "unanswered": {"unanswered"},
}
_NOT = {"not", "no", "non"}
_TRUTH = dict.fromkeys(["true", "1", "1.0", "yes", "t", "y"], True)
_TRUTH |= dict.fromkeys(["false", "0", "0.0", "no", "f", "n"], False)


def truth(text):
    """Return True or False if a text says so, or None."""
    return _TRUTH.get(str(text).strip().lower())


def kind_of(text):
    """Return "check", "practice" or "unanswered" if a text says so; None for an answer.

    Examples
    --------
    >>> [kind_of(text) for text in ("attention_check", "Practice", "no practice", "")]
    ['check', 'practice', None, None]
    """
    words = re.findall("[a-z]+", text.lower())
    if words[:1] and words[0] in _NOT:
        return None
    return next((kind for kind, known in _WORDS.items() if known.intersection(words)), None)


def without_others(cells, words):
    """Return the cells of answers, the number of other trials by kind, and the check trials.

    A trial whose answer is a word for nothing has none, unless `words` gives it another meaning.
    """
    kinds = np.full(len(cells.lines), "", object)
    if "kind" in cells.columns:
        known = np.array([kind_of(text) or "" for text in cells.codes["kind"].values], object)
        kinds = known[cells.columns.pop("kind")]
    kinds[(kinds == "") & _without_answer(cells, words)] = "unanswered"
    left_out = {kind: int((kinds == kind).sum()) for kind in _WORDS if (kinds == kind).any()}
    checks = _checks(cells, np.flatnonzero(kinds == "check")) if "check" in left_out else None
    cells.columns.pop("correct", None)
    if not (kinds == "").any():
        counts = " and ".join(f"{count:,} {kind}" for kind, count in left_out.items())
        raise cells.faults.nothing_left(f"no trial is an answer; the kinds are {counts}")
    return cells.take(np.flatnonzero(kinds == "")) if left_out else cells, left_out, checks


def _without_answer(cells, words):
    """Tell which rows have a word for nothing in the place of their answer."""
    found = np.zeros(len(cells.lines), dtype=bool)
    for meaning in filter(cells.columns.__contains__, _ANSWERS):
        texts = cells.texts(meaning)
        column = cells.columns[meaning]
        is_none = np.array([is_nothing(text, words) for text in texts], bool)
        if column.ndim == 2:  # an empty list is a fault
            found |= ((column == PAD) | is_none[column]).all(axis=1) & (column[:, 0] != PAD)
        else:
            found |= is_none[column]
    return found


def _checks(cells, rows):
    """Return who passed which check.

    Where the file does not say it, a check that shows the anchor itself is passed if the anchor is
    picked.
    """
    columns = cells.columns
    passed = [None] * len(rows)
    picked, anchor = columns.get("chosen", columns.get("near")), columns.get("anchor")
    if "correct" in columns:
        passed = [truth(cells.text("correct", row)) for row in rows]
    elif anchor is not None and picked is not None and picked.ndim == 1:
        others = [columns[name] for name in ("first", "second", "near", "far") if name in columns]
        is_shown = np.any([other[rows] == anchor[rows] for other in others], axis=0)
        passed = np.where(is_shown, picked[rows] == anchor[rows], None).tolist()
    who = [cells.text("participant", row) for row in rows] if "participant" in columns else None
    return pd.DataFrame({"participant": who, "line": cells.lines[rows], "passed": passed})
