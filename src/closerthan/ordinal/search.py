"""Search for what a fit minimizes and where it starts: loss, strength of the penalty, start."""

from dataclasses import replace

import numpy as np

from closerthan._core.threads import one_blas_thread
from closerthan._core.vectors import pad
from closerthan.comparisons.check import pair_columns
from closerthan.losses import CKL, STE, TSTE, SmoothSOE
from closerthan.optimize.lapse import with_lapses
from closerthan.ordinal.feature_prior import FeaturePrior
from closerthan.ordinal.problem import descend
from closerthan.penalties import Ridge

_WIDE = 10  # dimensions of the fit for a start, enough for points to pass each other
_EMPTYING = 0.03  # strength of its ridge, which empties dimensions that are not needed
_AN_OBJECT = 200  # comparisons an object, enough for a start
_OF_START = 15  # its epochs
_EPOCHS = 8
_TOL = 2e-3
_SELDOM = 0.2  # error below which losses for rare errors are tried, too
_LONGER = 30  # epochs, if such a loss is tried or the start is random
_A_STEP = 20  # epochs of each strength
_RISEN = 1.05  # times the smallest error: their search stops there
_STEPS = 10.0 ** -np.arange(0.0, 2.5, 0.75)  # their strengths, as multiples of the prior
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
    loss.
    """
    return [TSTE(alpha=5.0), CKL()]


def rare_error_candidates():
    """Return the losses for answers that are almost all right.

    They need a weaker penalty than the prior, because the fewer answers err, the larger is the
    scale of the points.
    """
    return [SmoothSOE(), STE()]


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
            self.start = self.problem.start(points)

    def choose_loss(self, vary=True):
        """Choose the loss with the smallest held-out error, and the strength of its penalty.

        Losses for answers that are almost all right are tried only if the best of the others has
        an error below 0.2. One of them must then beat that loss by more than a standard error of
        the difference. All are compared from a new start that is fitted without the held-out
        answers, because such small errors would depend on what the start has seen. If `vary` is
        True, the strength of the prior and weaker ones are tried for them.

        If there are too few comparisons to hold some out, nothing changes.
        """
        import pandas as pd  # imported here because most fits do not need it

        safe = candidates()
        try:
            # A fixed seed, so that the choice of the loss does not depend on `random_state`.
            held = self.problem.hold_out(np.random.default_rng(0))
        except ValueError:
            return
        test, train, times = self._split(held)
        total, strength = test.weight.sum(), self.strength

        def try_out(loss, strength, start, n_epochs):
            objective = train.objective(loss, penalty=self.penalty, strength=strength * times)
            points = descend(objective, start, n_epochs, _TOL)
            return points, test.weight * misses(self.problem.points(points), test.comparisons)

        # Longer from a random start.
        n_epochs = _EPOCHS if is_narrow(*self.problem.shape) else _LONGER
        points, missed = zip(
            *(try_out(loss, strength, self.start, n_epochs) for loss in safe), strict=True
        )
        rows = [
            (loss, strength, amount.sum() / total)
            for loss, amount in zip(safe, missed, strict=True)
        ]
        best = int(np.argmin([error for *_, error in rows]))
        self.loss, self.start = rows[best][0], points[best]
        if rows[best][2] < _SELDOM:
            unseen = principal_start(self.problem.take(~held), safe[0], self.rng)
            near, one = try_out(safe[best], strength, unseen, _LONGER)
            steps = strength * _STEPS if vary else [strength]
            tried = []
            for loss in rare_error_candidates():
                tried.append((loss, *_weaken(try_out, loss, steps, near)))
                if tried[-1][2].sum() >= one.sum():
                    break  # errors are not so rare
            rows += [(loss, at, other.sum() / total) for loss, _, other, at in tried]
            loss, own, other, at = min(tried, key=lambda found: found[2].sum())
            gains = _by_question(test, one - other)
            if gains.sum() > np.sqrt((gains**2).sum()):
                self.loss, self.strength, self.start = loss, at, own
        self.choice = pd.DataFrame(rows, columns=["loss", "strength", "error"])

    def choose_share(self, features, shares):
        """Choose the share of the prior variance for features with the smallest held-out error."""
        share = _SHARE
        try:
            held = self.problem.hold_out(np.random.default_rng(0))
        except ValueError:
            return share
        test, train, times = self._split(held)
        start = random_start(*self.problem.shape, self.rng)
        prior = FeaturePrior(features, _SHARE)
        options = {"penalty": self.penalty, "strength": self.strength * times}

        def error_of(share):
            tried = replace(train, prior=prior.with_share(share) if share > 0 else None)
            objective = tried.objective(self.loss, **options)
            points = tried.points(descend(objective, start, _LONGER, _TOL))
            return np.average(misses(points, test.comparisons), weights=test.weight)

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

        test, train, times = self._split(self.problem.hold_out(self.rng))
        objective = train.objective(self.loss, penalty=self.penalty)
        if lapse != 0:
            objective.allow(lapse)

        def error_of(found):
            points = self.problem.points(found)
            if lapse == 0:
                return triplet_error(points, test.comparisons, sample_weight=test.weights)
            objective.value(pad(found))  # estimates the lapse rate at these points
            losses = test.objective(self.loss).losses(pad(points))
            probability = with_lapses(np.exp(-losses), objective.lapse)
            return log_loss(probability, test.comparisons, sample_weight=test.weights)

        rows, points, best = [], self.start, None
        for strength in STRENGTHS:
            objective.strength = strength * times
            points = descend(objective, points, _NEXT if rows else _FIRST, tol=0.0)
            error = error_of(points)
            rows.append((float(strength), error))
            if best is None or error < best[0]:
                best = error, float(strength), points.copy()
            elif error > _WORSE * best[0]:
                break
        _, self.strength, self.start = best
        self.path = pd.DataFrame(rows, columns=["strength", "error"])

    def _split(self, held):
        """Return the held-out problem, the thinned rest, and the factor for its strengths."""
        return self.problem.take(held), *thinned_rest(self.problem, held)


def _weaken(try_out, loss, strengths, start):
    """Return points, misses and strength with the smallest error; stop if the error has risen."""
    best, points = None, start
    for strength in strengths:
        points, missed = try_out(loss, strength, points, _A_STEP if best else _FIRST)
        if best is None or missed.sum() < best[1].sum():
            best = points, missed, float(strength)
        elif missed.sum() > _RISEN * best[1].sum():
            break
    return best


def _by_question(problem, amounts):
    """Return the sum of the amounts of each question, whose comparisons are not independent."""
    if problem.question is None:
        return amounts
    return np.bincount(np.unique(problem.question, return_inverse=True)[1], amounts)


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
    objective = wide.thin(_AN_OBJECT * n_objects).objective(
        loss, penalty=Ridge(), strength=_EMPTYING
    )
    start = random_start(*wide.shape, rng)
    found = descend(objective, start, _OF_START, _TOL)
    if not np.isfinite(found).all():
        return start[:, :n_components]
    points = problem.points(found)
    centered = points - points.mean(axis=0)
    with one_blas_thread(wide.shape[1]):
        axes = np.linalg.eigh(centered.T @ centered)[1]
        return problem.start(centered @ axes[:, : -n_components - 1 : -1])
