"""The columns of a file of answers: which forms there are, and which column means what.

`FORMS`, `NAMES` and `OTHERS` are the one place where this stands; the errors and the documentation
are made from it.
"""

import re
from dataclasses import dataclass, field

from closerthan.comparisons.answers import HEADERS
from closerthan.files.faults import Faults, shown, shown_list
from closerthan.files.spreadsheets import NUMBER

# The columns of each form. A form that can be written in several ways has several sets of them.
FORMS: dict[str, list[tuple[str, ...]]] = {
    "triplets": [HEADERS[3]],
    "quadruplets": [HEADERS[4]],
    "odd-one-out": [("objects", "odd")],
    "most-central": [("objects", "central")],
    "choices": [("anchor", "candidates", "chosen")],
    "rankings": [("anchor", "ranking")],
    "best-worst": [("pairs", "best", "worst")],
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

# Columns that a form may have beside its own.
OTHERS = {
    "participant": "who answered, a whole number or a name",
    "time": "the seconds that the answer took, or nothing",
    "weight": "what the answer's weight is multiplied by",
    "votes": "how many gave this same answer",
    "screen": "of triplets and quadruplets, rows that follow each other with the same one, of one "
    "participant, were answered at once",
    "votes_neither": "of votes, how many said neither",
    "top": "of rankings, how many places were ranked; the objects after them are left over",
}

_PEOPLE = ["participant", "subject", "worker", "user", "rater", "annotator"]

# What a column may be called in a file, the first being its own name. One that holds several
# objects is called so with the objects separated by "|"; with a number behind the second word it
# holds one of them.
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
    "ranking": ["ranking", "ranks"],
    "pairs": ["pairs"],
    "participant": [*_PEOPLE, *(f"{person}_id" for person in _PEOPLE)],
    "time": ["time", "seconds"],
    "weight": ["weight"],
    "votes": ["votes", "count"],
    "screen": ["screen"],
    "top": ["top"],
}
NUMBERED = {
    "objects": ["object", "item", "stimulus", "image"],
    "candidates": ["candidate", "option"],
    "chosen": ["chosen", "choice", "selected"],
    "ranking": ["rank", "ranking"],
    "pairs": ["pair"],
}
_WORD_AND_NUMBER = re.compile(r"(\D+)(\d+)(?:_([12]))?")
_BETWEEN = re.compile(r"(?<!\d)[\s_-]+|[\s_-]+(?!\d)")


def plain(name):
    """Return a column's name without what does not matter: case, blanks, hyphens, underscores."""
    return _BETWEEN.sub("", name.strip().casefold())


_MEANING = {plain(name): meaning for meaning, names in NAMES.items() for name in names}
_PART_OF = {plain(name): meaning for meaning, names in NUMBERED.items() for name in names}


@dataclass(frozen=True)
class Header:
    """The names of a file's columns, or its first row, and in which line they stand, if in any.

    `own` has other names of columns, by meaning, None for one that is not used.
    """

    titles: list
    line: int | None
    faults: Faults
    own: dict = field(default_factory=dict)

    def error(self, sentence):
        return self.faults.error(sentence, self.line)

    def place(self, name, why):
        """Return the place of the column of a name, which `why` asks for."""
        titles = [plain(title) for title in self.titles]
        if plain(name) in titles:
            return titles.index(plain(name))
        some = shown_list(self.titles, 12)
        raise self.error(f"there is no column {shown(name)}, which {why}; there are {some}")


@dataclass(frozen=True)
class Columns:
    """Where in a file the columns of a form stand.

    `needed` are the meanings of which the form consists. `places` has for each meaning the columns
    that hold it: one, or several of a list. `numbers` has for each list in numbered columns their
    numbers, and of pairs which of the two it is. `ignored` are the names of other columns. `named`
    says whether the columns were found by their names, or by their order.
    """

    form: str
    needed: tuple
    places: dict
    numbers: dict = field(default_factory=dict)
    ignored: list = field(default_factory=list)
    named: bool = True

    def __contains__(self, meaning):
        return meaning in self.places

    def in_one_cell(self, meaning):
        """Whether a list stands in one column, its objects separated."""
        return meaning not in self.numbers

    def is_list(self, meaning):
        return meaning in NUMBERED and not (meaning == "chosen" and self.form == "responses")


def find_columns(header, form):
    """Return the `Columns` of a file, None if they fit no form; several that do are an error."""
    places, numbers = _places(header)
    fitting = {}
    for name in [form] if form else FORMS:
        whole = [needed for needed in FORMS[name] if _fits(needed, places)]
        if whole:
            fitting[name] = whole[0]
    if len(fitting) > 1:
        raise header.error(
            f"the columns {shown_list(header.titles)} fit several forms; say which, form= "
            + " or ".join(map(repr, fitting))
        )
    if not fitting:
        return None
    [(name, needed)] = fitting.items()
    used = {meaning: places[meaning] for meaning in (*needed, *_others(name)) if meaning in places}
    _refuse_twins(used, numbers, header)
    taken = {place for some in used.values() for place in some}
    ignored = [
        title for place, title in enumerate(header.titles) if place not in taken and title.strip()
    ]
    return Columns(name, needed, used, numbers, ignored)


def in_order(header):
    """Return the columns of triplets or quadruplets, in their order; None for another number."""
    needed = HEADERS.get(len(header.titles))
    form = next((form for form, ways in FORMS.items() if needed in ways), None)
    places = {meaning: [place] for place, meaning in enumerate(needed or [])}
    return form and Columns(form, needed, places, named=False)


