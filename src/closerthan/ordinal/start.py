"""Where a fit starts: random points, or the principal axes of a fit in more dimensions."""

import numpy as np

from closerthan._core.threads import one_blas_thread
from closerthan._core.vectors import pad
from closerthan.comparisons.answers import hash_numbers
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.objective import Objective
from closerthan.optimize.trace import Trace
from closerthan.penalties import Ridge

_WIDE = 10  # dimensions in which points find past each other
_STRENGTH = 0.03  # of the ridge, which lets go of those that are not needed
_EPOCHS = 15
_TOL = 2e-3
_AN_OBJECT = 200  # comparisons that are enough to begin with


def random_start(n_objects, n_components, rng):
    """Return normal points with a mean squared distance of one."""
    return rng.normal(scale=np.sqrt(0.5 / n_components), size=(n_objects, n_components))


def is_narrow(n_objects, n_components):
    """Return whether there are more dimensions to begin in than points shall have."""
    return n_components < _wide(n_objects)


def _wide(n_objects):
    return min(_WIDE, n_objects - 1)


def any_start(loss, comparisons, weights, n_objects, n_components, rng):
    """Return `principal_start`, or where there is no room for it `random_start`."""
    if is_narrow(n_objects, n_components):
        return principal_start(loss, comparisons, weights, n_objects, n_components, rng)
    return random_start(n_objects, n_components, rng)


def principal_start(loss, comparisons, weights, n_objects, n_components, rng):
    """Return the first principal coordinates of points that were fitted in ten dimensions.

    In few dimensions points that have begun on the wrong side of others cannot pass them; in many
    they can go around. A ridge keeps the additional dimensions small.

    Parameters
    ----------
    loss : Loss
    comparisons : ndarray of shape (n, 3) or (n, 4)
    weights : ndarray of shape (n,), or None
    n_objects, n_components : int
        As `is_narrow` wants them.
    rng : Generator

    Returns
    -------
    ndarray of shape (n_objects, n_components)
    """
    wide = _wide(n_objects)
    some = spread(len(comparisons), _AN_OBJECT * n_objects)
    comparisons, weights = comparisons[some], None if weights is None else weights[some]
    objective = Objective(
        loss, comparisons, n_objects, wide, weights, penalty=Ridge(), strength=_STRENGTH
    )
    trace = Trace(objective, _EPOCHS, _TOL)
    start = random_start(n_objects, wide, rng)
    points = objective.points(LBFGS().minimize(objective, pad(start), trace, rng))
    if not np.isfinite(points).all():
        return start[:, :n_components]
    centered = points - points.mean(axis=0)
    with one_blas_thread(wide):
        axes = np.linalg.eigh(centered.T @ centered)[1]
        return centered @ axes[:, : -n_components - 1 : -1]


def spread(n, most):
    """Return so many of n rows at most: one at no regular place in each of as many stretches.

    No generator is asked: one that is seeded like that which made the rows may choose among them by
    what they say.
    """
    if n <= most:
        return slice(None)
    within = hash_numbers(np.arange(most)) / 2.0**64
    return ((np.arange(most) + within) * (n / most)).astype(np.int64)
