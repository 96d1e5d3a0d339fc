"""Check the rows of each form and turn them into comparisons.

A group of rows is a dict that maps meanings to arrays: (n_rows,), or (n_rows, n) for lists, filled
up with -1. Ids are positions in the sorted names; `say` returns the names for an error message.
`check` calls ``refuse(bad, describe)`` for each possible fault.
"""

from collections.abc import Callable

import numpy as np

from closerthan.comparisons.answers import HEADERS, Answers, number_pairs
from closerthan.comparisons.check import hold_twice, pair_alone_or_twice
from closerthan.comparisons.forms.alternatives import from_responses
from closerthan.comparisons.forms.checks import PAD
from closerthan.comparisons.forms.lists import from_choices, from_rankings
from closerthan.comparisons.forms.pairs import from_best_worst
from closerthan.comparisons.forms.three import from_most_central, from_odd_one_out

_UNKNOWN = -1  # no position of a picked object
_DIFFER = "; the three objects must differ"


def _sizes(lists):
    return (lists != PAD).sum(axis=1)


class Form:
    """A form with two comparisons a row that does not tell the position of the picked object."""

    def place(self, group):
        return None

    def n_comparisons(self, group):
        """Return the largest number of comparisons that a group can give."""
        return 2 * len(next(iter(group.values())))


class Triplets(Form):
    """Rows (i, j, k): i is closer to j than to k. Rows (i, j, l, k): i, j are closer than l, k."""

    def columns(self, group):
        return next(names for names in HEADERS.values() if set(names) <= set(group))

    def check(self, group, refuse, say):
        names = self.columns(group)
        columns = [group[name] for name in names]
        objects = np.stack(columns, axis=1)

        def describe(row):
            return f"{', '.join(names)} are {say(objects[row])}"

        if len(names) == 3:
            refuse(hold_twice(objects), lambda row: describe(row) + _DIFFER)
            return
        itself, same = pair_alone_or_twice(*columns)
        refuse(itself, lambda row: f"{describe(row)}; the objects of a pair must differ")
        refuse(same, lambda row: f"{describe(row)}; the two pairs must differ")

    def answers(self, group):
        columns = [group[name] for name in self.columns(group)]
        return Answers(np.stack(columns, axis=1, dtype=np.int64))


class Responses(Triplets):
    """Questions with two alternatives; a response picks the first, the second or neither."""

    def columns(self, group):
        if "anchor" in group:
            return "anchor", "first", "second"
        return "first_1", "first_2", "second_1", "second_2"

    def check(self, group, refuse, say):
        super().check(group, refuse, say)
        if "chosen" in group:
            chosen = group["chosen"]
            known = (chosen < 0) | (chosen == group["first"]) | (chosen == group["second"])
            end = "is neither the first nor the second; if none was chosen, write neither or tie"
            refuse(~known, lambda row: f"chosen: {say(chosen[[row]])} {end}")

    def response(self, group):
        if "response" in group:
            return group["response"]
        first, second = (group["chosen"] == group[name] for name in ("first", "second"))
        return first.astype(np.int32) - second

    def answers(self, group):
        questions = np.stack([group[name] for name in self.columns(group)], axis=1)
        return from_responses(questions, self.response(group))

    def place(self, group):
        response = self.response(group)
        return np.where(response == 0, _UNKNOWN, response < 0)


class OddOneOut(Form):
    """Three objects, one of them picked."""

    picked = "odd"
    turn: Callable[..., Answers] = staticmethod(from_odd_one_out)

    def check(self, group, refuse, say):
        objects, picked = group["objects"], group[self.picked]
        n = _sizes(objects)
        refuse(n != 3, lambda row: f"objects: {n[row]}; there must be 3")
        refuse(hold_twice(objects, fill=PAD), lambda row: f"objects: {say(objects[row])}{_DIFFER}")
        refuse(
            ~(objects == picked[:, None]).any(axis=1),
            lambda row: f"{self.picked}: {say(picked[[row]])} is not one of {say(objects[row])}",
        )

    def answers(self, group):
        return self.turn(group["objects"][:, :3], group[self.picked])

    def place(self, group):
        return (group["objects"] == group[self.picked][:, None]).argmax(axis=1)


