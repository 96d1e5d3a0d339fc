"""jsPsych: a row for each screen, the index of the pressed button, fixations and checks between."""

import pandas as pd

from closerthan._core.shown import shown
from closerthan_lab.files.cells import MISSING, as_list
from closerthan_lab.files.columns import OTHERS, meaning_and_number, meaning_of
from closerthan_lab.files.sources.psychopy import OF_PSYCHOPY
from closerthan_lab.files.sources.source import (
    Source,
    is_medium,
    map_cells,
    name_stimuli,
    picked,
    picked_of_three,
    stimulus,
)

_OWN = {"stimulus", "response", "responses", "choices", "success", "timeout", "rt"}
_PRESSES = "buttonpressed response responses keypress"
_KINDS = "trialcategory trialkind kind category samplealg validation trialpart phase task part"
_ON_EACH = {"trialcategory", "trialkind", "kind", "samplealg"}  # on each trial, if at all
_LONGEST = 60  # characters of a word; longer texts are instructions


class JsPsych(Source):
    """Read what jsPsych 6 to 8 saves, as CSV or JSON.

    A question stands in `choices` (a list of two or more) and `stimulus` (the anchor), or in
    columns that the experiment added, such as `anchor`, `left` and `right`. `response` or
    `button_pressed` has the position of the picked one.
    """

    name, title = "jspsych", "jsPsych"

    def recognizes(self, titles, path):
        return titles >= {"trialtype", "trialindex", "timeelapsed"} and not titles & OF_PSYCHOPY

    def translate(self, rows):
        rows, table = _of_choices(rows) or _of_columns(rows)
        table = table.assign(**rows.people(), **rows.seconds("rt", 1000))
        correct = rows.first("correct passed iscorrect")
        if correct:
            table["correct"] = rows.frame[correct]
        return table


def _of_choices(rows):
    """Return the questions in `choices` and `stimulus`; None if there are none."""
    asked, name = {}, "choices" if "choices" in rows.frame else "stimulus"  # of several pictures
    for row, cell in rows.frame.get(name, pd.Series()).items():
        some = as_list(cell) if cell else None
        if some is not None and len(some) > 1:
            asked[row] = some
        elif some is None and str(cell).lstrip().startswith("["):
            rows.refuse(row, f"choices: {shown(cell)} is no list")
    if not asked:
        return None
    choices = pd.Series(asked)
    pictures = map_cells(choices, lambda some: all(is_medium(stimulus(one)) for one in some), bool)
    if pictures.any():
        choices = choices[pictures]  # the buttons of a survey show words
    else:
        own = _with_objects(rows).loc[choices.index]
        if own.any() and choices[own].map(str).nunique() == 1:
            return None  # keys, or buttons such as Left and Right
    kind = rows.first(_KINDS)
    if kind in _ON_EACH:
        named = ~rows.empty(kind).loc[choices.index]
        choices = choices[named] if named.any() else choices
    rows, sizes = rows.keep(rows.frame.index.isin(choices.index)), [len(some) for some in choices]
    chosen, cells = _picked(rows, choices), {"candidates": choices}
    anchors = [_anchor(cell, pictures.any()) for cell in rows.frame.get("stimulus", [])]
    is_instruction = len(anchors) > 1 and len(set(anchors)) == 1 and not pictures.any()
    if is_instruction or not any(anchors):
        if set(sizes) != {3}:
            raise rows.faults.error("no `stimulus` is an anchor; add the anchor to each question")
        chosen, cells = _of_three(rows, chosen), {"objects": choices}
    else:
        cells["anchor"] = anchors
        if set(sizes) == {2}:
            cells["first"], cells["second"] = zip(*cells.pop("candidates"), strict=True)
    table = pd.DataFrame(cells, rows.frame.index, dtype=object)
    return rows, name_stimuli(chosen.join(table), rows.faults)


def _of_three(rows, chosen):
    return chosen.set_axis([picked_of_three(rows), "kind"], axis=1)


def _anchor(cell, only_media):
    """Return a cell with a stimulus; nothing if it is an instruction."""
    text = stimulus(cell) if isinstance(cell, str) else ""
    is_prompt = only_media or len(text) > _LONGEST or "?" in text or text in MISSING
    return "" if is_prompt and not is_medium(text) else cell


def _objects(rows):
    """Return the columns with objects that the experiment added, by their numbers."""
    no_objects = (None, "response", *OTHERS)
    titles = [t for t in rows.frame if t not in _OWN and meaning_of(t) not in no_objects]
    return sorted(titles, key=lambda title: meaning_and_number(title)[1] or (0, 0))


def _with_objects(rows):
    """Tell which rows have any object in these columns."""
    return ~rows.frame[_objects(rows)].isin(MISSING).all(axis=1)


def _of_columns(rows):
    """Return the questions in columns that the experiment added."""
    objects = _objects(rows)
    if not objects:
        way = "add them to the data of each trial, for example as anchor, left and right"
        raise rows.faults.error(f"no column has the stimuli of the questions; {way}")
    rows = rows.keep(_with_objects(rows))
    meanings = {meaning_of(title) for title in objects}
    table = name_stimuli(rows.frame[objects], rows.faults)
    if len(meanings) == len(objects):
        table = table.rename(columns=meaning_of)
    if {"first", "second"} <= meanings and "chosen" not in meanings:
        _refuse_digits(rows)
        chosen = _picked(rows, table[["first", "second"]])
    elif meanings == {"anchor", "candidates"} and len(objects) > 2:
        chosen = _picked(rows, table[[t for t in objects if meaning_of(t) == "candidates"]])
    elif meanings == {"objects"} and len(objects) == 3:
        chosen = _of_three(rows, _picked(rows, table))
    else:
        return rows, table
    return rows, table.join(chosen, how="right")


def _refuse_digits(rows):
    """Raise an error for the keys 1 and 0, which may be the left and the right, or positions."""
    name = rows.first(_PRESSES)
    by_key = rows.frame["trialtype"].str.contains("key").all()
    if name and by_key and not rows.words and "0" in set(rows.frame[name]):
        why = "'0' may be a key or a position; give the meaning of each in responses="
        raise rows.faults.error(f"{name}: {why}")


def _picked(rows, choices):
    name = rows.first(_PRESSES)
    if name is None and rows.frame.columns.intersection(_PRESSES.split()).any():
        raise rows.faults.nothing_left("nothing was picked in any trial")
    if name is None:
        raise rows.faults.error("no column response or button_pressed says what was picked")
    choices = choices.to_numpy() if isinstance(choices, pd.DataFrame) else choices
    return picked(rows, "chosen", choices, name)
