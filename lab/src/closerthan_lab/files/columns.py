"""Find the form of a file of answers and the meaning of its columns.

`FORMS`, `NAMES` and `OTHERS` define the forms and the columns. Errors and the documentation are
made from these tables.
"""

import re
from dataclasses import dataclass, field, replace

from closerthan._core.shown import shown, shown_list
from closerthan.comparisons.answers import HEADERS
from closerthan_lab.files.faults import Faults

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
        ("anchor", "first", "second", "votes_first", "votes"),
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
_PEOPLE += [f"{person}_{end}" for end in ("id", "nr") for person in _PEOPLE]
_KINDS = "trial_category trial_kind trial_type trial_part category sample_alg validation phase task"
_KINDS += " part block block_type section is_check is_catch catch catch_trial attention_check"
_KINDS += " is_practice practice practice_trial"

# Other names of columns in files. A column with such a name holds one value, or a list with "|"
# between the objects. The words in NUMBERED, with a number appended, name columns that hold one
# object of a list each.
_OTHER_NAMES = {
    "anchor": "head reference ref query",
    "near": "nearer close closer winner positive similar",
    "far": "farther loser negative dissimilar",
    "odd": "odd_one_out odd_one",
    "central": "most_central",
    "first": "left",
    "second": "right",
    "first_1": "left_1",
    "first_2": "left_2",
    "second_1": "right_1",
    "second_2": "right_2",
    "response": "answer",
    "votes_first": "votes_left",
    "votes_second": "votes_right",
    "votes_neither": "votes_tie",
    "best": "most_similar most_alike",
    "worst": "least_similar least_alike",
    "objects": "items",
    "candidates": "options",
    "chosen": "choice choices selected",
    "participant": " ".join(_PEOPLE[1:]),
    "time": "seconds",
    "votes": "count",
    "kind": _KINDS,
    "correct": "passed",
}
_MEANINGS = [name for ways in FORMS.values() for way in ways for name in way]
NAMES = {name: [name, *_OTHER_NAMES.get(name, "").split()] for name in [*_MEANINGS, *OTHERS]}
# Names that other columns may have, too. They are used if no column has a name above and if their
# cells can be what they say.
_ALIASES = {
    "anchor": "target standard sample anchor_text",
    "participant": "prolific_pid prolific_id puid participant_uid subj subj_id sub sub_id pid "
    "run_id",
    "time": "rt response_time reaction_time",
}
ALIASES = {meaning: names.split() for meaning, names in _ALIASES.items()}
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
_PRESS = re.compile("resp|key|click|answer|choice|chose|select|pick|press(ed)?$")
_NO_PRESS = re.compile("corr|right|expect|target|time|latency|duration|onset|rt$|id$|^n|count|num")
_BETWEEN = re.compile(r"(?<!\d)[\s_.-]+|[\s_.-]+(?!\d)")


def plain(name):
    """Return the name of a column without case, blanks, hyphens, dots and underscores."""
    return _BETWEEN.sub("", name.strip().casefold())


_MEANING = {plain(name): meaning for meaning, names in NAMES.items() for name in names}
_PART_OF = {plain(name): meaning for meaning, names in NUMBERED.items() for name in names}
# Of programs, the first of these with any text has the participants.
PEOPLE = "participant participant_id prolific_pid prolific_id puid participant_uid worker_id"
PEOPLE = [*PEOPLE.split(), "subject", "subject_id", *NAMES["participant"], *ALIASES["participant"]]
PEOPLE = [plain(name) for name in dict.fromkeys(PEOPLE)]
# Columns that only these forms may have.
_ONLY = {"screen": ("triplets", "quadruplets"), "votes_neither": ("votes",), "top": ("rankings",)}


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

    def nothing_left(self, sentence):
        return self.faults.nothing_left(sentence, self.line)

    def twins(self, first, second):
        """Return the error for two columns of one meaning."""
        names = " and ".join(shown(self.titles[place]) for place in (first, second))
        which = "rename one, or say with columns= which one to use"
        return self.error(f"columns {first + 1} and {second + 1}, {names}, mean the same; {which}")

    def place(self, name, why):
        """Return the position of a named column; `why` tells who named it, for the error."""
        titles = self.titles if name in self.titles else [plain(title) for title in self.titles]
        wanted = name if name in titles else plain(name)
        places = [place for place, title in enumerate(titles) if title == wanted]
        if len(places) > 1:
            raise self.twins(*places[:2])
        if not places:
            raise self.error(self.lacks(name, why))
        return places[0]

    def lacks(self, name, why):
        some = shown_list(self.titles, 12)
        return f"there is no column {shown(name)} ({why}); the columns are {some}"


