"""A table of answers from cells whose objects are known: rows refused, turned and put together."""

from dataclasses import replace

import numpy as np

from closerthan._core.shown import shown_list
from closerthan.comparisons.answers import Answers, concatenate, number_rows
from closerthan_lab.files.cells import PAD, whole_number
from closerthan_lab.files.forms import FORMS

_MOST = 5 * 10**7  # comparisons, from the votes or the lists of one file


def place_objects(cells, numbers, reasons):
    """Replace the codes of texts by the objects' numbers; note rows with texts that are no objects.

    `reasons` says why, by code.
    """
    is_none = np.zeros(len(numbers), dtype=bool)
    is_none[list(reasons)] = True
    for meaning, column in cells.objects().items():
        lists = column.reshape(len(column), -1)
        bad = is_none[lists] & (lists != PAD)
        first = lists[np.arange(len(lists)), bad.argmax(axis=1)] if lists.size else lists
        cells.refuse(
            bad.any(axis=1),
            lambda row, meaning=meaning, first=first: f"{meaning}: {reasons[first[row]]}",
        )
        cells.columns[meaning] = np.where(column == PAD, PAD, numbers[column])


def refuse_rows(cells, found, names):
    """Note the rows whose cells do not go together, such as an odd one out that was not shown."""
    if "best" in found:
        _place_pairs(cells, found, names)

    def say(ids):
        return shown_list(names[i] for i in np.atleast_1d(ids) if i != PAD)

    rows = _good_rows(cells)
    group = _group(cells, found, rows)
    if not len(next(iter(group.values()))):
        return
    for bad, source, describe in FORMS[found.form].faults(group):
        start = source and f"{source}: "
        cells.refuse(
            bad, lambda row, start=start, describe=describe: start + describe(row, say), rows
        )


def assemble(cells, found, names):
    """Return the answers of the good rows, and the names, the lines and the places of the table."""
    rows, response = _repeats(cells, found, _good_rows(cells))
    if response is not None:  # the votes of a row are rows of their own from here on
        cells = cells.take(rows)
        cells.columns["response"] = response
        rows = slice(None)
    answers, rows, place = _turn(cells, found, rows)
    answers, lines = _complete(answers, cells, found, rows)
    answers, names = _without_unused(answers, names)
    return answers, names, lines, place


