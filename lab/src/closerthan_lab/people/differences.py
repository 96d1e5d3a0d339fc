"""A test of differences between people, or between two groups of them, by scores.

A person's score at the common map is the derivative of their log-likelihood by a symmetric matrix
M, the metric of their distances (x_i - x_j)' M (x_i - x_j).
"""

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit
from sklearn.base import clone

from closerthan._core.threads import one_blas_thread
from closerthan.comparisons.answers import Answers, hash_numbers
from closerthan.comparisons.convert import to_quadruplets
from closerthan.scores.procrustes import procrustes_align
from closerthan_lab.fit_many import missing_objects_allowed
from closerthan_lab.people.people_embedding import PeopleEmbedding, people_of
from closerthan_lab.people.posterior import informations, log_slopes
from closerthan_lab.quality.coverage import each_object_once

LEVEL = 0.05
_BLOCKS = 8  # of questions
_WIDE = 10  # dimensions of the reference map
_UNEVEN = 2.0  # variance of counts of objects, relative to chance
_DRAWS = 999  # of people, for intervals


@dataclass(frozen=True, eq=False)
class Differences:
    """The result of `differences_test`.

    Attributes
    ----------
    p_value : float
        Of the hypothesis that all people, or both groups, have the same distances.
    table : DataFrame
        A row for the scale and for each dimension: ``what``, ``effect``, the ends of its 95 %
        interval ``low`` and ``high``, and ``p_value``. Between people, the effect is the standard
        deviation of the log scale, or of the log weights. Between groups it is the difference of
        the mean logarithms, the second group minus the first. Intervals and p-values are adjusted
        for the number of rows. P-values also hold for any choice of axes, so an interval may
        exclude zero although the p-value is large.
    groups : tuple of str or None
        The names of the groups.
    n_people, n_permutations : int
    same_objects : bool
        Whether all people, or both groups, were asked about each object equally often, apart from
        chance.
    """

    p_value: float
    table: pd.DataFrame
    groups: tuple | None
    n_people: int
    n_permutations: int
    same_objects: bool

    def facts(self) -> dict[str, Any]:
        """Return the result as plain values."""
        table = self.table.astype(object).where(self.table.notna(), None)
        return {
            "groups": self.groups,
            "p_value": self.p_value,
            "permutations": self.n_permutations,
            "same_objects": self.same_objects,
            "effects": table.to_dict("records"),
        }

    def sentence(self) -> str:
        """Return the result in one or two sentences."""
        groups = self.groups and " and ".join(map(str, self.groups))
        who = f"The groups {groups}" if groups else "The people"
        chance = f"(p = {self.p_value:.2g}, {self.n_permutations:,} permutations of people)"
        effect = "difference" if groups else "standard deviation"
        where = [
            f"{named_effect(row.what)} ({effect} {row.effect:.2f}, 95% CI {row.low:.2f} to "
            f"{row.high:.2f})"
            for row in self.table.query("p_value <= @LEVEL").itertuples()
        ]
        if self.p_value > LEVEL:
            said = f"{who} do not differ significantly {chance}."
        elif where:
            said = f"{who} differ {chance}, in natural logarithms: {', '.join(where)}."
        else:
            said = (
                f"{who} differ {chance}. No single dimension is significant after the correction "
                "for all dimensions and axes."
            )
        if self.same_objects:
            return said
        return (
            f"{said} Not all were asked about each object equally often, so faults of the map may "
            "look like differences."
        )


def named_effect(what):
    """Return a name of the column ``what`` in words."""
    return what if what == "scale" else f"weight of dimension {what.removeprefix('weight_')}"


