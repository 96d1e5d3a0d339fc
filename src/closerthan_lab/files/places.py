"""Tell objects from places on the screen, and from the ranks of candidates.

A file may hold 1, 2 and 3 where it means the first, second and third object, or ranks of objects.
The user says which it is: with words for places (`responses`), or with the columns of the ranks.
"""

import re
from dataclasses import replace

import numpy as np

from closerthan._core.shown import shown, shown_list
from closerthan_lab.files.cells import MISSING, PAD, whole_number
from closerthan_lab.files.columns import plain
from closerthan_lab.files.values import (
    NO_PREFERENCE,
    NOTHING,
    ORDINALS,
    is_no_response,
    is_nothing,
    plain_text,
)

_SMALL = re.compile(r"-?\d{1,3}(\.0*)?")
_PICKED = ("odd", "central", "chosen", "best", "worst")


def place_picks(cells, found, header, words, whole):
    """Put the objects of the screen in place of the user's words for their places.

    Return the cells. Raise an error if the file itself may have numbers in place of objects;
    `header` is None for the table of a program, which has not. `whole` is False for
    one of several files, which may hold none of the words.
    """
    picked = [name for name in _PICKED if name in found.needed and name not in cells.codes]
    picked = [] if found.names_pairs else picked
    if words and not picked and "response" not in found:
        raise cells.faults.error(
            f"responses= has no effect here; no column of {found.form} holds responses"
        )
    heed = picked if header else []  # a program's table holds objects
    if words and whole and not _hold(cells, heed if picked else ["response"], words):
        raise cells.faults.error(
            f"responses= has no effect here; no row holds {shown_list(map(_written, words))}"
        )
    given = any(place != NOTHING for place in words.values())
    for name in picked:
        if given:
            _place(cells, name, words)
        elif header:
            _read_places(cells, name, header, found, words)
    if header and not given and {"first", "response"} <= set(found.needed):
        _refuse_objects(cells, header, found)
    if header and found.beside:
        _refuse_ranks(cells, found, header)
    return cells


def _place(cells, picked, words):
    options, column = _options(cells), cells.columns[picked]
    codes = column.reshape(len(column), -1)
    place = _by_text(cells, picked, lambda text: max(words.get(plain_text(text), -1), -1), codes)
    beyond = place >= (options != PAD).sum(axis=1)[:, None]
    cells.refuse(beyond.any(axis=1), lambda row: f"{picked}: no object is in the place named")
    known = words.keys() | NO_PREFERENCE | {plain_text(text) for text in MISSING}
    strange = ~_by_text(cells, picked, lambda text: plain_text(text) in known, codes)
    strange &= (codes != PAD) & np.stack([(options != c[:, None]).all(axis=1) for c in codes.T], 1)
    cells.refuse(
        strange.any(axis=1),
        lambda row: (
            f"{picked}: {shown(cells.texts(picked)[codes[row][strange[row]][0]])} is not in "
            "responses=; add its meaning"
        ),
    )
    objects = np.take_along_axis(options, place.clip(0, options.shape[1] - 1), axis=1)
    codes = np.where((place >= 0) & ~beyond, objects, codes)
    cells.columns[picked] = codes.reshape(column.shape)


def _refuse_objects(cells, header, found):
    """Raise an error if responses are objects."""
    texts = cells.texts("response")
    used = {texts[code] for code in np.unique(cells.columns["response"])} - MISSING
    objects = {cells.texts("first")[code] for code in np.unique(_options(cells))}
    if used and used <= objects and any(map(is_no_response, used)):
        name = header.titles[found.places["response"][0]]
        raise header.error(f"{name} holds objects; give columns={{'chosen': {name!r}}}")


