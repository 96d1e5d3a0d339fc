"""Tell whether a map in one dimension may have folded."""

from dataclasses import replace

import numpy as np

from closerthan._core.vectors import pad
from closerthan._core.warn import warn
from closerthan.ordinal.problem import descend
from closerthan.ordinal.search import principal_start, random_start

_MOST = 50  # comparisons an object
_STARTS = 5  # at random, which hardly ever end well if there are many objects
_FEW = 50  # objects
_EPOCHS = 60
_ALIKE = 0.6  # rank correlation of two orders that differ by noise; a fold has less
_WORSE = 1.08  # times the loss


def warn_of_folds(problem, search, penalty, points):
    """Warn if another start, with about the same loss, leads to another order on the line.

    The second principal axis is a start, because a folded scale puts there what it folded.
    """
    few = problem.thin(_MOST * len(points))
    strength = search.strength * problem.weight.sum() / few.weight.sum()
    objective = few.objective(search.loss, penalty=penalty, strength=strength)
    rng = np.random.default_rng(0)
    plane = replace(problem, shape=(len(points), 2))
    starts = [points, principal_start(plane, search.loss, rng)[:, 1:]]
    if len(points) <= _FEW:
        starts += [random_start(*problem.shape, rng) for _ in range(_STARTS)]
    ends = [descend(objective, start, _EPOCHS, 1e-4) for start in starts]
    losses = np.array([objective.value(pad(end)) for end in ends])
    ranks = np.argsort(np.argsort(np.hstack([points, *ends[1:]]), axis=0), axis=0)
    alike = np.abs(np.corrcoef(ranks.T)[0])
    alike[~(losses <= _WORSE * losses[0])] = 1.0
    if alike.min() < _ALIKE:
        warn(
            "a scale in one dimension can fold: another start with about the same loss puts the "
            f"objects in another order (rank correlation {alike.min():.2f}). If you know the "
            "order, take DifferenceScale, or the command `closerthan scale`"
        )
