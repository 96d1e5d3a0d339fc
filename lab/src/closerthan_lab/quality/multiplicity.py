"""Adjustment of p-values for multiple tests."""

import numpy as np
from numpy.typing import ArrayLike


def holm(p_values: ArrayLike) -> np.ndarray:
    """Adjust the p-values of several tests, an array of shape (n,), by Holm's method.

    The probability of any false rejection is at most alpha, even if the tests depend on each other.

    References
    ----------
    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics, 1979.

    Examples
    --------
    >>> from closerthan_lab.quality import holm
    >>> holm([0.03, 0.01, 0.5])
    array([0.06, 0.03, 0.5 ])
    """
    p_values = np.asarray(p_values, dtype=float)
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    return np.minimum(adjusted, 1.0)
