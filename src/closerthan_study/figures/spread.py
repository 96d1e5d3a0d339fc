"""Medians of trials and their intervals, from order statistics, as figures show them."""

import numpy as np
import pandas as pd

from closerthan_study.order_statistics import interval_ranks


def median_interval(values):
    """Return the distribution-free interval of the median, for seaborn's `errorbar`."""
    values = np.sort(np.asarray(values, dtype=float))  # NaN come last
    n = len(values) - np.isnan(values).sum()
    if n < 2:
        return np.nan, np.nan
    _, low, high = interval_ranks(n)
    return float(values[low]), float(values[high])


def with_ends(title, value, low, high):
    """Return a value and the ends of its interval, under their names in tables."""
    return {title: value, f"{title}, from": low, f"{title}, to": high}


def median(values):
    """Return the median of the values that are not missing, for seaborn's `estimator`."""
    return float(pd.Series(values, dtype=float).median())
