"""Refuse a file whose columns fit no form: say what is there, and advise only what must be so."""

import re

from closerthan._core.shown import shown, shown_list
from closerthan_lab.files.cells import texts_of
from closerthan_lab.files.columns import (
    NAMES,
    OTHERS,
    is_press,
    known_columns,
    meaning_of,
    nearest_way,
    plain,
)
from closerthan_lab.files.spreadsheets import NUMBER

_WIDE = {"responseid", "respondentid", "case", "session", "token"}  # tell people in surveys
_RATING = re.compile("rating|rated|similarity|proximity|likert")
_TRUTHS = {"0", "1", "0.0", "1.0"}
_UNNAMED = {
    3: "three columns without known names may be triplets (anchor, near, far: give "
    "form='triplets') or odd-one-out answers with the odd one last, as of SPoSE and VICE (give "
    "source='spose'); or say with columns= which is which",
    4: "four columns without known names may be quadruplets (near_1, near_2, far_1, far_2: give "
    "form='quadruplets'), or three objects and an answer or another column; say with columns= "
    "which is which",
}
_MOST = 12  # columns in a message
_FEW = 3  # different answers to a question of two


def missing_columns(header, form, frame):
    """Return the error for columns that fit no form. `frame` has some rows below the header."""
    titles, known = header.titles, known_columns(header)
    if all(NUMBER.fullmatch(title.strip()) for title in titles) and len(titles) not in _UNNAMED:
        return header.error(
            f"{len(titles)} columns without names, {shown_list(titles)}; add a first row with "
            "names, or give three columns (triplets) or four (quadruplets)"
        )
    cells = {} if frame is None else {place: texts_of(frame[place]) for place in frame}
    what = None if form else _may_be(titles, known, cells, 0 if frame is None else len(frame))
    if what is None and not known and not form:
        what = _UNNAMED.get(len(titles))
    if what is None:
        name, way = nearest_way(header, form)
        lacks = [meaning for meaning in way if meaning not in known]
        what = "none is known to hold objects"
        if len(lacks) < len(way):
            what = f"there is no column {' or '.join(lacks)}; {name} need {', '.join(way)}"
        what += "; rename columns, or say with columns= which is which"
    some = [(shown(title), cells.get(place)) for place, title in enumerate(titles[:_MOST])]
    some = [f"{name} ({shown(own[0], 20)})" if own else name for name, own in some]
    more = f" and {len(titles) - _MOST} more" if len(titles) > _MOST else ""
    sentence = f"the columns are {', '.join(some)}{more}; {what}"
    return header.error(sentence) if known.keys() - OTHERS else header.nothing_left(sentence)


def last_is_answer(frame):
    """Tell whether only the last of four columns holds 0 and 1 alone."""
    places = [] if frame is None else frame
    return [place for place in places if _TRUTHS.issuperset(texts_of(frame[place]))] == [3]


def _may_be(titles, known, cells, n_rows):
    """Say what a table may be, or which columns it has; None if nothing tells."""
    free = [title for title in titles if meaning_of(title) is None]
    people = [place for place, title in enumerate(titles) if plain(title) in _WIDE]
    people += known.get("participant", [])
    numbered = [title for title in free if re.search(r"\d", title)]
    one_row = [place for place in people if len(cells.get(place, ())) == n_rows]
    if one_row and len(numbered) > 2 and known.keys() <= {"anchor", *OTHERS}:
        return (
            "this may be a wide table, with a row for each participant; make a row of each answer "
            f"with pandas: frame.melt({titles[one_row[0]]!r}, var_name='question', "
            "value_name='chosen'), merged with a table of the questions"
        )
    if "anchor" in known or any(role(title) == "anchor" for title in titles):
        return _advice(titles, known, cells)
    if any(_RATING.search(plain(title)) for title in free):
        return "these may be ratings of pairs; they compare nothing and are not read"
    if {"first", "second"} <= known.keys():
        return "without an anchor these are preferences, not similarities; they are not read"
    return None


def role(title):
    """Return what a word in the name of a column tells: "anchor", "first" or "second", or None."""
    words = re.sub("([a-z])([A-Z])", r"\1 \2", title).casefold()
    words = set(re.findall("[^\\W\\d_]+", words))
    roles = ("anchor", "first", "second")
    found = [name for name in roles if words.intersection(NAMES[name])]
    return found[0] if len(found) == 1 else None


def _advice(titles, known, cells):
    """Return which columns hold the anchor, other objects and the answer, if cells show it."""
    free = [place for place, title in enumerate(titles) if title.strip() and not meaning_of(title)]
    anchors = known.get("anchor") or [place for place in free if role(titles[place]) == "anchor"]
    if len(anchors) != 1 or not cells:
        return None
    objects = set(cells[anchors[0]])
    others = [place for place in free if place not in anchors and not is_press(titles[place])]
    alike = [place for place in others if _is_alike(cells[place], objects)]
    if {"first", "second"} <= known.keys():
        alike = [known["first"][0], known["second"][0]]
    elif [role(titles[place]) for place in alike] == ["second", "first"]:
        alike.reverse()
    presses = [place for place, title in enumerate(titles) if is_press(title)]
    shown_ones = {text for place in alike for text in cells[place]}
    presses = [n for n in presses if 1 < len(cells[n]) <= _FEW or shown_ones.issuperset(cells[n])]
    if len(alike) == 2 and len(presses) == 1:
        answer = "chosen" if shown_ones.issuperset(cells[presses[0]]) else "response"
        names = dict(
            zip(("anchor", "first", "second", answer), [*anchors, *alike, *presses], strict=True)
        )
        own = {meaning: titles[place] for meaning, place in names.items()}
        return f"if {shown(own[answer])} has the answers, give columns={own}"
    if len(alike) < 2:
        return None
    others = shown_list(titles[place] for place in alike)
    return (
        f"{shown(titles[anchors[0]])} is the anchor, and {others} hold objects, too; say with "
        "columns= which is which, such as near and far, or first, second and response"
    )


def _is_alike(texts, objects):
    """Tell whether most texts of a column are objects, and not only numbers of rows."""
    counts = [text for text in texts if NUMBER.fullmatch(text)]
    if (
        counts
        and texts == [str(int(float(counts[0])) + n) for n in range(len(texts))]
        and len(texts) > 3
    ):
        return False
    return len(texts) > 1 and 2 * len(objects.intersection(texts)) >= len(texts)