class MostCentral(OddOneOut):
    picked = "central"
    turn = staticmethod(from_most_central)


class Rankings(Form):
    """Objects ranked by their similarity to an anchor, the most similar first."""

    ranked = "ranking"

    def check(self, group, refuse, say):
        name, objects = self.ranked, group[self.ranked]
        n = _sizes(objects)
        refuse(n < 2, lambda row: f"{name}: {n[row]}; there must be at least 2")
        refuse(
            (objects == group["anchor"][:, None]).any(axis=1),
            lambda row: f"{name}: {say(objects[row])} include the anchor itself; leave it out",
        )
        twice = hold_twice(objects, fill=PAD)
        refuse(twice, lambda row: f"{name}: {say(objects[row])}; they must differ")

    def answers(self, group):
        top = int(group["top"][0]) if "top" in group else None
        return from_rankings(group["anchor"], group["ranking"], top=top)

    def n_comparisons(self, group):
        n = _sizes(group["ranking"])
        return int((n * (n - 1) // 2).sum())


class Choices(Rankings):
    """Candidates, some of them chosen as most similar to an anchor."""

    ranked = "candidates"

    def check(self, group, refuse, say):
        super().check(group, refuse, say)
        candidates, chosen = group["candidates"], group["chosen"]
        n_chosen, n = _sizes(chosen), _sizes(candidates)
        refuse(
            (n_chosen == 0) | (n_chosen >= n),
            lambda row: (
                f"chosen: {n_chosen[row]} of {n[row]}; at least one must be chosen, but not all"
            ),
        )
        twice = hold_twice(chosen, fill=PAD)
        refuse(twice, lambda row: f"chosen: {say(chosen[row])}; they must differ")
        strange = [(candidates != one[:, None]).all(axis=1) & (one != PAD) for one in chosen.T]
        strange = np.stack(strange, axis=1)
        refuse(
            strange.any(axis=1),
            lambda row: (
                f"chosen: {say(chosen[row][strange[row]])} is not among the candidates "
                f"{say(candidates[row])}"
            ),
        )

    def answers(self, group):
        return from_choices(group["anchor"], group["candidates"], group["chosen"])

    def place(self, group):
        found = (group["candidates"] == group["chosen"][:, :1]).argmax(axis=1)
        return np.where(_sizes(group["chosen"]) > 1, _UNKNOWN, found)

    def n_comparisons(self, group):
        n_chosen = _sizes(group["chosen"])
        return int((n_chosen * (_sizes(group["candidates"]) - n_chosen)).sum())


class BestWorst(Form):
    """Pairs, and the numbers of the most and the least similar pair."""

    def check(self, group, refuse, say):
        pairs = group["pairs"]
        n = _sizes(pairs)
        refuse(
            (n < 4) | (n % 2 == 1),
            lambda row: f"pairs: {n[row]} objects; there must be two or more pairs",
        )
        pairs = pairs[:, : pairs.shape[1] // 2 * 2]
        first, second, fill = pairs[:, ::2], pairs[:, 1::2], pairs[:, ::2] == PAD
        numbers = number_pairs(np.maximum(first, 0), np.maximum(second, 0), int(pairs.max()) + 1)
        numbers = np.where(fill, PAD, numbers)
        for bad, rule in (
            (((first == second) & ~fill).any(axis=1), "the two objects of a pair must differ"),
            (hold_twice(numbers, fill=PAD), "the pairs must differ"),
        ):
            refuse(bad, lambda row, rule=rule: f"pairs: {say(pairs[row])}; {rule}")
        for name in ("best", "worst"):
            unknown = (group[name] < 0) | (group[name] >= n // 2)
            refuse(unknown, lambda row, name=name: f"{name}: there is no pair with this number")
        refuse(group["best"] == group["worst"], lambda row: "best and worst must differ")

    def answers(self, group):
        pairs = group["pairs"][:, : _sizes(group["pairs"])[0]]
        answers = from_best_worst(pairs.reshape(len(pairs), -1, 2), group["best"], group["worst"])
        if "anchor" not in group:
            return answers
        return Answers(answers.comparisons[:, [0, 1, 3]], answers.screen, weight=answers.weight)

    def place(self, group):
        return group["best"]

    def n_comparisons(self, group):
        return int(_sizes(group["pairs"]).sum())


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
