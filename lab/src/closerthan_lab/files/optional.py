"""Decide on the columns beside the objects: which are what their names say, and which to ask for.

An optional column is used if its cells can be what it is called. A column that has no meaning here
but looks like kinds of trials, or like a second answer, is an error: it may change what counts.
"""

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from closerthan._core.shown import shown, shown_list
from closerthan_lab.files.cells import (
    MISSING,
    as_float,
    coded,
    factorized,
    mapped,
    texts_of,
    whole_number,
)
from closerthan_lab.files.columns import ALIASES, is_press, plain, two_answers
from closerthan_lab.files.values import PICKED, is_side, kind_of, truth

FEW = 50  # different cells of a column that is asked about
_MOST_WEIGHT = 10.0  # a larger median is no weight of answers, for example one of people
_MOST_SECONDS = 10**6  # larger times are dates
_IN_SECONDS = 100  # a larger median of times is in milliseconds
_OF_RESULTS = re.compile("pass|fail|corr|score|acc|resp|rt$|time|count|num")  # no flags
_OF_OTHERS = ("check", "practice")


def settle(frame, header, found):
    """Return the rows and the columns with the optional columns that can be what they are called.

    Aliases of times are turned to seconds, and several columns of kinds to one.
    """
    for meaning, is_plausible in _IS_PLAUSIBLE.items():
        if meaning not in found or meaning in header.own:
            continue
        [place] = found.places[meaning]
        is_alias = plain(header.titles[place]) in map(plain, ALIASES.get(meaning, []))
        cells = frame[place]
        numbers = mapped(cells, lambda cell: as_float(str(cell), header.decimal_comma), float)
        if not is_plausible(cells, numbers, is_alias):
            found = found.without(meaning)
        elif meaning == "time" and is_alias:
            seconds = numbers / (1000 if np.nanmedian(numbers) > _IN_SECONDS else 1)
            times = coded([repr(time) if time >= 0 else "" for time in seconds.tolist()])
            frame = _with(frame, place, times)
    return _with_kinds(frame, header, found) if "kind" in found else (frame, found)


def _with(frame, place, column):
    frame = frame.copy(deep=False)
    frame[place] = column
    return frame


def _are_people(column, _, is_alias):
    return not is_alias or not MISSING.intersection(map(str.strip, factorized(column)[0]))


def _are_times(column, numbers, is_alias):
    unknown = mapped(column, lambda cell: str(cell).strip() in MISSING, bool)
    are_dates = np.mean(numbers > _MOST_SECONDS) > 0.5
    some_are_known = (numbers >= 0).any() and (np.isfinite(numbers) | unknown).all()
    return not are_dates and (not is_alias or bool(some_are_known))


def _are_weights(_, numbers, __):
    return not np.isfinite(numbers).all() or np.median(numbers) <= _MOST_WEIGHT


def _are_votes(_, numbers, __):
    """Tell whether numbers are not only those of the rows, which may start again."""
    goes_on = (np.diff(numbers) == 1) | (numbers[1:] == numbers[0])
    is_count = len(numbers) > 2 and numbers[0] in (0, 1) and numbers[1] != numbers[0]
    return not (is_count and goes_on.all())


def _are_screens(column, _, __):
    cells, _ = factorized(column)
    are_whole = all(whole_number(str(cell).strip()) for cell in cells)
    return are_whole and (len(cells) > 1 or len(column) < 4)


_IS_PLAUSIBLE = {"participant": _are_people, "time": _are_times, "weight": _are_weights}
_IS_PLAUSIBLE |= {"votes": _are_votes, "screen": _are_screens}


def _kinds_in(title, texts, of_program=False):
    """Return the kind that each cell of a column tells, "" for an answer; None if it is open.

    A flag that is true in all rows of a table may be of people.
    """
    kinds = {text: kind_of(text) or "" for text in texts}
    flag = None if _OF_RESULTS.search(plain(title)) else kind_of(title)
    flag = flag or kind_of(plain(title).removeprefix("is"))
    if flag is None or any(kinds.values()):
        return kinds
    truths = {text: truth(text) for text in texts if text not in MISSING}
    all_true = set(truths.values()) == {True} and len(truths) == len(kinds)
    if None in truths.values() or (all_true and not of_program):
        return None
    return {text: flag if truths.get(text) else "" for text in texts}


