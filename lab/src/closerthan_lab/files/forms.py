"""Turn cells whose objects are known into answers: rows refused, turned by form, put together.

A group of rows is a dict that maps meanings to arrays: (n_rows,), or (n_rows, n) for lists, filled
up with -1. Ids are positions in the sorted names. `closerthan.comparisons.forms` has the checks of
each form; `faults` gives them the columns of a group.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from closerthan._core.shown import shown_list
from closerthan.comparisons.answers import HEADERS, Answers, number_rows
from closerthan.comparisons.check import degenerate
from closerthan.comparisons.forms.alternatives import from_responses
from closerthan.comparisons.forms.checks import sizes
from closerthan.comparisons.forms.lists import (
    faults_of_choices,
    faults_of_lists,
    from_choices,
    from_rankings,
)
from closerthan.comparisons.forms.pairs import faults_of_best_worst, from_best_worst
from closerthan.comparisons.forms.three import faults_of_pick, from_most_central, from_odd_one_out
from closerthan_lab.files.cells import PAD, whole_number
from closerthan_lab.files.joining import concatenate

_MOST = 5 * 10**7  # comparisons, from the votes or the lists of one file
_UNKNOWN = -1  # no position of a picked object


class _Form:
    """A form with two comparisons a row that does not tell the position of the picked object."""

    def place(self, group):
        return None

    def n_comparisons(self, group):
        """Return the largest number of comparisons that a group can give."""
        return 2 * len(next(iter(group.values())))


class Triplets(_Form):
    """Rows (i, j, k): i is closer to j than to k. Rows (i, j, l, k): i, j are closer than l, k."""

    def columns(self, group):
        return next(names for names in HEADERS.values() if set(names) <= set(group))

    def rows(self, group):
        return np.stack([group[name] for name in self.columns(group)], axis=1, dtype=np.int64)

    def faults(self, group):
        return _degenerate(self.rows(group), f"{', '.join(self.columns(group))} are")

    def answers(self, group):
        return Answers(self.rows(group))


class Responses(Triplets):
    """Questions with two alternatives; a response picks the first, the second or neither."""

    def columns(self, group):
        if "anchor" in group:
            return "anchor", "first", "second"
        return "first_1", "first_2", "second_1", "second_2"

    def faults(self, group):
        yield from super().faults(group)
        if "chosen" in group:
            chosen = group["chosen"]
            known = (chosen < 0) | (chosen == group["first"]) | (chosen == group["second"])
            end = "is neither the first nor the second; if none was chosen, write neither or tie"
            yield ~known, "chosen", lambda row, say: f"{say(chosen[row])} {end}"

    def response(self, group):
        if "response" in group:
            return group["response"]
        first, second = (group["chosen"] == group[name] for name in ("first", "second"))
        return first.astype(np.int32) - second

    def answers(self, group):
        return from_responses(self.rows(group), self.response(group))

    def place(self, group):
        response = self.response(group)
        return np.where(response == 0, _UNKNOWN, response < 0)


class OddOneOut(_Form):
    """Three objects, one of them picked."""

    picked = "odd"
    turn: Callable[..., Answers] = staticmethod(from_odd_one_out)

    def faults(self, group):
        objects, picked = group["objects"], group[self.picked]
        n = sizes(objects)
        yield n != 3, "objects", lambda row, say: f"{n[row]}; there must be 3"
        yield from _degenerate(objects[:, :3], "objects:")
        yield from faults_of_pick(objects, picked, self.picked)

    def answers(self, group):
        return self.turn(group["objects"][:, :3], group[self.picked])

    def place(self, group):
        return (group["objects"] == group[self.picked][:, None]).argmax(axis=1)


class MostCentral(OddOneOut):
    picked = "central"
    turn = staticmethod(from_most_central)


class Rankings(_Form):
    """Objects ranked by their similarity to an anchor, the most similar first."""

    def faults(self, group):
        return faults_of_lists(group["anchor"], group["ranking"], "ranking")

    def answers(self, group):
        top = int(group["top"][0]) if "top" in group else None
        return from_rankings(group["anchor"], group["ranking"], top=top)

    def n_comparisons(self, group):
        n = sizes(group["ranking"])
        return int((n * (n - 1) // 2).sum())


class Choices(_Form):
    """Candidates, some of them chosen as most similar to an anchor."""

    def faults(self, group):
        yield from faults_of_lists(group["anchor"], group["candidates"], "candidates")
        yield from faults_of_choices(group["candidates"], group["chosen"])

    def answers(self, group):
        return from_choices(group["anchor"], group["candidates"], group["chosen"])

    def place(self, group):
        found = (group["candidates"] == group["chosen"][:, :1]).argmax(axis=1)
        return np.where(sizes(group["chosen"]) > 1, _UNKNOWN, found)

    def n_comparisons(self, group):
        n_chosen = sizes(group["chosen"])
        return int((n_chosen * (sizes(group["candidates"]) - n_chosen)).sum())


class BestWorst(_Form):
    """Pairs, and the positions of the most and the least similar pair."""

    def faults(self, group):
        return faults_of_best_worst(group["pairs"], group["best"], group["worst"])

    def answers(self, group):
        pairs = group["pairs"][:, : sizes(group["pairs"])[0]]
        answers = from_best_worst(pairs.reshape(len(pairs), -1, 2), group["best"], group["worst"])
        if "anchor" not in group:
            return answers
        return Answers(answers.comparisons[:, [0, 1, 3]], answers.screen, weight=answers.weight)

    def place(self, group):
        return group["best"]

    def n_comparisons(self, group):
        return int(sizes(group["pairs"]).sum())


def _degenerate(rows, start):
    for rule, bad in degenerate(rows).items():
        yield bad, "", lambda row, say, rule=rule: f"{start} {say(rows[row])}; {rule}"


FORMS = {
    "triplets": Triplets(),
    "quadruplets": Triplets(),
    "odd-one-out": OddOneOut(),
    "most-central": MostCentral(),
    "choices": Choices(),
    "rankings": Rankings(),
    "best-worst": BestWorst(),
    "responses": Responses(),
    "votes": Responses(),
}


def refuse_rows(cells, found, names):
    """Note the rows whose cells do not go together, such as an odd one out that was not shown."""
    if not len(cells.lines):
        return
    if "best" in found:
        _place_pairs(cells, found, names)

    def say(ids):
        return shown_list(names[i] for i in np.atleast_1d(ids) if i != PAD)

    for bad, source, describe in FORMS[found.form].faults(_group(cells, found)):
        start = source and f"{source}: "
        cells.refuse(bad, lambda row, start=start, describe=describe: start + describe(row, say))


def assemble(cells, found, names):
    """Return the answers of cells, and the names, the lines and the places of the table."""
    cells = _repeated(cells, found)
    answers, place = _turn(cells, found)
    answers, lines = _complete(answers, cells, found)
    answers, names = _without_unused(answers, names)
    return answers, names, lines, place


def _place_pairs(cells, found, names):
    """Turn the best and the worst pairs, by number or by their objects, to positions from 0."""
    own = slice("candidates" in found, None)  # without the anchor
    if "candidates" in found:
        _pair_with_anchor(cells)
    for meaning in ("best", "worst"):
        picked = cells.columns[meaning]
        if meaning in cells.known:
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


def _groups(cells):
    """Return the rows that are turned together, group by group."""
    pairs, top = cells.columns.get("pairs"), cells.columns.get("top")
    if pairs is None and top is None:
        return [slice(None)]
    number = number_rows(sizes(pairs) if top is None else top)
    order = np.argsort(number, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(number[order])) + 1)


def _group(cells, found, rows=slice(None)):
    """Return some rows as arrays by meaning."""
    needed = {*found.needed, "pairs", "top", "response"} & cells.columns.keys()
    return {meaning: cells.columns[meaning][rows] for meaning in needed}


def _turn(cells, found):
    """Return the answers of cells, and the places of what was picked."""
    form, rows = FORMS[found.form], _groups(cells)
    groups = [_group(cells, found, some) for some in rows]
    total = sum(form.n_comparisons(group) for group in groups)
    if total > max(_MOST, 2 * len(cells.lines)):
        raise cells.faults.error(
            f"{total:,} comparisons follow from these answers; at most {_MOST:,} can be read"
        )
    answers = [form.answers(group) for group in groups]
    places = [form.place(group) for group in groups]
    if len(groups) == 1:
        return answers[0], places[0]
    order = np.argsort(np.concatenate(rows), kind="stable")
    return _merged(answers, order), None if places[0] is None else np.concatenate(places)[order]


def _merged(groups, order):
    """Return the answers of groups in one table, with all their screens in the given order."""
    whole, rank = concatenate(groups), np.argsort(order)
    screen = rank[whole.screen]
    rows = np.argsort(screen, kind="stable")
    return Answers(whole.comparisons[rows], screen[rows], weight=whole.weight[order])


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
    for meaning in ("time", "weight"):
        if meaning in found:
            amount = cells.columns[meaning]
            known = np.nan_to_num(amount, nan=-1)
            other = np.r_[False, known[1:] != known[:-1]] & ~first
            if other.any():
                row = int(other.argmax())
                raise cells.faults.error(
                    f"{meaning}: {amount[row]:g}, and {amount[row - 1]:g} in the row before, which "
                    "is of the same screen",
                    cells.lines[row],
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
    if total == 0:
        raise cells.faults.error("all votes are 0; give at least one vote")
    if total > _MOST:
        raise cells.faults.error(f"{total:,} votes; at most {_MOST:,} can be read")
    cells = cells.take(np.repeat(np.arange(len(counts)), counts.sum(axis=1)))
    if found.form == "votes":
        responses = np.tile(np.array([1, 0, -1], dtype=np.int32), len(counts))
        cells.columns["response"] = np.repeat(responses, counts.ravel())
    return cells
