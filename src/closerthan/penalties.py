"""Penalties of an embedding, which prevent it from fitting the noise in the comparisons.

A penalty is a function of the second moments of the points, S = X'X / n for n points in p
dimensions, so it costs little. `NAMES` has the short names of the penalties. To write your own,
subclass `Penalty` and pass an object of it.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from closerthan._core.compiled import compiled
from closerthan._core.threads import one_blas_thread
from closerthan._core.validation import check_number
from closerthan._core.vectors import LANES, fma, inner, load_lanes, round_up, store, total, zeros
from closerthan.discovery import make_named

SHRINK_EVERY = 4  # comparisons an object between calls of `shrink` in a stochastic solver
_FEW = 32  # dimensions; up to here the compiled code is faster than LAPACK
_SWEEPS = 30  # largest number of sweeps; more than seven are hardly ever needed
_STRAIGHT = 1e-26  # squared cosine below which two rows count as orthogonal


class Penalty(ABC, BaseEstimator):
    """A penalty on the second moments of the points, S = X'X / n.

    Subclasses define `of_moments`. Points X are padded arrays, see `closerthan.optimize.Objective`.
    """

    def __init_subclass__(cls, **options):
        """Use the general `add_to` in a class that redefines `of_moments` only."""
        super().__init_subclass__(**options)
        if "of_moments" in vars(cls) and "add_to" not in vars(cls):
            cls.add_to = Penalty.add_to

    def check(self) -> None:
        """Raise a ValueError if a parameter is wrong."""

    @abstractmethod
    def of_moments(self, moments: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the penalty, and its derivative with respect to S as axes and slopes.

        `moments` is S, of shape (p, p). The axes are the eigenvectors of the derivative, in the
        columns of an array of shape (p, p), and the slopes are its p eigenvalues.
        """

    def add_to(
        self, gradient: np.ndarray, X: np.ndarray, n_components: int, strength: float
    ) -> float:
        """Return strength * penalty at X; add its gradient to `gradient` unless that is empty."""
        value, axes, rates = self.rates(X, n_components, strength)
        if len(gradient):
            with one_blas_thread(n_components):
                matrix = (axes * rates) @ axes[:n_components].T
            _add_points_times(gradient, X, matrix)
        return value

    def rates(
        self, X: np.ndarray, n_components: int, strength: float
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """Return strength * penalty at X, and the axes and rates of its gradient.

        This is X (axes * rates) axes'. `axes` has the shape (padded width, n_components).
        """
        axes = np.zeros((X.shape[1], n_components))
        moments = _second_moments(X, n_components)
        if not np.isfinite(moments.trace()):
            return np.nan, axes, np.zeros(n_components)
        # The number of BLAS threads would change the last bits.
        with one_blas_thread(n_components):
            value, axes[:n_components], slopes = self.of_moments(moments)
        return strength * value, axes, 2.0 * strength / len(X) * slopes


class Ridge(Penalty):
    """The mean squared norm of the points, tr(S) = ||X||_F^2 / n.

    Examples
    --------
    >>> value, axes, slopes = Ridge().of_moments(np.diag([4.0, 1.0]))
    >>> value, slopes
    (5.0, array([1., 1.]))
    """

    def of_moments(self, moments: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """See `Penalty.of_moments`."""
        p = len(moments)
        return float(np.trace(moments)), np.eye(p), np.ones(p)

    def add_to(
        self, gradient: np.ndarray, X: np.ndarray, n_components: int, strength: float
    ) -> float:
        """See `Penalty.add_to`; the ridge needs no moments."""
        return _add_ridge(gradient, X, strength / len(X))


class LowRank(Penalty):
    """The smoothed sum of a power of the singular values of X / sqrt(n) (Schatten quasi-norm).

    The value is the sum of (s_c + epsilon)^(power / 2) - epsilon^(power / 2) over the eigenvalues
    s_c of S. Smaller powers come closer to counting the used dimensions. Power 1 is the nuclear
    norm, and power 2 is the ridge.

    The penalty is strongly curved near dimensions of zero variance. `SVRG` and `Batch` use its
    gradient, so they may end far from the minimum if the strength empties all dimensions.

    Parameters
    ----------
    power : float, default 1.0
        The power, above 0.
    epsilon : float, default 1e-3
        Variance below which a dimension counts as nearly unused.

    Examples
    --------
    >>> value, axes, slopes = LowRank(epsilon=1e-12).of_moments(np.diag([4.0, 1.0]))
    >>> round(value, 3), slopes.round(3)
    (3.0, array([0.5 , 0.25]))
    """

    def __init__(self, power: float = 1.0, epsilon: float = 1e-3):
        self.power = power
        self.epsilon = epsilon

    def check(self) -> None:
        """Raise a ValueError if a parameter is not a positive number."""
        check_number("LowRank: power", self.power, positive=True)
        check_number("LowRank: epsilon", self.epsilon, positive=True)

    def of_moments(self, moments: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """See `Penalty.of_moments`."""
        self.check()
        variances, axes = np.linalg.eigh(moments)
        s, half = np.maximum(variances, 0.0) + self.epsilon, self.power / 2
        return float((s**half - self.epsilon**half).sum()), axes, half * s ** (half - 1)

    def add_to(
        self, gradient: np.ndarray, X: np.ndarray, n_components: int, strength: float
    ) -> float:
        """See `Penalty.add_to`; for few dimensions, compiled code takes a tenth of the time."""
        if n_components > _FEW:
            return super().add_to(gradient, X, n_components, strength)
        parameters = strength, self.power, self.epsilon
        return _add_low_rank(gradient, X, n_components, *parameters)


NAMES = {"ridge": "Ridge", "low-rank": "LowRank"}


def make_penalty(penalty: Any) -> Penalty | None:
    """Return a penalty by its name; a `Penalty` or None is returned unchanged."""
    if isinstance(penalty, Penalty):
        penalty.check()
    if penalty is None or isinstance(penalty, Penalty):
        return penalty
    return make_named("penalty", penalty, __name__, "None, a penalty")


@compiled
def _second_moments(X, p):
    """Return X'X / n of the first p columns, with sums in a fixed order."""
    moments = np.empty((p, p))
    _fill_moments(np.ascontiguousarray(X[:, :p].T), len(X), moments)
    return moments


@compiled
def _fill_moments(columns, n, moments):
    for c in range(len(columns)):
        for d in range(c + 1):
            moments[c, d] = moments[d, c] = inner(columns[c], columns[d]) / n


@compiled
def _add_ridge(gradient, X, strength):
    """Return strength * ||X||^2; add its gradient to `gradient` unless that is empty."""
    x, out = X.reshape(-1), gradient.reshape(-1)
    for c in range(out.size):
        out[c] += 2.0 * strength * x[c]
    return strength * inner(x, x)


@compiled
def _add_points_times(gradient, X, matrix):
    """Add X @ matrix to the first columns of `gradient`, for any number of dimensions."""
    columns, product = np.ascontiguousarray(X.T), np.empty(len(X))
    for d in range(matrix.shape[1]):
        product[:] = 0.0
        for c in range(len(matrix)):
            for i in range(len(X)):
                product[i] += matrix[c, d] * columns[c, i]
        for i in range(len(X)):
            gradient[i, d] += product[i]


@compiled
def shrink(X, axes, rates, time):
    """Make an implicit, always stable step: divide X by 1 + time * rate along each axis."""
    p = len(rates)
    matrix = np.zeros((p, p))
    for c in range(p):
        for d in range(p):
            for e in range(p):
                matrix[c, d] += axes[c, e] * axes[d, e] / (1.0 + time * rates[e])
    row = np.empty(p)
    for i in range(len(X)):
        row[:] = 0.0
        for c in range(p):
            x = X[i, c]
            for d in range(p):
                row[d] += x * matrix[c, d]
        for d in range(p):  # to assign a slice compiles twice as long: it checks shapes
            X[i, d] = row[d]


@compiled
def _add_low_rank(gradient, X, p, strength, power, epsilon):
    """Return strength * `LowRank` at X; add its gradient to `gradient` unless that is empty.

    `LowRank.of_moments` computes the same with LAPACK's eigensolver. This uses no BLAS and sums in
    a fixed order. p is the number of columns of X without padding. It should be small.
    """
    n, half = len(X), 0.5 * power
    columns, moments = _columns(X, p), np.zeros((p, round_up(p, LANES)))
    _fill_moments(columns, n, moments)
    orthogonalize(moments)  # rows are now eigenvectors times eigenvalues
    at_zero = epsilon**half
    value, slope_at_zero = 0.0, half * at_zero / epsilon
    matrix = np.zeros_like(moments)  # the derivative by the moments
    for e in range(p):
        square = inner(moments[e], moments[e])  # of the eigenvalue
        s = np.sqrt(square) + epsilon
        raised = np.sqrt(s) if power == 1.0 else s**half
        value += raised - at_zero
        if len(gradient) and square > 0.0:
            # In the direction of a row: how far its slope differs from the slope at zero. The slope
            # at zero is added below in all directions, because rows of zeros have none.
            weight = (half * raised / s - slope_at_zero) / square
            for c in range(p):
                for d in range(p):
                    matrix[c, d] += weight * moments[e, c] * moments[e, d]
    if len(gradient) and np.isfinite(value):
        for c in range(p):
            matrix[c, c] += slope_at_zero
        matrix *= 2.0 * strength / n
        _add_columns_times(columns, matrix, gradient)
    return strength * value


@compiled
def orthogonalize(rows):
    """Rotate pairs of rows of a small matrix until all rows are orthogonal.

    The rows of a symmetric, positive semidefinite matrix become its eigenvectors times its
    eigenvalues. This is the one-sided Jacobi method (Golub and Van Loan, Matrix computations, 2013,
    sec. 8.6.3). The width is a multiple of LANES.
    """
    p = len(rows)
    order = np.arange(p + p % 2)
    last = len(order) - 1
    for _ in range(_SWEEPS):
        done = True
        for _ in range(last):
            for k in range(len(order) // 2):
                c, d = order[k], order[last - k]
                if c < p and d < p:
                    done &= _turn(rows, c, d)
            moved = order[last]
            for k in range(last, 1, -1):
                order[k] = order[k - 1]
            order[1] = moved
        if done:
            break


@compiled
def _turn(rows, c, d):
    """Rotate two rows so that they are orthogonal; return whether they already were."""
    width = rows.shape[1]
    xx, yy, xy = zeros(), zeros(), zeros()
    for t in range(0, width, LANES):
        x, y = load_lanes(rows, c * width + t), load_lanes(rows, d * width + t)
        xx, yy, xy = fma(x, x, xx), fma(y, y, yy), fma(x, y, xy)
    a, b, product = total(xx), total(yy), total(xy)
    if not product * product > _STRAIGHT * a * b:
        return True
    slope = (b - a) / (2.0 * product)
    tangent = np.copysign(1.0 / (abs(slope) + np.sqrt(1.0 + slope * slope)), slope)
    cosine = 1.0 / np.sqrt(1.0 + tangent * tangent)
    sine = tangent * cosine
    for t in range(0, width, LANES):
        x, y = load_lanes(rows, c * width + t), load_lanes(rows, d * width + t)
        store(rows, c * width + t, x * cosine - y * sine)
        store(rows, d * width + t, x * sine + y * cosine)
    return False


@compiled
def _columns(X, p):
    """Return the first p columns of X as rows, padded with zeros to whole vectors."""
    n = len(X)
    columns = np.zeros((p, round_up(n, LANES)))
    for c in range(p):
        for i in range(n):
            columns[c, i] = X[i, c]
    return columns


@compiled
def _add_columns_times(columns, matrix, out):
    """Add X @ matrix to the first columns of `out`, for few columns of X and a symmetric matrix."""
    p, n = columns.shape
    product = np.empty((p, LANES))
    for first in range(0, n, LANES):
        for d in range(p):
            found = zeros()
            for c in range(p):
                found = fma(load_lanes(columns, c * n + first), matrix[d, c], found)
            store(product, d * LANES, found)
        for i in range(first, min(first + LANES, len(out))):
            for d in range(p):
                out[i, d] += product[d, i - first]
