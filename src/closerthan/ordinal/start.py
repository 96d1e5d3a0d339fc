"""Where a fit starts: random points, or the principal axes of a fit in more dimensions."""

from dataclasses import replace

import numpy as np

from closerthan._core.threads import one_blas_thread
from closerthan.ordinal.problem import descend
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
    return n_components < min(_WIDE, n_objects - 1)


def principal_start(problem, loss, rng):
    """Return the first principal coordinates of points that were fitted in ten dimensions.

    In few dimensions points that have begun on the wrong side of others cannot pass them; in many
    they can go around. A ridge keeps the additional dimensions small. Where no dimension is left
    over, the points are random.
    """
    n_objects, n_components = problem.shape
    if not is_narrow(*problem.shape):
        return random_start(*problem.shape, rng)
    wide = replace(problem, shape=(n_objects, min(_WIDE, n_objects - 1)))
    objective = wide.thin(_AN_OBJECT * n_objects).objective(
        loss, penalty=Ridge(), strength=_STRENGTH
    )
    start = random_start(*wide.shape, rng)
    points = descend(objective, start, _EPOCHS, _TOL)
    if not np.isfinite(points).all():
        return start[:, :n_components]
    centered = points - points.mean(axis=0)
    with one_blas_thread(wide.shape[1]):
        axes = np.linalg.eigh(centered.T @ centered)[1]
        return centered @ axes[:, : -n_components - 1 : -1]
