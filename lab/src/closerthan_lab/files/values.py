"""What cells say beside objects: kinds of trials, responses, counts, places on the screen, ranks.

A file may hold 1, 2 and 3 where it means the first, second and third object, or ranks of objects.
The user says which it is: with words for places (`responses`), or with the columns of the ranks.
"""

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from closerthan._core.shown import shown_list
from closerthan.comparisons.forms.checks import sizes
from closerthan_lab.files.cells import MISSING, PAD, refusal, whole_number
from closerthan_lab.files.columns import plain
from closerthan_lab.files.spreadsheets import NUMBER

_KINDS = {
    "check": "checks?|catch(es|ing)?|attn|attention(al)?|attentioncheck|vigilance|imc|sanity|bot",
    "practice": "practi[cs]e[ds]?|prac|training|trainings|warm|warmup|tutorial|examples?|demo"
    "|familiari[sz]ation|exercise",
    "unanswered": "unanswered",
}
_KINDS = {kind: re.compile(rf"({words})(trials?)?\d*") for kind, words in _KINDS.items()}
_NOT = {"not", "no", "non"}
_TRUTH = dict.fromkeys(["true", "1", "1.0", "yes", "t", "y"], True)
_TRUTH |= dict.fromkeys(["false", "0", "0.0", "no", "f", "n"], False)
_ANSWERS = ("response", "chosen", "odd", "central", "ranking", "best", "worst")
# Words for the first and the second of two, and numbers. A column holds one pair of them. The last
# two pairs are read only by the user's words, because they may mean the opposite.
_SIDES = [("left", "right"), ("first", "second"), ("true", "false"), ("yes", "no"), (1, 2)]
_ASKED = [(0, 1), (1, -1)]
# Keys for the left and the right, and their codes in jsPsych 6. Some keys have another key beside
# them on either side.
KEYS = [("arrowleft", "arrowright"), ("left", "right"), ("37", "39")]
KEYS += [("f", "j"), ("70", "74"), ("a", "l"), ("65", "76")]
KEYS += [("j", "k"), ("74", "75"), ("k", "l"), ("75", "76")]
_RESPONSE = {text: sign for pair in _SIDES for text, sign in zip(pair, (1, -1), strict=True)}
NO_PREFERENCE = {"neither", "tie", "same"}
_RESPONSE |= dict.fromkeys(NO_PREFERENCE, 0)
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
NEITHER, NOTHING = -1, -3
_PLACES = {word: place for place, word in enumerate(ORDINALS)}
_PLACES |= {"neither": NEITHER, "unanswered": NOTHING}
_NO_NUMBER = -2
_COUNTS = ("votes", "votes_first", "votes_second", "votes_neither", "top")
_MOST_VOTES = 10**6  # in one row
_SMALL = re.compile(r"-?\d{1,3}(\.0*)?")
PICKED = ("odd", "central", "chosen", "best", "worst")
_OTHER_WORDS = (
    "is not a response; allowed are first, second and neither; left, right and tie; yes and no; or "
    "1 and 2; give others a meaning in responses=, as first, second, neither or unanswered"
)


def truth(text):
    """Return True or False if a text says so, or None."""
    return _TRUTH.get(str(text).strip().lower())


def kind_of(text):
    """Return "check", "practice" or "unanswered" if a text says so; None for an answer.

    Examples
    --------
    >>> [kind_of(text) for text in ("attention_check", "Practice", "no practice", "")]
    ['check', 'practice', None, None]
    """
    words = re.sub("(?<=[a-z])(?=[A-Z])", " ", str(text)).lower()
    words = re.findall("[a-z]+", words)
    if words[:1] and words[0] in _NOT:
        return None
    return next((kind for kind, known in _KINDS.items() if any(map(known.fullmatch, words))), None)


def without_others(cells, found, words):
    """Return the cells of answers, the number of other trials by kind, and the check trials.

    A trial whose answer is a word for nothing has none, unless `words` gives it another meaning.
    """
    kinds = np.full(len(cells.lines), "", object)
    if "kind" in cells.columns:
        kinds = cells.value("kind", lambda text: kind_of(text) or "", object)
    if {"anchor", "first", "second"} <= cells.columns.keys() and found.form == "responses":
        again = [cells.columns[name] == cells.columns["anchor"] for name in ("first", "second")]
        shown = cells.value("anchor", bool)  # rows without a question have no anchor
        kinds[(kinds == "") & shown & np.any(again, axis=0)] = "check"
    kinds[(kinds == "") & _without_answer(cells, words)] = "unanswered"
    left_out = {kind: int((kinds == kind).sum()) for kind in _KINDS if (kinds == kind).any()}
    checks = _checks(cells, kinds == "check") if "check" in left_out else None
    for name in ("kind", "correct"):
        cells.columns.pop(name, None)
    if not (kinds == "").any():
        counts = " and ".join(f"{count:,} {kind}" for kind, count in left_out.items())
        raise cells.faults.nothing_left(f"no trial is an answer; the kinds are {counts}")
    return cells.take(np.flatnonzero(kinds == "")) if left_out else cells, left_out, checks


