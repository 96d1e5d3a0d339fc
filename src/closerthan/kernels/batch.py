"""Learn kernels from all comparisons at once by projected gradient descent."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.calls import fill_slopes, fill_values
from closerthan._core.compiled import compiled
from closerthan._core.threads import one_blas_thread
from closerthan._core.validation import (
    ASYMMETRIC,
    check_count,
    check_number,
    check_start,
    check_weights,
    refuse_entries,
)
from closerthan.comparison_model import as_answered
from closerthan.comparisons.check import check_comparisons
from closerthan.comparisons.convert import to_quadruplets
from closerthan.kernels.kernel_model import KernelModel
from closerthan.losses import Loss, make_loss
from closerthan.optimize.batch import Batch

_BLOCK = 256


@dataclass(eq=False, repr=False)
class BatchKernel(KernelModel):
    """Learn a kernel by projected gradient descent on the positive semidefinite cone.

    The model minimizes the mean loss of the comparisons over K, eq. (8) of Ma et al. (2019) without
    the rank constraint and with the trace penalty of eq. (3.3) of Heim et al. (2015). Each step
    costs an eigendecomposition, O(n_objects ** 3).

    Parameters
    ----------
    loss : {"gnmds", "ckl", "ste", "t-ste", "soe", "smooth-soe"} or Loss, default "ste"
        See `closerthan.losses`.
    tau : float, default 0.0
        Weight of the trace of K, relative to the *sum* of the losses as in eq. (3.3), where a
        weight of 2 counts as two answers. Positive values favor a low rank.
    step, step_size
        As for `closerthan.optimize.Batch`.
    n_objects : int, optional
        Number of objects; by default the largest id plus one.
    init : "identity" or ndarray of shape (n_objects, n_objects), default "identity"
        Positive semidefinite kernel to start from.
    max_iter, tol, callback, verbose
        As for `OrdinalEmbedding`; the callback gets the kernel.

    Attributes
    ----------
    kernel_ : ndarray of shape (n_objects, n_objects)
        The learned kernel, symmetric and positive semidefinite.
    history_, n_iter_ : DataFrame and int
        As for `OrdinalEmbedding`, with the norm of the kernel.

    References
    ----------
    Agarwal et al., Generalized non-metric multidimensional scaling, AISTATS 2007.

    Heim et al., Efficient online relative comparison kernel learning, SDM 2015.

    Examples
    --------
    >>> from closerthan import BatchKernel
    >>> line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    >>> model = BatchKernel("ste").fit(line)
    >>> model.score(line), model.embedding(1).shape
    (1.0, (4, 1))
    """

    loss: str | Loss = "ste"
    _: KW_ONLY
    tau: float = 0.0
    step: str = "bb"
    step_size: float | None = None
    n_objects: int | None = None
    init: str | np.ndarray = "identity"
    max_iter: int = 500
    tol: float = 1e-4
    callback: Callable | None = None
    verbose: int = 0

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn the kernel; see `OrdinalEmbedding.fit` for the parameters."""
        X = as_answered(X, y)
        comparisons = check_comparisons(X, self.n_objects)
        n_objects = self._count(comparisons)
        check_count("max_iter", self.max_iter, 10**9, "epochs")
        check_number("tau", self.tau)
        objective = KernelObjective(
            make_loss(self.loss),
            to_quadruplets(comparisons),
            (n_objects, self._loss_components()),
            check_weights(sample_weight, X),
            tau=self.tau,
        )
        solver = Batch(self.step, self.step_size)
        with one_blas_thread(n_objects):
            self.kernel_ = self._minimize(solver, objective, self._start(n_objects), None)
        return self

    def _start(self, n_objects):
        kernel = check_start(self.init, (n_objects, n_objects), ["identity"], "a kernel")
        if isinstance(kernel, str):
            return np.eye(n_objects)
        refuse_entries(~np.isclose(kernel, kernel.T), kernel, "init", ASYMMETRIC)
        smallest = np.linalg.eigvalsh(kernel)[0]
        if smallest < -1e-8 * np.linalg.norm(kernel):
            raise ValueError(
                f"init has the eigenvalue {smallest:.3g}; it must be positive semidefinite"
            )
        return kernel.copy()

    def __sklearn_is_fitted__(self):
        return hasattr(self, "kernel_")

    def _n_fitted(self):
        return len(self.kernel_)

    def _both_distances(self, quadruplets):
        i, j, l, k = quadruplets.T
        K, diagonal = self.kernel_, np.diag(self.kernel_)

        def squares(first, second):
            return diagonal[first] - 2 * K[first, second] + diagonal[second]

        return squares(i, j), squares(l, k)


