"""The vector arithmetic against numpy and against exact values."""

import runpy

import numpy as np
import pytest
from numba import config, njit

from closerthan._core.elementary import exp, log1p
from closerthan._core.vectors import (
    add_difference,
    add_differences,
    add_differences_from,
    aligned_zeros,
    distances_of_four,
    distances_of_one,
    distances_to_four,
    pad,
    padded_width,
    round_up,
    sizes_of,
    squared_distance,
)


@njit
def _exp(x):
    return np.array([exp(value) for value in x])


@njit
def _log1p(x):
    return np.array([log1p(value) for value in x])


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
        np.testing.assert_allclose(squared_distance(X, i, j), expected, rtol=1e-14)
    add_difference(G, 0.7, X, 4, 1)
    gradient[4] += 0.7 * (points[4] - points[1])
    gradient[1] -= 0.7 * (points[4] - points[1])
    np.testing.assert_allclose(G[:, :width], gradient, rtol=1e-14, atol=1e-15)
    assert not G[:, width:].any()


@pytest.mark.parametrize("n_ends", [3, 4])
@pytest.mark.parametrize("width", [1, 4, 10, 300])
def test_distances_of_one_comparison_and_of_four(width, n_ends):
    rng = np.random.default_rng(width)
    points = rng.normal(size=(9, width))
    comparisons = rng.integers(9, size=(6, n_ends)).astype(np.uint32)
    i, j, l, k = points[comparisons[:, [0, 1, 0, 2] if n_ends == 3 else [0, 1, 2, 3]]].swapaxes(
        0, 1
    )
    expected = ((i - j) ** 2).sum(axis=1), ((l - k) ** 2).sum(axis=1)
    X, sizes = pad(points), sizes_of(padded_width(width), n_ends)
    one, four = np.full((2, 2, 8), -1.0)
    distances_of_one(X, comparisons, 1, *one, 2, sizes)
    distances_of_four(X, comparisons, 1, *four, 2, sizes)
    for found, count in ((one, 1), (four, 4)):
        for distances, true in zip(found, expected, strict=True):
            np.testing.assert_allclose(distances[2 : 2 + count], true[1 : 1 + count], rtol=1e-14)
            assert set(np.delete(distances, range(2, 2 + count))) == {-1.0}
    assert (one[:, 2] == four[:, 2]).all()


@pytest.mark.parametrize("width", [1, 4, 10])
def test_distances_and_differences_from_one_point(width):
    rng = np.random.default_rng(width)
    points, gradient, weights = (
        rng.normal(size=(9, width)),
        rng.normal(size=(9, width)),
        rng.normal(size=9),
    )
    X, G, sizes = pad(points), pad(gradient), sizes_of(padded_width(width), 3)
    found = np.full(9, -1.0)
    distances_to_four(X, 2, 4, found, sizes)
    expected = ((points[2] - points[4:8]) ** 2).sum(axis=1)
    np.testing.assert_allclose(found[4:8], expected, rtol=1e-14)
    assert set(np.delete(found, range(4, 8))) == {-1.0}
    weights[2] = 0.0  # like a point that is never compared with itself
    add_differences_from(G, weights, X, 2, sizes)
    differences = weights[:, None] * (points[2] - points)
    gradient[2] += differences.sum(axis=0)
    gradient -= differences
    np.testing.assert_allclose(G[:, :width], gradient, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(
    "rows",
    [(0, 1, 2), (0, 1, 0, 2), (0, 1, 2, 3), (0, 1, 2, 0), (0, 1, 1, 2), (0, 1, 0, 1), (0, 1, 1, 0)],
)
def test_two_differences_are_taken_before_either_is_added(rows, alone):
    rng = np.random.default_rng(0)
    X = pad(rng.normal(size=(4, 6)))
    G = pad(rng.normal(size=(4, 6))) if alone else X
    i, j, l, k = rows if len(rows) == 4 else (rows[0], rows[1], rows[0], rows[2])
    near, far = 0.3 * (X[i] - X[j]), -1.7 * (X[l] - X[k])
    expected = G.copy()
    expected[i] += near
    expected[j] -= near
    expected[l] += far
    expected[k] -= far
    comparisons = np.array([[3, 3, 3, 3][: len(rows)], rows], dtype=np.uint32)
    add_differences(G, 0.3, -1.7, X, comparisons, 1, sizes_of(8, len(rows)))
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


@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_without_the_compiler_the_package_says_what_to_do(monkeypatch):
    monkeypatch.setattr(config, "DISABLE_JIT", 1)
    with pytest.raises(ImportError, match="unset NUMBA_DISABLE_JIT"):
        runpy.run_module("closerthan._core.vectors")
