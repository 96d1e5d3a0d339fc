"""The objective of all solvers: the mean loss of the comparisons at the points X.

Points are in arrays padded to the SIMD width (`closerthan._core.vectors`). The padding stays zero.
A long sum is divided into chunks. Their number depends on the sizes of the data only, so the number
of threads does not change the result.
"""

from functools import cached_property
from itertools import pairwise

import numpy as np

from closerthan._core.calls import fill_slopes, fill_values
from closerthan._core.compiled import compiled
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
    vectors_of,
)
from closerthan.losses import Loss
from closerthan.penalties import Penalty

_BLOCK = 256  # comparisons; their distances fit in the first-level cache
_CHUNK = 2**16  # comparisons, enough work for a thread
_CHUNKS = 32
_GRADIENTS = 2**25  # bytes for the gradients of chunks, beyond one per thread
_PIECE = 2**20  # comparisons between checks for an interrupt by the user
# Rows of distances pay off if an anchor has more comparisons than this times the objects.
_DENSE = 1 / 2


class Objective:
    """Mean loss of comparisons as a function of the points.

    Parameters
    ----------
    loss : Loss
        Scalar loss of two squared distances.
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4), int
        Checked triplets or quadruplets. The objective makes a copy.
    shape : (int, int)
        Shape of the points, (n_objects, n_components).
    sample_weight : ndarray of shape (n_comparisons,), optional
        Weights of the comparisons. Only their ratios matter.
    team : Team, optional
        Threads that share the sums.
    penalty : Penalty, optional
    strength : float, default 0.0
        The factor of the penalty, which is added to the mean loss.

    Attributes
    ----------
    comparisons : ndarray of shape (n_comparisons + 4, 3 or 4), uint32
        The comparisons, in an order that `sort` and `shuffle` change. The last four rows are zero.
    weights : ndarray of shape (n_comparisons,) or (0,)
        The sample weights, scaled to mean one; empty if none are given. Lapses change them.
    values, slopes : int
        Addresses of the two compiled loops of the loss.
    vectors : tuple
        The width of a point; see `closerthan._core.vectors.vectors_of`.
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
        self.vectors = vectors_of(padded_width(self.n_components))
        self.penalty = penalty
        self.strength = strength
        self._team = team or Team(1)
        self._sorted = False

    def sort(self) -> None:
        """Sort triplets by their anchors, which makes sums over all of them fast."""
        if self.comparisons.shape[1] == 3 and not self._sorted:
            self._reorder(_stable_order(self.comparisons[:-FOUR, 0]))
            self._sorted = True

    def shuffle(self, rng: np.random.Generator) -> None:
        """Shuffle the comparisons."""
        self._sorted = False
        self._reorder(rng.permutation(self.n_comparisons))

    def value(self, X: np.ndarray) -> float:
        """Return the mean loss plus penalty at the padded points X."""
        nothing = np.empty((0, X.shape[1]))
        return self._sum(X, nothing, True) + self.add_penalty(X, nothing)

    def gradient(
        self, X: np.ndarray, out: np.ndarray, slopes: np.ndarray | None = None
    ) -> np.ndarray:
        """Write the gradient of mean loss plus penalty at the padded points X to `out`; return it.

        `slopes`, of shape (n_comparisons, 2), receives the weighted derivatives by both distances.
        """
        self._sum(X, out, False, slopes)
        self.add_penalty(X, out)
        return out

    def value_and_gradient(self, X: np.ndarray, out: np.ndarray) -> tuple[float, np.ndarray]:
        """Return `value` and its gradient (written to `out`) at the padded points X in one pass."""
        return self._sum(X, out, True) + self.add_penalty(X, out), out

    def losses(self, X: np.ndarray) -> np.ndarray:
        """Return the unweighted loss of each comparison at the padded points X."""
        n, room = self.n_comparisons, tuple(np.zeros((3, _BLOCK)))
        losses = np.empty(n)
        for piece in pairwise([*range(0, n, _PIECE), n]):
            rows = self.comparisons, *piece, self.vectors
            _fill_losses(self.values, self.parameter, X, *rows, room, losses)
        return losses

    def add_penalty(self, X: np.ndarray, out: np.ndarray) -> float:
        """Return the penalty at the padded points X; add its gradient to `out` unless empty."""
        if self.penalty is None or self.strength == 0:
            return 0.0
        return self.penalty.add_to(out, X, self.n_components, self.strength)

    def penalty_rates(self, X: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Return `Penalty.rates` at the padded points X; empty arrays without a penalty."""
        if self.penalty is None or self.strength == 0:
            return 0.0, np.empty((0, 0)), np.empty(0)
        return self.penalty.rates(X, self.n_components, self.strength)

    @staticmethod
    def pad(points: np.ndarray) -> np.ndarray:
        """Return a copy of points with columns of zeros, up to a multiple of four."""
        return pad(points)

    def points(self, X: np.ndarray) -> np.ndarray:
        """Return the padded X without its padding."""
        return X[:, : self.n_components]

    def project(self, X: np.ndarray) -> np.ndarray:
        """Return the feasible points nearest to X: X itself."""
        return X

    def _reorder(self, order):
        self.comparisons[:-FOUR] = np.take(self.comparisons, order, axis=0)
        if self.weights.size:
            self.weights = self.weights[order]

    def _sum(self, X, out, with_value, slopes=None):
        """Write the gradient to `out` unless it is empty; return the mean loss if asked for."""
        slopes = np.empty((0, 2)) if slopes is None else slopes
        chunks = self._chunks
        if len(chunks) == 1:
            return self._sum_chunk(chunks[0], X, out, with_value, slopes) / self.n_comparisons
        # Threads wait for each other once per wave, so fewer and larger waves are faster.
        most = _GRADIENTS // max(out.nbytes, 1) if self._team.size > 1 else 1
        gradients = [np.empty_like(out) for _ in chunks[: max(self._team.size, most)]]
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

    @cached_property
    def _chunks(self):
        """Return the bounds of the pieces of each chunk of comparisons."""
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
            and self.vectors  # empty beyond 256 dimensions
        )
        rows = np.empty((2, self.n_objects) if dense else (0, 0))
        loss = self.values, self.slopes, self.parameter
        data = X, self.comparisons, self.weights
        results = rows, out, with_value, slopes, 2.0 / self.n_comparisons
        room = tuple(np.zeros((5, _BLOCK)))
        return sum(
            _add_comparisons(loss, *data, *piece, *results, self.vectors, room)
            for piece in pairwise(bounds)
        )


