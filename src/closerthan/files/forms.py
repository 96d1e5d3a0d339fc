"""Rows of each form turned to comparisons, and what can be wrong with them.

A group of rows is a dict of arrays by the columns' meaning: (n_rows,), or (n_rows, n) of lists, all
of one length. Ids are those of the sorted names, and `say` returns the names for an error message.
"""

from collections.abc import Callable

import numpy as np

from closerthan.comparisons.answers import Answers, number_pairs
from closerthan.comparisons.forms.alternatives import from_responses
from closerthan.comparisons.forms.lists import from_choices, from_rankings
from closerthan.comparisons.forms.pairs import from_best_worst
from closerthan.comparisons.forms.three import from_most_central, from_odd_one_out

_UNKNOWN = -1  # the place of what was picked, where there is none


class Triplets:
    """(i, j, k): i is closer to j than to k."""

    columns: tuple[str, ...] = ("anchor", "near", "far")

    def faults(self, group, say):
        objects = np.stack([group[name] for name in self.columns], axis=1)
        yield (
            _twice(objects),
            lambda row: (
                f"{', '.join(self.columns)} are {say(objects[row])}; the three objects must differ"
            ),
        )

    def answers(self, group):
        columns = [group[name] for name in self.columns]
        comparisons = np.empty((len(columns[0]), len(columns)), dtype=np.int64)
        for place, column in enumerate(columns):
            comparisons[:, place] = column
        return Answers(comparisons)

    def place(self, group):
        return None


class Quadruplets(Triplets):
    """(i, j, l, k): i and j are closer than l and k."""

    columns = ("near_1", "near_2", "far_1", "far_2")

    def faults(self, group, say):
        yield from _pair_faults([group[name] for name in self.columns], self.columns, say)


class OddOneOut:
    """Three objects, and the one that is picked."""

    picked = "odd"
    turn: Callable[..., Answers] = staticmethod(from_odd_one_out)

    def faults(self, group, say):
        objects, picked = group["objects"], group[self.picked]
        if objects.shape[1] != 3:
            yield (
                np.True_,
                lambda row: f"objects: {objects.shape[1]}; there must be three",
            )
            return
        yield (
            _twice(objects),
            lambda row: f"objects: {say(objects[row])}; the three objects must differ",
        )
        yield (
            ~(objects == picked[:, None]).any(axis=1),
            lambda row: (
                f"{self.picked}: {say(picked[row : row + 1])} is not one of {say(objects[row])}"
            ),
        )

    def answers(self, group):
        return self.turn(group["objects"], group[self.picked])

    def place(self, group):
        return (group["objects"] == group[self.picked][:, None]).argmax(axis=1)


class MostCentral(OddOneOut):
    picked = "central"
    turn = staticmethod(from_most_central)


class Choices:
    """Some of the candidates beside an anchor."""

    def faults(self, group, say):
        yield from _list_faults(group, "candidates", 2, say)
        candidates, chosen = group["candidates"], group["chosen"]
        n_chosen, n = chosen.shape[1], candidates.shape[1]
        if not 0 < n_chosen < n:
            yield (
                np.True_,
                lambda row: (
                    f"chosen: {n_chosen} of {n}; at least one must be chosen, and one left over"
                ),
            )
            return
        yield _twice(chosen), lambda row: f"chosen: {say(chosen[row])}; they must differ"
        known = np.stack([(candidates == one[:, None]).any(axis=1) for one in chosen.T], axis=1)
        yield (
            ~known.all(axis=1),
            lambda row: (
                f"chosen: {say(chosen[row][~known[row]])}, not among the candidates "
                f"{say(candidates[row])}"
            ),
        )

    def answers(self, group):
        return from_choices(group["anchor"], group["candidates"], group["chosen"])

    def place(self, group):
        if group["chosen"].shape[1] > 1:
            return np.full(len(group["anchor"]), _UNKNOWN)
        return (group["candidates"] == group["chosen"]).argmax(axis=1)


class Rankings:
    """The objects beside an anchor, the most similar first."""

    def faults(self, group, say):
        yield from _list_faults(group, "ranking", 2, say)

    def answers(self, group):
        top = int(group["top"][0]) if "top" in group else None
        return from_rankings(group["anchor"], group["ranking"], top=top)

    def place(self, group):
        return None


