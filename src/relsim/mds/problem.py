"""What the loops need of the data: padded dissimilarities and weights, and who computes."""

import os
from contextlib import contextmanager

import numpy as np
from numba import config, get_num_threads, set_num_threads

from relsim._simd.float64x8 import LANES, STEP
from relsim._simd.memory import aligned_zeros, round_up
from relsim.mds import loops

_BLOCK = 4 * STEP  # points evaluated together, few enough for their sums to stay in cache
_WORTH_THREADS = 500**2  # dissimilarities; with fewer, waiting costs more than sharing saves


class Problem:
    """Dissimilarities of points to n others, with their weights, as the loops want them.

    Parameters
    ----------
    D : ndarray of shape (m, n)
        Checked dissimilarities; NaN where missing.
    weights : ndarray of shape (m, n), optional
        Checked weights, by default all one; zero where an entry is missing or of a point with
        itself.
    n_threads : int, default 1
        Threads at most.

    Attributes
    ----------
    scale : float
        Root mean square of the dissimilarities, which tells how long a move may be.
    block : int
        Points whose moves are evaluated together, a multiple of `STEP`.
    """

    def __init__(self, D, weights=None, n_threads=1):
        self.n = D.shape[1]
        self.n_threads = n_threads if D.size >= _WORTH_THREADS else 1
        width = round_up(self.n, STEP)
        self.delta = aligned_zeros((len(D), width))
        self.delta[:, : self.n] = D
        self.uniform = weights is None
        if not self.uniform:
            self.delta[:, : self.n][weights == 0] = 0.0
        self.weights = aligned_zeros((1 if self.uniform else len(D), width))
        self.weights[:, : self.n] = 1.0 if self.uniform else weights
        self._row_weights = None if self.uniform else self.weights.sum(axis=1)
        known = D.size if self.uniform else np.count_nonzero(weights)
        self.scale = float(np.linalg.norm(self.delta) / np.sqrt(known))
        self.block = _BLOCK
        self._rows = np.empty(len(D))

    def columns(self, points):
        """The points as padded columns."""
        X = aligned_zeros((points.shape[1], round_up(len(points), STEP)))
        X[:, : len(points)] = points.T
        return X

    def points(self, X):
        """The points of padded columns."""
        return X[:, : self.n].T.copy()

    def stress(self, X):
        """Sum of w (delta - d)**2 over all pairs of points, from the coordinates."""
        self._run("stress_rows", X, self.delta, self.weights, self._rows)
        return float(self._rows.sum())

    def guttman(self, X, out):
        """Write R(X) X, eq. (7) of the paper, to `out`, and return the stress at X."""
        self._run("guttman_rows", X, self.delta, self.weights, out, self._rows)
        return float(self._rows.sum()) / 2

    def epoch(self, X, dims, radius, bad_moves):
        """Move each point by `radius` along the best of the dimensions, in place."""
        sums = aligned_zeros((self.block, len(dims) + 1, 3, LANES))
        weights = (self.delta, self.weights, self._point_weights(self.n - 1.0))
        self._run("epoch", X, *weights, dims, radius, not bad_moves, sums)

    def place(self, X, starts, radii, min_radius):
        """Places of the m points among the n, which stay at X."""
        found = np.empty_like(starts)
        weights = (self.delta, self.weights, self._point_weights(float(self.n)), self.n)
        self._run("place_rows", X, *weights, starts, radii, min_radius, found)
        return found

    def _point_weights(self, n_others):
        """Summed weight of the pairs of each point."""
        return np.full(len(self.delta), n_others) if self.uniform else self._row_weights

    def _run(self, name, *args):
        with _threads(self.n_threads):
            getattr(loops, name + ("_threads" if self.n_threads > 1 else ""))(*args)


@contextmanager
def _threads(n_threads):
    if n_threads == 1:
        yield
        return
    before = get_num_threads()
    set_num_threads(n_threads)
    try:
        yield
    finally:
        set_num_threads(before)


def count_threads(n_jobs):
    """Threads that `n_jobs` asks for: None is one, -1 all, -2 all but one, as in scikit-learn."""
    most = min(config.NUMBA_NUM_THREADS, os.cpu_count())
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r}; it must be None or a whole number, and not 0")
    return min(n_jobs, most) if n_jobs > 0 else max(1, most + 1 + n_jobs)
