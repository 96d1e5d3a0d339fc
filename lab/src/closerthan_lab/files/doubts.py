"""Doubt columns: refuse those that fit no form, and use or ask about those beside the objects.

An optional column is used if its cells can be what it is called. A column that has no meaning here
but looks like kinds of trials, or like a second answer, is an error: it may change what counts. An
error says what is there, and advises only what must be so.
"""

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from closerthan._core.shown import shown, shown_list
from closerthan.comparisons.answers import HEADERS
from closerthan_lab.files.cells import (
    FEW,
    MISSING,
    as_float,
    coded,
    factorized,
    mapped,
    texts_of,
    whole_number,
)
from closerthan_lab.files.columns import (
    ALIASES,
    FORMS,
    NAMES,
    OTHERS,
    Columns,
    fits_a_form,
    is_press,
    known_columns,
    meaning_of,
    names_a_column,
    nearest_way,
    plain,
    two_answers,
)
from closerthan_lab.files.spreadsheets import NUMBER
from closerthan_lab.files.text import find_header
from closerthan_lab.files.values import PICKED, is_side, kind_of, truth

_WIDE = {"responseid", "respondentid", "case", "session", "token"}  # tell people in surveys
_RATING = re.compile("rating|rated|similarity|proximity|likert")
_WHICH = "say with columns= which is which"
_UNNAMED = {
    3: "three columns without known names may be triplets (give form='triplets'), or odd-one-out "
    f"answers with the odd one last (give source='spose'); or {_WHICH}",
    4: "four columns without known names may be quadruplets (give form='quadruplets'), or three "
    f"objects and another column; {_WHICH}",
}
_MOST = 12  # columns in a message
_CHOICES = 3  # different answers to a question of two
_MOST_WEIGHT = 10.0  # a larger median is no weight of answers, for example one of people
_MOST_SECONDS = 10**6  # larger times are dates
_IN_SECONDS = 100  # a larger median of times is in milliseconds
_OF_RESULTS = re.compile("pass|fail|corr|score|acc|resp|rt$|time|count|num")  # no flags
_OF_OTHERS = ("check", "practice")


def in_order(header, options, head):
    """Return the columns of triplets or quadruplets in order, if `form` says that they are."""
    faults, needed = header.faults, HEADERS.get(len(header.titles))
    line = header.line and find_header(faults.path, faults, header.line)
    if line:
        way = f"delete the lines above it, or give skip_lines={line - 1}"
        raise faults.nothing_left(f"line {line} names the columns; {way}")
    is_other = header.line is None and any(map(meaning_of, header.titles))
    if options.columns or options.where or options.without or is_other:
        needed = None
    if needed is None or needed not in FORMS.get(options.form, ()):
        raise missing_columns(header, options.form, head)
    below = {text for place in head for text in texts_of(head[place])}
    is_new = below.isdisjoint(header.titles) and not any(map(NUMBER.fullmatch, header.titles))
    if is_new and header.line is not None:
        way = f"write {', '.join(needed)} into the first line"
        raise header.error(f"{shown_list(header.titles)} may be a header; {way}")
    places = {meaning: [place] for place, meaning in enumerate(needed)}
    return Columns(options.form, needed, places, named=False)


def refuse_header(frame, header, found):
    """Raise an error if a row names columns again, in any order and case."""
    places = [place for meaning in found.needed for place in found.places[meaning]]
    titles = set(map(plain, header.titles))
    may_be = np.ones(len(frame), dtype=bool)
    for place in places:
        may_be &= mapped(frame[place], lambda cell: names_a_column(str(cell), titles), bool)
    for row in np.flatnonzero(may_be):
        cells = [str(frame[place].iloc[row]) for place in places]
        if fits_a_form(cells) or len(titles.intersection(map(plain, cells))) == len(cells):
            why = "occurs again; if files were joined, keep only the first header"
            line = frame.index[row]
            raise header.faults.error(f"the header, {shown_list(cells)}, {why}", line)


def missing_columns(header, form, frame):
    """Return the error for columns that fit no form. `frame` has some rows below the header."""
    titles, known = header.titles, known_columns(header)
    cells = {place: texts_of(frame[place]) for place in frame}
    what = None if form else _may_be(titles, known, cells, len(frame))
    if what is None and not known and not form:
        what = _UNNAMED.get(len(titles))
        if what is None and all(NUMBER.fullmatch(title.strip()) for title in titles):
            return header.error("no row names the columns; add a first row with names")
    if what is None:
        name, way = nearest_way(header, form)
        lacks = [meaning for meaning in way if meaning not in known]
        what = "none is known to hold objects"
        if len(lacks) < len(way):
            what = f"there is no column {' or '.join(lacks)}; {name} need {', '.join(way)}"
        what += f"; rename columns, or {_WHICH}"
    some = [(shown(title), cells.get(place)) for place, title in enumerate(titles[:_MOST])]
    some = [f"{name} ({shown(own[0], 20)})" if own else name for name, own in some]
    more = f" and {len(titles) - _MOST} more" if len(titles) > _MOST else ""
    sentence = f"the columns are {', '.join(some)}{more}; {what}"
    return header.error(sentence) if known.keys() - OTHERS else header.nothing_left(sentence)


