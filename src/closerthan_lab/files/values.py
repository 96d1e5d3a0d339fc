"""Read the columns that hold no objects: responses, votes, positions, participants."""

import numpy as np

from closerthan._core.shown import shown
from closerthan_lab.files.cells import MISSING, refusal, whole_number
from closerthan_lab.files.spreadsheets import NUMBER

_RESPONSES = {
    1: (1, "first", "left", "true", "yes"),
    -1: (-1, 2, "second", "right", "false", "no"),
    0: (0, "neither", "tie", "same"),
}
_RESPONSE = {text: value for value, texts in _RESPONSES.items() for text in texts}
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
NEITHER, NOTHING = -1, -3
_PLACES = {word: place for place, word in enumerate(ORDINALS)}
_PLACES |= {"neither": NEITHER, "unanswered": NOTHING}
NO_PREFERENCE = set(_RESPONSES[0][1:])
_NO_NUMBER = -2
_COUNTS = ("votes", "votes_first", "votes_second", "votes_neither", "top")
_MOST_VOTES = 10**6  # in one row


def check_responses(responses):
    """Return the places on the screen that a file's own words mean, from 0.

    `NEITHER` and `NOTHING` are those of a word for neither and of one for no answer.
    """
    places = _PLACES | {"left": 0, "right": 1, "tie": NEITHER}
    found = {}
    for text, meaning in (responses or {}).items():
        if meaning not in places:
            raise ValueError(
                f"responses: {text!r} means {meaning!r}; it must be one of {', '.join(places)}"
            )
        found[plain_text(str(text).strip())] = places[meaning]
    return found


def read_values(cells, columns, responses):
    """Turn texts that are not objects into numbers, in place, and note the faulty ones.

    Return the codes of the words for neither in a column of chosen objects.
    `responses` are the file's own words, as `check_responses` returns them.
    """
    for meaning in (*_COUNTS, *{"best", "worst"}.intersection(cells.codes)):
        least = 1 if meaning == "top" else 0
        what = f"whole number from {least} to {_MOST_VOTES:,}"
        _number(
            cells,
            meaning,
            lambda text, least=least: _count(text, least),
            f"is not a {what if meaning in _COUNTS else 'position of a pair'}",
        )
    signs = {0: 1, 1: -1, NEITHER: 0}
    known = {text: signs.get(place) for text, place in responses.items() if place != NOTHING}
    why = "is not in responses=; add its meaning"
    if not known:
        known, why = _RESPONSE, ""
        if "response" in cells.columns:
            _refuse_other_codes(cells)
            why = _other_words(cells)
    _number(cells, "response", lambda text: known.get(plain_text(text)), why)
    if "participant" in cells.columns:
        texts = cells.codes["participant"].values
        is_none = [text in MISSING or refusal(text) is not None for text in texts]
        cells.refuse(
            np.array(is_none)[cells.columns["participant"]],
            lambda row: (
                f"participant: {shown(cells.text('participant', row))} is not a name; "
                "columns={'participant': None} ignores this column"
            ),
        )
    return _no_preference(cells, columns, responses)


def _number(cells, meaning, turn, sentence):
    """Replace the codes of a column's texts, if it exists, by the numbers that `turn` returns."""
    if meaning not in cells.columns:
        return
    texts, column = cells.codes[meaning].values, cells.columns[meaning]
    numbers = [turn(text) for text in texts]
    wrong = np.array([number is None for number in numbers])[column]
    cells.refuse(wrong, lambda row: f"{meaning}: {shown(texts[column[row]])} {sentence}")
    numbers = np.array([_NO_NUMBER if n is None else n for n in numbers], dtype=np.int32)
    cells.columns[meaning] = numbers[column]


def _count(text, least):
    name = whole_number(text)
    return int(name) if name is not None and least <= int(name) <= _MOST_VOTES else None


def is_no_response(text):
    """Tell whether a text is none of the words for responses."""
    return plain_text(text) not in _RESPONSE


def _other_words(cells):
    """Return why a word is no response, and what to do about the words of this file."""
    codes = cells.columns["response"]
    texts = [cells.codes["response"].values[code] for code in np.unique(codes)]
    other = sorted(filter(is_no_response, texts))
    meanings = ["unanswered"] if len(other) == 1 < len(set(texts) - MISSING) else ORDINALS[:2]
    return (
        "is not a response; allowed are first, second and neither; left, right and tie; or 1, -1 "
        "and 0; give others a meaning, such as "
        f"responses={dict(zip(other, meanings, strict=False))}"
    )


def _refuse_other_codes(cells):
    """Refuse numbers with more than one meaning: 0 and 1, 0 to 2, and 2 together with -1."""
    used = {plain_text(text) for text in cells.codes["response"].values if text not in MISSING}
    if used and used <= {0, 1}:
        codes = " and ".join(f"{code:g}" for code in sorted(used))
        raise cells.faults.error(
            f"response holds only {codes}, and 0 means neither by default; give their "
            "meaning, such as responses={'0': 'first', '1': 'second'}"
        )
    if {0, 2} <= used:
        raise cells.faults.error(
            "response holds both 0 and 2, which may mean first and neither, or neither and second; "
            "give their meaning in responses="
        )
    if {2, -1} <= used:
        raise cells.faults.error("response holds both 2 and -1; give their meaning in responses=")


def is_nothing(text, words, missing=MISSING):
    """Tell whether a text stands for no answer: by the user's words, or else as all do."""
    return words.get(plain_text(text), NOTHING if text in missing else None) == NOTHING


def plain_text(text):
    """Return a number as a float, and any other text in lower case."""
    return float(text) if NUMBER.fullmatch(text) else text.casefold()


def _no_preference(cells, columns, responses):
    """Return the codes of the words for neither in a column of chosen objects.

    A word that occurs as an object elsewhere is an object, unless `responses` has it.
    """
    if columns.form != "responses" or "chosen" not in columns:
        return set()
    texts = list(map(plain_text, cells.codes["objects"].values))
    own = {text for text, place in responses.items() if place == NEITHER}
    asked = {*np.stack([cells.columns[m] for m in ("anchor", "first", "second")]).ravel().tolist()}
    return {
        code
        for code, text in enumerate(texts)
        if text in own or (text in NO_PREFERENCE and code not in asked)
    }
