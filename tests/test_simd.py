"""The vector arithmetic against numpy and against exact values."""

import numpy as np
import pytest
from numba import njit

from relsim._simd.functions import exp, log1p
from relsim._simd.memory import aligned_zeros, round_up
from relsim._simd.rows import (
    add_difference,
    add_differences,
    pad,
    padded_width,
    squared_distance,
)


@njit
def _exp(x):
    return np.array([exp(value) for value in x])


@njit
def _log1p(x):
    return np.array([log1p(value) for value in x])


@njit
def _squared_distance(X, i, j):
    return squared_distance(X, i, j)


@njit
def _add_difference(G, weight, X, i, j):
    add_difference(G, weight, X, i, j)


@njit
def _add_differences(G, near, far, X, i, j, l, k):
    add_differences(G, near, far, X, i, j, l, k)


def test_exp_agrees_with_numpy_over_the_whole_range():
    rng = np.random.default_rng(0)
    x = np.concatenate(
        [rng.uniform(-708, 709, 100_000), rng.uniform(-1, 1, 100_000), 10.0 ** np.arange(-300, 2)]
    )
    np.testing.assert_allclose(_exp(x), np.exp(x), rtol=1e-15)


def test_exp_at_the_ends_of_its_range():
    assert _exp(np.array([0.0, -0.0])).tolist() == [1.0, 1.0]
    ends = _exp(np.array([-1e300, -np.inf, 1e300, np.inf]))
    np.testing.assert_allclose(ends, np.exp([-708.0, -708.0, 709.0, 709.0]), rtol=1e-15)


def test_log1p_agrees_with_numpy_over_the_whole_range():
    rng = np.random.default_rng(0)
    x = np.concatenate([10.0 ** rng.uniform(-320, 308, 100_000), rng.uniform(0, 4, 100_000)])
    np.testing.assert_allclose(_log1p(x), np.log1p(x), rtol=1e-15)
    assert _log1p(np.array([0.0])).tolist() == [0.0]


@pytest.mark.parametrize("width", range(1, 14))
def test_rows_of_any_width(width):
    rng = np.random.default_rng(width)
    points, gradient = rng.normal(size=(2, 5, width))
    X, G = pad(points), pad(gradient)
    assert X.shape == (5, padded_width(width))
    assert 0 <= X.shape[1] - width < 4
    assert X.shape[1] % 4 == 0

    for i, j in [(0, 1), (4, 2), (3, 3)]:
        expected = ((points[i] - points[j]) ** 2).sum()
        np.testing.assert_allclose(_squared_distance(X, i, j), expected, rtol=1e-14)
    _add_difference(G, 0.7, X, 4, 1)
    gradient[4] += 0.7 * (points[4] - points[1])
    gradient[1] -= 0.7 * (points[4] - points[1])
    np.testing.assert_allclose(G[:, :width], gradient, rtol=1e-14, atol=1e-15)
    assert not G[:, width:].any()


@pytest.mark.parametrize(
    "rows", [(0, 1, 0, 2), (0, 1, 2, 3), (0, 1, 2, 0), (0, 1, 1, 2), (0, 1, 0, 1), (0, 1, 1, 0)]
)
def test_two_differences_are_added_one_after_the_other_however_they_share_rows(rows):
    rng = np.random.default_rng(0)
    X, G = pad(rng.normal(size=(4, 6))), pad(rng.normal(size=(4, 6)))
    expected = G.copy()
    for weight, i, j in [(0.3, *rows[:2]), (-1.7, *rows[2:])]:
        difference = weight * (X[i] - X[j])
        expected[i] += difference
        expected[j] -= difference
    _add_differences(G, 0.3, -1.7, X, *rows)
    np.testing.assert_allclose(G, expected, rtol=1e-14, atol=1e-15)


def test_pad_copies():
    points = np.ones((2, 4))
    pad(points)[0] = 5.0
    assert (points == 1).all()


def test_widths_are_rounded_up_to_whole_vectors():
    assert [round_up(n, 16) for n in (0, 1, 16, 17)] == [0, 16, 16, 32]


def test_aligned_zeros_begin_at_a_cache_line():
    for shape in [(3, 5), (1,), (2, 3, 4)]:
        array = aligned_zeros(shape)
        assert array.shape == shape and array.dtype == np.float64 and not array.any()
        assert array.ctypes.data % 64 == 0 and array.flags.c_contiguous
