"""The interval of the median against what it promises: by brute force."""

from itertools import product

import numpy as np
import pytest

from closerthan_study.figures.spread import coverage, interval, median, rank


@pytest.mark.parametrize("n", range(2, 13))
def test_coverage_is_the_share_of_all_outcomes_in_which_the_median_is_held(n):
    # A value is above or below the true median, each as likely, whatever the distribution is.
    k = rank(n)
    held = [k <= sum(signs) <= n - k for signs in product((0, 1), repeat=n)]
    assert coverage(n) == pytest.approx(np.mean(held))


@pytest.mark.parametrize("n", range(6, 60))
def test_the_interval_is_the_narrowest_that_holds_the_median_with_95_percent(n):
    def held(k):
        signs = np.random.default_rng(n).integers(0, 2, (200_000, n)).sum(axis=1)
        return np.mean((k <= signs) & (signs <= n - k))

    assert coverage(n) >= 0.95
    assert held(rank(n) + 1) < 0.955


def test_few_trials_have_their_range_and_less_coverage():
    assert [rank(n) for n in range(1, 6)] == [1] * 5
    assert [coverage(n) for n in range(1, 6)] == [1 - 2.0 ** (1 - n) for n in range(1, 6)]
    assert interval([0.3, 0.1, 0.2]) == (0.1, 0.3)


def test_what_is_missing_does_not_count():
    assert interval([np.nan, 2.0, 1.0]) == (1.0, 2.0)
    assert median([np.nan, 2.0, 1.0]) == 1.5
    assert np.isnan(interval([1.0, np.nan])).all()
    assert np.isnan(median([np.nan]))
