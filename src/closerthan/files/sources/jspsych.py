"""jsPsych: a row for each screen, the index of the pressed button, fixations and checks between."""

from closerthan.files.columns import OTHERS, meaning_of
from closerthan.files.faults import shown
from closerthan.files.kinds import kind_of, truth
from closerthan.files.sources.source import (
    EMPTY,
    Source,
    as_list,
    each,
    is_medium,
    name_stimuli,
    picked_of_three,
    positions,
    stimulus,
)

_OWN = {"stimulus", "response", "choices", "success", "timeout", "rt"}
_PRESSES = "buttonpressed response keypress"
_KINDS = "trialcategory trialkind kind category samplealg validation trialpart phase task part"
_ON_EACH = {"trialcategory", "trialkind", "kind", "samplealg"}  # on each trial, if at all
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
        good = table["kind"].notna().to_numpy()
        if pressed is not None:
            table.loc[good & [place is None for place in pressed], "kind"] = "unanswered"
            good = good & [place is None or place >= 0 for place in pressed]
        return table[good]


def _of_choices(rows):
    """Return the questions in `choices` and `stimulus`; None if there are none."""
    import pandas as pd

    if "choices" not in rows.frame:
        return None
    asked = {}
    for row, cell in rows.frame["choices"].items():
        some = as_list(cell) if cell else None
        if some is not None and len(some) > 1:
            asked[row] = some
        elif some is None and str(cell).lstrip().startswith("["):
            rows.refuse(row, f"choices: {shown(cell)} is no list")
    if not asked:
        return None
    choices = pd.Series(asked)
    pictures = each(choices, lambda some: all(is_medium(stimulus(one)) for one in some), bool)
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
    pressed = _pressed(rows, sizes)
    chosen = [
        some[place or 0] if (place or 0) >= 0 else ""
        for some, place in zip(choices, pressed, strict=True)
    ]
    cells = {"candidates": choices, "chosen": chosen}
    anchors = [_anchor(cell, pictures.any()) for cell in rows.frame.get("stimulus", [])]
    is_instruction = len(anchors) > 1 and len(set(anchors)) == 1 and not pictures.any()
    if is_instruction or not any(anchors):
        if set(sizes) != {3}:
            raise rows.faults.error("no `stimulus` is an anchor; add the anchor to each question")
        cells = {"objects": choices, picked_of_three(rows): chosen}
    else:
        cells["anchor"] = anchors
        if set(sizes) == {2}:
            cells["first"], cells["second"] = zip(*cells.pop("candidates"), strict=True)
    table = pd.DataFrame(cells, rows.frame.index, dtype=object)
    return rows, name_stimuli(table, rows.faults), pressed


def _anchor(cell, only_media):
    """Return a cell with a stimulus; nothing if it is an instruction."""
    text = stimulus(cell) if isinstance(cell, str) else ""
    is_prompt = only_media or len(text) > _LONGEST or "?" in text or text in EMPTY
    return "" if is_prompt and not is_medium(text) else cell


def _objects(rows):
    """Return the columns with objects that the experiment added."""
    no_objects = (None, "response", *OTHERS)
    return [t for t in rows.frame if t not in _OWN and meaning_of(t) not in no_objects]


def _with_objects(rows):
    """Tell which rows have any object in these columns."""
    return ~rows.frame[_objects(rows)].isin(EMPTY).all(axis=1)


def _of_columns(rows):
    """Return the questions in columns that the experiment added."""
    objects = _objects(rows)
    if not objects:
        raise rows.faults.error(
            "no column has the stimuli of the questions, and jsPsych does not save them by itself; "
            "add them to the data of each trial, for example as anchor, left and right"
        )
    rows = rows.keep(_with_objects(rows))
    meanings = {meaning_of(title) for title in objects}
    table = name_stimuli(rows.frame[objects], rows.faults)
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
    if name is None and rows.frame.columns.intersection(_PRESSES.split()).any():
        raise rows.faults.nothing_left("nothing was picked in any trial")
    if name is None:
        raise rows.faults.error("no column response or button_pressed says what was picked")
    return positions(rows, name, sizes)


def _kinds(rows):
    """Return the kind of each trial, from a column of kinds or from columns that are true.

    None in rows where such a column is neither true nor false.
    """
    import pandas as pd

    name = rows.first(_KINDS)
    kinds = dict.fromkeys(rows.frame.index, "") | (rows.frame[name].to_dict() if name else {})
    for word, names in _FLAGS.items():
        flag = rows.first(names)
        if flag:
            for row, cell in rows.frame[flag][~rows.empty(flag)].items():
                says = kind_of(str(cell)) == word or truth(cell)
                if says is None:
                    rows.refuse(row, f"{flag}: {shown(cell)} is neither true nor false")
                kinds[row] = kinds[row] if says is False else word if says else None
    return pd.Series(kinds, rows.frame.index, object)
