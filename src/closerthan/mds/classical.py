"""Classical MDS: points from leading eigenvectors of the centered squared dissimilarities."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.utils.extmath import svd_flip

from closerthan._core.threads import one_blas_thread
from closerthan._core.validation import check_dissimilarities, refuse_entries
from closerthan.mds.dissimilarities import Dissimilarities, length_unit

_MORE = 4  # vectors than are wanted, which make subspace iteration converge
_ITERATIONS = 20
_DIGITS = 1e-3


def classical_mds(dissimilarities: ArrayLike, n_components: int = 2) -> np.ndarray:
    """Embed points by classical MDS (Torgerson, 1952), eq. (1) and (2) of
    Paraskevopoulos et al. (2018).

    The points minimize the strain, ||X X' - B||, where B is -1/2 times the squared dissimilarities,
    centered in rows and columns. For Euclidean distances, this is principal component analysis.

    Parameters
    ----------
    dissimilarities : array_like of shape (n, n)
        Symmetric, not negative, zero on the diagonal, none missing.
    n_components : int, default 2
        Dimension of the embedding, less than n.

    Returns
    -------
    ndarray of shape (n, n_components)
        Centered, along the principal axes. Columns with a negative eigenvalue are zero.

    Examples
    --------
    >>> line = [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    >>> np.abs(classical_mds(line, 1) - classical_mds(line, 1)[0]).round(6).ravel()
    array([0., 1., 3.])
    """
    D = check_dissimilarities(dissimilarities, n_components)
    refuse_entries(np.isnan(D), D, "dissimilarities", "is missing; all entries are needed")
    problem, n = Dissimilarities(D, unit=length_unit(D)), len(D)
    with one_blas_thread():
        if n > 200 and n_components <= n // 20 and D.any():  # where Lanczos is faster
            start = np.random.default_rng(0).normal(size=n)
            B = LinearOperator((n, n), lambda v: _centered_times(problem, v.reshape(1, n))[0])
            values, vectors = eigsh(B, n_components, which="LA", v0=start)
        else:
            B = _centered_times(problem, np.eye(n))
            values, vectors = eigh((B + B.T) / 2, subset_by_index=(n - n_components, n - 1))
    return problem.unit * _axes(values, vectors.T)


def rough_classical_mds(problem, n_components):
    """Rough points of classical MDS; parts that no known pair joins are placed each by itself."""
    if problem.uniform:
        return _subspace_iteration(problem, n_components)
    # Together, the guesses for missing entries would put each part into dimensions of its own.
    known = (problem.weights[:, : problem.n] > 0) | np.eye(problem.n, dtype=bool)
    points, part = np.zeros((problem.n, n_components)), np.zeros(problem.n, dtype=int)
    if not known.all(axis=1).any():  # else one point is joined to all others
        part = connected_components(known, directed=False)[1]
    for number in range(part.max() + 1):
        rows = np.flatnonzero(part == number)
        within = np.ix_(rows, rows)
        whole = _fill_missing(problem.delta[within], known[within])
        found = _subspace_iteration(Dissimilarities(whole, team=problem.team), n_components)
        points[rows, : found.shape[1]] = found
    return points


def _subspace_iteration(problem, n_components):
    n, n_vectors = problem.n, min(problem.n, n_components + _MORE)
    V, values = np.random.default_rng(0).normal(size=(n_vectors, n)), 0.0
    for _ in range(_ITERATIONS):
        V = _orthonormal(V)
        product = _centered_times(problem, V)
        before, (values, turns) = values, np.linalg.eigh(_dots(V, product))
        wanted = slice(-n_components, None)
        vectors = np.einsum("ab,an->bn", turns[:, wanted], V)
        if np.all(np.abs(values - before)[wanted] <= _DIGITS * np.abs(values[wanted])):
            break
        V = product
    return _axes(values[wanted], vectors)


def _centered_times(problem, V):
    """Rows of V times -1/2 of the squared dissimilarities, centered in rows and columns."""
    product = problem.squares_times(V - V.mean(axis=1, keepdims=True))
    return -0.5 * (product - product.mean(axis=1, keepdims=True))


def _axes(values, vectors):
    """Points from eigenvalues, in rising order, and their eigenvectors, the rows."""
    vectors, _ = svd_flip(vectors[::-1].T, None)
    return vectors * np.sqrt(np.maximum(values[::-1], 0.0))


def _orthonormal(V):
    """Orthonormal rows that span what those of V do."""
    for _ in range(2):  # the first time leaves what rounding did
        values, turns = np.linalg.eigh(_dots(V, V))
        turns /= np.sqrt(np.maximum(values, 1e-15 * values[-1]))
        V = np.einsum("ab,an->bn", turns, V)
    return V


def _dots(V, W):
    """Inner products of rows; not by BLAS, whose threads would round otherwise."""
    return np.einsum("an,bn->ab", V, W)


def _fill_missing(D, known):
    """Dissimilarities; those not known, zeros, get a guess whose centered entry is zero."""
    squares = D**2
    means = squares.sum(axis=1) / known.sum(axis=1)
    guess = means + means[:, None] - squares.sum() / known.sum()
    return np.sqrt(np.where(known, squares, np.maximum(guess, 0.0)))
