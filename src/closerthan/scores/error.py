"""The error of points or of a kernel: the share of comparisons that they contradict."""

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.compiled import compiled
from closerthan._core.ties import tie_of_kernel, tie_of_points
from closerthan._core.validation import as_floats, check_matrix, check_weights
from closerthan.comparisons.check import check_blocks, check_triplets


def triplet_error(
    embedding: ArrayLike, comparisons: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Compute the weighted share of the comparisons that the points contradict, from 0 to 1.

    A tie is an error: two squared distances that differ by at most 1e-9 of the largest one of the
    points. A comparison with an object whose row has NaN or infinity is an error, too.

    Raise a ValueError if the embedding is not a matrix, a comparison is malformed or names an
    object that the embedding does not have, or a weight is negative or not finite.

    Parameters
    ----------
    embedding : array_like of shape (n_objects, n_components)
        The points. Distances are Euclidean.
    comparisons : array_like of int, shape (n_comparisons, 3) or (n_comparisons, 4)
        Triplets (i, j, k) or quadruplets (i, j, l, k).
    sample_weight : array_like of shape (n_comparisons,), optional
        Weights of the comparisons; by default those of `Answers`, or 1.

    Examples
    --------
    >>> triplet_error([[0.0], [1.0], [3.0]], [(0, 1, 2), (2, 0, 1)])
    0.5
    """
    points = check_matrix(embedding, "embedding")
    tie = tie_of_points(points)
    points = np.where(np.isfinite(points), points, np.nan)
    weights = check_weights(sample_weight, comparisons)
    errors = total = n_comparisons = 0
    for block in check_blocks(comparisons, len(points)):  # comparisons may fill a large file
        wrong = _are_wrong(points, block, tie)
        rows = slice(n_comparisons, n_comparisons + len(block))
        errors += wrong.sum() if weights is None else wrong @ weights[rows]
        total += len(block) if weights is None else weights[rows].sum()
        n_comparisons += len(block)
    return float(errors / total)


def kernel_error(
    kernel: ArrayLike, triplets: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Compute the weighted share of triplets that a kernel contradicts, from 0 to 1.

    Ties and errors are as for `triplet_error`.

    Parameters
    ----------
    kernel : array_like of shape (n_objects, n_objects)
        A symmetric kernel, such as the `kernel_` of `closerthan.BatchKernel`.
    triplets : array_like of shape (n, 3), int
        Triplets (i, j, k): i is closer to j than to k.
    sample_weight : array_like of shape (n,), optional
        Weights of the triplets; by default those of `Answers`, or 1.

    Examples
    --------
    >>> kernel_error(np.diag([1.0, 1.0, 3.0]), np.array([[0, 1, 2], [0, 2, 1]]))
    0.5
    """
    kernel = as_floats(kernel, "kernel")
    if kernel.ndim != 2 or len(kernel) != kernel.shape[1]:
        raise ValueError(f"kernel: the shape is {kernel.shape}; it must be square")
    weights = check_weights(sample_weight, triplets)
    i, j, k = check_triplets(triplets, len(kernel)).T
    diagonal = np.diag(kernel)
    near = diagonal[j] - 2 * kernel[i, j]
    far = diagonal[k] - 2 * kernel[i, k]
    with np.errstate(invalid="ignore"):
        wrong = ~(far - near > tie_of_kernel(kernel))  # also where one is NaN
    return float(np.average(wrong, weights=weights))


@compiled
def _are_wrong(points, comparisons, tie):
    n_comparisons, width = comparisons.shape
    third = 0 if width == 3 else 2
    wrong = np.empty(n_comparisons, np.bool_)
    for row in range(n_comparisons):
        i, j = comparisons[row, 0], comparisons[row, 1]
        l, k = comparisons[row, third], comparisons[row, width - 1]
        near = far = 0.0
        for c in range(points.shape[1]):
            near += (points[i, c] - points[j, c]) ** 2
            far += (points[l, c] - points[k, c]) ** 2
        wrong[row] = not far - near > tie  # also true of NaN
    return wrong