class BestWorst:
    """Pairs, the most and the least similar of which are told by their numbers."""

    def faults(self, group, say):
        pairs = group["pairs"]
        if pairs.shape[1] < 4 or pairs.shape[1] % 2:
            yield (
                np.True_,
                lambda row: f"pairs: {pairs.shape[1]} objects; there must be pairs, two or more",
            )
            return
        first, second = pairs[:, ::2], pairs[:, 1::2]
        yield (
            (first == second).any(axis=1),
            lambda row: f"pairs: {say(pairs[row])}; the two objects of a pair must differ",
        )
        yield (
            _twice(number_pairs(first, second, int(pairs.max()) + 1)),
            lambda row: f"pairs: {say(pairs[row])}; the pairs must differ",
        )
        for name in ("best", "worst"):
            unknown = ~np.isin(group[name], np.arange(first.shape[1]))
            yield unknown, lambda row, name=name: f"{name}: there is no pair of that number"
        yield group["best"] == group["worst"], lambda row: "best and worst are the same pair"

    def answers(self, group):
        n = len(group["pairs"])
        return from_best_worst(group["pairs"].reshape(n, -1, 2), group["best"], group["worst"])

    def place(self, group):
        return group["best"]


class Responses:
    """A question with two alternatives, and which of them was taken, if any."""

    def questions(self, group):
        if "anchor" in group:
            return [group[name] for name in ("anchor", "first", "second")]
        return [group[name] for name in ("first_1", "first_2", "second_1", "second_2")]

    def faults(self, group, say):
        if "anchor" in group:
            objects = np.stack(self.questions(group), axis=1)
            yield (
                _twice(objects),
                lambda row: (
                    f"anchor, first, second are {say(objects[row])}; the three objects must differ"
                ),
            )
        else:
            names = ("first_1", "first_2", "second_1", "second_2")
            yield from _pair_faults(self.questions(group), names, say)
        if "chosen" in group:
            chosen = group["chosen"]
            known = (chosen < 0) | (chosen == group["first"]) | (chosen == group["second"])
            yield (
                ~known,
                lambda row: (
                    f"chosen: {say(chosen[row : row + 1])} is neither the first nor the second; "
                    "where none was chosen, write neither or tie"
                ),
            )

    def response(self, group):
        if "response" in group:
            return group["response"]
        first, second = (group["chosen"] == group[name] for name in ("first", "second"))
        return first.astype(np.int32) - second

    def answers(self, group):
        return from_responses(np.stack(self.questions(group), axis=1), self.response(group))

    def place(self, group):
        response = self.response(group)
        return np.where(response == 0, _UNKNOWN, response < 0)


FORMS = {
    "triplets": Triplets(),
    "quadruplets": Quadruplets(),
    "odd-one-out": OddOneOut(),
    "most-central": MostCentral(),
    "choices": Choices(),
    "rankings": Rankings(),
    "best-worst": BestWorst(),
    "responses": Responses(),
    "votes": Responses(),
}


def n_comparisons(form, group):
    """Return how many comparisons follow from a group, at most."""
    n_rows = len(next(iter(group.values())))
    if form == "choices":
        n_chosen = group["chosen"].shape[1]
        return n_rows * n_chosen * (group["candidates"].shape[1] - n_chosen)
    if form == "rankings":
        n = group["ranking"].shape[1]
        return n_rows * n * (n - 1) // 2
    return n_rows * (group["pairs"].shape[1] if form == "best-worst" else 2)


def _twice(objects):
    """Whether an object, or a number, is twice in a row."""
    ordered = np.sort(objects, axis=1)
    return (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)


def _pair_faults(columns, names, say):
    i, j, l, k = columns

    def objects(row):
        return f"{', '.join(names)} are {say(np.array([column[row] for column in columns]))}"

    yield (i == j) | (l == k), lambda row: f"{objects(row)}; the objects of a pair must differ"
    same = ((i == l) & (j == k)) | ((i == k) & (j == l))
    yield same, lambda row: f"{objects(row)}; the two pairs must differ"


def _list_faults(group, name, least, say):
    anchor, objects = group["anchor"], group[name]
    if objects.shape[1] < least:
        yield (
            np.True_,
            lambda row: f"{name}: {objects.shape[1]}; there must be at least {least}",
        )
        return
    yield (
        (objects == anchor[:, None]).any(axis=1),
        lambda row: f"{name}: {say(objects[row])}, and among them the anchor itself",
    )
    yield _twice(objects), lambda row: f"{name}: {say(objects[row])}; they must differ"
