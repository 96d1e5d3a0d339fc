"""Find the form of a file of answers and the meaning of its columns.

`FORMS`, `NAMES` and `OTHERS` define the forms and the columns. Errors and the documentation are
made from these tables.
"""

import re
from dataclasses import dataclass, field

from closerthan.comparisons.answers import HEADERS
from closerthan_lab.files.faults import Faults
from closerthan_lab.files.spreadsheets import NUMBER
from closerthan_lab.shown import shown, shown_list

# The columns of each form. Some forms can be written in several ways.
FORMS: dict[str, list[tuple[str, ...]]] = {
    "triplets": [HEADERS[3]],
    "quadruplets": [HEADERS[4]],
    "odd-one-out": [("objects", "odd")],
    "most-central": [("objects", "central")],
    "choices": [("anchor", "candidates", "chosen")],
    "rankings": [("anchor", "ranking"), ("anchor", "candidates", "ranks")],
    "best-worst": [("pairs", "best", "worst"), ("anchor", "candidates", "best", "worst")],
    "responses": [
        ("anchor", "first", "second", "response"),
        ("anchor", "first", "second", "chosen"),
        ("first_1", "first_2", "second_1", "second_2", "response"),
    ],
    "votes": [
        ("anchor", "first", "second", "votes_first", "votes_second"),
        ("first_1", "first_2", "second_1", "second_2", "votes_first", "votes_second"),
    ],
}

# Columns that may be added to a form.
OTHERS = {
    "participant": "who answered, as a whole number or a name",
    "time": "the seconds that the answer took, or empty",
    "weight": "a factor for the weight of the answer",
    "votes": "the number of equal answers that the row stands for",
    "screen": "triplets and quadruplets only; consecutive rows of one participant with the same "
    "value are one screen",
    "votes_neither": "votes only; the number of people who said neither",
    "top": "rankings only; the number of ranked places; the objects after them were not ranked",
    "kind": "check or practice if the row is no answer; such rows are left out",
    "correct": "true or false: whether a check was passed",
}

_PEOPLE = ["participant", "subject", "worker", "user", "rater", "annotator"]

# Names of each column in files, its own name first. A column with such a name holds one value, or
# a list with "|" between the objects. The words in NUMBERED, with a number appended, name columns
# that hold one object of a list each.
NAMES = {
    "anchor": ["anchor", "head", "reference", "ref", "query"],
    "near": ["near", "nearer", "close", "closer", "winner", "positive", "similar"],
    "far": ["far", "farther", "loser", "negative", "dissimilar"],
    "near_1": ["near_1"],
    "near_2": ["near_2"],
    "far_1": ["far_1"],
    "far_2": ["far_2"],
    "odd": ["odd", "odd_one_out", "odd_one"],
    "central": ["central", "most_central"],
    "first": ["first", "left"],
    "second": ["second", "right"],
    "first_1": ["first_1", "left_1"],
    "first_2": ["first_2", "left_2"],
    "second_1": ["second_1", "right_1"],
    "second_2": ["second_2", "right_2"],
    "response": ["response", "answer"],
    "votes_first": ["votes_first", "votes_left"],
    "votes_second": ["votes_second", "votes_right"],
    "votes_neither": ["votes_neither", "votes_tie"],
    "best": ["best", "most_similar", "most_alike"],
    "worst": ["worst", "least_similar", "least_alike"],
    "objects": ["objects", "items"],
    "candidates": ["candidates", "options"],
    "chosen": ["chosen", "choice", "choices", "selected"],
    "ranking": ["ranking"],
    "ranks": ["ranks"],
    "pairs": ["pairs"],
    "participant": [*_PEOPLE, *(f"{person}_{end}" for end in ("id", "nr") for person in _PEOPLE)],
    "time": ["time", "seconds"],
    "weight": ["weight"],
    "votes": ["votes", "count"],
    "screen": ["screen"],
    "top": ["top"],
    "kind": ["kind", "trial_category"],
    "correct": ["correct", "passed"],
}
NUMBERED = {
    "objects": ["object", "item", "stimulus", "image"],
    "candidates": ["candidate", "option"],
    "chosen": ["chosen", "choice", "selected"],
    "ranking": ["rank", "ranking"],
    "ranks": ["rank_of"],
    "pairs": ["pair"],
    "best": ["best"],
    "worst": ["worst"],
}
_WORD_AND_NUMBER = re.compile(r"(\D+)(\d+)(?:_([12]))?")
_PICKS = ("odd", "central", "chosen", "response")
_PRESS = re.compile("resp|key|click|answer|choice|select")  # in names of columns of answers
_WIDE = {"responseid", "respondentid", "case", "session", "token"}  # tell people in surveys
_TRUTHS = {"0", "1", "0.0", "1.0"}
_BETWEEN = re.compile(r"(?<!\d)[\s_.-]+|[\s_.-]+(?!\d)")