def _without_answer(cells, words):
    """Tell which rows have a word for nothing in the place of their answer."""
    found = np.zeros(len(cells.lines), dtype=bool)
    for meaning in filter(cells.columns.__contains__, _ANSWERS):
        column = cells.columns[meaning]
        is_none = cells.value(meaning, lambda text: is_nothing(text, words))
        if column.ndim == 2:  # an empty list is a fault
            is_none = (is_none | (column == PAD)).all(axis=1) & (column[:, 0] != PAD)
        found |= is_none
    return found


def _checks(cells, rows):
    """Return who passed which check.

    Where the file does not say it, a check that shows the anchor itself is passed if the anchor is
    picked.
    """
    cells = cells.take(np.flatnonzero(rows))
    columns, passed = cells.columns, [None] * len(cells.lines)
    picked, anchor = columns.get("chosen", columns.get("near")), columns.get("anchor")
    if "correct" in columns:
        passed = cells.value("correct", truth, object).tolist()
    elif anchor is not None and picked is not None and picked.ndim == 1:
        others = [columns[name] for name in ("first", "second", "near", "far") if name in columns]
        is_shown = np.any([other == anchor for other in others], axis=0)
        passed = np.where(is_shown, picked == anchor, None).tolist()
    who = cells.value("participant", str).tolist() if "participant" in columns else None
    return pd.DataFrame({"participant": who, "line": cells.lines, "passed": passed})


def check_responses(responses):
    """Return the places on the screen that a file's own words mean, from 0.

    `NEITHER` and `NOTHING` are those of a word for neither and of one for no answer.
    """
    places = _PLACES | {"left": 0, "right": 1, "tie": NEITHER}
    found = {}
    for text, meaning in (responses or {}).items():
        if meaning not in places:
            known = ", ".join(places)
            raise ValueError(f"responses: {text!r} means {meaning!r}; it must be one of {known}")
        found[plain_text(str(text).strip())] = places[meaning]
    return found


def read_values(cells, columns, responses):
    """Turn texts that are not objects into numbers, in place, and note the faulty ones.

    Return the numbers of the words for neither in a column of chosen objects.
    `responses` are the file's own words, as `check_responses` returns them.
    """
    for meaning in filter(cells.known.__contains__, (*_COUNTS, "best", "worst")):
        least = 1 if meaning == "top" else 0
        what = f"whole number from {least} to {_MOST_VOTES:,}"
        what = what if meaning in _COUNTS else "position of a pair"
        _number(cells, meaning, lambda text, least=least: _count(text, least), f"is not a {what}")
    signs = {0: 1, 1: -1, NEITHER: 0}
    known = {text: place for text, place in responses.items() if place != NOTHING}
    known = {text: signs.get(place, _NO_NUMBER) for text, place in known.items()}
    why = "is not in responses=; add its meaning"
    if not known:
        known, why = _RESPONSE, _OTHER_WORDS
        if "response" in cells.columns:
            _refuse_other_codes(cells)
    _number(cells, "response", lambda text: known.get(plain_text(text), _NO_NUMBER), why)
    if {"votes_first", "votes"} <= cells.columns.keys():
        more = cells.columns["votes_first"] > cells.columns["votes"]
        cells.refuse(more, lambda row: "votes_first: more than all votes")
    if "participant" in cells.columns:
        is_none = cells.value("participant", lambda text: text in MISSING or bool(refusal(text)))
        end = "is not a name; columns={'participant': None} ignores this column"
        cells.refuse_texts("participant", is_none, end)
    return _no_preference(cells, columns, responses)


def _number(cells, meaning, turn, sentence):
    """Replace the texts of a column, if it exists, by the numbers that `turn` returns."""
    if meaning in cells.columns:
        numbers = cells.value(meaning, turn, np.int32)
        cells.refuse_texts(meaning, numbers == _NO_NUMBER, sentence)
        cells.columns[meaning] = numbers