def _read_places(cells, name, header, found, words):
    """Put objects in place of the titles of their columns.

    Raise an error if picked objects may be other places: small numbers, or words of no row.
    """
    places = found.places[name]
    options, codes = _options(cells), cells.columns[name].reshape(len(cells.lines), -1)
    sizes, texts = (options != PAD).sum(axis=1), cells.texts(name)
    used = [texts[code] for code in np.unique(codes[codes != PAD]).tolist()]
    used = sorted(
        text
        for text in used
        if not is_nothing(text, words) and text.casefold() not in NO_PREFERENCE
    )
    n = int(sizes.max())
    small = all(_SMALL.fullmatch(text) and -1 <= float(text) <= n for text in used)
    if not used or not n or not (small or len(used) <= n):
        return
    same = np.unique([whole_number(text) or text for text in texts], return_inverse=True)[1]
    shown_ones, picks = np.where(options == PAD, PAD, same[options]), same[codes]
    known = _by_text(cells, name, set(used).__contains__, codes) & (codes != PAD)
    among = np.stack([(shown_ones == one[:, None]).any(axis=1) for one in picks.T], axis=1)
    if not small and (among & known).any():
        return
    titles = {plain(title): place for place, title in enumerate(_titles(header, found))}
    if titles.keys() >= set(map(plain, used)):
        _place(cells, name, {plain_text(text): titles[plain(text)] for text in used})
        return
    words = used if len(used) == n else used[:1]
    readings, differ = [dict(zip(words, ORDINALS, strict=False))], False
    if small:
        readings, number = (
            [],
            _by_text(cells, name, lambda t: int(float(t)) if t in used else 0, codes),
        )
        for start in (0, 1):
            place = number - start
            if (((place >= 0) & (place < sizes[:, None])) | ~known).all():
                at = np.take_along_axis(shown_ones, place.clip(0, options.shape[1] - 1), axis=1)
                differ |= bool(((at != picks) & known).any())
                readings.append({str(k): word for k, word in enumerate(ORDINALS[:n], start)})
    objects = ""
    if (among | ~known).all():
        if not differ or name in header.own:
            return
        own = {name: header.titles[places[0]]}
        objects = f", or columns={own} if they are objects"
    ways = " or ".join(f"responses={words}" for words in readings) or "responses="
    raise cells.faults.error(
        f"{name} holds only {shown_list(used)}, which may be places on the screen; if they are, "
        f"say which, such as {ways}{objects}"
    )


def _refuse_ranks(cells, found, header):
    """Raise an error if a ranking holds only small numbers, and other columns hold objects."""
    codes, texts = cells.columns["ranking"], cells.texts("ranking")
    used = {texts[code] for code in np.unique(codes[codes != PAD]).tolist()} - MISSING
    n = codes.shape[1]
    if not all(_SMALL.fullmatch(text) and 0 <= float(text) <= n for text in used):
        return
    titles = [header.titles[place] for place in found.places["ranking"]]
    ranks, objects = {"candidates": found.beside, "ranks": titles}, {"ranking": titles}
    raise cells.faults.error(
        f"{shown_list(titles)} hold only numbers up to {n} beside {shown_list(found.beside)}; give "
        f"columns={ranks} if they are ranks, or columns={objects} if they are objects"
    )


def rank_candidates(cells, found):
    """Put candidates in the order of their ranks, and return the columns of such a table."""
    ranks, candidates = cells.columns.pop("ranks"), cells.columns.pop("candidates")
    sizes = (candidates != PAD).sum(axis=1)
    value = _by_text(cells, "ranks", lambda text: int(whole_number(text) or -1), ranks)
    value = np.where(ranks == PAD, 2**31 - 1, value)
    value += (value.min(axis=1) == 0).all()  # all count from 0
    order = np.argsort(value, axis=1, kind="stable")
    places = np.arange(1, ranks.shape[1] + 1)
    right = np.take_along_axis(value, order, axis=1) == places
    bad = ~(right | (places > sizes[:, None])).all(axis=1)
    bad |= (ranks != PAD).sum(axis=1) != sizes
    cells.refuse(
        bad,
        lambda row: (
            f"ranks: {shown_list(cells.texts('ranks')[code] for code in ranks[row] if code >= 0)} "
            f"are not 1 to {sizes[row]}, each once"
        ),
    )
    width = min(order.shape[1], candidates.shape[1])
    order = np.where(bad[:, None], np.arange(order.shape[1]), order)[:, :width]
    cells.columns["ranking"] = np.take_along_axis(candidates, order, axis=1)
    return replace(found, needed=("anchor", "ranking"))


def _by_text(cells, meaning, function, codes):
    """Return the values of a function of the texts of a column."""
    return np.array([function(text) for text in cells.texts(meaning)] or [PAD])[codes]


def _hold(cells, names, words):
    return any(plain_text(text) in words for name in names for text in cells.texts(name))


def _written(word):
    """Return a word of `plain_text` as people write it."""
    return word if isinstance(word, str) else f"{word:g}"


def _titles(header, found):
    """Return the titles of the columns of the objects that each row picks from."""
    names = next(
        some for some in (["objects"], ["candidates"], ["first", "second"]) if some[0] in found
    )
    return [header.titles[place] for name in names for place in found.places[name]]


def _options(cells):
    """Return the objects that each row picks from."""
    for name in ("objects", "candidates"):
        if name in cells.columns:
            return cells.columns[name]
    return np.stack([cells.columns["first"], cells.columns["second"]], axis=1)
