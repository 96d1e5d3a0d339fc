"""Starting points of a fit: random, or the principal axes of a fit in more dimensions."""

from dataclasses import replace

import numpy as np

from closerthan._core.threads import one_blas_thread
from closerthan.ordinal.problem import descend
from closerthan.penalties import Ridge

_WIDE = 10  # dimensions, enough for points to pass each other
_STRENGTH = 0.03  # of the ridge, which empties dimensions that are not needed
_EPOCHS = 15
_TOL = 2e-3
_AN_OBJECT = 200  # comparisons an object, enough for a start


def random_start(n_objects, n_components, rng):
    """Return normally distributed points with a mean squared distance of one."""
    return rng.normal(scale=np.sqrt(0.5 / n_components), size=(n_objects, n_components))


def is_narrow(n_objects, n_components):
    """Return whether the fit for the start has more dimensions than the embedding."""
    return n_components < min(_WIDE, n_objects - 1)


def principal_start(problem, loss, rng):
    """Return the first principal coordinates of a fit in ten dimensions.

    In few dimensions, a point on the wrong side of others cannot pass them. In ten dimensions it
    can go around. A ridge keeps the extra dimensions small. The points are random if there are no
    extra dimensions.
    """
    n_objects, n_components = problem.shape
    if not is_narrow(*problem.shape):
        return random_start(*problem.shape, rng)
    wide = replace(problem, shape=(n_objects, min(_WIDE, n_objects - 1)))
    objective = wide.thin(_AN_OBJECT * n_objects).objective(
        loss, penalty=Ridge(), strength=_STRENGTH
    )
    start = random_start(*wide.shape, rng)
    found = descend(objective, start, _EPOCHS, _TOL)
    if not np.isfinite(found).all():
        return start[:, :n_components]
    points = problem.points(found)
    centered = points - points.mean(axis=0)
    with one_blas_thread(wide.shape[1]):
        axes = np.linalg.eigh(centered.T @ centered)[1]
        return problem.start(centered @ axes[:, : -n_components - 1 : -1])
