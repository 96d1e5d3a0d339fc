"""The function that every solver minimizes: the mean loss of the comparisons at the points X.

Nothing here is larger than the comparisons or the points: no n x n matrix is ever formed. Points
are kept in arrays padded to the SIMD width (`closerthan._core.vectors`); the added columns stay
zero.

A long sum is cut into chunks, as many as its sizes say, and the sums of the chunks are added in
their order. So threads may share the chunks, and their number changes no bit.
"""

from itertools import pairwise

import numpy as np
from numba import njit

from closerthan._core.calls import fill_slopes, fill_values
from closerthan._core.threads import Team
from closerthan._core.vectors import (
    FOUR,
    add_differences,
    add_differences_from,
    distances_of_four,
    distances_to_four,
    dot,
    norm,
    pad,
    padded_width,
    sizes_of,
)
from closerthan.losses import Loss
from closerthan.penalties import Penalty

_BLOCK = 256  # comparisons whose distances stay in the first-level cache together
_CHUNK = 2**16  # comparisons that are worth a thread
_CHUNKS = 32
_ROOM = 2**25  # bytes for the sums of chunks, beyond one a thread
_PIECE = 2**20  # comparisons between two looks at whether the user has interrupted
_DENSE = 1 / 2  # comparisons an anchor, as a share of the objects, from which rows of distances pay