def _count(text, least):
    number = int(whole_number(text) or -1)
    return number if least <= number <= _MOST_VOTES else _NO_NUMBER


def is_side(text):
    """Tell whether a text is a word for one of two places."""
    return any(plain_text(text) in pair for pair in (*_SIDES[:2], *KEYS))


def _refuse_other_codes(cells):
    """Refuse numbers that may mean the opposite, and words of more than one kind in a column."""
    used = {plain_text(text) for text in cells.used("response") if text not in MISSING}
    used -= NO_PREFERENCE
    known = {word for pair in (*_SIDES, *_ASKED) for word in pair}
    clear = used != {1} and any(used <= {*pair} for pair in _SIDES)
    if used and not clear and used <= known:
        codes = " and ".join(sorted(map(_written, used)))
        end = "and nothing says which is the first; give each a meaning in responses="
        raise cells.faults.error(f"response holds only {codes}, {end}")


def is_nothing(text, words, missing=MISSING):
    """Tell whether a text stands for no answer: by the user's words, or else as all do."""
    return words.get(plain_text(text), NOTHING if text in missing else None) == NOTHING


def plain_text(text):
    """Return a number as a float, and any other text in lower case."""
    return float(text) if NUMBER.fullmatch(text) else text.casefold()


def _written(word):
    return word if isinstance(word, str) else f"{word:g}"


def _no_preference(cells, columns, responses):
    """Return the numbers of the words for neither in a column of chosen objects.

    A word that occurs as an object elsewhere is an object, unless `responses` has it.
    """
    if columns.form != "responses" or "chosen" not in columns:
        return set()
    own = {text for text, place in responses.items() if place == NEITHER}
    asked = set().union(*(cells.used(meaning) for meaning in ("anchor", "first", "second")))
    return {
        number
        for number, text in enumerate(cells.texts("chosen"))
        if plain_text(text) in own or (plain_text(text) in NO_PREFERENCE and text not in asked)
    }


def place_picks(cells, found, header, words, whole):
    """Put objects in place of the user's words for their places, and in the order of their ranks.

    Return the columns of such a table. Raise an error if the file itself may have numbers in place
    of objects; `header` is None for the table of a program, which has not. `whole` is False for one
    of several files, which may hold none of the words.
    """
    if "ranks" in found:
        found = _rank_candidates(cells, found)
    picks = [*PICKED, "ranking"] if "candidates" in cells.columns else PICKED
    picks = [] if found.names_pairs else picks
    picked = [name for name in picks if name in found.needed and name not in cells.known]
    heed = (picked if header else []) if picked else ["response"]  # a program's has objects
    texts = {plain_text(text) for name in heed for text in cells.texts(name) if words}
    has_none = not picked and "response" not in found
    if words and (has_none or (whole and not texts & words.keys())):
        some = shown_list(map(_written, words))
        raise cells.faults.error(f"responses= has no effect here; no row holds {some}")
    given = any(place != NOTHING for place in words.values())
    for name in picked:
        if given:
            _place(cells, name, words)
        elif header:
            _read_places(cells, name, header, found, words)
    if header and not given and {"first", "response"} <= set(found.needed):
        _refuse_objects(cells, header, found)
    if header and "ranking" in found:
        _refuse_places_in_ranking(cells, found, header)
    return found


def _place(cells, picked, words):
    """Put objects in place of words for their places."""
    options, column = _options(cells), cells.columns[picked]
    codes = column.reshape(len(column), -1)
    place = cells.value(picked, lambda text: max(words.get(plain_text(text), -1), -1))
    place = place.reshape(codes.shape)
    beyond = place >= sizes(options)[:, None]
    cells.refuse(beyond.any(axis=1), lambda row: f"{picked}: no object is in the place named")
    known = words.keys() | NO_PREFERENCE | {plain_text(text) for text in MISSING}
    strange = ~cells.value(picked, lambda text: plain_text(text) in known).reshape(codes.shape)
    strange &= (codes != PAD) & ~_among(options, codes)
    cells.refuse_texts(picked, strange, "is not in responses=; add its meaning")
    objects = np.take_along_axis(options, place.clip(0, options.shape[1] - 1), axis=1)
    cells.columns[picked] = np.where((place >= 0) & ~beyond, objects, codes).reshape(column.shape)


def _among(options, codes):
    """Tell which texts are among the options of their row."""
    return np.stack([(options == code[:, None]).any(axis=1) for code in codes.T], axis=1)