@dataclass(frozen=True)
class Columns:
    """Map the meanings of a form to the columns of a file.

    `needed` are the meanings that the form requires. `places` has the positions of the columns of
    each meaning: one, or several for a list. `numbers` has the numbers of numbered columns; for
    pairs, also 1 or 2 for the object within the pair. `named` is True if the columns were found by
    name, False if by order. `sides` is True if two alternatives are called left and right.
    `names_pairs` is True if the best and the worst pair are told by their objects and not by their
    numbers.
    """

    form: str
    needed: tuple
    places: dict
    numbers: dict = field(default_factory=dict)
    named: bool = True
    sides: bool = False
    names_pairs: bool = False

    def __contains__(self, meaning):
        return meaning in self.places

    def titles(self, meaning, header):
        """Return the names of the columns of a meaning."""
        return [header.titles[place] for place in self.places[meaning]]

    def without(self, meaning):
        """Return the columns without those of one meaning."""
        places = {name: some for name, some in self.places.items() if name != meaning}
        return replace(self, places=places)

    def unused(self, titles):
        """Return the positions and the names of the columns that have no meaning here."""
        used = {place for some in self.places.values() for place in some}
        return {n: title for n, title in enumerate(titles) if n not in used and title.strip()}

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
            fitting[name] = max(whole, key=lambda way: len(header.own.keys() & set(way)))
    if len(fitting) > 1:
        forms = " or ".join(f"form={name!r}" for name in fitting)
        raise header.error(f"{shown_list(header.titles)} fit several forms; give {forms}")
    if not fitting:
        return None
    [(name, needed)] = fitting.items()
    others = [m for m in OTHERS if name in _ONLY.get(m, [name]) and (m, name) != ("votes", "votes")]
    others += ["candidates"] if "ranking" in needed else []
    used = {meaning: places[meaning] for meaning in (*needed, *others) if meaning in places}
    if "kind" not in used:
        used.pop("correct", None)  # who was right in an answer says nothing here
    _refuse_twins(used, numbers, header)
    _refuse_two_answers(needed, places, header)
    sides = any(plain(header.titles[n]).startswith("left") for n in used.get("first", []))
    return Columns(name, needed, used, numbers, sides=sides)


def names_a_form(header):
    """Tell whether the user named all columns of a form."""
    return _fit_any({meaning: [0] for meaning, names in header.own.items() if names is not None})


def _fit_any(places):
    return any(_fits(needed, places) for ways in FORMS.values() for needed in ways)


def names_a_column(cell, titles):
    """Tell whether a cell is one of some plain titles, or a known name without a number."""
    return plain(cell) in titles or plain(cell) in _MEANING


def fits_a_form(titles):
    """Tell whether names of columns are those of a form."""
    return _fit_any(_places(Header(titles, Faults("")))[0])


def known_columns(header):
    """Return the meanings that columns have by their names, with the positions of the columns."""
    return _places(header)[0]


def nearest_way(header, form):
    """Return the form that lacks the smallest share of its columns, and its columns."""
    known = _places(header)[0].keys()
    ways = [(name, way) for name in ([form] if form else FORMS) for way in FORMS[name]]
    return max(ways, key=lambda found: len(known & set(found[1])) / len(found[1]))


def meaning_of(title):
    """Return the meaning that the name of a column has, or None."""
    return meaning_and_number(title)[0]


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
    titles = list(map(plain, header.titles))
    for meaning, names in ALIASES.items():
        some = [titles.index(name) for name in map(plain, names) if name in titles]
        some = [place for place in some if place not in given]
        is_clear = len(some) == 1 or (some and meaning in OTHERS)
        if is_clear and meaning not in {*places, *header.own}:
            places[meaning] = some[:1]
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
        if twins and meaning != "kind":
            raise header.twins(*twins[:2])
    pairs = numbers.get("pairs", []) if "pairs" in used else []
    if pairs and pairs != [(n, member) for n in sorted({n for n, _ in pairs}) for member in (1, 2)]:
        raise header.error("a pair lacks one of its two columns, such as pair_1_1 and pair_1_2")


def _refuse_two_answers(needed, places, header):
    """Raise an error if two columns may hold the answer to a question of two."""
    answers = [name for name in ("response", "chosen") if name in places]
    if "first" not in needed or len(answers) < 2 or header.own.keys() & {*answers}:
        return
    titles = {name: header.titles[places[name][0]] for name in answers}
    raise two_answers(header, *({name: title} for name, title in titles.items()))


def two_answers(header, one, other):
    """Return the error for two columns that may hold the answer, each as a meaning and a name."""
    names = " and ".join(shown(name) for way in (one, other) for name in way.values())
    return header.error(
        f"two columns may hold the answer, {names}; say which one, columns={one} or columns={other}"
    )


def _count(meaning, places):
    """Number columns without numbers: 1, 2, 3, ...; for pairs 1 1, 1 2, 2 1, ..."""
    members = 2 if meaning == "pairs" else 1
    return [(place // members + 1, place % members + 1) for place in range(len(places))]


def _given(header):
    """Return the positions of the columns that the user named."""
    places, titles = {}, {plain(title) for title in header.titles}
    given = {m: [some] if isinstance(some, str) else some for m, some in header.own.items() if some}
    for meaning in header.own.keys() - NAMES.keys():
        raise ValueError(f"columns= names {meaning!r}; it must be one of {', '.join(NAMES)}")
    named = [name for names in given.values() for name in names]
    if named and titles.isdisjoint(map(plain, named)):
        raise header.nothing_left(header.lacks(named[0], "columns= names it"))
    for meaning, names in given.items():
        places[meaning] = [header.place(name, f"columns= names it for {meaning}") for name in names]
        if len(names) != 1 and meaning not in NUMBERED:
            raise ValueError(f"columns= names {len(names)} columns for {meaning!r}; name one")
    return places


def main_name(name):
    """Return the first of the names of a column, or an unknown name unchanged."""
    return _MEANING.get(plain(name), name)


def is_press(title):
    """Tell whether the name of a column is one of answers, as they were given."""
    title = plain(title)
    return bool(_PRESS.search(title)) and not _NO_PRESS.search(title)


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
    anchor: head, reference, ref, query | target, standard, sample, anchor_text
    near: nearer, close, closer, winner, positive, similar
    ...
    objects: items | object_1, item_1, stimulus_1, image_1
    ...
    """
    rows = []
    for meaning, (_, *names) in NAMES.items():
        parts = [f"{part}_1" + "_1" * (meaning == "pairs") for part in NUMBERED.get(meaning, [])]
        kinds = [", ".join(some) for some in (names, parts, ALIASES.get(meaning)) if some]
        rows += [f"{meaning}: {' | '.join(kinds)}"] if kinds else []
    return "\n".join(rows)