def _is_of_people(frame, place, found):
    """Tell whether a flag has the same cell in all rows of each of several people."""
    if "participant" not in found or any(map(kind_of, texts_of(frame[place]))):
        return False
    people = frame[found.places["participant"][0]].astype(str)
    pairs = people + "\n" + frame[place].astype(str)
    return 1 < people.nunique() == pairs.nunique() < len(frame)


def kinds_of(frame, titles, faults=None):
    """Return the kind that columns tell of each row, "" for an answer, and the telling columns.

    `titles` has the names of the columns by their labels in the table. In the file of a program,
    whose `faults` are given, a flag that is neither true nor false is an error.
    """
    kinds, used = np.full(len(frame), "", dtype=object), []
    for place, title in titles.items():
        texts = {str(cell).strip() for cell in factorized(frame[place])[0]}
        known = _kinds_in(title, texts, faults is not None)
        if faults and known is None:
            raise faults.error(f"{title} holds {shown_list(sorted(texts), 3)}, no true and false")
        if known and any(known.values()):
            own = mapped(frame[place], lambda cell, known=known: known[str(cell).strip()], object)
            kinds = np.where(kinds == "", own, kinds)
            used.append(place)
    return kinds, used


def _with_kinds(frame, header, found):
    """Return rows and columns with one column of kinds, or none if no cell is of another kind."""
    titles = {place: header.titles[place] for place in found.places["kind"]}
    if "kind" not in header.own:
        titles = {n: t for n, t in titles.items() if not _is_of_people(frame, n, found)}
    kinds, used = kinds_of(frame, titles)
    if not used:
        return frame, found.without("kind").without("correct")
    found = replace(found, places=found.places | {"kind": used})
    return _with(frame, used[0], coded(kinds)), found


def ask(frame, header, found, where):
    """Raise an error if an unused column may hold kinds of trials or another answer."""
    picks = [name for name in (*PICKED, "response", "ranking") if name in found.needed]
    picks = [] if header.own.keys() & {*picks} else picks
    shown_ones = [name for name in ("first", "second", "objects", "candidates") if name in found]
    places = [place for name in shown_ones for place in found.places[name]]
    objects = {text for place in places for text in texts_of(frame[place])}
    for place, title in found.unused(header.titles).items():
        texts = _texts(frame[place]) if place in frame and title not in where else []
        if texts and len(texts) <= FEW and "kind" not in header.own:
            _ask_for_kinds(texts, header, title)
        may_answer = objects.issuperset(texts) or all(map(is_side, texts))
        if texts and picks and is_press(title) and may_answer:
            used = header.titles[found.places[picks[0]][0]]
            raise two_answers(header, {picks[0]: used}, {picks[0]: title})


def _ask_for_kinds(texts, header, title):
    """Raise an error if a column has words for practice or checks, or may be a flag."""
    words = [text for text in texts if kind_of(text) in _OF_OTHERS and len(text.split()) < 3]
    if words:
        raise header.error(
            f"column {shown(title)} holds {shown(words[0])}; practice and checks are no answers: "
            f"columns={ {'kind': title} } leaves them out"
        )
    kinds = {} if any(map(kind_of, texts)) else _kinds_in(title, texts)
    if kinds is None or any(kinds.values()):
        raise header.error(
            f"column {shown(title)} holds {shown_list(texts, 3)}, and may tell practice or checks; "
            "name it kind in columns= if it does, or give columns= an empty kind"
        )


def _texts(column):
    """Return the different texts of a column; none if it has lists."""
    return texts_of(column) if isinstance(column.dtype, pd.CategoricalDtype) else []
