"""jsPsych: a row for each screen, the index of the pressed button, fixations and checks between."""

from closerthan.files.columns import OTHERS, meaning_of
from closerthan.files.sources.source import (
    EMPTY,
    Source,
    as_list,
    is_medium,
    name_stimuli,
    picked_of_three,
    positions,
    stimulus,
)

_OWN = {"stimulus", "response", "choices", "success", "timeout", "rt"}
_PRESSES = "buttonpressed response keypress"
_KINDS = "trialcategory trialkind kind category samplealg validation trialpart phase task part"
_FLAGS = {"check": "ischeck iscatch catch attentioncheck", "practice": "ispractice practice"}
_LONGEST = 60  # characters of a word; longer texts are instructions


class JsPsych(Source):
    """Read what jsPsych 6 to 8 saves, as CSV or JSON.

    A question stands in `choices` (a list of two or more) and `stimulus` (the anchor), or in
    columns that the experiment added, such as `anchor`, `left` and `right`. `response` or
    `button_pressed` has the position of the picked one.
    """

    name, title = "jspsych", "jsPsych"

    def recognizes(self, titles, path):
        return {"trialtype", "trialindex", "timeelapsed"} <= titles

    def translate(self, rows):
        rows, table, pressed = _of_choices(rows) or _of_columns(rows)
        table = table.assign(**rows.people(), **rows.seconds("rt", 1000), kind=_kinds(rows))
        correct = rows.first("correct passed iscorrect")
        if correct:
            table["correct"] = rows.frame[correct]
        if pressed is None:
            return table
        table.loc[[place is None for place in pressed], "kind"] = "unanswered"
        return table[[place is None or place >= 0 for place in pressed]]


def _of_choices(rows):
    """Return the questions in `choices` and `stimulus`; None if there are none."""
    if "choices" not in rows.frame:
        return None
    choices = rows.frame["choices"].map(as_list)
    asked = choices.map(lambda some: some is not None and len(some) > 1)
    if not asked.any():
        return None
    pictures = asked & choices.map(lambda some: all(is_medium(stimulus(one)) for one in some or ()))
    asked = pictures if pictures.any() else asked  # the buttons of a survey show words
    kind = rows.first(_KINDS)
    if kind is not None and (asked & ~rows.empty(kind)).any():
        asked &= ~rows.empty(kind)
    rows, choices = rows.keep(asked), choices[asked]
    pressed = _pressed(rows, choices.map(len))
    chosen = [
        some[place or 0] if (place or 0) >= 0 else ""
        for some, place in zip(choices, pressed, strict=True)
    ]
    table = rows.frame[[]].assign(candidates=choices, chosen=chosen)
    anchors = choices.map(lambda _: "")
    if "stimulus" in rows.frame:
        anchors = rows.frame["stimulus"].map(_anchor)
    if not anchors.any():
        if set(choices.map(len)) != {3}:
            raise rows.faults.error("no `stimulus` is an anchor; add the anchor to each question")
        names = {"candidates": "objects", "chosen": picked_of_three(rows)}
        return rows, name_stimuli(table).rename(columns=names), pressed
    table = name_stimuli(table.assign(anchor=anchors))
    if set(choices.map(len)) == {2}:
        first, second = (table["candidates"].str[place] for place in (0, 1))
        table = table.assign(first=first, second=second).drop(columns="candidates")
    return rows, table, pressed


def _anchor(cell):
    """Return the stimulus of a cell; nothing if it is an instruction."""
    text = stimulus(cell) if isinstance(cell, str) else ""
    is_prompt = len(text) > _LONGEST or "?" in text or text in EMPTY
    return "" if is_prompt and not is_medium(text) else text


def _of_columns(rows):
    """Return the questions in columns that the experiment added."""
    no_objects = (None, "response", *OTHERS)
    objects = [t for t in rows.frame if t not in _OWN and meaning_of(t) not in no_objects]
    if not objects:
        raise rows.faults.error(
            "no column has the stimuli of the questions, and jsPsych does not save them by itself; "
            "add them to the data of each trial, for example as anchor, left and right"
        )
    rows = rows.keep(~rows.frame[objects].isin(EMPTY).all(axis=1))
    table, meanings = name_stimuli(rows.frame[objects]), {meaning_of(title) for title in objects}
    if len(meanings) == len(objects):
        table = table.rename(columns=meaning_of)
    if {"first", "second"} <= meanings and "chosen" not in meanings:
        pressed = _pressed(rows, [2] * len(table))
        sides = zip(table["first"], table["second"], pressed, strict=True)
        chosen = [
            (first, second, "")[2 if place is None else place] for first, second, place in sides
        ]
        return rows, table.assign(chosen=chosen), pressed
    if meanings == {"objects"} and len(objects) == 3:
        pressed = _pressed(rows, [3] * len(table))
        cells = zip(table.to_numpy(), pressed, strict=True)
        picked = [row[place or 0] for row, place in cells]
        return rows, table.assign(**{picked_of_three(rows): picked}), pressed
    return rows, table, None


def _pressed(rows, sizes):
    name = rows.first(_PRESSES)
    if name is None:
        raise rows.faults.error("no column response or button_pressed says what was picked")
    return positions(rows, name, sizes)


def _kinds(rows):
    """Return the kind of each trial, from a column of kinds or from columns that are true."""
    name = rows.first(_KINDS)
    kinds = rows.frame[name].copy() if name else rows.frame.iloc[:, 0].map(lambda _: "")
    for word, names in _FLAGS.items():
        flag = rows.first(names)
        if flag:
            kinds[rows.frame[flag].astype(str).str.strip().str.lower().isin(["true", "1"])] = word
    return kinds
