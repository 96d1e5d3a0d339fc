"""Which loss suits answers: chosen on comparisons that are held out for it."""

import numpy as np

from relsim._simd.rows import pad
from relsim._strength import hold_out, part_to_fit
from relsim.losses import CKL, TSTE
from relsim.optimize.lbfgs import LBFGS
from relsim.optimize.objective import Objective
from relsim.optimize.trace import Trace

_EPOCHS = 8
_TOL = 2e-3


def candidates():
    """Return the losses to choose from.

    The tails of the first are light, so that it can be sure of answers that seldom err; those of
    CKL, which are heavier, do for answers that are few or far off. Of the losses here these two
    lose the least beside the best of all, over the data sets of the survey. Beside STE they lose
    where answers hardly err and points have their true dimension, of which the survey has none.
    """
    return [TSTE(alpha=5.0), CKL()]


def choose_loss(losses, comparisons, given, weights, penalty, strength, start, rng):
    """Fit with each loss to some comparisons, and take that which misses the fewest others.

    Parameters
    ----------
    losses : list of Loss
    comparisons : ndarray of shape (n, 3) or (n, 4)
    given : Answers or array-like
        What the user gave; see `hold_out`.
    weights : ndarray of shape (n,), or None
    penalty : Penalty or None
    strength : float
    start : ndarray of shape (n_objects, n_components)
    rng : Generator

    Returns
    -------
    loss : Loss
        The first of the best; the first of all where the comparisons are too few to hold some out.
    points : ndarray of shape (n_objects, n_components)
        Those fitted with it; where nothing was held out, the start.
    errors : DataFrame or None
        The columns loss and error, that of the comparisons that were held out, a row a loss.
    """
    import pandas as pd  # here, as what chooses nothing needs neither this nor scores

    try:
        held = hold_out(comparisons, given, rng, weights)
    except ValueError:
        return losses[0], start, None
    points = [_fit(loss, comparisons, held, weights, penalty, strength, start) for loss in losses]
    errors = [_error(found, comparisons, held, weights) for found in points]
    best = int(np.argmin(errors))
    return losses[best], points[best], pd.DataFrame({"loss": losses, "error": errors})


def _fit(loss, comparisons, held, weights, penalty, strength, start):
    """Fit in short to what is not held out."""
    rows, more = part_to_fit(held, weights, start.shape)
    own = None if weights is None else weights[rows]
    settings = {"penalty": penalty, "strength": strength * more}
    objective = Objective(loss, comparisons[rows], *start.shape, own, **settings)
    trace = Trace(objective, _EPOCHS, _TOL)
    return objective.points(LBFGS().minimize(objective, pad(start), trace, None))


def _error(points, comparisons, held, weights):
    from relsim.scores.embedding import triplet_error

    own = None if weights is None else weights[held]
    return triplet_error(points, comparisons[held], sample_weight=own)
