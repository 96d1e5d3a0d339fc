"""Intervals of a quantile from order statistics: the spread of figures and of claims."""

from functools import cache
from math import ceil

from scipy.stats import binom

COVERAGE = 0.95


@cache
def interval_ranks(n, share=0.5, wanted=COVERAGE):
    """Return the ranks of the value that a share of trials reach, and of its interval's ends.

    The value is the (1 - share)-quantile of all possible trials. The number of n trials below it
    follows a binomial distribution, for any distribution of the values. Two of the sorted values
    therefore enclose it, in at least 95 % of cases. If n is too small for this (below 6 trials for
    a median), the end is the smallest or largest value: 93.75 % for 5 trials. A share of 1 is
    refuted by a single trial.

    >>> interval_ranks(20)
    (10, 5, 14)
    >>> interval_ranks(5), interval_ranks(20, 1)
    ((2, 0, 4), (0, 0, 0))
    """
    rank = n - max(1, ceil(share * n - 1e-9))
    tail = (1 - wanted) / 2
    low, high = (int(below) for below in binom.ppf((tail, 1 - tail), n, 1 - share))
    return rank, max(low - 1, 0), min(high, n - 1)


@cache
def true_coverage(n, share=0.5, wanted=COVERAGE):
    """Return the coverage of the interval of `interval_ranks`, for any distribution.

    >>> [true_coverage(n) for n in (1, 2, 5)]
    [0.0, 0.5, 0.9375]
    """
    if share == 1:
        return 1.0
    _, low, high = interval_ranks(n, share, wanted)
    below = binom(n, 1 - share)
    return round(float(below.cdf(high) - below.cdf(low)), 6)