def differences_test(
    model: PeopleEmbedding,
    answers: Answers,
    groups: dict | None = None,
    *,
    n_permutations: int = 999,
    random_state: int = 0,
) -> Differences:
    """Test whether people differ, or two groups of them.

    The statistic is the largest variance of whitened scores over all directions. Permutations of
    people give its distribution without differences. The p-value of a dimension holds for any
    choice of axes, and for all dimensions together. Everyone should be asked about the same
    objects, apart from chance; otherwise faults of the map near some objects show as differences.
    An answer counts by what it says beyond a map in ten dimensions.

    Parameters
    ----------
    model : PeopleEmbedding
        Fitted to the answers.
    answers : Answers
        The answers that the model was fitted to.
    groups : dict, optional
        The group of each participant. A participant without a group, another number of groups than
        two, or a group too small for a significant difference is a ValueError.
    n_permutations : int, default 999
        Number of permutations.
    random_state : int, default 0
        The same number gives the same result on the same machine.

    Examples
    --------
    >>> from closerthan.comparisons import sample_from_points
    >>> points = np.random.default_rng(0).normal(size=(20, 2))
    >>> asked = [sample_from_points(points * [1, seen], 200, random_state=p)
    ...          for p, seen in enumerate([0.2] * 5 + [1] * 5)]
    >>> answers = Answers(np.concatenate(asked), participant=np.repeat(np.arange(10), 200))
    >>> model = PeopleEmbedding(random_state=0).fit(answers)
    >>> differences_test(model, answers, {p: p < 5 for p in range(10)}).p_value < 0.05
    True
    """
    names, person = people_of(answers)
    group = None if groups is None else groups_of(names, groups)
    kept = np.isfinite(model.embedding_[:, 0])
    points = np.zeros_like(model.embedding_)
    points[kept] = procrustes_align(
        model.embedding_[kept], model.common_.embedding_[kept], scale=False
    )
    n_components = points.shape[1]
    reference = model.common_
    n_wide = min(_WIDE, int(kept.sum()) - 1)
    if n_components < n_wide:
        reference = clone(reference).set_params(n_components=n_wide, loss=model.loss_)
        with missing_objects_allowed():
            reference.fit(answers)
    probability = reference.predict_proba(answers)[:, 1]
    blocks = _Blocks(model.loss_, points, answers, person, probability, random_state)
    sides = np.unique(group) if group is not None else np.empty(0)
    rng = np.random.default_rng(random_state)
    with one_blas_thread():
        white, whiten = _white(blocks.scores)
        directions = (_contrasts(n_components) @ blocks.on_diagonal) @ whiten
        lengths = np.linalg.norm(directions, axis=1, keepdims=True)
        directions = np.divide(directions, lengths, out=0 * directions, where=lengths > 0)

        def sums(shuffled):
            if group is None:
                parts = white.swapaxes(0, 1)
                return sum(rng.permutation(part) for part in parts) if shuffled else sum(parts)
            second = (rng.permutation(group) if shuffled else group) == sides[1]
            people = white.sum(axis=1)
            return people[second].mean(axis=0, keepdims=True) - people[~second].mean(axis=0)

        found = sums(shuffled=False)
        by_chance = [_largest(sums(shuffled=True)) for _ in range(n_permutations)]
        squares = np.r_[_largest(found), ((found @ directions.T) ** 2).sum(axis=0)]
        p_values = (1 + (by_chance >= squares[:, None]).sum(axis=1)) / (1 + n_permutations)
        effects = blocks.effects(_contrasts(n_components), group, sides, rng)
    what = ["scale", *(f"weight_{k + 1}" for k in range(n_components))]
    table = pd.DataFrame({"what": what[: len(directions)], **effects, "p_value": p_values[1:]})
    return Differences(
        float(p_values[0]),
        table,
        tuple(sides.tolist()) or None,
        len(names),
        n_permutations,
        _same_objects(answers, person if group is None else (group == sides[0])[person]),
    )


def _same_objects(answers, asked):
    """Return whether objects occur about equally often for all who were asked (Pearson's test)."""
    objects, rows = each_object_once(answers.comparisons)
    pairs = np.unique(np.stack([answers.screen[rows], objects]), axis=1)
    who = np.unique(asked, return_inverse=True)[1][pairs[0]]
    ids = np.unique(pairs[1], return_inverse=True)[1]
    counts = np.zeros((who.max() + 1, ids.max() + 1))
    np.add.at(counts, (who, ids), 1)
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    freedom = max(len(counts) - 1, 1) * max(counts.shape[1] - 1, 1)
    return bool(((counts - expected) ** 2 / expected).sum() < _UNEVEN * freedom)