def plain(name):
    """Return the name of a column without case, blanks, hyphens, dots and underscores."""
    return _BETWEEN.sub("", name.strip().casefold())


_MEANING = {plain(name): meaning for meaning, names in NAMES.items() for name in names}
_PART_OF = {plain(name): meaning for meaning, names in NUMBERED.items() for name in names}


@dataclass(frozen=True)
class Header:
    """Hold the column names of a file, or its first row.

    `line` is their line; None if the format of the file itself names the columns. `own` maps
    meanings to the column names that the user gave; None means that the column is not used.
    `decimal_comma` is True if commas may be decimal commas, because they do not separate cells.
    """

    titles: list
    faults: Faults
    line: int | None = None
    own: dict = field(default_factory=dict)
    decimal_comma: bool = False

    def error(self, sentence):
        return self.faults.error(sentence, self.line)

    def same_name(self, first, second):
        """Return a sentence about two columns of one name."""
        names = dict.fromkeys(shown(self.titles[place]) for place in (first, second))
        return (
            f"columns {first + 1} and {second + 1} have the same name, {' and '.join(names)}; "
            "rename one"
        )

    def place(self, name, why):
        """Return the position of a named column; `why` tells who named it, for the error."""
        titles = self.titles if name in self.titles else [plain(title) for title in self.titles]
        wanted = name if name in titles else plain(name)
        if titles.count(wanted) > 1:
            first = titles.index(wanted)
            raise self.error(self.same_name(first, titles.index(wanted, first + 1)))
        if wanted in titles:
            return titles.index(wanted)
        some = shown_list(self.titles, 12)
        raise self.error(f"there is no column {shown(name)} ({why}); the columns are {some}")


@dataclass(frozen=True)
class Columns:
    """Map the meanings of a form to the columns of a file.

    `needed` are the meanings that the form requires. `places` has the positions of the columns of
    each meaning: one, or several for a list. `numbers` has the numbers of numbered columns; for
    pairs, also 1 or 2 for the object within the pair. `ignored` are the names of unused columns.
    `named` is True if the columns were found by name, False if by order. `sides` is True if two
    alternatives are called left and right. `beside` are the names of unused columns of objects, as
    many as the columns of a ranking. `names_pairs` is True if the best and the worst pair are told
    by their objects and not by their numbers.
    """

    form: str
    needed: tuple
    places: dict
    numbers: dict = field(default_factory=dict)
    ignored: list = field(default_factory=list)
    named: bool = True
    sides: bool = False
    beside: list = field(default_factory=list)
    names_pairs: bool = False

    def __contains__(self, meaning):
        return meaning in self.places

    def in_one_cell(self, meaning):
        """Tell whether one column holds the whole list."""
        return meaning not in self.numbers

    def is_list(self, meaning):
        if meaning in ("best", "worst"):
            return self.names_pairs
        return meaning in NUMBERED and not (meaning == "chosen" and self.form == "responses")


