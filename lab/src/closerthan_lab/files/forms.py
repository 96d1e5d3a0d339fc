"""Turn cells whose objects are known into answers: rows refused, turned by form, put together.

A form gets its columns as arrays by meaning: (n_rows,), or (n_rows, n) for lists, filled up with
-1. Ids are positions in the sorted names. `closerthan.comparisons.forms` has the checks.
"""

from dataclasses import replace

import numpy as np

from closerthan._core.shown import shown_list
from closerthan.comparisons.answers import HEADERS, Answers, number_rows
from closerthan.comparisons.check import degenerate
from closerthan.comparisons.forms import alternatives, lists, pairs, three
from closerthan.comparisons.forms.checks import sizes
from closerthan_lab.files.cells import PAD, whole_number
from closerthan_lab.files.joining import concatenate

_MOST = 5 * 10**7  # comparisons, from the votes or the lists of one file
_COMPARED = [*HEADERS.values(), ("anchor", "first", "second")]
_COMPARED += [("first_1", "first_2", "second_1", "second_2")]


def _comparisons(columns):
    """Return the names of the columns that are compared, and their ids as rows."""
    names = next(names for names in _COMPARED if columns.keys() >= {*names})
    return names, np.stack([columns[name] for name in names], axis=1, dtype=np.int64)


def _of_pairs(columns):
    n, shown = len(columns["best"]), columns["pairs"][:, : sizes(columns["pairs"])[0]]
    answers = pairs.from_best_worst(shown.reshape(n, -1, 2), columns["best"], columns["worst"])
    if "anchor" not in columns:
        return answers
    return Answers(answers.comparisons[:, [0, 1, 3]], answers.screen, weight=answers.weight)


def _of_two(columns):
    return alternatives.from_responses(_comparisons(columns)[1], _response(columns))


_FORMS = {
    "odd-one-out": lambda c: three.from_odd_one_out(c["objects"][:, :3], c["odd"]),
    "most-central": lambda c: three.from_most_central(c["objects"][:, :3], c["central"]),
    "choices": lambda c: lists.from_choices(c["anchor"], c["candidates"], c["chosen"]),
    "rankings": lambda c: lists.from_rankings(
        c["anchor"], c["ranking"], top=c.get("top", [None])[0]
    ),
    "best-worst": _of_pairs,
    **dict.fromkeys(["responses", "votes"], _of_two),
    **dict.fromkeys(["triplets", "quadruplets"], lambda c: Answers(_comparisons(c)[1])),
}


def _response(columns):
    """Return 1 for the first, -1 for the second of two, 0 for neither."""
    if "response" in columns:
        return columns["response"]
    first, second = (columns["chosen"] == columns[name] for name in ("first", "second"))
    return first.astype(np.int32) - second


def _place(form, columns):
    """Return the place of what was picked, -1 if it has none; None if the form has no places."""
    if form in ("responses", "votes"):
        response = _response(columns)
        return np.where(response == 0, -1, response < 0)
    if "best" in columns:
        return columns["best"]
    picked = next((columns[m] for m in ("odd", "central", "chosen") if m in columns), None)
    if picked is None:
        return None
    picked = picked.reshape(len(picked), -1)
    options = columns.get("objects", columns.get("candidates"))
    return np.where(sizes(picked) > 1, -1, (options == picked[:, :1]).argmax(axis=1))


def _faults(form, columns):
    """Yield the faults of the rows of a form; see `refuse_first`."""
    if form in ("rankings", "choices"):
        name = "ranking" if form == "rankings" else "candidates"
        yield from lists.faults_of_lists(columns["anchor"], columns[name], name)
        if form == "choices":
            yield from lists.faults_of_choices(columns["candidates"], columns["chosen"])
    elif form == "best-worst":
        yield from pairs.faults_of_best_worst(columns["pairs"], columns["best"], columns["worst"])
    elif "objects" in columns:
        n, picked = sizes(columns["objects"]), "odd" if "odd" in columns else "central"
        yield n != 3, "objects", lambda row, say: f"{n[row]}; there must be 3"
        yield from _degenerate("objects:", columns["objects"][:, :3])
        yield from three.faults_of_pick(columns["objects"], columns[picked], picked)
    else:
        names, rows = _comparisons(columns)
        yield from _degenerate(f"{', '.join(names)} are", rows)
    if form == "responses" and "chosen" in columns:
        chosen = columns["chosen"]
        known = (chosen < 0) | (chosen == columns["first"]) | (chosen == columns["second"])
        end = "is neither the first nor the second; if none was chosen, write neither or tie"
        yield ~known, "chosen", lambda row, say: f"{say(chosen[row])} {end}"


