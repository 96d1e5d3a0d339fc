"""Check cycles of answers against every order of the pairs and paths found by hand."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan import comparisons as rc
from closerthan.comparisons import Answers
from closerthan.scores import triplet_error
from closerthan_lab.quality import inconsistency


def pairs_of(answers):
    """Return the nearer and the farther pair of each comparison, as sets, and its weight."""
    rows = answers.comparisons.tolist()
    quadruplets = [row if len(row) == 4 else [row[0], row[1], row[0], row[2]] for row in rows]
    pairs = [(frozenset(row[:2]), frozenset(row[2:])) for row in quadruplets]
    return pairs, answers.sample_weight


def least_broken(answers):
    """Return the smallest share that any order of all pairs breaks, by brute force."""
    arcs, weight = pairs_of(answers)
    nodes = list({pair for arc in arcs for pair in arc})
    number = {pair: n for n, pair in enumerate(nodes)}
    arcs = np.array([[number[near], number[far]] for near, far in arcs])
    place = np.argsort(np.array(list(permutations(range(len(nodes))))), axis=1)
    broken = (place[:, arcs[:, 0]] > place[:, arcs[:, 1]]) @ weight
    return broken.min() / weight.sum()


def share_in_cycles(answers):
    """Follow the arcs from each head until they meet the tail or reach nothing new."""
    arcs, weight = pairs_of(answers)
    after = {}
    for near, far in arcs:
        after.setdefault(near, set()).add(far)
    cyclic = []
    for near, far in arcs:
        reached, new = {far}, {far}
        while new:
            new = set().union(*(after.get(pair, set()) for pair in new)) - reached
            reached |= new
        cyclic.append(near in reached)
    return np.average(cyclic, weights=weight)


@pytest.mark.parametrize("n_columns", [3, 4])
@given(seed=st.integers(0, 2**32 - 1))
def test_the_best_order_breaks_a_share_between_the_bounds(n_columns, seed):
    """Test random answers over four objects, with six pairs and 720 orders."""
    rng = np.random.default_rng(seed)
    rows = []
    while len(rows) < 3 + seed % 12:
        row = rng.permutation(4)[:3] if n_columns == 3 else rng.integers(4, size=4)
        near, far = set(row[:2].tolist()), set(row[-2:].tolist())
        if n_columns == 3 or (len(near) == len(far) == 2 and near != far):
            rows.append(row)
    answers = Answers(rows, weight=rng.integers(1, 4, size=len(rows)))
    found = inconsistency(answers)
    exact = least_broken(answers)
    assert found.least <= exact + 1e-12 and exact <= found.most + 1e-12
    np.testing.assert_allclose(found.in_cycles, share_in_cycles(answers))
    assert (found.least > 0) == (exact > 0) == (found.most > 0) == (found.in_cycles > 0)


def test_the_bounds_are_mostly_exact_where_all_orders_can_be_tried():
    least = most = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        answers = Answers([rng.permutation(4)[:3] for _ in range(12)])
        found, exact = inconsistency(answers), least_broken(answers)
        least += abs(found.least - exact) < 1e-9
        most += abs(found.most - exact) < 1e-9
    assert least >= 95 and most >= 95


@pytest.mark.parametrize("length", [2, 3, 4, 7])
def test_one_cycle_breaks_one_answer(length):
    cycle = [[0, 1 + n, 1 + (n + 1) % length] for n in range(length)]
    found = inconsistency([*cycle, [0, 9, 10], [8, 0, 1]])
    np.testing.assert_allclose(found, (1 / (length + 2), 1 / (length + 2), length / (length + 2)))


def test_no_embedding_errs_less():
    """The true embedding does not err less either, with 15 % of its answers swapped."""
    points = np.random.default_rng(0).normal(size=(20, 2))
    answers = rc.sample_from_points(points, 4000, random_state=0, replace=True)
    answers, _ = rc.swap_answers(answers, 0.15, random_state=0)
    found = inconsistency(answers)
    assert 0.05 < found.least <= found.most <= triplet_error(points, answers)
    assert found.in_cycles > 0.9


def test_answers_that_do_not_count_are_refused():
    with pytest.raises(ValueError, match="weight: all are 0"):
        inconsistency(Answers([[0, 1, 2]], weight=[0]))


def test_ids_may_be_as_large_as_integers_are():
    most = 2**63 - 1
    assert inconsistency([[most, 0, 1], [most, 1, 0]]) == (0.5, 0.5, 1)
    # 2**24 times 2**40 objects would overflow to 0.
    assert inconsistency([[2**24, 2**40 - 1, 5], [0, 5, 2**40 - 1]]) == (0, 0, 0)
