"""What the theorems of Ma et al. (2019) ask for: a smoothness constant and a bound on the batch."""

import numpy as np


def smoothness(loss, points, triplets):
    """Largest curvature that the loss of a single triplet has, over some triplets.

    Parameters
    ----------
    loss : Loss
    points : ndarray of shape (n_objects, p)
    triplets : ndarray of shape (n, 3)

    Returns
    -------
    float
        The largest absolute eigenvalue of the Hessians with respect to the three points: an
        estimate from below of the constant L of eq. (18) near these points.
    """
    return max(np.abs(np.linalg.eigvalsh(hessian(loss, *points[row]))).max() for row in triplets)


def hessian(loss, x_i, x_j, x_k):
    """Hessian of the loss of one triplet, (3 p, 3 p), by the chain rule through both distances."""
    p = len(x_i)
    signs_near, signs_far = np.array([1, -1, 0]), np.array([1, 0, -1])
    near, far = x_i - x_j, x_i - x_k
    a, b = near @ near, far @ far
    toward_near, toward_far = 2 * np.kron(signs_near, near), 2 * np.kron(signs_far, far)
    slope_a, slope_b = (slope[0] for slope in loss.slopes([a], [b], p))
    (aa, ab), (_, bb) = _second_derivatives(loss, a, b, p)
    mixed = np.outer(toward_near, toward_far)
    return (
        aa * np.outer(toward_near, toward_near)
        + bb * np.outer(toward_far, toward_far)
        + ab * (mixed + mixed.T)
        + 2 * slope_a * np.kron(np.outer(signs_near, signs_near), np.eye(p))
        + 2 * slope_b * np.kron(np.outer(signs_far, signs_far), np.eye(p))
    )


def _second_derivatives(loss, a, b, n_components):
    """Central differences of the slopes with respect to a and to b."""
    step = 1e-5 * max(a, b, 1e-3)
    rows = []
    for da, db in ((step, 0.0), (0.0, step)):
        low = np.ravel(loss.slopes([max(a - da, 0.0)], [max(b - db, 0.0)], n_components))
        high = np.ravel(loss.slopes([a + da], [b + db], n_components))
        width = (a + da - max(a - da, 0.0)) if da else (b + db - max(b - db, 0.0))
        rows.append((high - low) / width)
    return rows


def largest_batch(epsilon, smoothness, n_comparisons):
    """Bound (24) on the size of a mini-batch, for an update frequency of n_comparisons.

    Examples
    --------
    >>> round(largest_batch(0.3, 9.74, 10_000), 1)
    4.6
    """
    ratio = epsilon / smoothness
    first = ratio**2 / (1 + np.sqrt(1 + 4 * ratio))
    second = ratio / (2 * (1 + np.sqrt(1 + 4 / ratio)))
    return float(n_comparisons * min(first, second))
