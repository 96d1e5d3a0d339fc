"""Worlds of objects and answers, and what may change in them without changing a result.

A table has a row for each estimator or function. The row makes a result without units from a
`World`, and names the changes that must leave it equal.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from closerthan.comparisons import sample_from_points

N = 14


@dataclass(frozen=True)
class World:
    """Objects, and answers about them; `objects` has the row of each of them in every result."""

    X: np.ndarray  # points in five dimensions, of which the first two matter
    D: np.ndarray
    pair_weights: np.ndarray
    answers: np.ndarray
    probability: np.ndarray
    sample_weight: np.ndarray
    labels: np.ndarray
    objects: np.ndarray
    unit: float = 1.0
    weight: float = 1.0

    def map(self, points):
        """Return the distances between the objects, in the same order in every world."""
        return squareform(pdist(points[self.objects]))

    def pairs(self, matrix):
        return matrix[np.ix_(self.objects, self.objects)]


def a_world():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 5)) * [1.0, 0.8, 0.1, 0.1, 0.1]
    answers = sample_from_points(X[:, :2], 900, random_state=0)
    wrong = rng.random(900) < 0.1
    answers[wrong] = answers[wrong][:, [0, 2, 1]]
    weights = rng.uniform(1, 2, size=(N, N))
    given = rng.uniform(size=900), rng.uniform(1, 2, size=900), np.arange(N) % 3, np.arange(N)
    return World(X, squareform(pdist(X)), weights + weights.T, answers, *given)


def _weights(factor):
    def change(world):
        weight = {"sample_weight": factor * world.sample_weight, "weight": factor}
        return world, replace(world, pair_weights=factor * world.pair_weights, **weight)

    return change


def _unit(factor):
    def change(world):
        return world, replace(world, X=factor * world.X, D=factor * world.D, unit=factor)

    return change


def _twice(world):
    """Weight 2, beside rows that are given twice."""
    rows = np.tile(np.arange(len(world.answers)), 2)
    return replace(world, sample_weight=2 * world.sample_weight), _rows(world, rows)


def _permuted(world):
    return world, _rows(world, np.random.default_rng(1).permutation(len(world.answers)))


def _rows(world, rows):
    names = ("answers", "probability", "sample_weight")
    return replace(world, **{name: getattr(world, name)[rows] for name in names})


def _renumbered(world):
    new = np.random.default_rng(2).permutation(N)
    old, square = np.argsort(new), np.ix_(np.argsort(new), np.argsort(new))
    rows = {"X": world.X[old], "labels": world.labels[old], "objects": new}
    tables = {"D": world.D[square], "pair_weights": world.pair_weights[square]}
    return world, replace(world, answers=new[world.answers], **rows, **tables)


def _with_another(world):
    """An object 5 that no answer names."""
    new = np.arange(N) + (np.arange(N) >= 5)
    X = np.insert(world.X, 5, 3.0, axis=0)
    return world, replace(world, X=X, objects=new, answers=new[world.answers])


CHANGES = {
    "weights": [_weights(1e-12), _weights(1e12)],
    "unit": [_unit(1e-6), _unit(1e6)],
    "far": [_unit(1e-80), _unit(1e80)],
    "twice": [_twice],
    "permuted": [_permuted],
    "renumbered": [_renumbered],
    "another": [_with_another],
}


class Row(NamedTuple):
    """A result without units, the changes that leave it equal, and those that search anew.

    A search from other random numbers, or in another order, ends near by: within `near`.
    """

    result: Callable
    equal: str
    close: str = ""
    near: float = 0.01


def each_row(table):
    """Parametrize a test with the result, the change and the tolerance of each row of a table."""
    cases = [
        pytest.param(row.result, change, tolerance, id=f"{name}-{change}")
        for name, row in table.items()
        for changes, tolerance in ((row.equal, 1e-6), (row.close, row.near))
        for change in changes.split()
    ]
    return pytest.mark.parametrize("result, change, tolerance", cases)


def check(result, change, tolerance):
    """Check that the result stays within the tolerance, a share of its largest number."""
    for changed in CHANGES[change]:
        one, other = (np.asarray(result(world), dtype=float) for world in changed(a_world()))
        np.testing.assert_allclose(other, one, rtol=0, atol=tolerance * np.abs(one).max())