def find_columns(header, form):
    """Return the `Columns` of a file, or None if they fit no form; raise if they fit several."""
    places, numbers = _places(header)
    fitting = {}
    for name in [form] if form else FORMS:
        whole = [needed for needed in FORMS[name] if _fits(needed, places)]
        if whole:
            fitting[name] = whole[0]
    if len(fitting) > 1:
        raise header.error(
            f"the columns {shown_list(header.titles)} fit several forms; give "
            + " or ".join(f"form={name!r}" for name in fitting)
        )
    if not fitting:
        return None
    [(name, needed)] = fitting.items()
    used = {meaning: places[meaning] for meaning in (*needed, *_others(name)) if meaning in places}
    if "kind" not in used:
        used.pop("correct", None)  # who was right in an answer says nothing here
    _refuse_twins(used, numbers, header)
    taken = {place for some in used.values() for place in some}
    ignored = [
        title for place, title in enumerate(header.titles) if place not in taken and title.strip()
    ]
    beside = places.get("candidates", [])
    if "ranking" not in needed or "ranking" in header.own or len(beside) != len(used["ranking"]):
        beside = []
    beside = [header.titles[place] for place in beside]
    sides = any(plain(header.titles[n]).startswith("left") for n in used.get("first", []))
    return Columns(name, needed, used, numbers, ignored, sides=sides, beside=beside)


def names_a_form(header):
    """Tell whether the user named all columns of a form."""
    given = {meaning for meaning, names in header.own.items() if names is not None}
    return any(given.issuperset(needed) for ways in FORMS.values() for needed in ways)


def refuse_unnamed(header, below, only_comparisons=False):
    """Refuse three or four columns without known names, and say the readings that fit.

    `below` has the different texts of each column below the first row. With `only_comparisons`,
    four columns are refused only if the last is an answer.
    """
    _refuse_wide(header)
    titles, n = header.titles, len(header.titles)
    truths = [place for place, texts in enumerate(below) if {t.strip() for t in texts} <= _TRUTHS]
    answer = truths[0] if len(truths) == 1 else None
    if n not in HEADERS or (only_comparisons and answer != 3):
        return
    are_names = below and not any(NUMBER.fullmatch(title.strip()) for title in titles)
    are_names = are_names and not set().union(*below, [""]).intersection(titles)

    def way(said, *meanings, places=range(n)):
        given = dict(zip(meanings, [titles[place] for place in places], strict=False))
        return f" (columns={given})" if are_names else said

    if n == 3:
        odd = {"objects": titles, "odd": titles[2]}
        last = f"columns={odd}" if are_names else "give source='spose', as of SPoSE and VICE"
        given = way(" (anchor, near, far: give form='triplets')", *HEADERS[3])
        readings = f"triplets{given} or odd-one-out answers with the odd one last ({last})"
    else:
        pairs = way(" (near_1, near_2, far_1, far_2: give form='quadruplets')", *HEADERS[4])
        other = f"triplets and another column{way('', *HEADERS[3])}"
        if odd := _as_odd(header):
            other += f" or odd-one-out answers (columns={odd})"
        if answer is not None:
            places = [place for place in range(4) if place != answer] + [answer]
            given = way("", "anchor", "first", "second", "response", places=places)
            title = shown(titles[answer]) if are_names else f"column {answer + 1}"
            other = f"questions whose answer, 0 or 1, is in {title}{given}"
        readings = f"quadruplets{pairs} or {other}"
    end = "" if are_names else "; or write them as a table whose first row names them"
    raise header.error(
        f"{'three' if n == 3 else 'four'} columns without known names, {shown_list(titles)}; they "
        f"may be {readings}{end}"
    )


def in_order(header):
    """Return the columns of triplets or quadruplets in order; None unless there are 3 or 4."""
    needed = HEADERS.get(len(header.titles))
    form = next((form for form, ways in FORMS.items() if needed in ways), None)
    places = {meaning: [place] for place, meaning in enumerate(needed or [])}
    return form and Columns(form, needed, places, named=False)


