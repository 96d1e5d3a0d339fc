"""Prepare data for the compiled loops of MDS, and share their rows between threads."""

from functools import partial
from operator import call

import numpy as np

from closerthan._core.threads import Team
from closerthan._core.vectors import LANES, STEP, aligned_zeros, round_up
from closerthan.mds import loops

_BLOCK = 16 * STEP  # one thread moves so many points while others prepare the next block
_PAIRS = 2**20  # pairs per call of a loop; Python can react to an interrupt between calls


class Dissimilarities:
    """Hold the dissimilarities of m points to n others, and their weights, for the loops.

    Missing entries are NaN and have weight 0, as has the pair of a point with itself if there are
    weights. All lengths are in units of `unit`. `scale`, a root mean square, sets those of moves.
    """

    def __init__(self, D, weights=None, team=None, unit=1.0):
        self.n, self.unit = D.shape[1], unit
        self.team = Team(1) if team is None else team
        width = round_up(self.n, STEP)
        self.delta = aligned_zeros((len(D), width))
        np.divide(D, unit, out=self.delta[:, : self.n])
        self.uniform = weights is None
        if not self.uniform:
            self.delta[:, : self.n][weights == 0] = 0.0
        self.weights = aligned_zeros((1 if self.uniform else len(D), width))
        self.weights[:, : self.n] = 1.0 if self.uniform else weights
        self._row_weights = None if self.uniform else self.weights.sum(axis=1)
        known = D.size if self.uniform else np.count_nonzero(weights)
        squares = np.einsum("ij,ij->", self.delta, self.delta)  # BLAS would round by its threads
        self.scale = float(np.sqrt(squares / known))
        self.block = _BLOCK
        self._rows = np.empty(len(D))

    def points(self, X):
        """Return the points, as rows, from padded columns."""
        return self.unit * X[:, : self.n].T.copy()

    def stress(self, X):
        """Return the sum of w (delta - d)**2 over all pairs of points."""
        self._each_row(loops.stress_rows, X, self.delta, self.weights, after=(self._rows,))
        return float(self._rows.sum())

    def guttman(self, X, out):
        """Write R(X) X, eq. (7) of Paraskevopoulos et al., to `out`; return the stress at X."""
        self._each_row(loops.guttman_rows, X, self.delta, self.weights, after=(out, self._rows))
        return float(self._rows.sum()) / 2

    def squares_times(self, V):
        """Multiply the matrix of squared dissimilarities by vectors, the rows of V."""
        out = np.empty((len(V), len(self.delta)))
        self._each_row(loops.square_rows, as_columns(V.T), self.delta, after=(out,))
        return out

    def epoch(self, X, dims, radius, bad_moves):
        """Move each point by `radius` along the best of the dimensions, in place.

        The points move one after another. While a block moves, other threads compare the next block
        with all points outside these two blocks. This is most of the work.
        """
        n, block = self.n, self.block
        # A turn moves the points of the previous block and sums for this one, with its own sums.
        sums = aligned_zeros((2, block, len(dims) + 1, 3, LANES))
        weights = self._point_weights(n - 1.0)
        centers = X[:, :n].sum(axis=1)
        data, move = (X, self.delta, self.weights), (dims, radius, not bad_moves)
        piece = block if self.team.size == 1 else block // 8
        moving = []  # the job that moves the previous block, whose sums are complete
        for number, start in enumerate(range(0, n, block)):
            stop = min(start + block, n)
            near = max(0, start - block), min(start + block, X.shape[1])
            of_block = sums[number % 2]
            summing = []
            for first in range(start, stop, piece):
                rows = first, min(first + piece, stop)
                part = of_block[first - start :]
                summing.append(partial(loops.sum_outside, *data, *rows, *near, *move, part))
            self.team.each(call, moving + summing)
            rest = (start, stop, *near, *move, of_block, centers)
            moving = [partial(loops.move_points, *data, weights, *rest)]
        self.team.each(call, moving)

    def place(self, points, starts, radii, min_radius):
        """Return the coordinates of the m points among n points, which stay in their places."""
        found, weights = np.empty_like(starts), self._point_weights(float(self.n))
        X, *given = as_columns(points / self.unit), starts / self.unit, radii / self.unit
        after = (weights, self.n, *given, min_radius / self.unit, found)
        self._each_row(loops.place_rows, X, self.delta, self.weights, after=after, passes=64)
        return self.unit * found

    def _point_weights(self, n_others):
        """Return the summed weight of the pairs of each point."""
        return np.full(len(self.delta), n_others) if self.uniform else self._row_weights

    def _each_row(self, loop, *before, after, passes=1):
        """Call a loop for all rows in parts; a loop with more passes gets smaller parts."""
        m, width = self.delta.shape
        size = max(1, _PAIRS // (width * passes))

        def rows(first):
            loop(*before, first, min(first + size, m), *after)

        self.team.each(rows, range(0, m, size))


def length_unit(D):
    # The power of two below the largest entry: to divide by it rounds nothing.
    return float(np.ldexp(1.0, np.frexp(np.fmax.reduce(D, axis=None))[1] - 1))


def as_columns(points):
    """Return points as columns, padded at the end with points at the origin."""
    X = aligned_zeros((points.shape[1], round_up(len(points), STEP)))
    X[:, : len(points)] = points.T
    return X


def distances(points, others, team):
    """Return Euclidean distances, unlike scikit-learn's with the same digits for any threads."""
    X, out = as_columns(others), np.empty((len(points), len(others)))
    n_blocks = X.shape[1] // STEP
    size = max(1, _PAIRS // (STEP * len(points)))

    def blocks(first):
        loops.distance_columns(points, X, first, min(first + size, n_blocks), out)

    team.each(blocks, range(0, n_blocks, size))
    return out
