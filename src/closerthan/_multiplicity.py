"""P-values of several tests, adjusted for their number."""

import numpy as np


def holm(p_values):
    """Adjust p-values for their number by Holm's method.

    Examples
    --------
    >>> holm(np.array([0.03, 0.01, 0.5]))
    array([0.06, 0.03, 0.5 ])
    """
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    return np.minimum(adjusted, 1.0)
