"""Kernels learned online, from one comparison at a time (ERKLE)."""

from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from closerthan._core.interrupts import all_or_nothing, uninterrupted
from closerthan._core.threads import one_blas_thread
from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_number, check_word
from closerthan.base import as_answered
from closerthan.comparisons.check import check_triplets
from closerthan.kernels.model import KernelModel
from closerthan.kernels.projection import BOUNDS, GRADIENTS, ProjectedKernel

STEPS = ("passive-aggressive", "constant", "1/j", "1/sqrt(j)")
HISTORY = ("comparison", "margin", "step_size", "eigenvalue")
_PIECE = 1000  # comparisons between two looks at the progress bar


class OnlineKernel(KernelModel):
    """Learn a kernel from a stream of triplets, one at a time (ERKLE).

    Each triplet (i, j, k) moves the kernel K against the gradient of its loss, and K is projected
    onto the positive semidefinite matrices again: exactly, by taking away the one eigenvalue that
    may have become negative (Algorithm 1 of Heim et al., 2015).

    Parameters
    ----------
    loss : {"gnmds", "ste"}, default "gnmds"
        Hinge loss or logistic loss of d^2(i, j) - d^2(i, k).
    step : {"passive-aggressive", "constant", "1/j", "1/sqrt(j)"}, default "passive-aggressive"
        Passive-aggressive: none where d^2(i, k) exceeds d^2(i, j) by the margin, and else the
        smallest that makes it so before the projection, eq. (4.18), whatever the loss. The others
        multiply the gradient by step_size, or by step_size over j or its root, j the number of the
        triplet.
    step_size : float, default 1.0
        Of all steps but the passive-aggressive one, which has none.
    margin : float, default 1.0
        By which d^2(i, k) is to exceed d^2(i, j). For a triplet of probability P after the step,
        eq. (4.20), it is log(P / (1 - P)). Steps of the logistic loss do not use it.
    revisits : int, default 0
        Earlier triplets that are stepped over again after each new one, drawn uniformly with
        replacement: the paper's passes less one, from triplet 2 (revisits + 1) + 1 on (Algorithm
        2).
    n_objects : int, optional
        Number of objects; by default the largest id so far plus one, and more may come later.
    initial_scale : float, default 1.0
        The kernel starts as this multiple of the identity; not negative.
    gradient : {"symmetric", "paper"}, default "symmetric"
        The gradient in the symmetric matrices, or the matrix (4.10) as printed, whose entries off
        the diagonal are twice as large.
    bound : {"objects", "paper"}, default "objects"
        What shows that nothing can be negative: a bound for each object, which is lowered by the
        triplets that name it; or the paper's one for all, which every triplet lowers, so that it
        has to be computed anew far more often. The kernel is the same.
    random_state : int, SeedSequence, Generator or None, default None
        For the draws of `revisits`.
    verbose : int, default 0
        Nonzero shows a progress bar.

    Attributes
    ----------
    kernel_ : ndarray of shape (n_objects, n_objects)
        Symmetric positive semidefinite; made anew at each access.
    n_updates_ : int
        Triplets stepped over, revisits included.
    n_eigenpairs_ : int
        How often the smallest eigenpair had to be computed; for the other updates the bound showed
        that nothing can be negative.
    history_ : DataFrame
        A row a triplet that was stepped over: its number in the stream, the margin that it had
        before (not above zero: the kernel got it wrong), the size of the step in units of the
        gradient, and the eigenvalue taken away.

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

    def __init__(
        self,
        loss: str = "gnmds",
        *,
        step: str = "passive-aggressive",
        step_size: float = 1.0,
        margin: float = 1.0,
        revisits: int = 0,
        n_objects: int | None = None,
        initial_scale: float = 1.0,
        gradient: str = "symmetric",
        bound: str = "objects",
        random_state: Seed = None,
        verbose: int = 0,
    ):
        self.loss = loss
        self.step = step
        self.step_size = step_size
        self.margin = margin
        self.revisits = revisits
        self.n_objects = n_objects
        self.initial_scale = initial_scale
        self.gradient = gradient
        self.bound = bound
        self.random_state = random_state
        self.verbose = verbose

    @all_or_nothing
    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Forget what was learned and follow triplets in their order.

        Parameters
        ----------
        X : array_like of shape (n, 3), int
            Triplets (i, j, k), "i is closer to j than to k".
        y : array_like of shape (n,), optional
            Responses, if X are questions: True or 1 where the row holds as it stands, False or -1
            where it is the other way round. By default all rows hold.

        Returns
        -------
        self : OnlineKernel
        """
        triplets = self._check(X, y)
        self._begin(triplets)
        return self._follow(triplets)

    def partial_fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Follow more triplets in their order.

        It makes no difference into how many calls a stream is cut. An interrupt ends a call between
        two steps, and what was learned so far stays.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        self : OnlineKernel

        Raises
        ------
        ValueError
            For a parameter that is not allowed or a triplet that is none, before anything is
            learned.
        """
        triplets = self._check(X, y)
        if not self.__sklearn_is_fitted__():
            self._begin(triplets)
        return self._follow(triplets)

    @property
    def kernel_(self) -> np.ndarray:
        """The kernel as a full matrix, made anew at each access."""
        check_is_fitted(self)
        with one_blas_thread(self._kernel.n_objects):
            return self._kernel.to_dense()

    @property
    def n_updates_(self) -> int:
        """Number of triplets stepped over, revisits included."""
        check_is_fitted(self)
        return sum(map(len, self._records))

    @property
    def n_eigenpairs_(self) -> int:
        """How often the smallest eigenpair had to be computed."""
        check_is_fitted(self)
        return self._kernel.n_eigenpairs

    @property
    def history_(self) -> pd.DataFrame:
        """What each triplet met, a row a triplet that was stepped over."""
        check_is_fitted(self)
        table = pd.DataFrame(np.concatenate(self._records), columns=HISTORY)
        return table.astype({"comparison": int})

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
        check_count("n_objects", self.n_objects, 10**6, "objects", optional=True)
        why = "quadruplets have no rank-two gradient"
        return check_triplets(as_answered(X, y), self.n_objects, why=why)

    def _begin(self, triplets):
        rng = np.random.default_rng(self.random_state)  # which may refuse: before anything changes
        n_objects = self.n_objects or int(triplets.max()) + 1
        self._kernel = ProjectedKernel(n_objects, self.initial_scale, self.gradient, self.bound)
        self._rng = rng
        self._records = []
        self._seen = _GrowingArray()

    def _follow(self, triplets):
        largest = int(triplets.max())
        with tqdm(total=len(triplets), disable=not self.verbose, desc="triplets") as bar:
            for start in range(0, len(triplets), _PIECE):
                piece = triplets[start : start + _PIECE]
                with uninterrupted() as asked:
                    if largest >= self._kernel.n_objects:
                        self._kernel.grow(largest + 1)
                    self._follow_piece(piece, asked)
                bar.update(len(piece))
        return self

    def _follow_piece(self, piece, asked_to_stop):
        first = len(self._seen)
        self._seen.extend(piece)
        number, order = self._schedule(first, len(self._seen))
        rule = self.step if self.step == "passive-aggressive" else self.loss
        options = (rule, self._step_sizes(number), self.margin, asked_to_stop)
        records = self._kernel.follow(self._seen.rows[order], *options)
        order = order[: len(records)]
        self._records.append(np.column_stack([order, records]))
        self._seen.shorten(max(first, 1 + order.max(initial=-1)))

    def _schedule(self, first, last):
        """Return the steps that new triplets cause: j or j + k of Algorithm 2, and the triplet."""
        j = np.arange(first + 1, last + 1)
        draws = self._rng.random((np.sum(j > 2 * (self.revisits + 1)), self.revisits))
        revisited = np.full((len(j), self.revisits), -1)
        revisited[len(j) - len(draws) :] = draws * j[len(j) - len(draws) :, None]
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

    def _squared_distances(self, quadruplets):
        i, j, l, k = quadruplets.T
        return self._kernel.squared_distances(i, j), self._kernel.squared_distances(l, k)


class _GrowingArray:
    """Triplets seen so far; room is doubled when it runs out."""

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
