"""Learn kernels online, from one comparison at a time (ERKLE)."""

from copy import deepcopy
from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from closerthan._core.interrupts import all_or_nothing, uninterrupted
from closerthan._core.progress import progress_bar
from closerthan._core.threads import one_blas_thread
from closerthan._core.typing import Seed
from closerthan._core.validation import check_number, check_word
from closerthan.comparison_model import as_answered
from closerthan.comparisons.check import check_triplets, refuse_weights
from closerthan.kernels.kernel_model import KernelModel
from closerthan.kernels.projection import BOUNDS, GRADIENTS, ProjectedKernel

STEPS = ("passive-aggressive", "constant", "1/j", "1/sqrt(j)")
_HISTORY = ("comparison", "margin", "step_size", "eigenvalue")
_PIECE = 1000  # comparisons between updates of the progress bar


@dataclass(eq=False, repr=False)
class OnlineKernel(KernelModel):
    """Learn a kernel from a stream of triplets, one at a time (ERKLE).

    Each triplet (i, j, k) moves the kernel K along the negative gradient of its loss. Then K is
    projected onto the positive semidefinite matrices. The projection is exact: at most one
    eigenvalue has become negative, and it is removed (Algorithm 1 of Heim et al., 2015).

    Parameters
    ----------
    loss : {"gnmds", "ste"}, default "gnmds"
        Hinge loss or logistic loss of d^2(i, j) - d^2(i, k).
    step : {"passive-aggressive", "constant", "1/j", "1/sqrt(j)"}, default "passive-aggressive"
        "passive-aggressive" makes no step if d^2(i, k) exceeds d^2(i, j) by the margin. Otherwise
        it makes the smallest step that reaches the margin before the projection, eq. (4.18), for
        both losses. The others multiply the gradient by step_size, step_size / j or
        step_size / sqrt(j), where j is the number of the triplet.
    step_size : float, default 1.0
        Step size. It multiplies a passive-aggressive step.
    margin : float, default 1.0
        Required excess of d^2(i, k) over d^2(i, j). Set log(P / (1 - P)) to give a triplet the
        probability P after the step, eq. (4.20). Steps of the logistic loss do not use the margin.
    revisits : int, default 0
        Number of triplets to repeat after each new one, drawn uniformly with replacement from all
        so far (Algorithm 2). This is the number of passes in the paper minus one. Revisits start at
        triplet 2 (revisits + 1) + 1.
    n_objects : int, optional
        Number of objects; by default the largest id so far plus one. It grows with later triplets.
    initial_scale : float, default 1.0
        The kernel starts as this multiple of the identity; not negative.
    gradient : {"symmetric", "paper"}, default "symmetric"
        "symmetric" is the gradient in the space of symmetric matrices. "paper" is the matrix (4.10)
        as printed; its off-diagonal entries are twice as large.
    bound : {"objects", "paper"}, default "objects"
        How to show that no eigenvalue is negative without computing it. "objects" has a bound for
        each object, lowered by the triplets that name it. "paper" has a single bound, lowered by
        every triplet and therefore recomputed far more often. The kernel is the same.
    random_state, verbose
        See :doc:`the glossary </glossary>`.

    Attributes
    ----------
    kernel_ : ndarray of shape (n_objects, n_objects)
        The learned kernel, symmetric and positive semidefinite; computed at each access.
    n_updates_ : int
        Number of triplets processed, including revisits.
    n_eigenpairs_ : int
        How often the smallest eigenvalue was computed or bounded anew. The other updates made no
        step, or the bound showed that no eigenvalue is negative.
    history_ : DataFrame
        One row per processed triplet: its number in the stream, its margin before the step (not
        positive if the kernel was wrong), the step size and the removed eigenvalue.

    References
    ----------
    Heim, Berger, Seversky, Hauskrecht, Efficient online relative comparison kernel learning, SDM
    2015.

    Examples
    --------
    >>> from closerthan import OnlineKernel
    >>> model = OnlineKernel()
    >>> for answer in [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]:
    ...     model = model.partial_fit([answer])
    >>> model.score([[0, 1, 2], [3, 2, 0]])
    1.0
    >>> model.kernel_.shape
    (4, 4)
    """

    loss: str = "gnmds"
    _: KW_ONLY
    step: str = "passive-aggressive"
    step_size: float = 1.0
    margin: float = 1.0
    revisits: int = 0
    n_objects: int | None = None
    initial_scale: float = 1.0
    gradient: str = "symmetric"
    bound: str = "objects"
    random_state: Seed = None
    verbose: int = 0

    @all_or_nothing
    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn a new kernel from triplets in their order.

        Parameters
        ----------
        X : array_like of shape (n, 3), int
            Triplets (i, j, k): i is closer to j than to k.
        y : array_like of shape (n,), optional
            See :doc:`the glossary </glossary>`.
        """
        triplets = self._check(X, y)
        self._begin(triplets)
        return self._learn(triplets)

    def partial_fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Continue to learn from more triplets in their order.

        Parts of a stream give the same kernel as a single call. An interrupt ends a call between
        two steps and keeps the kernel learned so far. Parameters as for `fit`.
        """
        triplets = self._check(X, y)
        if not self.__sklearn_is_fitted__():
            self._begin(triplets)
        return self._learn(triplets)

    @property
    def kernel_(self) -> np.ndarray:
        check_is_fitted(self)
        with one_blas_thread(self._kernel.n_objects):
            return self._kernel.to_dense()

    @property
    def n_updates_(self) -> int:
        check_is_fitted(self)
        return sum(map(len, self._records))

    @property
    def n_eigenpairs_(self) -> int:
        check_is_fitted(self)
        return self._kernel.n_eigenpairs

    @property
    def history_(self) -> pd.DataFrame:
        check_is_fitted(self)
        table = pd.DataFrame(np.concatenate(self._records), columns=_HISTORY)
        return table.astype({"comparison": int})

    __copy__ = deepcopy  # a shallow copy would share the kernel, which steps change in place

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_kernel")

    def _check(self, X, y):
        """Check the parameters and the triplets."""
        check_word("loss", self.loss, ("gnmds", "ste"))
        check_word("step", self.step, STEPS)
        check_word("gradient", self.gradient, GRADIENTS)
        check_word("bound", self.bound, BOUNDS)
        check_number("step_size", self.step_size, positive=True)
        check_number("margin", self.margin, positive=True)
        check_number("initial_scale", self.initial_scale)
        if not (isinstance(self.revisits, int | np.integer) and self.revisits >= 0):
            raise ValueError(f"revisits={self.revisits!r}; it must be a whole number from 0")
        refuse_weights(X)
        why = "quadruplets have no rank-two gradient"
        return check_triplets(as_answered(X, y), self.n_objects, why=why)

    def _begin(self, triplets):
        rng = np.random.default_rng(self.random_state)  # may raise, so it comes first
        n_objects = self._count(triplets)
        self._kernel = ProjectedKernel(n_objects, self.initial_scale, self.gradient, self.bound)
        self._rng = rng
        self._records = []
        self._seen = _GrowingArray()

    def _learn(self, triplets):
        n_objects = self._kernel.n_objects
        if self.n_objects is None:
            n_objects += max(self._count(triplets, n_objects), 0)
        with progress_bar(self.verbose, total=len(triplets), desc="triplets") as bar:
            for start in range(0, len(triplets), _PIECE):
                piece = triplets[start : start + _PIECE]
                with uninterrupted() as asked:
                    if n_objects > self._kernel.n_objects:
                        self._kernel.grow(n_objects)
                    self._learn_piece(piece, asked)
                bar.update(len(piece))
        return self

    def _learn_piece(self, piece, asked_to_stop):
        first = len(self._seen)
        self._seen.extend(piece)
        number, order = self._with_revisits(first, len(self._seen))
        rule = self.step if self.step == "passive-aggressive" else self.loss
        options = (rule, self._step_sizes(number), self.margin, asked_to_stop)
        records = self._kernel.follow(self._seen.rows[order], *options)
        order = order[: len(records)]
        self._records.append(np.column_stack([order, records]))
        # After an interrupt: forget the triplets that no step has seen.
        self._seen.shorten(max(first, 1 + order.max(initial=-1)))

    def _with_revisits(self, first, last):
        """Return step numbers (j or j + k of Algorithm 2) and triplets for new triplets."""
        j = np.arange(first + 1, last + 1)
        late = j > 2 * (self.revisits + 1)
        draws = self._rng.random((late.sum(), self.revisits))
        revisited = np.full((len(j), self.revisits), -1)  # no revisit yet
        revisited[late] = (draws * j[late, None]).astype(int)  # rows 0 to j - 1
        order = np.column_stack([j - 1, revisited])
        number = j[:, None] + np.arange(self.revisits + 1)
        return number[order >= 0], order[order >= 0]

    def _step_sizes(self, number):
        if self.step == "1/j":
            return self.step_size / number
        if self.step == "1/sqrt(j)":
            return self.step_size / np.sqrt(number)
        return np.full(len(number), float(self.step_size))

    def _n_fitted(self):
        return self._kernel.n_objects

    def _both_distances(self, quadruplets):
        i, j, l, k = quadruplets.T
        return self._kernel.squared_distances(i, j), self._kernel.squared_distances(l, k)


class _GrowingArray:
    """The triplets seen so far, in an array that doubles when it is full."""

    def __init__(self):
        self._room = np.empty((64, 3), dtype=np.int64)
        self._size = 0

    def __len__(self):
        return self._size

    @property
    def rows(self):
        return self._room[: self._size]

    def shorten(self, size):
        self._size = int(size)

    def extend(self, rows):
        size = self._size + len(rows)
        if size > len(self._room):
            room = np.empty((2 * size, 3), dtype=np.int64)
            room[: self._size] = self.rows
            self._room = room
        self._room[self._size : size] = rows
        self._size = size