def _refuse_objects(cells, header, found):
    """Raise an error if responses are objects."""
    used = cells.used("response") - MISSING
    objects = cells.used("first") | cells.used("second")
    if used and used <= objects and not all(plain_text(text) in _RESPONSE for text in used):
        [name] = found.titles("response", header)
        raise header.error(f"{name} holds objects; give columns={{'chosen': {name!r}}}")


def _read_places(cells, name, header, found, words):
    """Put objects in place of the titles of their columns.

    Raise an error if picked objects may be other places: small numbers, or words of no row.
    """
    options, codes = _options(cells), cells.columns[name].reshape(len(cells.lines), -1)
    used = {text for text in cells.used(name) if not is_nothing(text, words)}
    used = sorted(text for text in used if text.casefold() not in NO_PREFERENCE)
    n = int(sizes(options).max())
    small = _are_small(used, n)
    if not used or not n or not (small or len(used) <= n):
        return
    same = [whole_number(text) or text for text in cells.texts(name)]
    same = np.unique(same, return_inverse=True)[1]
    known = cells.value(name, set(used).__contains__).reshape(codes.shape) & (codes != PAD)
    among = _among(np.where(options == PAD, PAD, same[options]), same[codes])
    if not small and (among & known).any():
        return
    titles = [header.titles[place] for one in _asked(cells) for place in found.places[one]]
    titles = {plain(title): place for place, title in enumerate(titles)}
    if titles.keys() >= set(map(plain, used)):
        _place(cells, name, {plain_text(text): titles[plain(text)] for text in used})
        return
    are_objects = (among | ~known).all()
    if name in header.own and (are_objects or name == "ranking"):
        return
    way = f"; if they are objects, give columns={ {name: found.titles(name, header)[0]} }"
    way = way if are_objects else ""
    if name == "ranking":
        way = "; they may be ranks (name their columns ranks in columns=) or objects (ranking)"
    raise cells.faults.error(
        f"{name} holds only {shown_list(used)}, which may be places on the screen; if they are, "
        f"say in responses= which is first, second, and so on{way}"
    )


def _are_small(texts, most):
    """Tell whether all texts are whole numbers that can be places or ranks."""
    return all(_SMALL.fullmatch(text) and -1 <= float(text) <= most for text in texts)


def _refuse_places_in_ranking(cells, found, header):
    """Note rankings of what was not shown; raise an error if they hold places or ranks."""
    ranking, used = cells.columns["ranking"], cells.used("ranking") - MISSING
    titles = {plain(title): title for title in header.titles}
    named = [titles[plain(text)] for text in sorted(used) if plain(text) in titles]
    if len(named) == len(used) > 0:
        way = f"name them, too: columns={ {'candidates': named} }"
        raise cells.faults.error(f"ranking holds names of columns; {way}")
    if "candidates" in found:
        strange = (ranking != PAD) & ~_among(_options(cells), ranking)
        cells.refuse_texts("ranking", strange, "is not among the candidates")
        del cells.columns["candidates"]


def _rank_candidates(cells, found):
    """Put candidates in the order of their ranks, and return the columns of such a table."""
    texts, value = cells.texts("ranks"), cells.value("ranks", lambda t: int(whole_number(t) or -1))
    ranks, candidates = cells.columns.pop("ranks"), cells.columns.pop("candidates")
    n, places = sizes(candidates), np.arange(1, ranks.shape[1] + 1)
    value = np.where(ranks == PAD, 2**31 - 1, value)
    value += (value.min(axis=1) == 0).all()  # all count from 0
    order = np.argsort(value, axis=1, kind="stable")
    right = np.take_along_axis(value, order, axis=1) == places
    bad = ~(right | (places > n[:, None])).all(axis=1) | (sizes(ranks) != n)

    def why(row):
        some = shown_list(texts[code] for code in ranks[row] if code != PAD)
        return f"ranks: {some} are not 1 to {n[row]}, each once"

    cells.refuse(bad, why)
    order = np.where(bad[:, None], places - 1, order)[:, : candidates.shape[1]]
    cells.columns["ranking"] = np.take_along_axis(candidates, order, axis=1)
    return replace(found, needed=("anchor", "ranking"))


def _asked(cells):
    """Return the columns of the objects that each row picks from."""
    names = [name for name in ("objects", "candidates") if name in cells.columns]
    return names or ["first", "second"]


def _options(cells):
    """Return the objects that each row picks from."""
    return np.column_stack([cells.columns[name] for name in _asked(cells)])
