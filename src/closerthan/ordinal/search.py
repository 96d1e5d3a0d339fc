"""Search for what a fit minimizes and where it starts: loss, strength of the penalty, start."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from closerthan._core.threads import one_blas_thread
from closerthan._core.ties import tie_of_points
from closerthan._core.vectors import pad
from closerthan.losses import CKL, STE, TSTE, Loss, SmoothSOE
from closerthan.optimize.lapse import with_lapses
from closerthan.ordinal.feature_prior import FeaturePrior
from closerthan.ordinal.problem import descend
from closerthan.penalties import Ridge

# All choices.
_TOL = 2e-3
_ENOUGH = 25  # comparisons a coordinate; at most so many are fitted
_EPOCHS, _FROM_RANDOM = 8, 30  # from a principal start, and from random points

# The start.
_WIDE = 10  # dimensions of the fit, enough for points to pass each other
_EMPTYING = 0.03  # strength of its ridge, which empties dimensions that are not needed
_START_EPOCHS = 15
_OF_OBJECT = 50  # comparisons an object, enough for a start

# The loss.
_SELDOM = 0.2  # error below which losses for rare errors are tried, too
_LONGER = 15  # more epochs, if such a loss is tried
_WEAKER = 0.1, 0.01  # the strengths that they are tried with, as multiples of the prior
_WEAKER_EPOCHS = 20  # with each of these strengths

# The strength. From weak to strong, because a dimension that was emptied does not come back.
STRENGTHS = 10.0 ** np.arange(-3.0, 1.1, 0.5)
_FIRST, _NEXT = 30, 10  # epochs from the start, and from the points of the previous strength
_WORSE = 1.25  # times the smallest error: the search stops there

# The share of the features.
SHARES = (0.0, 0.5, 0.8)
_SHARE = 0.5  # if no answers can be held out


def candidates():
    """Return the candidate losses, the safest first.

    t-STE has light tails and suits answers with few errors. CKL has heavier tails and suits few
    answers or large errors. Over the data sets of the survey, these two stay closest to the best
    loss.
    """
    return [TSTE(alpha=5.0), CKL()]


def rare_error_candidates():
    """Return the losses for answers that are almost all right.

    They need a weaker penalty than the prior, because the fewer answers err, the larger is the
    scale of the points.
    """
    return [SmoothSOE(), STE()]


class _Fit(NamedTuple):
    """What was tried, what the solver found, and the held-out weights that its points miss."""

    loss: Loss
    strength: float
    found: np.ndarray
    missed: np.ndarray

    def error(self):
        """Return the weight of what the points miss."""
        return self.missed.sum()


class Search:
    """What a fit minimizes, and where it starts; the methods choose it on held-out comparisons.

    `loss` and `strength` are given, or the first that are tried, and then those that are chosen.
    `start` is what a solver starts from, after `begin`. The tables `choice` and `path` have the
    losses that were tried, with strength and error, and the strengths, with error.
    """

    def __init__(self, problem, loss, penalty, strength, rng):
        self.problem, self.loss, self.penalty = problem, loss, penalty
        self.strength, self.rng = strength, rng
        self.start = self.choice = self.path = None

    def begin(self, points=None):
        """Start from these points, by default from `principal_start`."""
        if points is None:
            self.start = principal_start(self.problem, self.loss, self.rng)
        else:
            self.start = self.problem.for_solver(points)

    def choose_loss(self, vary=True):
        """Choose the loss with the smallest held-out error, and the strength of its penalty.

        If a safe loss has an error below 0.2, answers may be almost all right. It is then fitted
        further, and the losses for rare errors are tried from its points instead of the other safe
        losses; if `vary` is True, with weaker penalties. A loss is dropped when it is behind the
        safe one, or behind itself with a stronger penalty, by more than a standard error of the
        difference. It is taken only if the safe one is behind it by as much.

        If there are too few comparisons to hold some out, nothing changes.
        """
        import pandas as pd  # imported here because most fits do not need it

        try:
            # A fixed seed, so that the choice of the loss does not depend on `random_state`.
            test, train, factor = self._split(np.random.default_rng(0))
        except ValueError:
            return
        total, judge = test.weights.sum(), test.objective(STE())

        def try_out(loss, strength, start, n_epochs):
            objective = train.objective(loss, penalty=self.penalty, strength=strength * factor)
            found = descend(objective, start, n_epochs, _TOL)
            missed = test.weights * misses(judge, self.problem.points(found))
            return _Fit(loss, strength, found, missed)

        # Longer if no wider fit gives a start.
        n_epochs = _EPOCHS if is_narrow(*self.problem.shape) else _FROM_RANDOM
        tried = []
        for loss in candidates():
            tried.append(try_out(loss, self.strength, self.start, n_epochs))
            if tried[-1].error() < _SELDOM * total:
                break
        best = min(tried, key=_Fit.error)
        if best.error() < _SELDOM * total:
            # The last that was tried: go on with it.
            safe = best = tried[-1] = try_out(best.loss, best.strength, best.found, _LONGER)
            for loss in rare_error_candidates():
                fits = [safe]  # and this loss with weaker and weaker penalties
                for times in _WEAKER if vary else [1.0]:
                    strength, start = self.strength * times, fits[-1].found
                    fits.append(try_out(loss, strength, start, _WEAKER_EPOCHS))
                    if is_behind(test, fits[-1].missed, min(fits, key=_Fit.error).missed):
                        break
                tried.append(min(fits[1:], key=_Fit.error))
                if not is_behind(test, safe.missed, tried[-1].missed):
                    break  # errors are not so rare
                best = min(best, tried[-1], key=_Fit.error)
        self.loss, self.strength, self.start = best.loss, best.strength, best.found
        rows = [(fit.loss, fit.strength, fit.error() / total) for fit in tried]
        self.choice = pd.DataFrame(rows, columns=["loss", "strength", "error"])

    def best_share(self, features, shares):
        """Return the share of the prior variance for features with the smallest held-out error."""
        try:
            test, train, factor = self._split(np.random.default_rng(0))
        except ValueError:
            return _SHARE
        start = random_start(*self.problem.shape, self.rng)
        prior, judge = FeaturePrior(features, _SHARE), test.objective(STE())
        options = {"penalty": self.penalty, "strength": self.strength * factor}

        def error_of(share):
            tried = replace(train, prior=prior.with_share(share) if share > 0 else None)
            objective = tried.objective(self.loss, **options)
            points = tried.points(descend(objective, start, _FROM_RANDOM, _TOL))
            return np.average(misses(judge, points), weights=test.weights)

        return min(shares, key=error_of)

    def choose_strength(self, lapse=0.0):
        """Choose the strength of the penalty with the smallest held-out error.

        Strengths are tried from weak to strong, each from the points of the previous one. The fits
        use the comparisons that `thinned_rest` returns. The error is the share of held-out
        comparisons that are predicted wrongly. With lapses it is the log loss, because a strength
        that draws points together changes probabilities before it changes predictions. If `lapse`
        is None, the rate is estimated for each strength. Of equally good strengths, the weakest is
        taken.
        """
        import pandas as pd  # imported here because most fits do not need it

        from closerthan.scores.error import triplet_error
        from closerthan.scores.probability import log_loss

        test, train, factor = self._split(self.rng)
        objective = train.objective(self.loss, penalty=self.penalty)
        if lapse != 0:
            objective.allow(lapse)

        def error_of(found):
            points = self.problem.points(found)
            if lapse == 0:
                return triplet_error(points, test.comparisons, sample_weight=test.sample_weight)
            # `value` takes V, if there is a prior, and estimates the lapse rate.
            objective.value(pad(found))
            losses = test.objective(self.loss).losses(pad(points))
            probability = with_lapses(np.exp(-losses), objective.lapse)
            return log_loss(probability, test.comparisons, sample_weight=test.sample_weight)

        rows, points, best = [], self.start, None
        for strength in STRENGTHS:
            objective.strength = strength * factor
            points = descend(objective, points, _NEXT if rows else _FIRST, tol=0.0)
            error = error_of(points)
            rows.append((float(strength), error))
            if best is None or error < best[0]:
                best = error, float(strength), points.copy()
            elif error > _WORSE * best[0]:
                break
        _, self.strength, self.start = best
        self.path = pd.DataFrame(rows, columns=["strength", "error"])

    def _split(self, rng):
        """Return the held-out problem, the thinned rest, and the factor for its strengths."""
        held = self.problem.hold_out(rng)
        return self.problem.take(held), *thinned_rest(self.problem, held)


def is_behind(problem, missed, other):
    """Return whether points miss more than others do, by more than a standard error.

    `missed` and `other` have the weights of the comparisons that each of them misses, otherwise 0.
    Comparisons of the same question are not independent, so they count as one.
    """
    excess = np.bincount(problem.question_number, missed - other)
    return excess.sum() > np.sqrt((excess**2).sum())


def misses(objective, points):
    """Return for each comparison whether the points contradict it; ties count as misses.

    The objective has the loss STE, which is log 2 for equal squared distances.
    """
    least = np.log1p(np.exp(-tie_of_points(points)))  # of the losses of ties
    return objective.losses(pad(points)) > least - 1e-12


def thinned_rest(problem, held):
    """Return the problem without the held-out rows, and the factor for the strength of a penalty.

    At most 25 comparisons for each coordinate are kept. The factor is the total weight of all
    comparisons divided by the weight of the kept ones. It keeps the balance of penalty and sum of
    losses, as of prior and likelihood.
    """
    rest = problem.take(np.flatnonzero(~held & (problem.weights > 0))).merge()
    rest = rest.thin(_ENOUGH * problem.shape[0] * problem.shape[1])
    return rest, problem.weights.sum() / rest.weights.sum()


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
    extra dimensions. The axes come from LAPACK, so another processor may change their last bits.
    """
    n_objects, n_components = problem.shape
    if not is_narrow(*problem.shape):
        return random_start(*problem.shape, rng)
    wide = replace(problem, shape=(n_objects, min(_WIDE, n_objects - 1)))
    few = wide.thin(_OF_OBJECT * n_objects)
    objective = few.objective(loss, penalty=Ridge(), strength=_EMPTYING)
    start = random_start(*wide.shape, rng)
    found = descend(objective, start, _START_EPOCHS, _TOL)
    if not np.isfinite(found).all():
        return start[:, :n_components]
    points = problem.points(found)
    centered = points - points.mean(axis=0)
    with one_blas_thread(wide.shape[1]):
        axes = np.linalg.eigh(centered.T @ centered)[1]
        return problem.for_solver(centered @ axes[:, : -n_components - 1 : -1])