def _stable_order(ids):
    """Return the stable order of unsigned 32-bit numbers in linear time, by halves of 16 bits."""
    order = np.argsort(ids.astype(np.uint16), kind="stable")
    high = (ids >> 16).astype(np.uint16)
    return order[np.argsort(high[order], kind="stable")] if high.any() else order


def secant_step(dx, dy, epsilon=0.0):
    """Return the stabilized BB step, ``||dx||^2 / (|<dx, dy>| + epsilon ||dx||^2)``.

    This is eq. (14) of Ma et al. (2019), which eq. (17) divides by the number of comparisons, or
    with `epsilon` zero the absolute value of eq. (10).
    """
    squared = np.float64(dot(dx, dx))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return squared / (abs(dot(dx, dy)) + epsilon * squared)


def inverse_curvature(objective, X, gradient):
    """Return about one over the curvature along the gradient, the default first step.

    It costs one gradient. It is n_objects if a small probe finds no curvature.
    """
    length = norm(gradient)
    if length > 0.0:
        dx = gradient * (-1e-4 * max(norm(X), 1e-12) / length)
        step = secant_step(dx, objective.gradient(X + dx, np.empty_like(X)) - gradient)
        if np.isfinite(step):
            return step
    return float(objective.n_objects)


@compiled
def _weigh(x, weights, start, size):
    if weights.size:
        for t in range(size):
            x[t] *= weights[start + t]


@compiled
def _add_comparisons(
    loss, X, comparisons, weights, first, last, rows, out, with_value, kept, scale, vectors, room
):
    """Return the sum of losses of some comparisons; add the gradient times scale / 2 to `out`.

    `kept` receives the derivatives by both distances. It may be empty, like `out`. For sorted and
    dense triplets, `rows` has two numbers per object: the squared distance from the current anchor,
    and the summed weight of the difference from it. Otherwise it is empty.
    """
    values, slopes, parameter = loss
    dense = len(rows) > 0
    a, b, da, db, totals = room
    totals[:] = 0.0  # one for each position in the block, so that the sum is vectorized
    # The anchors of the two rows: in a block, distances are measured before slopes are summed.
    measured = summed = comparisons[first, 0]
    if dense:
        _measure(X, measured, rows[0], vectors)
        rows[1] = 0.0
    for start in range(first, last, a.size):
        size = min(a.size, last - start)
        if not dense:
            for t in range(0, size, FOUR):
                distances_of_four(X, comparisons, start + t, a, b, t, vectors)
        else:
            for t in range(size):
                i = comparisons[start + t, 0]
                if i != measured:
                    measured = i
                    _measure(X, i, rows[0], vectors)
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
        if not dense:
            for t in range(size):
                add_differences(
                    out, scale * da[t], scale * db[t], X, comparisons, start + t, vectors
                )
        else:
            for t in range(size):
                i = comparisons[start + t, 0]
                if i != summed:
                    _add_row(out, rows[1], X, summed, vectors)
                    summed = i
                rows[1, comparisons[start + t, 1]] += scale * da[t]
                rows[1, comparisons[start + t, 2]] += scale * db[t]
    if dense and len(out) > 0:
        _add_row(out, rows[1], X, summed, vectors)
    return totals.sum()


@compiled
def _fill_losses(values, parameter, X, comparisons, first, last, vectors, room, losses):
    a, b, found = room
    for start in range(first, last, a.size):
        size = min(a.size, last - start)
        for t in range(0, size, FOUR):
            distances_of_four(X, comparisons, start + t, a, b, t, vectors)
        fill_values(values, a, b, parameter, found)
        for t in range(size):  # a slice would compile twice as long: it checks shapes
            losses[start + t] = found[t]


@compiled
def _measure(X, i, distances, vectors):
    """Write the squared distances of all points from point i to `distances`."""
    n = len(X)
    for j in range(0, n, FOUR):
        distances_to_four(X, i, min(j, n - FOUR), distances, vectors)


@compiled
def _add_row(out, weights, X, i, vectors):
    """Add the weighted differences of point i from all points to `out`, and clear the weights."""
    add_differences_from(out, weights, X, i, vectors)
    weights[:] = 0.0
