"""Turn the rows of each form into comparisons.

A group of rows is a dict that maps meanings to arrays: (n_rows,), or (n_rows, n) for lists, filled
up with -1. Ids are positions in the sorted names. `closerthan.comparisons.forms` has the checks of
each form; `faults` gives them the columns of a group.
"""

from collections.abc import Callable

import numpy as np

from closerthan.comparisons.answers import HEADERS, Answers
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

_UNKNOWN = -1  # no position of a picked object


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


class OddOneOut(Form):
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


class Rankings(Form):
    """Objects ranked by their similarity to an anchor, the most similar first."""

    def faults(self, group):
        return faults_of_lists(group["anchor"], group["ranking"], "ranking")

    def answers(self, group):
        top = int(group["top"][0]) if "top" in group else None
        return from_rankings(group["anchor"], group["ranking"], top=top)

    def n_comparisons(self, group):
        n = sizes(group["ranking"])
        return int((n * (n - 1) // 2).sum())


class Choices(Form):
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


class BestWorst(Form):
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
