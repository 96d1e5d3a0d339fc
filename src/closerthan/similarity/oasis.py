"""OASIS: passive-aggressive learning of a bilinear similarity."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from closerthan._core.validation import check_number, check_start
from closerthan.similarity.bilinear import BilinearModel


@dataclass(eq=False, repr=False)
class OASIS(BilinearModel):
    """Learn a similarity x'My by passive-aggressive steps on the hinge.

    A triplet has the margin m = x'M(x+ - x-) and the loss l = max(0, 1 - m). It moves M by
    min(C, l / ||V||^2) V, where V = x(x+ - x-)'. This is the smallest move that makes the loss
    zero, limited to a weight of C. M need not be symmetric or positive semidefinite.

    Parameters
    ----------
    C : float, default 0.1
        Aggressiveness: the largest weight of a step.
    n_epochs : int, default 1
        Epochs of `fit`, each with as many steps as triplets.
    init : "identity" or ndarray of shape (n_features, n_features), default "identity"
        The matrix to start from.
    random_state, verbose
        See :doc:`the glossary </glossary>`.

    Attributes
    ----------
    similarity_ : ndarray of shape (n_features, n_features)
        M.
    progress_ : DataFrame
        About 200 rows for a `fit`, and one for each `partial_fit`: steps so far and, over all of
        them, each before its step: the means of the hinge l and of its square, and the share of
        triplets with m <= 0.
    history_ : DataFrame
        The same after each epoch of `fit`.
    n_iter_ : int
        Number of steps so far.

    References
    ----------
    Chechik, Sharma, Shalit and Bengio, Large scale online learning of image similarity through
    ranking, JMLR 11, 2010.

    Examples
    --------
    >>> from closerthan.similarity import OASIS
    >>> X = np.array([[1.0, 0.0], [0.8, 0.5], [0.0, 1.0], [0.4, 0.9]])
    >>> model = OASIS(C=1.0, n_epochs=20, random_state=0).fit(X, [[0, 1, 2], [2, 3, 0]])
    >>> model.rank(X[:1], X)
    array([[0, 1, 3, 2]])
    >>> model.similarity(X[:1], X).round(2)
    array([[ 1.18,  0.89, -0.11,  0.37]])
    """

    C: float = 0.1
    _: KW_ONLY
    n_epochs: int = 1
    init: str | np.ndarray = "identity"

    def _check_parameters(self):
        check_number("C", self.C, positive=True)

    def _start(self, n_features):
        start = check_start(self.init, (n_features, n_features), ["identity"], "a matrix")
        return np.eye(n_features) if isinstance(start, str) else start

    def _advance(self, X, triplets, order, alphas, online=False):
        self._accumulator.advance(X, triplets, order, alphas, C=float(self.C))