def missing_columns(header, form):
    """Return the error for a header that fits no form; it says what the nearest form lacks."""
    if all(NUMBER.fullmatch(title.strip()) for title in header.titles):
        return header.error(
            f"{len(header.titles)} columns without names, {shown_list(header.titles)}; add a first "
            "row with names, or give three columns (triplets) or four (quadruplets)"
        )
    known = set(_places(header)[0])
    some = [needed for name in ([form] if form else FORMS) for needed in FORMS[name]]
    nearest = max(some, key=lambda needed: len(known & set(needed)) / len(needed))
    found = f"the columns are {shown_list(header.titles, 12)}"
    if not form:
        _refuse_wide(header, known)
    odd = _as_odd(header)
    if odd and form in (None, "odd-one-out") and known <= {*_PICKS, *OTHERS}:
        return header.error(
            f"{found}; if {shown(odd['odd'])} is the odd one of three objects, give columns={odd}"
        )
    if not form and not known & set(nearest):
        return header.error(
            f"{found}, and none is known to hold objects; rename them (triplets have anchor, near, "
            "far), or say with columns= which is which"
        )
    free = _free(header)
    if not form and known & set(nearest) == {"anchor"}:
        anchor = shown(header.titles[_places(header)[0]["anchor"][0]])
        example = dict(zip(HEADERS[3][1:], free, strict=False))
        such = f", such as columns={example} for triplets" if len(example) == 2 else ""
        return header.error(
            f"{found}; {anchor} is the anchor, and none is known to hold the other objects; say "
            f"with columns= which do{such}"
        )
    name = next(name for name, ways in FORMS.items() if nearest in ways)
    lacking = [meaning for meaning in nearest if meaning not in known]
    presses = [title for title in free if _PRESS.search(plain(title))]
    example = {"response": presses[:1], "chosen": presses[:1], "candidates": _family(free)}
    such = example.get(lacking[0]) if len(lacking) == 1 else None
    such = f", such as columns={ {lacking[0]: such if such[1:] else such[0]} }" if such else ""
    return header.error(
        f"there is no column {' or '.join(lacking)}; {found}; {name} need {', '.join(nearest)}; "
        f"rename columns, or say with columns= which is which{such}"
    )


def _free(header):
    return [title for title in header.titles if title.strip() and meaning_of(title) is None]


def _family(titles):
    """Return the most titles that differ only in their numbers."""
    alike = [re.sub(r"\d+", "#", plain(title)) for title in titles]
    most = max((word for word in alike if "#" in word), key=alike.count, default=None)
    return [title for title, word in zip(titles, alike, strict=True) if word == most]


def _as_odd(header):
    """Return the columns of three objects and of the picked one, if there may be such; or None."""
    free = _free(header)
    objects = free if len(free) == 3 else _family(free)
    picked = [title for title in header.titles if meaning_of(title) in _PICKS]
    picked = picked or [title for title in free if title not in objects]
    return {"objects": objects, "odd": picked[0]} if len(objects) == 3 == len(picked) + 2 else None


def _refuse_wide(header, known=()):
    """Raise an error if a table seems to have a row for each participant."""
    people = [t for t in header.titles if plain(t) in _WIDE or meaning_of(t) == "participant"]
    questions = _family(_free(header))
    if people and len(questions) > 2 and set(known) <= {"anchor", *OTHERS}:
        raise header.error(
            f"the columns are {shown_list(header.titles, 12)}; this may be a wide table, with a "
            f"row for each participant; make a row of each answer with pandas: frame.melt("
            f"{people[0]!r}, var_name='question', value_name='chosen'), merged with a table of the "
            "questions"
        )


def meaning_of(title):
    """Return the meaning that the name of a column has, or None."""
    return meaning_and_number(title)[0]


def has_known_columns(header):
    """Tell whether any word of a header is the name of a column."""
    return any(meaning_and_number(title)[0] for title in header.titles)


def _others(form):
    own = {"votes_neither": "votes", "top": "rankings"}
    for meaning in OTHERS:
        if meaning == "screen" and form not in ("triplets", "quadruplets"):
            continue
        if own.get(meaning, form) == form and not (meaning == "votes" and form == "votes"):
            yield meaning


def _fits(needed, places):
    """Tell whether all columns of a form exist; only one of two objects can be chosen."""
    one_chosen = "first" not in needed or len(places.get("chosen", [])) < 2
    return set(needed) <= set(places) and one_chosen


def _places(header):
    """Return the columns of each meaning, and the numbers of numbered columns.

    Two columns may have the same meaning; this is no fault if the meaning is not used.
    """
    places = _given(header)
    numbers = {meaning: _count(meaning, some) for meaning, some in places.items() if len(some) > 1}
    given = {place for some in places.values() for place in some}
    numbered = {}
    for place, title in enumerate(header.titles):
        meaning, number = meaning_and_number(title)
        if meaning is None or meaning in header.own or place in given:
            continue
        if number is None:
            places.setdefault(meaning, []).append(place)
        else:
            numbered.setdefault(meaning, []).append((number, place))
    for meaning, some in numbered.items():
        if meaning not in places:  # a list in one column takes precedence
            places[meaning] = [place for _, place in sorted(some)]
            numbers[meaning] = [number for number, _ in sorted(some)]
    others = {"odd", "central", "candidates", *({"objects"} & header.own.keys())}
    if {"anchor", "objects"} <= places.keys() and not others & places.keys():
        for known in (places, numbers):  # objects beside an anchor are candidates
            known |= {"candidates": known.pop("objects")} if "objects" in known else {}
    return places, numbers


