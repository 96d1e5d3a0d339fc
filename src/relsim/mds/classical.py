"""Classical MDS: points from the leading eigenvectors of the centered squared dissimilarities."""

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh
from sklearn.utils.extmath import svd_flip

from relsim._validation import check_dissimilarities


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
    B = D**2
    means = B.mean(axis=0)
    B -= means
    B -= means[:, None] - means.mean()
    B *= -0.5
    values, vectors = _largest_eigenpairs(B, n_components)
    vectors, _ = svd_flip(vectors, None)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def _largest_eigenpairs(B, n_components):
    n = len(B)
    if n > 200 and n_components <= 10:  # where Lanczos is faster, as in scikit-learn's KernelPCA
        start = np.random.default_rng(0).normal(size=n)
        values, vectors = eigsh(B, n_components, which="LA", v0=start)
    else:
        values, vectors = eigh(B, subset_by_index=(n - n_components, n - 1))
    return values[::-1], vectors[:, ::-1]