def _place_pairs(cells, found, names):
    """Turn the best and the worst pairs, by number or by their objects, to positions from 0."""
    own = slice("candidates" in found, None)  # without the anchor
    if "candidates" in found:
        _pair_with_anchor(cells)
    for meaning in ("best", "worst"):
        picked = cells.columns[meaning]
        if meaning in cells.codes:
            cells.columns[meaning] = _position(cells, found, meaning, picked)
            continue
        pairs = cells.columns["pairs"]
        pairs = np.sort(pairs[:, : pairs.shape[1] // 2 * 2].reshape(len(pairs), -1, 2), axis=2)
        same = (pairs == np.sort(picked, axis=1)[:, None, -2:]).all(axis=2)
        cells.refuse(
            ~same.any(axis=1) | (picked != PAD).sum(axis=1) != 2,
            lambda row, meaning=meaning, picked=picked: (
                f"{meaning}: {shown_list(names[i] for i in picked[row, own] if i != PAD)} is not "
                f"one of the {found.needed[-3]}"
            ),
        )
        cells.columns[meaning] = same.argmax(axis=1)


def _pair_with_anchor(cells):
    """Make pairs of the anchor and each candidate, also of the best and the worst one."""
    anchor = cells.columns["anchor"]
    for meaning, to in (("candidates", "pairs"), ("best", "best"), ("worst", "worst")):
        others = cells.columns[meaning].reshape(len(anchor), -1)
        pairs = np.stack([np.where(others == PAD, PAD, anchor[:, None]), others], axis=2)
        cells.columns[to] = pairs.reshape(len(anchor), -1)


def _position(cells, found, meaning, number):
    """Return the positions, from 0, of pairs with these numbers; -1 if there is none."""
    from_one = found.in_one_cell("pairs") or min(found.numbers["pairs"])[0] > 0
    if from_one and (number == 0).any():
        raise cells.faults.error(
            f"{meaning} holds 0, but the first pair has the number 1; add 1 to best and worst, "
            "or number the columns of the pairs from 0: pair_0_1, pair_0_2, ..."
        )
    if found.in_one_cell("pairs"):
        return number - 1
    numbers = np.unique([pair for pair, _ in found.numbers["pairs"]])
    position = np.minimum(np.searchsorted(numbers, number), len(numbers) - 1)
    return np.where(numbers[position] == number, position, -1)


def _good_rows(cells):
    return slice(None) if cells.good.all() else np.flatnonzero(cells.good)


def _groups(cells, rows):
    """Return the numbers of rows that are turned together, group by group."""
    pairs, top = cells.columns.get("pairs"), cells.columns.get("top")
    if pairs is None and top is None:
        return [rows]
    rows = np.arange(len(cells.lines))[rows]
    number = number_rows((pairs[rows] != PAD).sum(axis=1) if top is None else top[rows])
    order = np.argsort(number, kind="stable")
    return np.split(rows[order], np.flatnonzero(np.diff(number[order])) + 1)


def _group(cells, found, rows):
    """Return some rows as arrays by meaning."""
    needed = {*found.needed, "pairs", "top", "response"} & cells.columns.keys()
    return {meaning: cells.columns[meaning][rows] for meaning in needed}


def _turn(cells, found, rows):
    """Return the answers of some rows, their rows, and the places of what was picked."""
    form, origins = FORMS[found.form], _groups(cells, rows)
    groups = [_group(cells, found, some) for some in origins]
    total = sum(form.n_comparisons(group) for group in groups)
    if total > max(_MOST, 2 * len(cells.lines)):
        raise cells.faults.error(
            f"{total:,} comparisons follow from these answers; at most {_MOST:,} can be read"
        )
    answers = [form.answers(group) for group in groups]
    places = [form.place(group) for group in groups]
    if len(answers) == 1:
        return answers[0], origins[0], places[0]
    origin = np.concatenate(origins)
    order = np.argsort(origin, kind="stable")
    place = None if places[0] is None else np.concatenate(places)[order]
    return _merged(answers, order), origin[order], place


def _merged(groups, order):
    """Return the answers of groups in one table, with all their screens in the given order."""
    whole, rank = concatenate(groups), np.argsort(order)
    screen = rank[whole.screen]
    rows = np.argsort(screen, kind="stable")
    return Answers(whole.comparisons[rows], screen[rows], weight=whole.weight[order])


def _complete(answers, cells, found, rows):
    """Return the answers with all that the file says of them, and their lines."""
    columns, screen, weight = cells.columns, answers.screen, answers.weight
    if "screen" in found:
        screen, first = _screens(cells, found, rows)
        rows, weight = np.arange(len(cells.lines))[rows][first], weight[first]
    participant = _participants(cells, rows) if "participant" in found else None
    time = columns["time"][rows] if "time" in found else None
    weight = weight * columns["weight"][rows] if "weight" in found else weight
    return Answers(answers.comparisons, screen, participant, time, weight), cells.lines[rows]


def _screens(cells, found, rows):
    """Return the screen of each comparison, and whether it is the first of its screen.

    Rows that follow each other are one screen if they name the same, of the same participant.
    """
    if "votes" in found:
        raise cells.faults.error("votes and screens can't be told together; leave one column out")
    codes = [cells.columns[m][rows] for m in ("screen", "participant") if m in found]
    first = np.ones(len(codes[0]), dtype=bool)
    first[1:] = np.any([code[1:] != code[:-1] for code in codes], axis=0)
    for meaning in ("time", "weight"):
        if meaning in found:
            amount = cells.columns[meaning][rows]
            known = np.nan_to_num(amount, nan=-1)
            other = np.r_[False, known[1:] != known[:-1]] & ~first
            if other.any():
                row = int(other.argmax())
                raise cells.faults.error(
                    f"{meaning}: {amount[row]:g}, and {amount[row - 1]:g} in the row before, which "
                    "is of the same screen",
                    cells.lines[rows][row],
                )
    return np.cumsum(first) - 1, first


def _without_unused(answers, names):
    """Return the answers and the names of the objects that occur in them."""
    used = np.zeros(len(names), dtype=bool)
    for column in answers.comparisons.T:
        used[column] = True
    if not used.all():
        ids = (np.cumsum(used) - 1)[answers.comparisons]
        answers = replace(answers, comparisons=ids)
        names = [name for name, kept in zip(names, used, strict=True) if kept]
    return answers, np.array(names)


def _participants(cells, rows):
    """Return who answered in these rows: whole numbers if all are, names if not."""
    code = cells.columns["participant"][rows]
    values = cells.codes["participant"].values
    wholes = [whole_number(values[c]) for c in np.unique(code)]
    if all(whole is not None and str(int(whole)) == whole for whole in wholes):
        number = np.array([int(whole_number(value) or 0) for value in values], dtype=np.int64)
        return number[code]
    return np.array(values)[code]


def _repeats(cells, columns, rows):
    """Return each row as often as it was voted for, and the responses of the votes.

    If the file has no votes, return the rows unchanged, and None.
    """
    if columns.form == "votes":
        sides = ["votes_first", "votes_neither", "votes_second"]
        none = np.zeros(len(cells.lines), dtype=np.int32)
        counts = np.stack([cells.columns.get(side, none)[rows] for side in sides], axis=1)
    elif "votes" in columns:
        counts = cells.columns["votes"][rows][:, None]
    else:
        return rows, None
    total = int(counts.sum(dtype=np.int64))
    if total == 0:
        raise cells.faults.error("all votes are 0; give at least one vote")
    if total > _MOST:
        raise cells.faults.error(f"{total:,} votes; at most {_MOST:,} can be read")
    response = None
    if columns.form == "votes":
        responses = np.tile(np.array([1, 0, -1], dtype=np.int32), len(counts))
        response = np.repeat(responses, counts.ravel())
    return np.repeat(np.arange(len(cells.lines))[rows], counts.sum(axis=1)), response
