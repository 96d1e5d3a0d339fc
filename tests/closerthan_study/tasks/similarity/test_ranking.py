"""Check rankings against the definition, also for many items."""

import numpy as np
import pytest

from closerthan_study.tasks.similarity.ranking import (
    average_precision_among,
    average_precision_by,
)
from closerthan_study.tasks.similarity.trials import Objects


@pytest.mark.parametrize("learned", [None, "M", "L"])
def test_rankings_are_those_of_the_definition(map_by_hand, learned):
    rng = np.random.default_rng(2)
    q, x, m = rng.normal(size=(8, 3)), rng.normal(size=(40, 3)), rng.normal(size=(3, 3))
    queries, items = Objects(q, rng.integers(3, size=8)), Objects(x, rng.integers(3, size=40))
    background = rng.normal(size=(50, 3))
    everything = np.vstack([x, background])
    if learned == "M":
        scores = np.array([[a @ m @ b for b in everything] for a in q])
    else:
        m = None if learned is None else m
        root = np.eye(3) if m is None else m
        scores = np.array([[-np.linalg.norm(root @ (a - b)) for b in everything] for a in q])
    found = average_precision_by(learned == "M", m, queries, items)
    assert found == pytest.approx(map_by_hand(scores[:, :40], queries.labels, items.labels))
    among = map_by_hand(scores, queries.labels, np.append(items.labels, np.full(50, -1)))
    assert among < found
    for size in (7, 50):
        chunks = (background[start : start + size] for start in range(0, 50, size))
        found = average_precision_among(learned == "M", m, queries, items, chunks)
        assert found == pytest.approx(among)


def test_a_ranking_by_a_matrix_that_is_not_finite_is_missing():
    objects, broken = Objects(np.eye(3), np.arange(3)), np.full((3, 3), np.inf)
    assert np.isnan(average_precision_by(True, broken, objects, objects))
    assert np.isnan(average_precision_among(True, broken, objects, objects, []))