def _refuse_twins(used, numbers, header):
    """Refuse two columns with the same meaning, and pairs with only one column."""
    for meaning, places in used.items():
        tags = numbers.get(meaning, [None] * len(places))
        twins = [place for place, tag in zip(places, tags, strict=True) if tags.count(tag) > 1]
        if twins:
            first, second = twins[:2]
            if plain(header.titles[first]) == plain(header.titles[second]):
                raise header.error(header.same_name(first, second))
            raise header.error(
                f"columns {first + 1} and {second + 1}, {shown(header.titles[first])} and "
                f"{shown(header.titles[second])}, both mean {meaning}; say with columns= which one "
                "to use"
            )
    pairs = numbers.get("pairs", []) if "pairs" in used else []
    if pairs and pairs != [(n, member) for n in sorted({n for n, _ in pairs}) for member in (1, 2)]:
        raise header.error(
            "a pair lacks one of its two columns; every pair needs both: pair_1_1, pair_1_2, "
            "pair_2_1, ..."
        )


def _count(meaning, places):
    """Number columns without numbers: 1, 2, 3, ...; for pairs 1 1, 1 2, 2 1, ..."""
    members = 2 if meaning == "pairs" else 1
    return [(place // members + 1, place % members + 1) for place in range(len(places))]


def _given(header):
    """Return the positions of the columns that the user named."""
    places = {}
    for meaning, names in header.own.items():
        if meaning not in NAMES:
            raise ValueError(f"columns= names {meaning!r}; it must be one of {', '.join(NAMES)}")
        if names is None:
            continue
        names = [names] if isinstance(names, str) else names
        places[meaning] = [header.place(name, f"columns= names it for {meaning}") for name in names]
        if len(places[meaning]) != 1 and meaning not in NUMBERED:
            raise ValueError(
                f"columns= names {len(places[meaning])} columns for {meaning!r}; name one"
            )
    return places


def main_name(name):
    """Return the first of the names of a column, or an unknown name unchanged."""
    return _MEANING.get(plain(name), name)


def meaning_and_number(title):
    """Return the meaning of a column name, and the number of a numbered column."""
    title = plain(title)
    if title in _MEANING:
        return _MEANING[title], None
    found = _WORD_AND_NUMBER.fullmatch(title)
    if not found:
        return None, None
    word, number, member = found.groups()
    meaning = _PART_OF.get(word)
    if meaning is None or (meaning == "pairs") != (member is not None) or len(number) > 6:
        return None, None
    return meaning, (int(number), int(member or 0))


def describe_columns() -> str:
    """Return a text that lists the columns of each form and the optional columns.

    Examples
    --------
    >>> print(describe_columns())
    triplets: anchor, near, far
    quadruplets: near_1, near_2, far_1, far_2
    odd-one-out: objects, odd
    ...
    participant: who answered, as a whole number or a name
    ...
    """
    forms = [f"{form}: " + "\n  or ".join(map(", ".join, ways)) for form, ways in FORMS.items()]
    return "\n".join([*forms, "", *(f"{name}: {what}" for name, what in OTHERS.items())])


def describe_names() -> str:
    """Return a text that lists the other names that each column may have.

    Examples
    --------
    >>> print(describe_names())
    anchor: head, reference, ref, query
    near: nearer, close, closer, winner, positive, similar
    ...
    objects: items | object_1, item_1, stimulus_1, image_1
    ...
    """
    rows = []
    for meaning, (_, *names) in NAMES.items():
        end = "_1_1" if meaning == "pairs" else "_1"
        parts = [part + end for part in NUMBERED.get(meaning, [])]
        if names or parts:
            rows.append(
                f"{meaning}: " + " | ".join(", ".join(some) for some in (names, parts) if some)
            )
    return "\n".join(rows)
