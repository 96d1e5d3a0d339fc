"""Classical MDS: points from the leading eigenvectors of the centered squared dissimilarities."""

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.utils.extmath import svd_flip

from relsim._threads import one_blas_thread
from relsim._validation import check_dissimilarities
from relsim.mds.problem import Problem


def classical_mds(dissimilarities, n_components=2):
    """Embed points by classical MDS (Torgerson, 1952), eq. (1) and (2) of the paper.

    Minimizes the strain, ||X X' - B||, where B is -1/2 times the squared dissimilarities, centered
    in rows and columns. For Euclidean distances it is principal component analysis.

    Parameters
    ----------
    dissimilarities : array-like of shape (n, n)
        Symmetric, not negative, zero on the diagonal, none missing.
    n_components : int, default 2
        Dimension of the embedding, less than n.

    Returns
    -------
    ndarray of shape (n, n_components)
        Centered, along the principal axes, largest first. Columns that belong to a negative
        eigenvalue are zero.

    Raises
    ------
    ValueError
        On a malformed matrix, naming the entry.

    Examples
    --------
    >>> line = [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    >>> np.abs(classical_mds(line, 1) - classical_mds(line, 1)[0]).round(6).ravel()
    array([0., 1., 3.])
    """
    D = check_dissimilarities(dissimilarities, n_components)
    if np.isnan(D).any():
        i, j = np.argwhere(np.isnan(D))[0]
        raise ValueError(
            f"dissimilarities, row {i}, column {j}: missing; classical MDS needs all of them"
        )
    with one_blas_thread(len(D)):
        return leading_axes(Problem(D), n_components)


def leading_axes(problem, n_components, tol=0.0):
    """Coordinates along the leading axes of a problem, to a relative accuracy or the last digit."""
    n = problem.n
    means = problem.squares_times(np.full(n, 1 / n))

    def times(vector):
        """-1/2 of the squares, centered in rows and columns, times a vector."""
        vector = np.ravel(vector)
        product = problem.squares_times(vector - vector.mean())
        return -0.5 * (product - product.mean())

    if n > 200 and n_components <= n // 20:  # where Lanczos is faster
        start = np.random.default_rng(0).normal(size=n)
        B = LinearOperator((n, n), matvec=times, dtype=np.float64)
        with one_blas_thread():
            values, vectors = eigsh(B, n_components, which="LA", v0=start, tol=tol)
    else:
        squares = problem.delta[:, :n] ** 2
        B = -0.5 * (squares - means - means[:, None] + means.mean())
        values, vectors = eigh(B, subset_by_index=(n - n_components, n - 1))
    vectors, _ = svd_flip(vectors[:, ::-1], None)
    return vectors * np.sqrt(np.maximum(values[::-1], 0.0))


def filled(problem):
    """Dissimilarities, those without weight as if they had no part in the centered matrix."""
    n = problem.n
    known = (problem.weights[:, :n] > 0) | np.eye(n, dtype=bool)
    squares = problem.delta[:, :n] ** 2  # zero where not known
    means = squares.sum(axis=1) / known.sum(axis=1)
    guess = means + means[:, None] - squares.sum() / known.sum()
    return np.sqrt(np.where(known, squares, np.maximum(guess, 0.0)))
