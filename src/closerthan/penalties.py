"""What an embedding costs beside its loss, so that it does not fit the noise in the comparisons.

A penalty is a function of the second moments of the points, S = X'X / n for n points in p
dimensions, so it costs next to nothing beside a gradient of the loss. Turning the points changes
neither penalty nor loss. Moving them all alike leaves the loss as it is, and the penalties here are
least where their mean is zero.
"""

from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from closerthan._core.estimator import Estimator
from closerthan._core.validation import check_number
from closerthan.discovery import make_named


class Ridge(Estimator):
    """The mean squared norm of the points, tr(S) = ||X||_F^2 / n.

    That is the trace of the Gram matrix XX' over n, which is the convex stand-in for its rank
    where a kernel is learned in place of points.

    Examples
    --------
    >>> value, axes, slopes = Ridge().of_moments(np.diag([4.0, 1.0]))
    >>> value, slopes
    (5.0, array([1., 1.]))
    """

    short_name: ClassVar[str] = "ridge"

    def of_moments(self, moments: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the penalty, and its derivative by S as axes, in columns, and slopes along them.

        Parameters
        ----------
        moments : ndarray of shape (p, p)
            S, symmetric and positive semidefinite.

        Returns
        -------
        value : float
        axes : ndarray of shape (p, p)
        slopes : ndarray of shape (p,)
        """
        p = len(moments)
        return float(np.trace(moments)), np.eye(p), np.ones(p)


class LowRank(Estimator):
    """The sum of a power of the singular values of X / sqrt(n), smoothed: a Schatten quasi-norm.

    sum_c (s_c + epsilon)^(power / 2) - epsilon^(power / 2), over the eigenvalues s_c of S. The
    smaller the power, the closer it is to a count of the dimensions that are used. At power 1 it is
    the nuclear norm, at 2 the ridge.

    It bends sharply where a dimension is about to vanish. `SVRG` and `Batch` step along its
    gradient, and with strengths that empty all dimensions may end far from the minimum.

    Parameters
    ----------
    power : float, default 1.0
        Above 0.
    epsilon : float, default 1e-3
        Variance below which a dimension counts as hardly used.

    Examples
    --------
    >>> value, axes, slopes = LowRank(epsilon=1e-12).of_moments(np.diag([4.0, 1.0]))
    >>> round(value, 3), slopes.round(3)
    (3.0, array([0.5 , 0.25]))
    """

    short_name: ClassVar[str] = "low-rank"

    def __init__(self, power: float = 1.0, epsilon: float = 1e-3):
        self.power = power
        self.epsilon = epsilon

    def check(self) -> None:
        """Raise a ValueError where a parameter is not a positive number."""
        check_number("LowRank: power", self.power, positive=True)
        check_number("LowRank: epsilon", self.epsilon, positive=True)

    def of_moments(self, moments: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """As `Ridge.of_moments`."""
        self.check()
        variances, axes = np.linalg.eigh(moments)
        s, half = np.maximum(variances, 0.0) + self.epsilon, self.power / 2
        return float((s**half - self.epsilon**half).sum()), axes, half * s ** (half - 1)


def make_penalty(penalty: Any) -> BaseEstimator | None:
    """Return the penalty that a name stands for; an object, once checked, and None as they are.

    Examples
    --------
    >>> make_penalty("low-rank")
    LowRank()
    >>> make_penalty("lasso")
    Traceback (most recent call last):
    ...
    ValueError: penalty='lasso'; it must be None, a penalty or one of ridge, low-rank
    """
    if penalty is None or (hasattr(penalty, "of_moments") and not isinstance(penalty, type)):
        if isinstance(penalty, LowRank):
            penalty.check()
        return penalty
    return make_named("penalty", penalty, __name__, "None, a penalty")