class KernelObjective:
    """Mean loss of comparisons plus trace penalty, as a function of a kernel.

    Parameters
    ----------
    loss, quadruplets, shape, sample_weight
        As for `Objective`: checked quadruplets (i, j, l, k), and the shape that points would have.
    tau : float, default 0.0
        Weight of the trace relative to the sum of the losses.
    """

    def __init__(
        self,
        loss: Loss,
        quadruplets: np.ndarray,
        shape: tuple[int, int],
        sample_weight: np.ndarray | None = None,
        *,
        tau: float = 0.0,
    ):
        self.n_comparisons = len(quadruplets)
        self.n_objects, n_components = shape
        addresses = loss._values.address, loss._slopes.address
        self._loss = *addresses, loss.parameter(n_components)
        weights = np.ones(self.n_comparisons) if sample_weight is None else sample_weight
        self._trace_weight = tau / weights.sum()
        self._data = np.ascontiguousarray(quadruplets, dtype=np.uint32), weights / weights.mean()

    def sort(self) -> None:
        """Do nothing: the order of the comparisons does not matter here."""

    def value(self, K: np.ndarray) -> float:
        """Return the mean loss plus penalty at the kernel K."""
        return self.value_and_gradient(K, np.empty((0, 0)))[0]

    def gradient(self, K: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Write the symmetric gradient of the value at the kernel K to `out`; return it."""
        return self.value_and_gradient(K, out)[1]

    def value_and_gradient(self, K: np.ndarray, out: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the value at the kernel K and its symmetric gradient, written to `out`."""
        loss = _mean(self._loss, K, *self._data, out)
        out[np.diag_indices_from(out)] += self._trace_weight
        return loss + self._trace_weight * np.trace(K), out

    def points(self, K: np.ndarray) -> np.ndarray:
        """Return the kernel unchanged, because it has no padding."""
        return K

    def project(self, K: np.ndarray) -> np.ndarray:
        """Return the positive semidefinite matrix nearest to K."""
        if not np.isfinite(K).all():
            return K  # diverged; the trace reports it
        values, vectors = np.linalg.eigh(K)
        negative = values < 0.0
        negative_part = (vectors[:, negative] * values[negative]) @ vectors[:, negative].T
        return K - 0.5 * (negative_part + negative_part.T)


@compiled
def _distances(K, quadruplets, start, a, b):
    for t in range(a.size):
        i, j, l, k = quadruplets[start + t]
        # Rounding may leave the square of a distance just below zero.
        a[t] = max(0.0, K[i, i] - 2.0 * K[i, j] + K[j, j])
        b[t] = max(0.0, K[l, l] - 2.0 * K[l, k] + K[k, k])


@compiled
def _mean(loss, K, quadruplets, weights, gradient):
    """Return the mean loss; write its gradient to `gradient` unless that is empty."""
    values, slopes, parameter = loss
    n = len(quadruplets)
    a, b, da, db = np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK)
    gradient[:] = 0.0
    total = 0.0
    for start in range(0, n, _BLOCK):
        size = min(_BLOCK, n - start)
        _distances(K, quadruplets, start, a[:size], b[:size])
        fill_values(values, a[:size], b[:size], parameter, da[:size])
        for t in range(size):
            total += weights[start + t] * da[t]
        if len(gradient) == 0:
            continue
        fill_slopes(slopes, a[:size], b[:size], parameter, da[:size], db[:size])
        for t in range(size):
            i, j, l, k = quadruplets[start + t]
            weight = weights[start + t] / n
            _add_pair(gradient, i, j, weight * da[t])
            _add_pair(gradient, l, k, weight * db[t])
    return total / n


@compiled
def _add_pair(gradient, i, j, slope):
    gradient[i, i] += slope
    gradient[j, j] += slope
    gradient[i, j] -= slope
    gradient[j, i] -= slope
