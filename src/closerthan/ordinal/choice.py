"""Which loss suits answers: chosen on comparisons that are held out for it."""

import numpy as np

from closerthan._core.vectors import pad
from closerthan.comparisons.check import pair_columns
from closerthan.losses import CKL, STE, TSTE
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.objective import Objective
from closerthan.optimize.trace import Trace
from closerthan.ordinal.start import any_start, is_narrow
from closerthan.ordinal.strength import hold_out, part_to_fit

_EPOCHS = 8
_TOL = 2e-3
_SELDOM = 0.1  # an error below which it is asked whether answers hardly ever err
_LONGER = 30  # epochs, for what is then to be told apart, and from random points


def candidates():
    """Return the losses to choose from, the safest first.

    The tails of t-STE are light, so that it is surer of answers that seldom err; those of CKL,
    which are heavier, do for answers that are few or far off. Of the losses here these two lose the
    least beside the best of all, over the data sets of the survey. STE is for answers that hardly
    ever err, and then without a penalty, as nothing holds its scale back.
    """
    return [TSTE(alpha=5.0), CKL(), STE()]


def choose_loss(losses, strengths, comparisons, given, weights, penalty, start, rng):
    """Fit with each loss to some comparisons, and take that which misses the fewest others.

    The last is tried only where the others miss less than a tenth, and then it has to be better
    than the best of them by more than a standard error, that of a sum over the held-out comparisons
    that one of both misses. Where so little is missed, what a start has seen of the answers counts,
    so both begin anew, from a start that has seen nothing of those held out.

    Parameters
    ----------
    losses : list of Loss
    strengths : list of float
        Of the penalty, a number a loss.
    comparisons : ndarray of shape (n, 3) or (n, 4)
    given : Answers or array-like
        What the user gave; see `hold_out`.
    weights : ndarray of shape (n,), or None
    penalty : Penalty or None
    start : ndarray of shape (n_objects, n_components)
    rng : Generator
        For a start anew.

    Returns
    -------
    place : int
        Of the loss among all; the first where the comparisons are too few to hold some out.
    points : ndarray of shape (n_objects, n_components)
        To go on from.
    errors : DataFrame or None
        The columns loss, strength and error, that of the comparisons that were held out, a row a
        loss that was tried.
    """
    import pandas as pd  # here, as what chooses nothing needs neither this nor scores

    try:
        # The same for every seed, lest the loss, and so the map, be another one.
        held = hold_out(comparisons, given, np.random.default_rng(0), weights)
    except ValueError:
        return 0, start, None
    weighed = np.ones(held.sum()) if weights is None else weights[held]

    def try_out(place, start, n_epochs):
        args = losses[place], comparisons, held, weights, penalty, strengths[place], start
        points = _fit(*args, n_epochs)
        return points, weighed * misses(points, comparisons[held])

    last = len(losses) - 1
    n_epochs = _EPOCHS if is_narrow(*start.shape) else _LONGER  # from where a start is random
    points, missed = zip(*(try_out(place, start, n_epochs) for place in range(last)), strict=True)
    errors = [amount.sum() / weighed.sum() for amount in missed]
    best = int(np.argmin(errors))
    found = points[best]
    if errors[best] < _SELDOM:
        own = None if weights is None else weights[~held]
        unseen = any_start(losses[0], comparisons[~held], own, *start.shape, rng)
        one, other = (try_out(place, unseen, _LONGER)[1] for place in (best, last))
        errors.append(other.sum() / weighed.sum())
        gains = one - other
        if gains.sum() > np.sqrt((gains**2).sum()):
            best, found = last, start
    tried = slice(len(errors))
    columns = {"loss": losses[tried], "strength": strengths[tried], "error": errors}
    return best, found, pd.DataFrame(columns)


def misses(points, comparisons):
    """Return for each comparison whether points do not have it so; ties count."""
    i, j, l, k = pair_columns(comparisons)
    near = ((points[i] - points[j]) ** 2).sum(axis=1)
    return ~(near < ((points[l] - points[k]) ** 2).sum(axis=1))


def _fit(loss, comparisons, held, weights, penalty, strength, start, n_epochs):
    """Fit in short to what is not held out."""
    rows, more = part_to_fit(held, weights, start.shape)
    own = None if weights is None else weights[rows]
    settings = {"penalty": penalty, "strength": strength * more}
    objective = Objective(loss, comparisons[rows], *start.shape, own, **settings)
    trace = Trace(objective, n_epochs, _TOL)
    return objective.points(LBFGS().minimize(objective, pad(start), trace, None))