def missing_columns(header, form):
    """Return the error for a header that fits no form, which says what the nearest one lacks."""
    if all(NUMBER.fullmatch(title.strip()) for title in header.titles):
        return header.error(
            f"{len(header.titles)} columns without names, {shown_list(header.titles)}; without a "
            "header there must be three, of triplets, or four, of quadruplets"
        )
    known = set(_places(header)[0])
    some = [needed for name in ([form] if form else FORMS) for needed in FORMS[name]]
    nearest = max(some, key=lambda needed: len(known & set(needed)) / len(needed))
    found = f"the columns are {shown_list(header.titles, 12)}"
    if not form and not known & set(nearest):
        return header.error(
            f"{found}, and none is known to hold objects; triplets have anchor, near, far, and "
            "columns= names others"
        )
    name = next(name for name, ways in FORMS.items() if nearest in ways)
    lacking = " and no ".join(meaning for meaning in nearest if meaning not in known)
    return header.error(
        f"{found}; {name} have {', '.join(nearest)}, and there is no {lacking} (columns= names "
        "others)"
    )


def has_known_columns(header):
    """Whether any word of a header is the name of a column."""
    return any(_meaning(title)[0] for title in header.titles)


def _others(form):
    own = {"votes_neither": "votes", "top": "rankings"}
    for meaning in OTHERS:
        if meaning == "screen" and form not in ("triplets", "quadruplets"):
            continue
        if own.get(meaning, form) == form and not (meaning == "votes" and form == "votes"):
            yield meaning


def _fits(needed, places):
    """Whether all columns of a form are there; of two objects only one can be chosen."""
    one_chosen = "first" not in needed or len(places.get("chosen", [])) < 2
    return set(needed) <= set(places) and one_chosen


def _places(header):
    """Return the columns of each meaning, and the numbers of those that have one.

    Two columns may claim to be the same; that is no fault if it is not used.
    """
    _refuse_equal_names(header)
    places = _given(header)
    numbers = {meaning: _count(meaning, some) for meaning, some in places.items() if len(some) > 1}
    given = {place for some in places.values() for place in some}
    numbered = {}
    for place, title in enumerate(header.titles):
        meaning, number = _meaning(title)
        if meaning is None or meaning in header.own or place in given:
            continue
        if number is None:
            places.setdefault(meaning, []).append(place)
        else:
            numbered.setdefault(meaning, []).append((number, place))
    for meaning, some in numbered.items():
        if meaning not in places:  # what stands in one cell comes first
            places[meaning] = [place for _, place in sorted(some)]
            numbers[meaning] = [number for number, _ in sorted(some)]
    return places, numbers


def _refuse_equal_names(header):
    """Refuse a header that has a name twice; a row of objects, where there is none, may."""
    if not header.own and not has_known_columns(header):
        return
    seen = {}
    for place, title in enumerate(header.titles):
        first = seen.setdefault(plain(title), place)
        if title.strip() and first != place:
            raise header.error(
                f"columns {first + 1} and {place + 1} have the same name, {shown(title)}"
            )


def _refuse_twins(used, numbers, header):
    """Refuse two columns for the same thing, and a pair of which there is one."""
    for meaning, places in used.items():
        tags = numbers.get(meaning, [None] * len(places))
        twins = [place for place, tag in zip(places, tags, strict=True) if tags.count(tag) > 1]
        if twins:
            first, second = twins[:2]
            raise header.error(
                f"columns {first + 1} and {second + 1}, {shown(header.titles[first])} and "
                f"{shown(header.titles[second])}, are both the {meaning}; columns= says which it is"
            )
    pairs = numbers.get("pairs", []) if "pairs" in used else []
    if pairs and pairs != [(n, member) for n in sorted({n for n, _ in pairs}) for member in (1, 2)]:
        raise header.error(
            "of every pair there must be two columns, pair_1_1, pair_1_2, pair_2_1, ..."
        )


def _count(meaning, places):
    """Return the numbers of columns that have none: 1, 2, 3, ..., of pairs 1 1, 1 2, 2 1, ..."""
    members = 2 if meaning == "pairs" else 1
    return [(place // members + 1, place % members + 1) for place in range(len(places))]


def _given(header):
    """Return the places of the columns that the user named."""
    places = {}
    for meaning, names in header.own.items():
        if meaning not in NAMES:
            raise ValueError(f"columns= names {meaning!r}; it must be one of {', '.join(NAMES)}")
        if names is None:
            continue
        names = [names] if isinstance(names, str) else names
        places[meaning] = [header.place(name, f"columns= names for {meaning}") for name in names]
        if len(places[meaning]) != 1 and meaning not in NUMBERED:
            raise ValueError(
                f"columns= names {len(places[meaning])} for {meaning!r}, which is in one"
            )
    return places


def _meaning(title):
    """Return what a column's name means, and its number if it is one of several."""
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
    """Return the columns of each form, and those beside them, as the documentation shows them.

    Returns
    -------
    str

    Examples
    --------
    >>> print(describe_columns())
    triplets: anchor, near, far
    quadruplets: near_1, near_2, far_1, far_2
    odd-one-out: objects, odd
    ...
    participant: who answered, a whole number or a name
    ...
    """
    forms = [f"{form}: " + "\n  or ".join(map(", ".join, ways)) for form, ways in FORMS.items()]
    return "\n".join([*forms, "", *(f"{name}: {what}" for name, what in OTHERS.items())])


def describe_names() -> str:
    """Return what each column may be called beside its own name.

    Returns
    -------
    str

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
