"""The one way in which figures show a spread: an interval of the median, from order statistics."""

import numpy as np
from scipy.stats import binom

from closerthan_study.order_statistics import interval_ranks

__all__ = ["coverage", "interval", "median", "rank"]


def rank(n):
    """Return k, such that the interval from the k-th lowest to the k-th highest of n is reported.

    It is the greatest k for which the interval holds the median of the distribution that the
    trials come from with a probability of at least 95 %, whatever that distribution is. Of fewer
    than six trials none does; k is then 1, and the interval their range.

    Examples
    --------
    >>> [rank(n) for n in (1, 5, 6, 10, 50)]
    [1, 1, 1, 2, 18]
    """
    _, low, _ = interval_ranks(n)
    return low + 1


def coverage(n):
    """Return the probability with which the interval of n trials holds the median.

    For the range of n trials it is 1 - 2^(1 - n).

    Examples
    --------
    >>> [round(coverage(n), 4) for n in (1, 2, 5, 6, 10, 50)]
    [0.0, 0.5, 0.9375, 0.9688, 0.9785, 0.9672]
    """
    return float(1 - 2 * binom.cdf(rank(n) - 1, n, 0.5))


def interval(values):
    """Return the distribution-free interval of the median: what seaborn takes as `errorbar`.

    Parameters
    ----------
    values : array-like of shape (n,)
        A value a trial; those that are missing do not count.

    Returns
    -------
    low, high : float
        The k-th lowest and the k-th highest value, see `rank`; NaN for fewer than two.

    Examples
    --------
    >>> interval([3, 1, 2, 5, 4, 6, 8, 7, 10, 9])
    (2.0, 9.0)
    """
    values = np.sort(np.asarray(values, dtype=float))  # NaN come last
    n = len(values) - np.isnan(values).sum()
    if n < 2:
        return np.nan, np.nan
    _, low, high = interval_ranks(n)
    return float(values[low]), float(values[high])


def median(values):
    """Return the median of the values that are there: what seaborn takes as `estimator`."""
    values = np.asarray(values, dtype=float)
    values = values[~np.isnan(values)]
    return float(np.median(values)) if len(values) else np.nan
