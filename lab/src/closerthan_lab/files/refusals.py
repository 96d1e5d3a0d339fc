"""Refuse a file whose columns fit no form: say what is there, and advise only what must be so."""

import re

import numpy as np

from closerthan._core.shown import shown, shown_list
from closerthan.comparisons.answers import HEADERS
from closerthan_lab.files.cells import mapped, texts_of
from closerthan_lab.files.columns import (
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
)
from closerthan_lab.files.spreadsheets import NUMBER
from closerthan_lab.files.text import find_header

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
_FEW = 3  # different answers to a question of two


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
    below = set() if head is None else {text for place in head for text in texts_of(head[place])}
    is_new = below.isdisjoint(header.titles) and not any(map(NUMBER.fullmatch, header.titles))
    if is_new and header.line is not None:
        raise header.error(
            f"{shown_list(header.titles)} occur nowhere else and may be a header; write "
            f"{', '.join(needed)} into the first line, in place of them or above them"
        )
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
    cells = {} if frame is None else {place: texts_of(frame[place]) for place in frame}
    what = None if form else _may_be(titles, known, cells, 0 if frame is None else len(frame))
    if what is None and not known and not form:
        what = _UNNAMED.get(len(titles))
        if what is None and all(NUMBER.fullmatch(title.strip()) for title in titles):
            what = "no row names the columns; add a first row with names"
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
        return (
            "this may be a wide table, with a row for each participant; make a row of each answer, "
            f"with pandas by frame.melt({one_row[0]!r}) and a table of the questions"
        )
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
    alike = [n for n in free if n not in {*anchors, *presses} and _is_alike(cells[n], objects)]
    if {"first", "second"} <= known.keys():
        alike = [known["first"][0], known["second"][0]]
    elif [_role(titles[place]) for place in alike] == ["second", "first"]:
        alike.reverse()
    either = {text for place in alike for text in cells[place]}
    presses = [n for n in presses if 1 < len(cells[n]) <= _FEW or either.issuperset(cells[n])]
    if (len(anchors), len(alike), len(presses)) != (1, 2, 1):
        return None
    answer = "chosen" if either.issuperset(cells[presses[0]]) else "response"
    places = zip(("anchor", "first", "second", answer), [*anchors, *alike, *presses], strict=True)
    own = {meaning: titles[place] for meaning, place in places}
    return f"if {shown(own[answer])} has the answers, give columns={own}"


def _is_alike(texts, objects):
    """Tell whether most texts of a column are objects, and not only numbers of rows."""
    if len(texts) > 3 and NUMBER.fullmatch(texts[0]):
        start = int(float(texts[0]))
        if texts == [str(n) for n in range(start, start + len(texts))]:
            return False
    return len(texts) > 1 and 2 * len(objects.intersection(texts)) >= len(texts)
