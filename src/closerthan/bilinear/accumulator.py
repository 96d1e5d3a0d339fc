"""The matrix that a bilinear model learns, as a sum of triplets that passes add to."""

import numpy as np
from scipy.sparse import issparse

from closerthan._core.threads import one_blas_thread
from closerthan.bilinear.passes import (
    BLOCK,
    DIVISOR,
    GROWTH,
    STEPS,
    WEIGHT,
    dense_pass,
    dense_values,
    sparse_pass,
    sparse_values,
)
from closerthan.bilinear.tiles import TILE, from_tiles, to_tiles

_ENTRIES = 2**28  # of S, visited between two looks at the keyboard: a second's work at most


class Accumulator:
    """M = S / divisor with its running losses and, if wanted, the mean of the matrices met.

    `start` is S, of shape (m, n); for a diagonal M it is one row. Whether the features to come are
    sparse is a guess that costs a copy if it is wrong.
    """

    def __init__(self, start, diagonal, divisor, sparse=False):
        self.diagonal = diagonal
        self.n_columns = start.shape[1]
        self._clock = np.array([divisor, 0.0, 0.0])
        self._sums = np.zeros(4)
        self._tiles = to_tiles(start, self.n_columns if sparse else TILE)
        self._lag = np.empty((0, 0, 0))
        self._mean_from = None
        self._removed = 0.0

    @property
    def n_iter(self):
        """Steps so far."""
        return int(self._sums[STEPS])

    def average_from_here(self):
        """Begin the mean of the matrices that each triplet's loss is taken with."""
        self._lag = np.zeros_like(self._tiles)
        self._clock[WEIGHT] = 0.0
        self._mean_from = self.n_iter

    @property
    def averages_matrices(self):
        """Whether `average_from_here` has been called."""
        return self._mean_from is not None

    def advance(self, X, triplets, order, alphas, C=0.0, growth=0.0):
        """Make steps on the triplets in that order; see `closerthan.bilinear.passes`.

        An interrupt comes between two steps, for all of a step is in the arrays.
        """
        self._arrange(X)
        self._clock[GROWTH] = growth
        run = sparse_pass if issparse(X) else dense_pass
        features = (*_arrays(X), self.diagonal, triplets)
        n_steps = BLOCK * (512 if issparse(X) else max(1, _ENTRIES // (BLOCK * self._tiles.size)))
        for start in range(0, len(order), n_steps):
            some = order[start : start + n_steps]
            run(*features, some, alphas, C, self._tiles, self._lag, self._clock, self._sums)

    def margins(self, X, triplets):
        """x'M(x+ - x-) of each triplet; ndarray of shape (n_triplets,)."""
        self._arrange(X)
        values = sparse_values if issparse(X) else dense_values
        return values(*_arrays(X), self.diagonal, triplets, self._tiles) / self._clock[DIVISOR]

    @property
    def total(self):
        """S, as a new array of shape (m, n)."""
        return from_tiles(self._tiles, self.n_columns)

    @total.setter
    def total(self, total):
        before = self._tiles
        self._tiles = to_tiles(total, before.shape[2])
        if self._lag.size:
            self._lag += self._clock[WEIGHT] * (self._tiles - before)

    def project(self):
        """Take away the part of S that is not positive semidefinite, but remember it.

        The next projection is of what all updates add up to, so that nothing is lost.
        """
        everything = self.total + self._removed
        self.total = nearest_psd(everything, self.diagonal)
        self._removed = everything - self.total

    @property
    def matrix(self):
        """M, as a new array of shape (m, n)."""
        matrix = self.total
        matrix /= self._clock[DIVISOR]
        return matrix

    @property
    def mean_matrix(self):
        """Mean of the matrices met since `average_from_here`."""
        total = self._clock[WEIGHT] * self.total - from_tiles(self._lag, self.n_columns)
        return total / (self.n_iter - self._mean_from)

    @property
    def averages(self):
        """Mean hinge, squared hinge and mistakes of the steps so far, each before its step."""
        return self._sums[:STEPS] / self.n_iter

    def _arrange(self, X):
        """Lay the matrix out for features of this kind."""
        width = self.n_columns if issparse(X) else TILE
        if self._tiles.shape[2] != width:
            self._tiles = to_tiles(self.total, width)
            if self._lag.size:
                self._lag = to_tiles(from_tiles(self._lag, self.n_columns), width)


def nearest_psd(matrix, diagonal):
    """Nearest positive semidefinite matrix; `diagonal` says that the matrix is a row of weights."""
    if diagonal:
        return np.maximum(matrix, 0.0)
    with one_blas_thread(len(matrix)):
        values, vectors = np.linalg.eigh((matrix + matrix.T) / 2.0)
        factor = vectors * np.sqrt(np.maximum(values, 0.0))
        return factor @ factor.T


def _arrays(X):
    return (X.data, X.indices, X.indptr) if issparse(X) else (X,)
