"""The interval of the median against what it promises: by brute force."""

from itertools import product

import numpy as np
import pytest

from closerthan_study.figures.spread import interval, median
from closerthan_study.order_statistics import true_coverage


@pytest.mark.parametrize("n", range(2, 13))
def test_the_interval_holds_the_median_in_its_share_of_all_outcomes(n):
    # A value is above or below the true median, each as likely, whatever the distribution is.
    low, high = interval(np.arange(n))
    held = [low < sum(signs) <= high for signs in product((0, 1), repeat=n)]
    assert true_coverage(n) == pytest.approx(np.mean(held), abs=1e-6)


def test_what_is_missing_does_not_count():
    assert interval([np.nan, 2.0, 1.0]) == (1.0, 2.0)
    assert median([np.nan, 2.0, 1.0]) == 1.5
    assert np.isnan(interval([1.0, np.nan])).all()
    assert np.isnan(median([np.nan]))
