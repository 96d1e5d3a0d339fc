"""Ordinal losses: scalar functions of two squared distances, and their derivatives.

Every loss is a function l(a, b) of two squared distances: a should be smaller than b. It is a small
object with parameters and two compiled loops. The solvers call the loops by their addresses, so
that a solver is compiled once for all losses. `NAMES` has the short names of the losses. To write
your own, subclass `Loss` and pass an object of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, partial

import numpy as np
from numba import njit, types
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from closerthan._core.calls import ARRAY, fill_slopes, fill_values
from closerthan._core.compiled import compiled, compiled_callback
from closerthan._core.elementary import exp, log1p
from closerthan._core.validation import as_floats, check_number
from closerthan.discovery import find_by_short_name, find_class, make_named, short_names

_VALUES = types.void(ARRAY, ARRAY, types.float64, ARRAY)
_SLOPES = types.void(ARRAY, ARRAY, types.float64, ARRAY, ARRAY)


class _Compiled:
    """A function that is compiled when it is first used, to keep the import fast."""

    def __init__(self, signature, function):
        self._signature = signature
        self._function = function

    @property
    def address(self):
        """Address of the compiled function."""
        return self._loop.address

    @cached_property
    def _loop(self):
        return compiled_callback(self._signature, self._function)

    def __reduce__(self):
        # Without the address, which is valid in this process only: unpickling compiles anew.
        return _Compiled, (self._signature, self._function)


compile_values = partial(_Compiled, _VALUES)
compile_slopes = partial(_Compiled, _SLOPES)


class Loss(ABC, BaseEstimator):
    """A loss l(a, b) of the squared distance a that should be smaller than b.

    Subclasses define two static methods. ``_values(a, b, parameter, out)`` fills `out` with the
    losses and has the decorator `compile_values`. ``_slopes(a, b, parameter, da, db)`` fills `da`
    and `db` with the partial derivatives and has the decorator `compile_slopes`. Both receive the
    float that the method `parameter` returns.
    """

    @staticmethod
    @abstractmethod
    def _values(a, b, parameter, out):
        """Fill `out` with the losses."""

    @staticmethod
    @abstractmethod
    def _slopes(a, b, parameter, da, db):
        """Fill `da` and `db` with the partial derivatives."""

    def parameter(self, n_components: int) -> float:
        """Return the parameter of the compiled functions; 0 for a loss without a parameter.

        Some defaults depend on `n_components`, the dimension of the embedding.
        """
        return 0.0

    def _positive(self, name):
        """Return a parameter as a positive float."""
        value = getattr(self, name)
        check_number(f"{type(self).__name__}: {name}", value, positive=True)
        return float(value)

    def values(self, a: ArrayLike, b: ArrayLike, n_components: int = 2) -> np.ndarray:
        """Compute the loss of each pair of squared distances, an array of shape (n,).

        Parameters
        ----------
        a, b : array_like of shape (n,)
            Squared distances; `a` should be smaller than `b`.
        n_components : int, default 2
            Dimension of the embedding. Some defaults depend on it.

        Examples
        --------
        >>> STE().values([0.0, 1.0], [1.0, 1.0]).round(4)
        array([0.3133, 0.6931])
        """
        a, b = _distances(a, b)
        out = np.empty_like(a)
        _fill_values(self._values.address, a, b, self.parameter(n_components), out)
        return out

    def slopes(self, a: ArrayLike, b: ArrayLike, n_components: int = 2) -> tuple[np.ndarray, ...]:
        """Compute the partial derivatives with respect to `a` and `b`; parameters as for `values`.

        Examples
        --------
        >>> GNMDS().slopes([3.0], [1.0])
        (array([1.]), array([-1.]))
        """
        a, b = _distances(a, b)
        da, db = np.empty_like(a), np.empty_like(a)
        _fill_slopes(self._slopes.address, a, b, self.parameter(n_components), da, db)
        return da, db


@compiled
def _fill_values(values, a, b, parameter, out):
    fill_values(values, a, b, parameter, out)


@compiled
def _fill_slopes(slopes, a, b, parameter, da, db):
    fill_slopes(slopes, a, b, parameter, da, db)


def _distances(a, b):
    a, b = np.broadcast_arrays(as_floats(a, "a"), as_floats(b, "b"))
    return np.array(a, ndmin=1), np.array(b, ndmin=1)  # which compiled code may write to


@njit(inline="always", error_model="numpy")
def _sigmoid(u):
    e = exp(-abs(u))
    return (1.0 if u > 0.0 else e) / (1.0 + e)


@njit(inline="always", error_model="numpy")
def _softplus(u):
    return max(u, 0.0) + log1p(exp(-abs(u)))


class GNMDS(Loss):
    """Hinge loss of generalized non-metric MDS, max(0, margin + a - b).

    Parameters
    ----------
    margin : float, default 1.0
        Required excess of b over a, in units of squared distance.

    References
    ----------
    Agarwal et al., Generalized non-metric multidimensional scaling, AISTATS 2007; eq. (45) of
    Ma et al., Fast stochastic ordinal embedding, 2019.

    Examples
    --------
    >>> GNMDS().values([1.0], [1.5])
    array([0.5])
    """

    def __init__(self, margin: float = 1.0):
        self.margin = margin

    def parameter(self, n_components: int) -> float:
        return self._positive("margin")

    @staticmethod
    @compile_values
    def _values(a, b, margin, out):
        for t in range(a.size):
            out[t] = max(0.0, margin + a[t] - b[t])

    @staticmethod
    @compile_slopes
    def _slopes(a, b, margin, da, db):
        for t in range(a.size):
            active = 1.0 if margin + a[t] > b[t] else 0.0
            da[t], db[t] = active, -active


class CKL(Loss):
    """Crowd kernel loss, -log((mu + b) / (2 mu + a + b)).

    Parameters
    ----------
    mu : float, default 0.1
        Positive, in units of squared distance. It limits the influence of answers about two small
        distances. Ma et al. do not report their value.

    References
    ----------
    Tamuz et al., Adaptively learning the crowd kernel, ICML 2011. Eq. (47) of Ma et al. (2019) is
    a misprint: it has the formula of STE.

    Examples
    --------
    >>> CKL(mu=1.0).values([1.0], [1.0]).round(4)
    array([0.6931])
    """

    def __init__(self, mu: float = 0.1):
        self.mu = mu

    def parameter(self, n_components: int) -> float:
        return self._positive("mu")

    @staticmethod
    @compile_values
    def _values(a, b, mu, out):
        for t in range(a.size):
            out[t] = log1p((mu + a[t]) / (mu + b[t]))

    @staticmethod
    @compile_slopes
    def _slopes(a, b, mu, da, db):
        for t in range(a.size):
            slope = 1.0 / ((mu + a[t]) + (mu + b[t]))
            da[t], db[t] = slope, -slope * ((mu + a[t]) / (mu + b[t]))

    def probability(self, a: ArrayLike, b: ArrayLike, n_components: int = 2) -> np.ndarray:
        """Compute the probability of the answer "a is smaller"; see `STE.probability`."""
        mu = self.parameter(n_components)
        near, far = np.add(mu, a), np.add(mu, b)
        return far / (near + far)


class STE(Loss):
    """Stochastic triplet embedding, log(1 + exp(a - b)).

    References
    ----------
    van der Maaten and Weinberger, Stochastic triplet embedding, MLSP 2012; eq. (48) of Ma et al.
    (2019).

    Examples
    --------
    >>> float(STE().probability(0.0, 0.0))
    0.5
    """

    @staticmethod
    @compile_values
    def _values(a, b, _, out):
        for t in range(a.size):
            out[t] = _softplus(a[t] - b[t])

    @staticmethod
    @compile_slopes
    def _slopes(a, b, _, da, db):
        for t in range(a.size):
            wrong = _sigmoid(a[t] - b[t])
            da[t], db[t] = wrong, -wrong

    def probability(self, a: ArrayLike, b: ArrayLike, n_components: int = 2) -> np.ndarray | float:
        """Compute the probability of the answer "a is smaller"; parameters as for `values`."""
        return np.exp(-np.logaddexp(0.0, np.subtract(a, b)))


class TSTE(Loss):
    """Student-t stochastic triplet embedding, -log(s(a) / (s(a) + s(b))).

    Here s(x) = (1 + x / alpha) ** (-(alpha + 1) / 2).

    Parameters
    ----------
    alpha : float, optional
        Degrees of freedom of the Student-t kernel, positive. The default is the number of
        components minus one, and at least 1, as in van der Maaten's code.

    References
    ----------
    van der Maaten and Weinberger, Stochastic triplet embedding, MLSP 2012; eq. (49) of Ma et al.
    (2019).

    Examples
    --------
    >>> TSTE(alpha=1.0).values([1.0], [1.0]).round(4)
    array([0.6931])
    """

    def __init__(self, alpha: float | None = None):
        self.alpha = alpha

    def parameter(self, n_components: int) -> float:
        if self.alpha is None:
            return float(max(n_components - 1, 1))
        return self._positive("alpha")

    @staticmethod
    @compile_values
    def _values(a, b, alpha, out):
        for t in range(a.size):
            if alpha == 5.0:  # that of loss="auto": a cube is faster than logarithms
                ratio = min((alpha + a[t]) / (alpha + b[t]), 1e100)  # so that its cube is finite
                out[t] = log1p(ratio**3)
            else:
                half = 0.5 * (alpha + 1.0)
                out[t] = _softplus(half * (log1p(a[t] / alpha) - log1p(b[t] / alpha)))

    @staticmethod
    @compile_slopes
    def _slopes(a, b, alpha, da, db):
        for t in range(a.size):
            half = 0.5 * (alpha + 1.0)
            if alpha == 5.0:
                wrong = half / (1.0 + ((alpha + b[t]) / (alpha + a[t])) ** 3)
            else:
                wrong = half * _sigmoid(half * (log1p(a[t] / alpha) - log1p(b[t] / alpha)))
            da[t], db[t] = wrong / (alpha + a[t]), -wrong / (alpha + b[t])

    def probability(self, a: ArrayLike, b: ArrayLike, n_components: int = 2) -> np.ndarray:
        """Compute the probability of the answer "a is smaller"; see `STE.probability`."""
        alpha = self.parameter(n_components)
        u = 0.5 * (alpha + 1) * (np.log1p(np.divide(a, alpha)) - np.log1p(np.divide(b, alpha)))
        return np.exp(-np.logaddexp(0.0, u))


class SOE(Loss):
    """Soft ordinal embedding, max(0, sqrt(a) + delta - sqrt(b)) ** 2.

    Parameters
    ----------
    delta : float, default 0.1
        Required excess of the larger distance over the smaller; it sets the embedding's scale.

    References
    ----------
    Terada and von Luxburg, Local ordinal embedding, ICML 2014.

    Examples
    --------
    >>> SOE(delta=1.0).values([4.0], [4.0])
    array([1.])
    """

    def __init__(self, delta: float = 0.1):
        self.delta = delta

    def parameter(self, n_components: int) -> float:
        return self._positive("delta")

    @staticmethod
    @compile_values
    def _values(a, b, delta, out):
        for t in range(a.size):
            short = max(0.0, np.sqrt(a[t]) + delta - np.sqrt(b[t]))
            out[t] = short * short

    @staticmethod
    @compile_slopes
    def _slopes(a, b, delta, da, db):
        for t in range(a.size):
            near, far = np.sqrt(a[t]), np.sqrt(b[t])
            short = max(0.0, near + delta - far)
            # At distance zero the difference of the points is zero, so any slope will do.
            da[t], db[t] = short / near if near > 0.0 else 0.0, -short / far if far > 0.0 else 0.0


class SmoothSOE(Loss):
    """Smooth version of soft ordinal embedding, log(1 + exp(sqrt(a) - sqrt(b))).

    It is -log of the probability of the answer "a is smaller" if the difference of the two
    distances has logistic noise of scale one. STE is the same model of squared distances.

    References
    ----------
    Terada and von Luxburg, Local ordinal embedding, ICML 2014, with the logistic loss in place of
    the squared hinge.

    Examples
    --------
    >>> SmoothSOE().values([4.0], [9.0]).round(4)
    array([0.3133])
    """

    @staticmethod
    @compile_values
    def _values(a, b, _, out):
        for t in range(a.size):
            out[t] = _softplus(np.sqrt(a[t]) - np.sqrt(b[t]))

    @staticmethod
    @compile_slopes
    def _slopes(a, b, _, da, db):
        for t in range(a.size):
            near, far = np.sqrt(a[t]), np.sqrt(b[t])
            slope = 0.5 * _sigmoid(near - far)
            # At distance zero the difference of the points is zero, so any slope will do.
            da[t], db[t] = slope / near if near > 0.0 else 0.0, -slope / far if far > 0.0 else 0.0

    def probability(self, a: ArrayLike, b: ArrayLike, n_components: int = 2) -> np.ndarray:
        """Compute the probability of the answer "a is smaller"; see `STE.probability`."""
        return np.exp(-np.logaddexp(0.0, np.subtract(np.sqrt(a), np.sqrt(b))))


NAMES = {
    "gnmds": "GNMDS",
    "ckl": "CKL",
    "ste": "STE",
    "t-ste": "TSTE",
    "soe": "SOE",
    "smooth-soe": "SmoothSOE",
}


def find_loss(class_name: str) -> type[Loss]:
    """Return the class of a loss by its name; if unknown, list all names in a ValueError."""
    return find_class(class_name, __name__)


def probable_losses() -> str:
    """Return the short names of the losses that have probabilities of answers, for messages."""
    names = short_names(__name__)
    *some, last = (n for n in names if hasattr(find_by_short_name(n, __name__), "probability"))
    return f"{', '.join(some)} or {last}"


def make_loss(loss: str | Loss, others: Sequence[str] = ()) -> Loss:
    """Return a loss by its name; a `Loss` is returned unchanged.

    Case and hyphens do not matter. An error lists the names, and the words of `others`.

    Examples
    --------
    >>> make_loss("t-ste")
    TSTE()
    """
    if isinstance(loss, Loss):
        return loss
    return make_named("loss", loss, __name__, "a Loss", others)
