"""SMACOF: metric MDS by majorization, in one compiled pass over the pairs."""

import time
from collections import deque
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np
from scipy.linalg import solve
from scipy.sparse.csgraph import connected_components

from closerthan._core.validation import check_count, check_number
from closerthan._core.vectors import dot
from closerthan.mds.metric_mds import MetricMDS

_MEMORY = 5  # iterations that the accelerated search looks back on


@dataclass(eq=False, repr=False)
class SMACOF(MetricMDS):
    """Metric MDS by majorization of the stress (de Leeuw, 1977), eq. (5) to (10) of
    Paraskevopoulos et al. (2018).

    An iteration (Guttman transform) stores no matrix except the dissimilarities. By default the
    iterations are quasi-Newton steps; a plain transform replaces a step that would not lower the
    stress. With weights or missing entries, a matrix is inverted first (n**3 operations).

    Parameters
    ----------
    n_components : int, default 2
        Dimension of the embedding, less than the number of points.
    metric, metric_params, n_init, init, n_jobs, random_state, verbose
        As for `PatternSearchMDS`.
    max_iter : int, default 1000
        Maximum number of iterations.
    eps : float, default 1e-10
        The search ends when a plain iteration would lower the stress by at most about this share of
        the sum of squared distances in the embedding. With `accelerate`, zero makes all iterations.
    accelerate : bool, default True
        Whether to make quasi-Newton steps. If False, and without weights and missing entries, the
        search takes the same path as `sklearn.manifold.MDS` from the same start.

    Attributes
    ----------
    embedding_, stress_, n_iter_, dissimilarity_matrix_
        As for `PatternSearchMDS`.
    history_ : DataFrame
        A row for the start and for each iteration: evaluations so far (one is the distance between
        two points), seconds so far, and stress.

    References
    ----------
    Borg and Groenen, Modern Multidimensional Scaling, 2nd edition, Springer, 2005, chapter 8.

    Examples
    --------
    >>> square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> SMACOF(2, random_state=0).fit(square).stress_ < 1e-3
    True
    """

    _: KW_ONLY
    max_iter: int = 1000
    eps: float = 1e-10
    accelerate: bool = True

    _columns: ClassVar = ["evaluations", "seconds", "stress"]

    def _search(self, problem, X, rng):
        check_count("max_iter", self.max_iter, 10**9, "iterations")
        check_number("eps", self.eps)
        started = time.perf_counter()
        quadratic = _Quadratic(problem)
        n, passes, fallen, pairs = problem.n, 0, np.inf, deque(maxlen=_MEMORY)
        X[:, :n] -= X[:, :n].mean(axis=1, keepdims=True)
        product = np.zeros_like(X)
        stress = problem.guttman(X, product)
        for step in range(self.max_iter + 1):
            yield passes * n * (n - 1), time.perf_counter() - started, stress
            pulled = quadratic.times(X)
            residual, squares = product - pulled, dot(X, pulled)  # the gradient is -2 residual
            plain = quadratic.solve(residual)
            # The plain step lowers the stress by at least this.
            gain = dot(plain, residual) if self.accelerate else fallen
            if not residual.any() or gain < self.eps * squares or step == self.max_iter:
                return
            before, found = X.copy(), np.inf
            if pairs:
                X += _quasi_newton(residual, pairs, quadratic)
                found, passes = problem.guttman(X, product), passes + 1
            if not found < stress:
                pairs.clear()
                X[:] = before + plain
                found, passes = problem.guttman(X, product), passes + 1
            # As in scikit-learn, the first iteration is not judged.
            fallen = stress - found if step else np.inf
            stress = found
            if self.accelerate:
                # The old residual minus the new one: `product` is already of the new points.
                change = X - before, residual - product + quadratic.times(X)
                if dot(*change) > 0:
                    pairs.append(change)


class _Quadratic:
    """The matrix U of eq. (6), n times the identity for centered columns of uniform weights."""

    def __init__(self, problem):
        self.n, self.inverse = problem.n, None
        if not problem.uniform:
            weights = problem.weights[:, : self.n]
            self.matrix = np.diag(weights.sum(axis=1)) - weights
            self.inverse = _pseudo_inverse(self.matrix)

    def times(self, X):
        """U for each of the padded columns."""
        return self.n * X if self.inverse is None else self._each(self.matrix, X)

    def solve(self, X):
        """The pseudo-inverse of U for each of the padded columns."""
        return X / self.n if self.inverse is None else self._each(self.inverse, X)

    def _each(self, matrix, X):
        out = np.zeros_like(X)
        out[:, : self.n] = X[:, : self.n] @ matrix
        return out


def _pseudo_inverse(matrix):
    """Moore-Penrose inverse of U, whose kernel is what moves connected points together."""
    _, part = connected_components(matrix != 0, directed=False)
    together = part[:, None] == part
    kernel = together / together.sum(axis=1)
    size = np.trace(matrix) / len(matrix)
    return solve(matrix + size * kernel, np.eye(len(matrix)), assume_a="pos") - kernel / size


def _quasi_newton(residual, pairs, quadratic):
    """Step of L-BFGS (Nocedal and Wright, 2006, Algorithm 7.4) from pairs of changes."""
    step, shares = residual.copy(), []
    for moved, bent in reversed(pairs):
        shares.append(dot(moved, step) / dot(moved, bent))
        step -= shares[-1] * bent
    step = quadratic.solve(step)
    for (moved, bent), share in zip(pairs, reversed(shares), strict=True):
        step += moved * (share - dot(bent, step) / dot(moved, bent))
    return step
