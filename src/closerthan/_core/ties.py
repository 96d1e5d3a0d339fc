"""Ties: squared distances that differ by no more than rounding."""

import numpy as np

_SHARE = 1e-9  # of the largest squared distance


def tie_of_points(points):
    """Return the largest difference of squared distances that is a tie, for (n, p) points.

    The largest distance is that of the point farthest from the mean, which is the largest of all
    or at least half of it.
    """
    if not np.isfinite(points).all():
        points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return 0.0
    end = points[_squares(points - points.mean(axis=0)).argmax()]
    return _SHARE * _squares(points - end).max()


def _squares(rows):
    return np.einsum("np,np->n", rows, rows)


def tie_of_kernel(kernel):
    """Return the largest difference of squared distances that is a tie, for a kernel."""
    diagonal = np.diagonal(kernel)
    squares = [k + (diagonal - 2.0 * row).max() for k, row in zip(diagonal, kernel, strict=True)]
    return _SHARE * max(squares)
