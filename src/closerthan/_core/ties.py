"""Ties: two squared distances that differ by no more than rounding may have made of one."""

import numpy as np
from scipy.spatial.distance import cdist

from closerthan._core.compiled import compiled

_SHARE = 1e-9  # of the largest squared distance


def tie_of_points(points):
    """Return the largest difference of squared distances that is a tie, for (n, p) points."""
    known = np.flatnonzero(np.isfinite(points).all(axis=1))
    center = np.nan_to_num(points, posinf=0.0, neginf=0.0).mean(axis=0)
    reach = cdist(points, center[None])[:, 0]
    order = known[np.argsort(-reach[known])]
    return _SHARE * _largest(np.ascontiguousarray(points), reach, order)


def tie_of_kernel(kernel):
    """Return the largest difference of squared distances that is a tie, for a kernel."""
    return _SHARE * _largest_of_kernel(np.ascontiguousarray(kernel))


@compiled
def _largest(points, reach, order):
    """Return the largest squared distance of the points in this order, which is by their reach.

    Two points are at most as far apart as the sum of their distances from a center, their reach.
    """
    largest = 0.0
    for a in range(len(order)):
        i = order[a]
        for b in range(a):
            j = order[b]
            if (reach[i] + reach[j]) ** 2 <= largest:
                break
            square = 0.0
            for c in range(points.shape[1]):
                square += (points[i, c] - points[j, c]) ** 2
            if largest < square < np.inf:
                largest = square
    return largest


@compiled
def _largest_of_kernel(kernel):
    largest = 0.0
    for i in range(len(kernel)):
        for j in range(i):
            square = kernel[i, i] - 2.0 * kernel[i, j] + kernel[j, j]
            if largest < square < np.inf:
                largest = square
    return largest
