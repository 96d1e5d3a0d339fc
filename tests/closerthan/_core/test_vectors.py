"""The vector arithmetic against numpy and against exact values."""

import runpy

import numpy as np
import pytest
from numba import config, njit

from closerthan._core.elementary import exp, log1p
from closerthan._core.vectors import (
    aligned_zeros,
    pad,
    round_up,
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
