"""Check the Procrustes test: scipy's distance, p-values by enumeration, and refusals."""

from itertools import permutations

import numpy as np
import pytest
from scipy.spatial import procrustes

from closerthan_lab.quality.protest import procrustes_test


def maps(n, noise, seed=0, widths=(2, 2)):
    rng = np.random.default_rng(seed)
    wide = rng.normal(size=(n, max(widths)))
    return wide[:, : widths[0]], wide[:, : widths[1]] + noise * rng.normal(size=(n, widths[1]))


def test_the_distance_is_that_of_scipy_either_way():
    first, second = maps(12, 0.7)
    test = procrustes_test(first, second, n_permutations=10, random_state=0)
    assert test.distance == pytest.approx(procrustes(first, second)[2])
    assert test.distance == pytest.approx(procrustes_test(second, first).distance)
    assert test.correlation == pytest.approx(np.sqrt(1 - test.distance))


def test_the_p_value_is_near_that_of_all_permutations():
    first, second = maps(6, 0.9, seed=4)
    distance = procrustes(first, second)[2]
    every = [procrustes(first, second[list(order)])[2] for order in permutations(range(6))]
    exact = np.mean(np.array(every) <= distance + 1e-9)
    test = procrustes_test(first, second, n_permutations=20_000, random_state=0)
    assert 0.01 < exact < 0.9
    assert test.p_value == pytest.approx(exact, abs=0.012)
    assert test.by_chance == pytest.approx(np.median(every), abs=0.02)


def test_unrelated_maps_have_p_values_that_are_uniform():
    rng = np.random.default_rng(0)
    p_values = [
        procrustes_test(*rng.normal(size=(2, 10, 2)), n_permutations=99, random_state=i).p_value
        for i in range(300)
    ]
    assert np.mean(np.array(p_values) <= 0.1) == pytest.approx(0.1, abs=0.05)
    assert np.mean(np.array(p_values) <= 0.5) == pytest.approx(0.5, abs=0.09)


def test_maps_of_other_widths_and_a_seed():
    first, second = maps(15, 0.2, widths=(2, 3))
    once, again = (
        procrustes_test(first, second, n_permutations=200, random_state=3) for _ in range(2)
    )
    assert once == again
    assert once.p_value == 1 / 201


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (np.zeros((4, 2)), np.eye(4, 2), "truth: all points"),
        (np.eye(4, 2), np.zeros((4, 2)), "truth: all points"),
        (np.eye(4, 2), np.eye(3, 2), "row i of both"),
        (np.eye(2), np.eye(2), "give three or more"),
    ],
)
def test_what_cannot_be_compared_is_refused(first, second, message):
    with pytest.raises(ValueError, match=message):
        procrustes_test(first, second)
