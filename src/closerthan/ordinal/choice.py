"""Choose the loss and the strength of the penalty on held-out comparisons."""

from dataclasses import replace

import numpy as np

from closerthan._core.vectors import pad
from closerthan.comparisons.check import pair_columns
from closerthan.losses import CKL, STE, TSTE
from closerthan.optimize.lapse import with_lapses
from closerthan.ordinal.features import FeaturePrior
from closerthan.ordinal.problem import descend
from closerthan.ordinal.start import is_narrow, principal_start, random_start

_EPOCHS = 8
_TOL = 2e-3
_SELDOM = 0.1  # error below which STE is tried, too
_LONGER = 30  # epochs, if STE is tried or the start is random
_ENOUGH = 25  # comparisons a coordinate; at most so many are fitted

# From weak to strong, because a dimension that a strong penalty has emptied does not come back.
STRENGTHS = 10.0 ** np.arange(-3.0, 1.1, 0.5)
_FIRST, _NEXT = 30, 10  # epochs from the start, and from the points of the previous strength
SHARES = (0.0, 0.5, 0.8)
_SHARE = 0.5  # if no answers can be held out
_WORSE = 1.25  # times the smallest error: the search stops there


def candidates():
    """Return the candidate losses, the safest first.

    t-STE has light tails and suits answers with few errors. CKL has heavier tails and suits few
    answers or large errors. Over the data sets of the survey, these two stay closest to the best
    loss. STE suits answers that are almost all right; it has no penalty then, so that its scale can
    grow.
    """
    return [TSTE(alpha=5.0), CKL(), STE()]


def choose_loss(problem, losses, strengths, penalty, start, rng):
    """Choose the loss with the smallest held-out error.

    The last loss is tried only if the best of the others has an error below 0.1. It must then beat
    that one by more than a standard error of the difference. Both are compared from a new start
    that is fitted without the held-out answers, because such small errors would depend on what the
    start has seen.

    `strengths` has the strength of the penalty for each loss. Returns the index of the loss (0 if
    there are too few comparisons to hold some out), the points to continue from, and a DataFrame
    with loss, strength and error of each candidate, or None.
    """
    import pandas as pd  # imported here because most fits do not need it

    try:
        # A fixed seed, so that the choice of the loss does not depend on `random_state`.
        held = problem.hold_out(np.random.default_rng(0))
    except ValueError:
        return 0, start, None
    test = problem.take(held)
    train, times = thinned_rest(problem, held)

    def try_out(place, start, n_epochs):
        strength = strengths[place] * times
        objective = train.objective(losses[place], penalty=penalty, strength=strength)
        points = descend(objective, start, n_epochs, _TOL)
        return points, test.weight * misses(problem.points(points), test.comparisons)

    last = len(losses) - 1
    n_epochs = _EPOCHS if is_narrow(*start.shape) else _LONGER  # longer from a random start
    points, missed = zip(*(try_out(place, start, n_epochs) for place in range(last)), strict=True)
    errors = [amount.sum() / test.weight.sum() for amount in missed]
    best = int(np.argmin(errors))
    found = points[best]
    if errors[best] < _SELDOM:
        unseen = principal_start(problem.take(~held), losses[0], rng)
        one, other = (try_out(place, unseen, _LONGER)[1] for place in (best, last))
        errors.append(other.sum() / test.weight.sum())
        gains = one - other
        if gains.sum() > np.sqrt((gains**2).sum()):
            best, found = last, start
    tried = slice(len(errors))
    columns = {"loss": losses[tried], "strength": strengths[tried], "error": errors}
    return best, found, pd.DataFrame(columns)


def choose_share(problem, shares, features, loss, penalty, strength, rng):
    """Return the share of the prior variance for features that has the smallest held-out error."""
    try:
        held = problem.hold_out(np.random.default_rng(0))
    except ValueError:
        return _SHARE
    test = problem.take(held)
    train, times = thinned_rest(problem, held)
    start = random_start(*problem.shape, rng)
    prior = FeaturePrior(features, _SHARE)

    def error_of(share):
        tried = replace(train, prior=prior.with_share(share) if share > 0 else None)
        objective = tried.objective(loss, penalty=penalty, strength=strength * times)
        points = tried.points(descend(objective, start, _LONGER, _TOL))
        return np.average(misses(points, test.comparisons), weights=test.weight)

    return min(shares, key=error_of)


def choose_strength(problem, loss, penalty, start, rng, lapse=0.0):
    """Choose the strength of the penalty with the smallest held-out error.

    Strengths are tried from weak to strong, each from the points of the previous one. The fits use
    the comparisons that `thinned_rest` returns. The error is the share of held-out comparisons that
    are predicted wrongly. With lapses it is the log loss, because a strength that draws points
    together changes probabilities before it changes predictions. If `lapse` is None, the rate is
    estimated for each strength.

    Returns the strength (the weakest of equally good ones), the points fitted with it, and a
    DataFrame with strength and error of each fit.
    """
    import pandas as pd  # imported here because most fits do not need it

    from closerthan.scores.embedding import triplet_error
    from closerthan.scores.probability import log_loss

    held = problem.hold_out(rng)
    test = problem.take(held)
    train, times = thinned_rest(problem, held)
    objective = train.objective(loss, penalty=penalty)
    if lapse != 0:
        objective.allow(lapse)

    def error_of(found):
        points = problem.points(found)
        if lapse == 0:
            return triplet_error(points, test.comparisons, sample_weight=test.weights)
        objective.value(pad(found))  # estimates the lapse rate at these points
        losses = test.objective(loss).losses(pad(points))
        probability = with_lapses(np.exp(-losses), objective.lapse)
        return log_loss(probability, test.comparisons, sample_weight=test.weights)

    rows, points, best = [], start, None
    for strength in STRENGTHS:
        objective.strength = strength * times
        points = descend(objective, points, _NEXT if rows else _FIRST, tol=0.0)
        error = error_of(points)
        rows.append((float(strength), error))
        if best is None or error < best[0]:
            best = error, float(strength), points.copy()
        elif error > _WORSE * best[0]:
            break
    return *best[1:], pd.DataFrame(rows, columns=["strength", "error"])


def misses(points, comparisons):
    """Return for each comparison whether the points contradict it; ties count as misses."""
    i, j, l, k = pair_columns(comparisons)
    near = ((points[i] - points[j]) ** 2).sum(axis=1)
    return ~(near < ((points[l] - points[k]) ** 2).sum(axis=1))


def thinned_rest(problem, held):
    """Return the problem without the held-out rows, and the factor for the strength of a penalty.

    At most 25 comparisons for each coordinate are kept. The factor is the total weight of all
    comparisons divided by the weight of the kept ones. It keeps the balance of penalty and sum of
    losses, as of prior and likelihood.
    """
    rest = problem.take(np.flatnonzero(~held & (problem.weight > 0)))
    rest = rest.thin(_ENOUGH * problem.shape[0] * problem.shape[1])
    return rest, problem.weight.sum() / rest.weight.sum()