class _Blocks:
    """Sums of scores over blocks of questions of each person."""

    def __init__(self, loss, points, answers, person, reference, random_state):
        n_components = points.shape[1]
        self.n_people = int(person.max()) + 1
        question = answers.question.astype(np.uint64) + np.uint64(random_state)
        block = (hash_numbers(question) % np.uint64(_BLOCKS)).astype(np.int64)
        place, n_places = person * _BLOCKS + block, self.n_people * _BLOCKS
        of_comparison, weight = place[answers.screen], answers.sample_weight
        comparisons = to_quadruplets(answers.comparisons)
        nobody = np.zeros((1, n_components))
        slopes = log_slopes(loss, points, nobody, comparisons, 0 * of_comparison)
        self._information = informations(slopes, weight, 0 * of_comparison, 1)[0] / len(person)
        i, j, l, k = points[comparisons].transpose(1, 0, 2)
        near, far = i - j, l - k
        a, b = (near**2).sum(axis=1), (far**2).sum(axis=1)
        given, opposite = loss.slopes(a, b, n_components), loss.slopes(b, a, n_components)[::-1]
        # The slopes of the log odds, times what the answer says beyond the reference map.
        rest = weight * (1 - reference)
        of_near, of_far = ((one - other) * rest for one, other in zip(given, opposite, strict=True))

        def summed(r, s):
            score = of_near * near[:, r] * near[:, s] + of_far * far[:, r] * far[:, s]
            return np.bincount(of_comparison, -score, minlength=n_places)

        self.n = np.bincount(place, minlength=n_places).reshape(self.n_people, _BLOCKS)
        pairs = [(r, s) for r in range(n_components) for s in range(r, n_components)]
        scores = np.stack([summed(r, s) for r, s in pairs], axis=1)
        scores = scores.reshape(self.n_people, _BLOCKS, -1)
        scores = scores / np.sqrt(np.maximum(self.n, 1))[:, :, None]
        self.scores = scores - scores.mean(axis=0)
        # Which scores belong to the log weights: a row for each dimension.
        self.on_diagonal = np.array(
            [[float(r == s == k) for r, s in pairs] for k in range(n_components)]
        )

    def effects(self, contrasts, group, sides, rng):
        """Return effects and the ends of their intervals, for contrasts of the log weights."""
        slopes = contrasts @ np.linalg.pinv(self._information) @ self.on_diagonal
        weighted = np.sqrt(self.n)[:, :, None] * (self.scores @ slopes.T)  # n times the effect
        level = LEVEL / len(contrasts)
        if group is None:
            own = weighted.sum(axis=1) ** 2 - (weighted**2).sum(axis=1)
            size = self.n.sum(axis=1) ** 2 - (self.n**2).sum(axis=1)
            drawn = rng.integers(self.n_people, size=(_DRAWS, self.n_people))
            again = own[drawn].sum(axis=1) / np.maximum(size[drawn].sum(axis=1), 1)[:, None]
            low, high = np.quantile(again, [level / 2, 1 - level / 2], axis=0)
            found = own.sum(axis=0) / max(size.sum(), 1)
            found, low, high = (np.sqrt(np.maximum(x, 0)) for x in (found, low, high))
            return {"effect": found, "low": low, "high": high}
        means, variances = [], []
        for side in sides:
            part, n = weighted[group == side].sum(axis=1), self.n[group == side].sum(axis=1)
            mean = part.sum(axis=0) / n.sum()
            rest = part - n[:, None] * mean
            means.append(mean)
            variances.append((rest**2).sum(axis=0) / n.sum() ** 2 * len(n) / (len(n) - 1))
        difference = means[1] - means[0]
        half = stdtrit(len(group) - 2, 1 - level / 2) * np.sqrt(sum(variances))
        return {"effect": difference, "low": difference - half, "high": difference + half}


def _contrasts(n_components):
    """Return the log scale and the log weights as functions of the logarithms t."""
    mean = np.full((1, n_components), 1 / n_components)
    return np.vstack([mean, np.eye(n_components) - mean]) if n_components > 1 else mean


def _white(scores):
    """Return uncorrelated scores of variance one, and the matrix that makes them."""
    rows = scores.reshape(-1, scores.shape[2])
    sizes, axes = np.linalg.eigh(rows.T @ rows / len(rows))
    used = sizes > 1e-9 * sizes[-1]
    whiten = axes[:, used] / np.sqrt(sizes[used]) @ axes[:, used].T
    return scores @ whiten, whiten


def _largest(rows):
    """Return the largest sum of squares of rows, over all directions."""
    few = rows @ rows.T if len(rows) < rows.shape[1] else rows.T @ rows
    return float(np.linalg.eigvalsh(few)[-1])


def groups_of(names, groups):
    """Return the group of each person. Whole numbers may be given as text."""
    found = [groups.get(name, groups.get(str(name))) for name in names.tolist()]
    if None in found:
        name = names.tolist()[found.index(None)]
        raise ValueError(f"groups: participant {name!r} has none; give each participant a group")
    group = np.array(found)
    sides, sizes = np.unique(group, return_counts=True)
    if len(sides) != 2:
        some = ", ".join(map(repr, sides.tolist()[:5]))
        raise ValueError(f"groups: there are {len(sides)} ({some}); give two")
    least = (1 + (sizes[0] == sizes[1])) / comb(int(sizes.sum()), int(sizes[0]))
    if sizes.min() < 2 or least > LEVEL:
        raise ValueError(
            f"groups: {sides.tolist()[sizes.argmin()]!r} has {sizes.min()} of {sizes.sum()} "
            "people; with so few, no difference could be significant"
        )
    return group
