"""Check the interval of the median; the tests of order statistics check its coverage."""

import numpy as np

from closerthan_study.figures.spread import median, median_interval


def test_the_interval_leaves_out_the_extremes_of_enough_trials():
    assert median_interval([3, 1, 2, 5, 4, 6, 8, 7, 10, 9]) == (2.0, 9.0)
    assert median_interval([0.3, 0.1, 0.2]) == (0.1, 0.3)


def test_what_is_missing_does_not_count():
    assert median_interval([np.nan, 2.0, 1.0]) == (1.0, 2.0)
    assert median([np.nan, 2.0, 1.0]) == 1.5
    assert np.isnan(median_interval([1.0, np.nan])).all()
    assert np.isnan(median([np.nan]))
