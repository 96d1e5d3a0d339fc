"""What a fit chooses, on comparisons that are held out: the loss, and the penalty's strength."""

import numpy as np

from closerthan._core.vectors import pad
from closerthan.comparisons.check import pair_columns
from closerthan.losses import CKL, STE, TSTE
from closerthan.optimize.lapse import with_lapses
from closerthan.ordinal.problem import descend
from closerthan.ordinal.start import is_narrow, principal_start

_EPOCHS = 8
_TOL = 2e-3
_SELDOM = 0.1  # an error below which it is asked whether answers hardly ever err
_LONGER = 30  # epochs, for what is then to be told apart, and from random points
_ENOUGH = 25  # comparisons a coordinate: of more as many are fitted

# From weak to strong: a dimension that a strong penalty has emptied does not come back.
STRENGTHS = 10.0 ** np.arange(-3.0, 1.1, 0.5)
_FIRST, _NEXT = 30, 10  # epochs from the start, and from the points before
_WORSE = 1.25  # times the least error: what is stronger is too strong


def candidates():
    """Return the losses to choose from, the safest first.

    The tails of t-STE are light, so that it is surer of answers that seldom err; those of CKL,
    which are heavier, do for answers that are few or far off. Of the losses here these two lose the
    least beside the best of all, over the data sets of the survey. STE is for answers that hardly
    ever err, and then without a penalty, as nothing holds its scale back.
    """
    return [TSTE(alpha=5.0), CKL(), STE()]


def choose_loss(problem, losses, strengths, penalty, start, rng):
    """Fit with each loss to some comparisons, and take that which misses the fewest others.

    The last is tried only where the others miss less than a tenth, and then it has to be better
    than the best of them by more than a standard error, that of a sum over the held-out comparisons
    that one of both misses. Where so little is missed, what a start has seen of the answers counts,
    so both begin anew, from a start that has seen nothing of those held out.

    `strengths` has one of the penalty for each loss. Returned are the place of the loss, the first
    where the comparisons are too few to hold some out; the points to go on from; and a DataFrame of
    loss, strength and error of each that was tried, or None.
    """
    import pandas as pd  # here, as what chooses nothing needs neither this nor scores

    try:
        # The same for every seed, lest the loss, and so the map, be another one.
        held = problem.hold_out(np.random.default_rng(0))
    except ValueError:
        return 0, start, None
    test = problem.take(held)
    train, times = thinned_rest(problem, held)

    def try_out(place, start, n_epochs):
        strength = strengths[place] * times
        objective = train.objective(losses[place], penalty=penalty, strength=strength)
        points = descend(objective, start, n_epochs, _TOL)
        return points, test.weight * misses(points, test.comparisons)

    last = len(losses) - 1
    n_epochs = _EPOCHS if is_narrow(*start.shape) else _LONGER  # from where a start is random
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


def choose_strength(problem, loss, penalty, start, rng, lapse=0.0):
    """Fit with more and more of a penalty, each time from the points before; take the best.

    What is fitted are some of the comparisons, see `thinned_rest`. The error is the share that is
    missed of the comparisons held out; where there are lapses, the log loss, as a strength that
    draws points together changes probabilities before it changes answers. A `lapse` of None is the
    likeliest one with each strength.

    Returned are the strength with the least error, of several the weakest; the points that were
    fitted with it; and a DataFrame of strength and error of each that was tried.
    """
    import pandas as pd  # here, as what chooses nothing needs neither this nor scores

    from closerthan.scores.embedding import triplet_error
    from closerthan.scores.probability import log_loss

    held = problem.hold_out(rng)
    test = problem.take(held)
    train, times = thinned_rest(problem, held)
    objective = train.objective(loss, penalty=penalty)
    if lapse != 0:
        objective.allow(lapse)

    def error_of(points):
        if lapse == 0:
            return triplet_error(points, test.comparisons, sample_weight=test.weights)
        objective.value(pad(points))  # so that the rate is theirs
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
    """Return for each comparison whether points do not have it so; ties count."""
    i, j, l, k = pair_columns(comparisons)
    near = ((points[i] - points[j]) ** 2).sum(axis=1)
    return ~(near < ((points[l] - points[k]) ** 2).sum(axis=1))


def thinned_rest(problem, held):
    """Return the problem of rows with weight that are not held out, and how much more all weigh.

    They are some 25 for each coordinate of the points, if there are more. A penalty is to the sum
    of the losses as a prior is to a likelihood: beside fewer comparisons, and so beside their mean,
    it has as much more weight as they are fewer.
    """
    rest = problem.take(np.flatnonzero(~held & (problem.weight > 0)))
    rest = rest.thin(_ENOUGH * problem.shape[0] * problem.shape[1])
    return rest, problem.weight.sum() / rest.weight.sum()
