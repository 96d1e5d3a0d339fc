"""SDCA: stochastic dual coordinate ascent for a bilinear similarity."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from closerthan._core.validation import check_number
from closerthan.similarity.bilinear import BilinearModel


@dataclass(eq=False, repr=False)
class SDCA(BilinearModel):
    """Learn a similarity x'My by stochastic dual coordinate ascent on the squared hinge.

    The method minimizes P(M) = mean_i max(0, 1 - <M, X_i>)^2 + reg / 2 ||M||^2 over all matrices M,
    where X_i = x(x+ - x-)' of triplet i and the norm is Frobenius. This is problem (4) of the paper
    without its constraint. The dual is D(alpha) = mean_i (alpha_i - alpha_i^2 / 4)
    - reg / 2 ||M||^2 over alpha >= 0, with M = sum_i alpha_i X_i / (reg * n). Each step of
    Algorithm 1 takes a random triplet and maximizes D over its alpha, in closed form. M starts at
    zero.

    Parameters
    ----------
    reg : float, default 0.005
        Weight of the penalty, the paper's lambda.
    n_epochs : int, default 5
        Epochs of `fit`, each with as many steps as triplets.
    project : bool, default False
        Whether to solve problem (4) with its constraint, which Algorithm 1 leaves out: M is
        positive semidefinite, and so symmetric. See the notes.
    random_state, verbose
        See :doc:`the glossary </glossary>`.

    Attributes
    ----------
    similarity_, progress_, n_iter_
        As for `OASIS`.
    dual_coef_ : ndarray of shape (n_triplets,)
        The alphas at the end of the last `fit`.
    history_ : DataFrame
        One row per epoch of `fit`, as in `OASIS`, with P, D and the duality gap P - D after the
        epoch. The gap bounds how far P is above its minimum.

    Notes
    -----
    Step t of `partial_fit`, on a new triplet, maximizes the dual of the t triplets so far over the
    alpha of this triplet. Of earlier triplets only M is kept, which shrinks by (t - 1) / t.

    With ``project=True``, M is the positive semidefinite matrix nearest to
    sum_i alpha_i X_i / (reg * n). The projection is made at the end of each epoch, or of each call
    of `partial_fit`. Steps maximize a lower bound of the constrained dual that touches it at the
    start of the epoch, so D never falls. P, D and the gap belong to the constrained problem.

    References
    ----------
    Wu, Ding, Zhao, Miao and Hoi, Learning relative similarity by stochastic dual coordinate
    ascent, AAAI 2014: problem (4), dual (5), Algorithm 1.
    Shalev-Shwartz and Zhang, Stochastic dual coordinate ascent methods for regularized loss
    minimization, JMLR 14, 2013.

    Examples
    --------
    >>> from closerthan.similarity import SDCA
    >>> X = np.array([[1.0, 0.0], [0.8, 0.5], [0.0, 1.0], [0.4, 0.9]])
    >>> model = SDCA(n_epochs=60, random_state=0).fit(X, [[0, 1, 2], [2, 3, 0]])
    >>> model.rank(X[:1], X)
    array([[0, 1, 3, 2]])
    >>> bool(model.history_["gap"].iloc[-1] < 1e-9)
    True
    """

    reg: float = 0.005
    _: KW_ONLY
    n_epochs: int = 5
    project: bool = False

    def _check_parameters(self):
        check_number("reg", self.reg, positive=True)

    def _start(self, n_features):
        return np.zeros((n_features, n_features))

    def _divisor(self, n_triplets):
        return float(self.reg * n_triplets)

    def _advance(self, X, triplets, order, alphas, online=False):
        growth = float(self.reg) if online else 0.0
        self._accumulator.advance(X, triplets, order, alphas, growth=growth)

    def _end_epoch(self, X, triplets, alphas):
        self._constrain()
        accumulator = self._accumulator
        hinges = np.maximum(0.0, 1.0 - accumulator.margins(X, triplets))
        penalty = self.reg / 2.0 * np.sum(accumulator.matrix**2)
        primal = np.mean(hinges**2) + penalty
        dual = np.mean(alphas - alphas**2 / 4.0) - penalty
        super()._end_epoch(X, triplets, alphas)
        self._history[-1] |= {"primal": primal, "dual": dual, "gap": primal - dual}
        self.dual_coef_ = alphas

    def _constrain(self):
        if self.project:
            self._accumulator.project()
