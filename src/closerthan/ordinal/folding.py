"""Tell whether a map in one dimension may have folded."""

from dataclasses import replace

import numpy as np

from closerthan._core.vectors import pad
from closerthan._core.warn import is_silenced, warn
from closerthan.losses import CKL
from closerthan.ordinal.problem import descend
from closerthan.ordinal.search import principal_start, random_start

_MOST = 25  # comparisons an object
_STARTS = 4  # at random, which hardly ever end well if there are many objects
_FEW = 50  # objects
_EPOCHS = 30
_ALIKE = 0.6  # rank correlation of two orders that differ by noise; a fold has less
_WORSE = 1.08  # times the loss
_MESSAGE = "a scale in one dimension can fold"


def warn_of_folds(problem, search, penalty, points):
    """Warn if another start, with about the same loss, leads to another order on the line.

    CKL is tried besides the loss of the fit, because it tolerates answers that contradict an order.
    """
    if is_silenced(_MESSAGE):
        return
    few = problem.thin(_MOST * len(points))
    strength = search.strength * problem.weights.sum() / few.weights.sum()
    alike = 1.0
    for loss in (search.loss, CKL()):
        objective = few.objective(loss, penalty=penalty, strength=strength)
        ends = [descend(objective, start, _EPOCHS, 1e-4) for start in _starts(few, loss, points)]
        losses = np.array([objective.value(pad(end)) for end in ends])
        ranks = np.argsort(np.argsort(np.hstack([points, *ends]), axis=0), axis=0)
        agreement = np.abs(np.corrcoef(ranks.T)[0, 1:])
        alike = min(alike, agreement[losses <= _WORSE * losses[0]].min(initial=1.0))
    if alike < _ALIKE:
        warn(
            f"{_MESSAGE}: another start with about the same loss puts the objects in another order "
            f"(rank correlation {alike:.2f}). If you know the order, scale the differences along "
            "it (maximum likelihood difference scaling)"
        )


def _starts(problem, loss, points):
    """Yield the points, the second principal axis alone, and random points.

    In two dimensions a fold can open; the second axis then tells its halves apart.
    """
    rng = np.random.default_rng(0)
    yield points
    yield principal_start(replace(problem, shape=(len(points), 2)), loss, rng)[:, 1:]
    for _ in range(_STARTS if len(points) <= _FEW else 0):
        yield random_start(*problem.shape, rng)