def _degenerate(start, rows):
    for rule, bad in degenerate(rows).items():
        yield bad, "", lambda row, say, rule=rule: f"{start} {say(rows[row])}; {rule}"


def refuse_rows(cells, found, names):
    """Note the rows whose cells do not go together, such as an odd one out that was not shown."""
    if not len(cells.lines):
        return
    if "best" in found:
        _place_pairs(cells, found, names)

    def say(ids):
        return shown_list(names[i] for i in np.atleast_1d(ids) if i != PAD)

    for bad, source, describe in _faults(found.form, _needed(cells, found)):
        start = source and f"{source}: "
        cells.refuse(bad, lambda row, start=start, describe=describe: start + describe(row, say))


def assemble(cells, found, names):
    """Return the answers of cells, and the names, the lines and the places of the table."""
    cells = _repeated(cells, found)
    columns = _needed(cells, found)
    answers, lines = _complete(_turn(cells, found, columns), cells, found)
    answers, names = _without_unused(answers, names)
    return answers, names, lines, _place(found.form, columns)


def _place_pairs(cells, found, names):
    """Turn the best and the worst pairs, by number or by their objects, to positions from 0."""
    own = slice("candidates" in found, None)  # without the anchor
    if "candidates" in found:
        _pair_with_anchor(cells)
    for meaning in ("best", "worst"):
        picked, shown = cells.columns[meaning], cells.columns["pairs"]
        if meaning in cells.known:
            cells.columns[meaning] = _position(cells, found, meaning, picked)
            continue
        shown = shown[:, : shown.shape[1] // 2 * 2].reshape(len(shown), -1, 2)
        same = np.sort(shown, axis=2) == np.sort(picked, axis=1)[:, None, -2:]
        place = same.all(axis=2)

        def why(row, meaning=meaning, picked=picked):
            some = shown_list(names[i] for i in picked[row, own] if i != PAD)
            return f"{meaning}: {some} is not one of the {found.needed[-3]}"

        cells.refuse(~place.any(axis=1) | (sizes(picked) != 2), why)
        cells.columns[meaning] = place.argmax(axis=1)


def _pair_with_anchor(cells):
    """Make pairs of the anchor and each candidate, also of the best and the worst one."""
    anchor = cells.columns["anchor"]
    for meaning, to in (("candidates", "pairs"), ("best", "best"), ("worst", "worst")):
        others = cells.columns[meaning].reshape(len(anchor), -1)
        pairs = np.stack([np.where(others == PAD, PAD, anchor[:, None]), others], axis=2)
        cells.columns[to] = pairs.reshape(len(anchor), -1)


def _position(cells, found, meaning, number):
    """Return the positions, from 0, of pairs with these numbers; -1 if there is none."""
    own = found.numbers.get("pairs", [(1, 1)])
    if min(own)[0] > 0 and (number == 0).any():
        way = "add 1 to best and worst, or number the pairs from 0: pair_0_1, ..."
        raise cells.faults.error(f"{meaning} holds 0, but the first pair has the number 1; {way}")
    if found.in_one_cell("pairs"):
        return number - 1
    numbers = np.unique([pair for pair, _ in own])
    position = np.minimum(np.searchsorted(numbers, number), len(numbers) - 1)
    return np.where(numbers[position] == number, position, -1)


def _needed(cells, found):
    """Return the columns that a form needs."""
    needed = {*found.needed, "pairs", "top", "response"} & cells.columns.keys()
    return {meaning: cells.columns[meaning] for meaning in needed}


def _turn(cells, found, columns):
    """Return the answers of the columns of a form, of pairs and rankings group by group."""
    total = _n_comparisons(columns)
    if total > _MOST:
        raise cells.faults.error(f"{total:,} comparisons follow; at most {_MOST:,} can be read")
    turn, groups = _FORMS[found.form], columns.get("top")
    if "pairs" in columns:
        groups = sizes(columns["pairs"])
    if groups is None or (groups == groups[0]).all():
        return turn(columns)
    number = number_rows(groups)
    order = np.argsort(number, kind="stable")
    rows = np.split(order, np.flatnonzero(np.diff(number[order])) + 1)
    whole = concatenate([turn({m: column[some] for m, column in columns.items()}) for some in rows])
    screen, again = order[whole.screen], np.argsort(order[whole.screen], kind="stable")
    return Answers(whole.comparisons[again], screen[again], weight=whole.weight[np.argsort(order)])


def _n_comparisons(columns):
    """Return the number of comparisons that lists give."""
    if "ranking" in columns:
        n = sizes(columns["ranking"])
        return int((n * (n - 1) // 2).sum())
    if "chosen" in columns and "candidates" in columns:
        n = sizes(columns["chosen"])
        return int((n * (sizes(columns["candidates"]) - n)).sum())
    return int(sizes(columns["pairs"]).sum()) if "pairs" in columns else 0


def _complete(answers, cells, found):
    """Return the answers with all that the file says of them, and their lines."""
    columns, screen, weight = cells.columns, answers.screen, answers.weight
    first = slice(None)
    if "screen" in found:
        screen, first = _screens(cells, found)
        weight = weight[first]
    participant = _participants(cells)[first] if "participant" in found else None
    time = columns["time"][first] if "time" in found else None
    weight = weight * columns["weight"][first] if "weight" in found else weight
    return Answers(answers.comparisons, screen, participant, time, weight), cells.lines[first]


def _screens(cells, found):
    """Return the screen of each comparison, and whether it is the first of its screen.

    Rows that follow each other are one screen if they name the same, of the same participant.
    """
    if "votes" in found:
        raise cells.faults.error("votes and screens can't be told together; leave one column out")
    told = [cells.columns[m] for m in ("screen", "participant") if m in found]
    first = np.ones(len(told[0]), dtype=bool)
    first[1:] = np.any([column[1:] != column[:-1] for column in told], axis=0)
    for meaning in found.places.keys() & {"time", "weight"}:
        amount = np.nan_to_num(cells.columns[meaning], nan=-1)
        for row in np.flatnonzero((np.diff(amount, prepend=amount[0]) != 0) & ~first)[:1]:
            why = f"{amount[row]:g}, and {amount[row - 1]:g} in the row before, of the same screen"
            raise cells.faults.error(f"{meaning}: {why}", cells.lines[row])
    return np.cumsum(first) - 1, first


def _without_unused(answers, names):
    """Return the answers and the names of the objects that occur in them."""
    used = np.bincount(answers.comparisons.ravel(), minlength=len(names)) > 0
    if not used.all():
        answers = replace(answers, comparisons=(np.cumsum(used) - 1)[answers.comparisons])
    return answers, np.array(names)[used]


def _participants(cells):
    """Return who answered in each row: whole numbers if all are, names if not."""
    wholes = {text: whole_number(text) for text in cells.used("participant")}
    if all(whole is not None and str(int(whole)) == whole for whole in wholes.values()):
        return cells.value("participant", lambda text: int(wholes.get(text) or 0), np.int64)
    return cells.value("participant", str)


def _repeated(cells, found):
    """Return each row as often as it was voted for, with the responses of the votes."""
    if found.form == "votes":
        if "votes" in found:  # of all
            cells.columns["votes_second"] = cells.columns["votes"] - cells.columns["votes_first"]
        sides = ["votes_first", "votes_neither", "votes_second"]
        none = np.zeros(len(cells.lines), dtype=np.int32)
        counts = np.stack([cells.columns.get(side, none) for side in sides], axis=1)
    elif "votes" in found:
        counts = cells.columns["votes"][:, None]
    else:
        return cells
    total = int(counts.sum(dtype=np.int64))
    if not 0 < total <= _MOST:
        why = f"{total:,} votes; at most {_MOST:,}" if total else "all votes are 0; give one"
        raise cells.faults.error(why)
    cells = cells.take(np.repeat(np.arange(len(counts)), counts.sum(axis=1)))
    if found.form == "votes":
        responses = np.tile(np.array([1, 0, -1], dtype=np.int32), len(counts))
        cells.columns["response"] = np.repeat(responses, counts.ravel())
    return cells
