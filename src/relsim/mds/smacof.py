"""SMACOF: metric MDS by majorization, compiled and fused into one pass over the pairs."""

import time

import numpy as np

from relsim._validation import check_count
from relsim.mds.base import MetricMDS


class SMACOF(MetricMDS):
    """Metric MDS by majorization of the stress (de Leeuw, 1977), eq. (5) to (10) of the paper.

    Each iteration, the Guttman transform, goes through all pairs of points once and keeps no
    matrix besides the dissimilarities. Without weights and missing entries it follows the same
    path as `sklearn.manifold.MDS` from the same start. With them it first inverts a matrix, which
    takes n**3 operations.

    Parameters
    ----------
    n_components : int, default 2
        Dimension of the embedding, less than the number of points.
    dissimilarity : {"euclidean", "precomputed"}, default "euclidean"
        Whether `fit` gets points, whose Euclidean distances are then taken, or dissimilarities.
    max_iter : int, default 300
        Most iterations.
    eps : float, default 1e-6
        The search ends when an iteration lowers the stress by less than this share of the sum of
        squared distances in the embedding, as in scikit-learn. Zero makes all iterations.
    n_init, init, n_jobs, random_state, verbose
        As for `PatternSearchMDS`.

    Attributes
    ----------
    embedding_, stress_, n_iter_, dissimilarity_matrix_, n_features_in_
        As of `PatternSearchMDS`.
    history_ : DataFrame
        A row for the start, and a row an iteration: evaluations so far (of the distance of one
        point from another), seconds so far and stress.

    References
    ----------
    Borg and Groenen, Modern Multidimensional Scaling, 2nd edition, Springer, 2005, chapter 8.

    Examples
    --------
    >>> square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> SMACOF(2, random_state=0).fit(square).stress_ < 1e-3
    True
    """

    def __init__(
        self,
        n_components=2,
        *,
        dissimilarity="euclidean",
        max_iter=300,
        eps=1e-6,
        n_init=1,
        init="random",
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.n_components = n_components
        self.dissimilarity = dissimilarity
        self.max_iter = max_iter
        self.eps = eps
        self.n_init = n_init
        self.init = init
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _search(self, problem, X, rng, bar):
        check_count("max_iter", self.max_iter, 10**9, "iterations")
        if not self.eps >= 0:
            raise ValueError(f"eps={self.eps!r}; it must not be negative")
        started = time.perf_counter()
        n = problem.n
        inverse = None if problem.uniform else _pseudo_inverse(problem.weights[:, :n])
        product = np.zeros_like(X)
        stress, rows = problem.guttman(X, product), []
        spread = np.inf  # the sum of squared distances, once there is an embedding
        while True:
            rows.append(
                {
                    "evaluations": len(rows) * n * (n - 1),
                    "seconds": time.perf_counter() - started,
                    "stress": stress,
                }
            )
            settled = len(rows) > 2 and rows[-2]["stress"] - stress < self.eps * spread
            if settled or len(rows) > self.max_iter:
                return rows
            X[:] = product / n
            if inverse is not None:
                X[:, :n] = product[:, :n] @ inverse
            spread = np.vdot(X, product)
            stress = problem.guttman(X, product)
            bar.update()
            bar.set_postfix(stress=f"{stress:.4g}", refresh=False)

    def _min_radius(self, scale):
        return 1e-4 * scale


def _pseudo_inverse(weights):
    """Moore-Penrose inverse of U, eq. (6) of the paper."""
    return np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights, hermitian=True)
