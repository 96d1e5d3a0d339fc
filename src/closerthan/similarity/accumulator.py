"""Store the matrix of a bilinear model, a sum over triplets that passes update."""

import numpy as np
from scipy.sparse import issparse

from closerthan._core.threads import one_blas_thread
from closerthan.similarity.passes import (
    BLOCK,
    STEPS,
    dense_pass,
    dense_values,
    sparse_pass,
    sparse_values,
)
from closerthan.similarity.tiles import TILE, from_tiles, to_tiles

_ENTRIES = 2**28  # entries of S per call, at most a second of work between checks for interrupts


class Accumulator:
    """Hold M = S / divisor and its running losses.

    `start` is S, a square matrix. `sparse` guesses the features' form.
    """

    def __init__(self, start, divisor, sparse=False):
        self.n_columns = start.shape[1]
        self._divisor = np.array([divisor])
        self._sums = np.zeros(4)
        self._tiles = to_tiles(start, self.n_columns if sparse else TILE)
        self._removed = 0.0

    @property
    def n_iter(self):
        """The number of steps so far."""
        return int(self._sums[STEPS])

    def advance(self, X, triplets, order, alphas, C=0.0, growth=0.0):
        """Make steps on the triplets in this order; see `closerthan.similarity.passes`."""
        self._arrange(X)
        run = sparse_pass if issparse(X) else dense_pass
        features = (*_arrays(X), triplets)
        n_steps = BLOCK * (512 if issparse(X) else max(1, _ENTRIES // (BLOCK * self._tiles.size)))
        for start in range(0, len(order), n_steps):
            some = order[start : start + n_steps]
            run(*features, some, alphas, C, growth, self._tiles, self._divisor, self._sums)

    def margins(self, X, triplets):
        """Return x'M(x+ - x-) of each triplet, shape (n_triplets,)."""
        self._arrange(X)
        values = sparse_values if issparse(X) else dense_values
        return values(*_arrays(X), triplets, self._tiles) / self._divisor[0]

    @property
    def total(self):
        """S, as a new array."""
        return from_tiles(self._tiles, self.n_columns)

    @total.setter
    def total(self, total):
        self._tiles = to_tiles(total, self._tiles.shape[2])

    def project(self):
        """Make S positive semidefinite; the next projection adds the removed part back first."""
        everything = self.total + self._removed
        self.total = nearest_psd(everything)
        self._removed = everything - self.total

    @property
    def matrix(self):
        """M, as a new array."""
        return self.total / self._divisor[0]

    @property
    def progress(self):
        """The steps so far, and their mean hinge, squared hinge and mistakes before each step."""
        return self.n_iter, *(self._sums[:STEPS] / self.n_iter)

    def _arrange(self, X):
        """Change the layout of the matrix to fit dense or sparse features."""
        width = self.n_columns if issparse(X) else TILE
        if self._tiles.shape[2] != width:
            self._tiles = to_tiles(self.total, width)


def nearest_psd(matrix):
    """Return the nearest positive semidefinite matrix."""
    with one_blas_thread(len(matrix)):
        values, vectors = np.linalg.eigh((matrix + matrix.T) / 2.0)
        factor = vectors * np.sqrt(np.maximum(values, 0.0))
        return factor @ factor.T


def _arrays(X):
    return (X.data, X.indices, X.indptr) if issparse(X) else (X,)
