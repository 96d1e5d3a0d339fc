"""Base of OASIS and SDCA: fit in passes over triplets, compute similarities, rank rows."""

from abc import ABC, abstractmethod
from copy import deepcopy
from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from closerthan._core.interrupts import all_or_nothing
from closerthan._core.progress import progress_bar
from closerthan._core.threads import one_blas_thread
from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_dense_or_sparse, check_weights
from closerthan.comparisons.check import check_triplets, refuse_weights
from closerthan.similarity.accumulator import Accumulator
from closerthan.similarity.features import Features, check_finite_rows, rows_in

_N_POINTS = 200  # of the curve of a fit
_NO_QUADRUPLETS = "x'My needs triplets"
PROGRESS = ["iterations", "hinge", "squared_hinge", "mistake_rate"]


@dataclass(eq=False, repr=False)
class BilinearModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    """Hold a similarity x'My that is learned from triplets, one at a time."""

    _: KW_ONLY
    n_epochs: int
    random_state: Seed = None
    verbose: int = 0

    @all_or_nothing
    def fit(self, X: Features, triplets: ArrayLike) -> Self:
        """Learn the similarity in `n_epochs` epochs, each with as many steps as triplets.

        Each step takes a triplet at random, with replacement.

        Raise a ValueError if features are not finite, or a triplet names a row that X does not have
        or one row twice.

        Parameters
        ----------
        X : array_like or sparse array of shape (n_rows, n_features)
            Features. A float32 or float64 array, such as a memmap, is not copied, and neither is a
            CSR array with sorted columns. Rows that no triplet names are not read.
        triplets : array_like of shape (n_triplets, 3), int
            Row numbers (i, j, k): row i is more similar to row j than to row k.
        """
        rng = np.random.default_rng(self.random_state)
        check_count("n_epochs", self.n_epochs, 10**9, "passes over the triplets")
        refuse_weights(triplets)
        X, triplets = self._begin(X, triplets)
        n = len(triplets)
        n_steps = n * self.n_epochs
        marks = np.linspace(0, n_steps, _N_POINTS + 1).astype(int)
        alphas = np.zeros(n)
        with progress_bar(self.verbose, total=n_steps, unit="triplet") as bar:
            for epoch in range(self.n_epochs):
                order = rng.integers(n, size=n)
                ends = np.unique(marks[(marks > epoch * n) & (marks < (epoch + 1) * n)])
                for some in np.split(order, ends - epoch * n):
                    self._advance(X, triplets, some, alphas)
                    self._progress.append(self._accumulator.progress)
                    bar.update(len(some))
                self._end_epoch(X, triplets, alphas)
        return self._finish()

    def partial_fit(self, X: Features, triplets: ArrayLike) -> Self:
        """Learn from more triplets, each once and in the given order.

        The first call begins a model, and so does `fit`; later calls continue it. Several calls
        give the same result as one, unless there is a projection. An interrupt ends a call between
        two steps and keeps what was learned. Parameters as for `fit`.
        """
        refuse_weights(triplets)
        if hasattr(self, "_accumulator"):
            X, triplets = self._check(X, triplets)
        else:
            X, triplets = self._begin(X, triplets, online=True)
        order = np.arange(len(triplets))
        try:
            self._advance(X, triplets, order, np.zeros(len(triplets)), online=True)
        finally:  # an interrupt ends the stream where it is
            if self.n_iter_:
                self._progress.append(self._accumulator.progress)
                self._constrain()
                self._finish()
            else:
                del self._accumulator
        return self

    __copy__ = deepcopy  # a shallow copy would share the matrix, which steps change in place

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_accumulator")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def n_iter_(self) -> int:
        check_is_fitted(self)
        return self._accumulator.n_iter

    @property
    def history_(self) -> pd.DataFrame:
        check_is_fitted(self)
        return pd.DataFrame(self._history)

    @property
    def progress_(self) -> pd.DataFrame:
        check_is_fitted(self)
        return pd.DataFrame(self._progress, columns=PROGRESS)

    def similarity(self, X: Features, Y: Features) -> np.ndarray:
        """Return the numbers x'My of all rows of X and Y, an array of shape (n_x, n_y)."""
        X, Y = self._features(X), self._features(Y)
        with one_blas_thread(*X.shape, Y.shape[0]):
            found = X @ self.similarity_ @ Y.T
        return found.toarray() if issparse(found) else found

    def rank(self, queries: Features, database: Features) -> np.ndarray:
        """Return the row numbers of a database by similarity to each query, the highest first.

        The shape is (n_queries, n_rows). Ties keep their order.
        """
        return np.argsort(-self.similarity(queries, database), axis=1, stable=True)

    def transform(self, X: Features) -> np.ndarray:
        """Map features to points whose inner products are the similarities.

        The points are the rows of X times L, where M = LL'. They have as many columns as
        `similarity_`. Raise a ValueError if M is not symmetric and positive semidefinite.
        """
        X = self._features(X)
        if not np.allclose(self.similarity_, self.similarity_.T, rtol=1e-8, atol=0.0):
            raise ValueError("similarity_ is not symmetric, so that no map to points gives it")
        with one_blas_thread(*X.shape, X.shape[1]):
            values, vectors = np.linalg.eigh(self.similarity_)
            smallest = values.min()
            if smallest < -1e-8 * np.abs(values).max():
                raise ValueError(
                    f"similarity_ has the eigenvalue {smallest:.3g}; only a positive semidefinite "
                    "one is an inner product of points"
                )
            return X @ (vectors * np.sqrt(np.maximum(values, 0.0)))

    def score(
        self, X: Features, triplets: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the weighted share of triplets with x_i' M x_j > x_i' M x_k; ties do not count.

        Parameters as for `fit`; for `sample_weight` see :doc:`the glossary </glossary>`.
        """
        check_is_fitted(self)
        weights = check_weights(sample_weight, triplets)
        X, triplets = self._check(X, triplets)
        fitted = Accumulator(self.similarity_, 1.0, issparse(X))
        return float(np.average(fitted.margins(X, triplets) > 0.0, weights=weights))

    def _begin(self, X, triplets, online=False):
        """Start a new model; return features and triplets in the form of the passes."""
        self._check_parameters()
        X, triplets = self._check(X, triplets, reset=True)
        self._history, self._progress = [], []
        divisor = self._divisor(0 if online else len(triplets))
        self._accumulator = Accumulator(self._start(X.shape[1]), divisor, issparse(X))
        return X, triplets

    @abstractmethod
    def _check_parameters(self):
        """Refuse bad parameters."""

    def _check(self, X, triplets, reset=False):
        X = check_dense_or_sparse(self, X, reset)
        triplets = check_triplets(triplets, X.shape[0], why=_NO_QUADRUPLETS)
        check_finite_rows(X, rows_in(triplets, X.shape[0]))
        return X, triplets

    def _features(self, X):
        """Return checked features."""
        check_is_fitted(self)
        X = check_dense_or_sparse(self, X, reset=False)
        check_finite_rows(X, np.arange(X.shape[0]))
        return X

    @property
    def _n_features_out(self):
        return self.similarity_.shape[-1]

    @abstractmethod
    def _start(self, n_features):
        """Return the matrix, a sum over triplets, that M starts from."""

    def _divisor(self, n_triplets):
        """Return the divisor of the sum, by default 1; zero triplets stand for a stream of them."""
        return 1.0

    @abstractmethod
    def _advance(self, X, triplets, order, alphas, online=False):
        """Take steps on the triplets in this order."""

    def _constrain(self):
        """Move M into the set that it must lie in; by default, every M is allowed."""

    def _end_epoch(self, X, triplets, alphas):
        """Add a row to the history."""
        self._history.append(dict(zip(PROGRESS, self._accumulator.progress, strict=True)))

    def _finish(self):
        self.similarity_ = self._accumulator.matrix
        return self