def _may_be(titles, known, cells, n_rows):
    """Say what a table may be, or which columns it has; None if nothing tells."""
    free = [place for place, title in enumerate(titles) if title.strip() and not meaning_of(title)]
    people = [place for place, title in enumerate(titles) if plain(title) in _WIDE]
    people += known.get("participant", [])
    one_row = [titles[place] for place in people if len(cells.get(place, ())) == n_rows]
    numbered = [place for place in free if re.search(r"\d", titles[place])]
    if one_row and len(numbered) > 2 and known.keys() <= {"anchor", *OTHERS}:
        way = f"make a row of each answer, with pandas by frame.melt({one_row[0]!r})"
        return f"this may be a wide table, with a row for each participant; {way}"
    anchors = known.get("anchor") or [place for place in free if _role(titles[place]) == "anchor"]
    if anchors:
        return _advice(titles, known, cells, free, anchors) if cells else None
    if any(_RATING.search(plain(titles[place])) for place in free):
        return "these may be ratings of pairs; they compare nothing and are not read"
    if {"first", "second"} <= known.keys():
        return "without an anchor these are preferences, not similarities; they are not read"
    return None


def _role(title):
    """Return what a word in the name of a column tells: "anchor", "first" or "second", or None."""
    words = re.sub("([a-z])([A-Z])", r"\1 \2", title).casefold()
    words = set(re.findall("[^\\W\\d_]+", words))
    found = [name for name in ("anchor", "first", "second") if words.intersection(NAMES[name])]
    return found[0] if len(found) == 1 else None


def _advice(titles, known, cells, free, anchors):
    """Say which columns hold a question of two and its answer, if their cells show it."""
    objects, presses = set(cells[anchors[0]]), [n for n, t in enumerate(titles) if is_press(t)]
    others = [n for n in free if n not in {*anchors, *presses} and len(cells[n]) > 1]
    alike = [n for n in others if 2 * len(objects.intersection(cells[n])) >= len(cells[n])]
    if {"first", "second"} <= known.keys():
        alike = [known["first"][0], known["second"][0]]
    elif [_role(titles[place]) for place in alike] == ["second", "first"]:
        alike.reverse()
    either = {text for place in alike for text in cells[place]}
    presses = [n for n in presses if 1 < len(cells[n]) <= _CHOICES or either.issuperset(cells[n])]
    if (len(anchors), len(alike), len(presses)) != (1, 2, 1):
        some = shown_list(titles[place] for place in alike)
        about = f"{shown(titles[anchors[0]])} is the anchor, and {some} hold objects, too"
        return f"{about}; {_WHICH}" if len(alike) > 1 else None
    answer = "chosen" if either.issuperset(cells[presses[0]]) else "response"
    places = zip(("anchor", "first", "second", answer), [*anchors, *alike, *presses], strict=True)
    own = {meaning: titles[place] for meaning, place in places}
    return f"if {shown(own[answer])} has the answers, give columns={own}"


def settle(frame, header, found):
    """Return the rows and the columns with the optional columns that can be what they are called.

    Aliases of times are turned to seconds, and several columns of kinds to one.
    """
    for meaning in ("participant", "time", "weight", "votes", "screen"):
        if meaning not in found or meaning in header.own:
            continue
        [place] = found.places[meaning]
        is_alias = plain(header.titles[place]) in map(plain, ALIASES.get(meaning, []))
        cells = frame[place]
        numbers = mapped(cells, lambda cell: as_float(str(cell), header.decimal_comma), float)
        if not _is_plausible(meaning, cells, numbers, is_alias):
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


def _is_plausible(meaning, column, numbers, is_alias):
    """Tell whether the cells of an optional column can be what it is called."""
    texts = {str(cell).strip() for cell in factorized(column)[0]}
    if meaning == "participant":
        return not is_alias or not MISSING & texts
    if meaning == "weight":
        return not np.isfinite(numbers).all() or np.median(numbers) <= _MOST_WEIGHT
    if meaning == "screen":
        return all(map(whole_number, texts)) and (len(texts) > 1 or len(column) < 4)
    if meaning == "votes":  # not only numbers of the rows, which may start again
        goes_on = (np.diff(numbers) == 1) | (numbers[1:] == numbers[0])
        is_count = len(numbers) > 2 and numbers[0] in (0, 1) and numbers[1] != numbers[0]
        return not (is_count and goes_on.all())
    unknown = mapped(column, lambda cell: str(cell).strip() in MISSING, bool)
    are_dates = np.mean(numbers > _MOST_SECONDS) > 0.5
    some_are_known = (numbers >= 0).any() and (np.isfinite(numbers) | unknown).all()
    return not are_dates and (not is_alias or bool(some_are_known))


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
        way = f"practice and checks are no answers: columns={ {'kind': title} } leaves them out"
        raise header.error(f"column {shown(title)} holds {shown(words[0])}; {way}")
    kinds = {} if any(map(kind_of, texts)) else _kinds_in(title, texts)
    if kinds is None or any(kinds.values()):
        end = "may tell practice or checks; name it kind in columns=, or give an empty kind there"
        raise header.error(f"column {shown(title)} holds {shown_list(texts, 3)}, and {end}")


def _texts(column):
    """Return the different texts of a column; none if it has lists."""
    return texts_of(column) if isinstance(column.dtype, pd.CategoricalDtype) else []