class Objective:
    """Mean loss of comparisons, a function of the points.

    Parameters
    ----------
    loss : Loss
        Scalar loss of two squared distances.
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4), int
        Checked triplets (i, j, k) or quadruplets (i, j, l, k): d(i, j) should be less than d(i, k)
        or d(l, k). They are copied.
    shape : (int, int)
        Numbers of objects and of components: the shape of the points.
    sample_weight : ndarray of shape (n_comparisons,), optional
        Weights of the comparisons; only their ratios matter.
    team : Team, optional
        Threads that share the sums.
    penalty : Penalty, optional
        See `closerthan.penalties`.
    strength : float, default 0.0
        What the penalty is multiplied by before it is added to the mean loss.

    Attributes
    ----------
    comparisons : ndarray of shape (n_comparisons + 4, 3 or 4), uint32
        In an order that a solver may change, by `sort` or `shuffle`. The last four rows are zero.
    weights : ndarray of shape (n_comparisons,) or (0,)
        The sample weights, scaled to mean one; empty if all are one.
    values, slopes : int
        Addresses of the two loops of the loss, for the compiled loops of solvers.
    sizes : tuple
        The widths of points and comparisons; see `closerthan._core.vectors.sizes_of`.
    """

    def __init__(
        self,
        loss: Loss,
        comparisons: np.ndarray,
        shape: tuple[int, int],
        sample_weight: np.ndarray | None = None,
        *,
        team: Team | None = None,
        penalty: Penalty | None = None,
        strength: float = 0.0,
    ):
        self.loss = loss
        self.n_comparisons, n_ends = np.shape(comparisons)
        self.comparisons = np.zeros((self.n_comparisons + FOUR, n_ends), dtype=np.uint32)
        self.comparisons[:-FOUR] = comparisons
        self.n_objects, self.n_components = shape
        self.parameter = loss.parameter(self.n_components)
        self.values, self.slopes = loss._values.address, loss._slopes.address
        self.weights = np.empty(0)
        if sample_weight is not None:
            self.weights = sample_weight / np.mean(sample_weight)
        self.sizes = sizes_of(padded_width(self.n_components), n_ends)
        self.penalty = penalty
        self.strength = strength
        self._team = team or Team(1)
        self._sorted = False

    def sort(self) -> None:
        """Bring triplets in the order of their anchors, in which sums over all of them are fast."""
        if self.comparisons.shape[1] == 3 and not self._sorted:
            self._reorder(_stable_order(self.comparisons[:-FOUR, 0]))
            self._sorted = True

    def shuffle(self, rng: np.random.Generator) -> None:
        """Bring the comparisons in a random order."""
        self._sorted = False
        self._reorder(rng.permutation(self.n_comparisons))

    def value(self, X: np.ndarray) -> float:
        """Mean loss at the padded points X, and the penalty."""
        nothing = np.empty((0, X.shape[1]))
        return self._sum(X, nothing, True) + self.add_penalty(X, nothing)

    def gradient(
        self, X: np.ndarray, out: np.ndarray, slopes: np.ndarray | None = None
    ) -> np.ndarray:
        """Gradient of the mean loss and the penalty at the padded points X.

        It is written to `out`, of the same shape, and returned. The weighted derivatives with
        respect to both squared distances are written to `slopes`, of shape (n_comparisons, 2).
        """
        self._sum(X, out, False, slopes)
        self.add_penalty(X, out)
        return out

    def value_and_gradient(self, X: np.ndarray, out: np.ndarray) -> tuple[float, np.ndarray]:
        """`value` at the padded points X, and its gradient, written to `out`, in one pass."""
        return self._sum(X, out, True) + self.add_penalty(X, out), out

    def losses(self, X: np.ndarray) -> np.ndarray:
        """Loss of each comparison, without its weight, at the padded points X."""
        n, room = self.n_comparisons, tuple(np.zeros((3, _BLOCK)))
        losses = np.empty(n)
        for piece in pairwise([*range(0, n, _PIECE), n]):
            rows = self.comparisons, *piece, self.sizes
            _fill_losses(self.values, self.parameter, X, *rows, room, losses)
        return losses

    def add_penalty(self, X: np.ndarray, out: np.ndarray) -> float:
        """Return the penalty at the padded points X; add its gradient to `out` if it has rows."""
        if self.penalty is None or self.strength == 0:
            return 0.0
        return self.penalty.add_to(out, X, self.n_components, self.strength)

    def penalty_rates(self, X: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """`Penalty.rates` at the padded points X; no rates without a penalty."""
        if self.penalty is None or self.strength == 0:
            return 0.0, np.empty((0, 0)), np.empty(0)
        return self.penalty.rates(X, self.n_components, self.strength)

    @staticmethod
    def pad(points: np.ndarray) -> np.ndarray:
        """Return a copy of points as all methods take them, with columns of zeros added.

        The padded width is the least multiple of four that is enough.

        Examples
        --------
        >>> Objective.pad(np.ones((1, 2)))
        array([[1., 1., 0., 0.]])
        """
        return pad(points)

    def points(self, X: np.ndarray) -> np.ndarray:
        """Return the padded X without its added columns."""
        return X[:, : self.n_components]

    def project(self, X: np.ndarray) -> np.ndarray:
        """Return the feasible points nearest to X: X itself."""
        return X

    def inverse_curvature(self, X: np.ndarray, gradient: np.ndarray) -> float:
        """Barzilai-Borwein step of a small probe against the gradient; costs one gradient.

        This is the first step of a solver that was given none: about one over the curvature that
        the mean loss has along its gradient; n_objects where the probe finds no curvature.
        """
        length = norm(gradient)
        if length > 0.0:
            dx = gradient * (-1e-4 * max(norm(X), 1e-12) / length)
            step = secant_step(dx, self.gradient(X + dx, np.empty_like(X)) - gradient)
            if np.isfinite(step):
                return step
        return float(self.n_objects)

    def _reorder(self, order):
        self.comparisons[:-FOUR] = np.take(self.comparisons, order, axis=0)
        if self.weights.size:
            self.weights = self.weights[order]

    def _sum(self, X, out, with_value, slopes=None):
        """Write the gradient to `out`, unless it has no rows; return the mean loss if asked for."""
        slopes = np.empty((0, 2)) if slopes is None else slopes
        chunks = self._chunks()
        if len(chunks) == 1:
            return self._sum_chunk(chunks[0], X, out, with_value, slopes) / self.n_comparisons
        # Threads wait for each other once a wave: the fewer, the better, where there is room.
        room = _ROOM // max(out.nbytes, 1) if self._team.size > 1 else 1
        gradients = [np.empty_like(out) for _ in chunks[: max(self._team.size, room)]]
        losses = np.zeros(len(chunks))
        out[:] = 0.0
        for first in range(0, len(chunks), len(gradients)):

            def work(c, first=first):
                gradient = gradients[c - first]
                losses[c] = self._sum_chunk(chunks[c], X, gradient, with_value, slopes)

            wave = range(len(chunks))[first : first + len(gradients)]
            self._team.each(work, wave)
            for gradient in gradients[: len(wave)]:
                out += gradient
        return float(losses.sum()) / self.n_comparisons

    def _chunks(self):
        """Bounds of the pieces of each chunk of comparisons."""
        n = self.n_comparisons
        worth = n // max(_CHUNK, 4 * self.n_objects)
        n_chunks = min(2 ** max(worth.bit_length() - 1, 0), _CHUNKS)
        bounds = [n * chunk // n_chunks for chunk in range(n_chunks + 1)]
        return [[*range(*ends, _PIECE), ends[1]] for ends in pairwise(bounds)]

    def _sum_chunk(self, bounds, X, out, with_value, slopes):
        out[:] = 0.0
        dense = (
            self._sorted
            and self.n_comparisons >= _DENSE * self.n_objects**2
            and self.n_objects >= FOUR  # as many distances as are written at once
            and self.sizes[0]
        )
        rows = np.empty((2, self.n_objects)) if dense else None
        functions = self.values, self.slopes, self.parameter
        data = X, self.comparisons, self.weights
        results = rows, out, with_value, slopes, 2.0 / self.n_comparisons
        room = tuple(np.zeros((5, _BLOCK)))
        return sum(
            _add_comparisons(*functions, *data, *piece, *results, self.sizes, room)
            for piece in pairwise(bounds)
        )


def _stable_order(ids):
    """Positions of unsigned 32-bit numbers from the smallest to the largest.

    NumPy sorts numbers of 16 bits, and only these, in a time that is proportional to their number.
    """
    order = np.argsort(ids.astype(np.uint16), kind="stable")
    high = (ids >> 16).astype(np.uint16)
    return order[np.argsort(high[order], kind="stable")] if high.any() else order


def secant_step(dx, dy, epsilon=0.0):
    """Stabilized Barzilai-Borwein step, ``||dx||^2 / (|<dx, dy>| + epsilon ||dx||^2)``.

    Equation (14) of Ma et al. (2019); `epsilon` zero gives the plain one, eq. (10), made positive.
    Where the denominator is zero the step is infinite.
    """
    squared = np.float64(dot(dx, dx))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return squared / (abs(dot(dx, dy)) + epsilon * squared)


@njit(cache=True, error_model="numpy", nogil=True)
def _weigh(x, weights, start, size):
    if weights.size:
        for t in range(size):
            x[t] *= weights[start + t]


@njit(cache=True, error_model="numpy", nogil=True)
def _add_comparisons(
    values,
    slopes,
    parameter,
    X,
    comparisons,
    weights,
    first,
    last,
    rows,
    out,
    with_value,
    kept,
    scale,
    sizes,
    room,
):
    """Sum of the losses of some comparisons; `out` gets that of their gradients times scale / 2.

    Triplets that are sorted and dense bring room for two numbers an object, the `rows`: the squared
    distances from an anchor, looked up instead of computed, and the weights of the differences from
    it, summed up before the differences are added. These are None for other comparisons.
    """
    a, b, da, db, totals = room
    totals[:] = 0.0  # one a place in the block, so that adding to them is vectorized
    measured = summed = comparisons[first, 0]
    if rows is not None:
        _measure(X, measured, rows[0], sizes)
        rows[1] = 0.0
    for start in range(first, last, a.size):
        size = min(a.size, last - start)
        if rows is None:
            for t in range(0, size, FOUR):
                distances_of_four(X, comparisons, start + t, a, b, t, sizes)
        else:
            for t in range(size):
                i = comparisons[start + t, 0]
                if i != measured:
                    measured = i
                    _measure(X, i, rows[0], sizes)
                a[t] = rows[0, comparisons[start + t, 1]]
                b[t] = rows[0, comparisons[start + t, 2]]
        if with_value:
            fill_values(values, a, b, parameter, da)
            _weigh(da, weights, start, size)
            for t in range(size):
                totals[t] += da[t]
        if len(out) == 0:
            continue
        fill_slopes(slopes, a, b, parameter, da, db)
        _weigh(da, weights, start, size)
        _weigh(db, weights, start, size)
        if len(kept) > 0:
            for t in range(size):
                kept[start + t, 0], kept[start + t, 1] = da[t], db[t]
        if rows is None:
            for t in range(size):
                add_differences(out, scale * da[t], scale * db[t], X, comparisons, start + t, sizes)
        else:
            for t in range(size):
                i = comparisons[start + t, 0]
                if i != summed:
                    _add_row(out, rows[1], X, summed, sizes)
                    summed = i
                rows[1, comparisons[start + t, 1]] += scale * da[t]
                rows[1, comparisons[start + t, 2]] += scale * db[t]
    if rows is not None and len(out) > 0:
        _add_row(out, rows[1], X, summed, sizes)
    total = 0.0
    for t in range(totals.size):
        total += totals[t]
    return total


@njit(cache=True, error_model="numpy", nogil=True)
def _fill_losses(values, parameter, X, comparisons, first, last, sizes, room, losses):
    a, b, found = room
    for start in range(first, last, a.size):
        size = min(a.size, last - start)
        for t in range(0, size, FOUR):
            distances_of_four(X, comparisons, start + t, a, b, t, sizes)
        fill_values(values, a, b, parameter, found)
        losses[start : start + size] = found[:size]


@njit(cache=True, error_model="numpy", nogil=True)
def _measure(X, i, distances, sizes):
    """Squared distances of all points from point i."""
    n = len(X)
    for j in range(0, n, FOUR):
        distances_to_four(X, i, min(j, n - FOUR), distances, sizes)


@njit(cache=True, error_model="numpy", nogil=True)
def _add_row(out, weights, X, i, sizes):
    """Add the weighted differences of point i from all points to `out`, and clear the weights."""
    add_differences_from(out, weights, X, i, sizes)
    weights[:] = 0.0
