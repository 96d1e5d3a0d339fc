"""The function that every solver minimizes: the mean loss of the comparisons at the points X.

Nothing here is larger than the comparisons or the points: no n x n matrix is ever formed. Points
are kept in arrays padded to the SIMD width (`relsim._simd.rows`); the added columns stay zero.
"""

import numpy as np
from numba import njit

from relsim._simd.rows import add_differences, squared_distance

_BLOCK = 256  # comparisons whose distances stay in the first-level cache together


class Objective:
    """Mean loss of comparisons, a function of the points.

    Parameters
    ----------
    loss : Loss
        Scalar loss of two squared distances.
    quadruplets : ndarray of shape (n_comparisons, 4), int
        Checked comparisons (i, j, l, k): d(i, j) should be less than d(l, k).
    n_objects, n_components : int
        Shape of the points.
    sample_weight : ndarray of shape (n_comparisons,), optional
        Weights of the comparisons; only their ratios matter.

    Attributes
    ----------
    weights : ndarray of shape (n_comparisons,)
        The sample weights, scaled to mean one.
    values, slopes : compiled functions
        The two loops of the loss, for the compiled loops of solvers.
    """

    def __init__(self, loss, quadruplets, n_objects, n_components, sample_weight=None):
        self.loss = loss
        self.quadruplets = np.ascontiguousarray(quadruplets, dtype=np.int32)
        self.n_comparisons = len(quadruplets)
        self.n_objects = n_objects
        self.n_components = n_components
        self.parameter = loss._parameter(n_components)
        self.values, self.slopes = loss._values.pointer, loss._slopes.pointer
        if sample_weight is None:
            self.weights = np.ones(self.n_comparisons)
        else:
            self.weights = sample_weight / np.mean(sample_weight)

    def value(self, X):
        """Mean loss at the padded points X."""
        return _value(self.values, self.parameter, X, self.quadruplets, self.weights)

    def gradient(self, X, out, slopes=None):
        """Gradient of the mean loss at the padded points X.

        Parameters
        ----------
        X : ndarray of shape (n_objects, padded width)
        out : ndarray of the same shape
            Where the gradient is written.
        slopes : ndarray of shape (2, n_comparisons), optional
            Where the weighted derivatives with respect to both squared distances are written.

        Returns
        -------
        out : ndarray
        """
        if slopes is None:
            slopes = np.empty((2, 0))
        _gradient(self.slopes, self.parameter, X, self.quadruplets, self.weights, out, slopes)
        return out

    def value_and_gradient(self, X, out):
        """Mean loss at the padded points X, and its gradient, written to `out`, in one pass."""
        functions = self.values, self.slopes
        value = _value_and_gradient(
            *functions, self.parameter, X, self.quadruplets, self.weights, out
        )
        return value, out

    def points(self, X):
        """Return the padded X without its added columns."""
        return X[:, : self.n_components]

    def project(self, X):
        """Return the feasible points nearest to X: X itself."""
        return X

    def inverse_curvature(self, X, gradient):
        """Barzilai-Borwein step of a small probe against the gradient; costs one gradient.

        This is the first step of a solver that was given none: about one over the curvature that
        the mean loss has along its gradient; n_objects where the probe finds no curvature.
        """
        norm = np.linalg.norm(gradient)
        if norm > 0.0:
            dx = gradient * (-1e-4 * max(np.linalg.norm(X), 1e-12) / norm)
            step = secant_step(dx, self.gradient(X + dx, np.empty_like(X)) - gradient)
            if np.isfinite(step):
                return step
        return float(self.n_objects)


def secant_step(dx, dy, epsilon=0.0):
    """Stabilized Barzilai-Borwein step, ||dx||^2 / (|<dx, dy>| + epsilon ||dx||^2).

    Equation (14) of Ma et al. (2019); `epsilon` zero gives the plain one, eq. (10), made positive.
    Where the denominator is zero the step is infinite.

    Examples
    --------
    >>> float(secant_step(np.array([2.0]), np.array([1.0])))
    2.0
    """
    squared = np.vdot(dx, dx)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return squared / (abs(np.vdot(dx, dy)) + epsilon * squared)


@njit(cache=True, error_model="numpy")
def distances_of_block(X, quadruplets, start, a, b):
    """Squared distances of the comparisons from `start` on, as many as `a` has room for."""
    for t in range(a.size):
        i, j, l, k = quadruplets[start + t]
        a[t] = squared_distance(X, i, j)
        b[t] = squared_distance(X, l, k)


@njit(cache=True, error_model="numpy")
def _value(values, parameter, X, quadruplets, weights):
    n = len(quadruplets)
    a, b, loss = np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK)
    totals = np.zeros(_BLOCK)  # one a place in the block, so that adding to them is vectorized
    for start in range(0, n, _BLOCK):
        size = min(_BLOCK, n - start)
        distances_of_block(X, quadruplets, start, a[:size], b[:size])
        values(a[:size], b[:size], parameter, loss[:size])
        for t in range(size):
            totals[t] += weights[start + t] * loss[t]
    return totals.sum() / n


@njit(cache=True, error_model="numpy")
def _gradient(slopes, parameter, X, quadruplets, weights, gradient, kept):
    n = len(quadruplets)
    a, b, da, db = np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK)
    gradient[:] = 0.0
    for start in range(0, n, _BLOCK):
        size = min(_BLOCK, n - start)
        distances_of_block(X, quadruplets, start, a[:size], b[:size])
        slopes(a[:size], b[:size], parameter, da[:size], db[:size])
        _add_block(gradient, X, quadruplets, weights, start, da[:size], db[:size])
        if kept.shape[1] > 0:
            kept[0, start : start + size] = da[:size]
            kept[1, start : start + size] = db[:size]


@njit(cache=True, error_model="numpy")
def _value_and_gradient(values, slopes, parameter, X, quadruplets, weights, gradient):
    n = len(quadruplets)
    a, b, da, db = np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK)
    loss, totals = np.empty(_BLOCK), np.zeros(_BLOCK)
    gradient[:] = 0.0
    for start in range(0, n, _BLOCK):
        size = min(_BLOCK, n - start)
        distances_of_block(X, quadruplets, start, a[:size], b[:size])
        values(a[:size], b[:size], parameter, loss[:size])
        slopes(a[:size], b[:size], parameter, da[:size], db[:size])
        _add_block(gradient, X, quadruplets, weights, start, da[:size], db[:size])
        for t in range(size):
            totals[t] += weights[start + t] * loss[t]
    return totals.sum() / n


@njit(cache=True, error_model="numpy")
def _add_block(gradient, X, quadruplets, weights, start, da, db):
    """Weight the slopes of a block and add what they contribute to the gradient."""
    factor = 2.0 / len(quadruplets)
    for t in range(da.size):
        da[t] *= weights[start + t]
        db[t] *= weights[start + t]
    for t in range(da.size):
        i, j, l, k = quadruplets[start + t]
        add_differences(gradient, factor * da[t], factor * db[t], X, i, j, l, k)
