"""DifferenceScale: place stimuli of a known order on a line, with the noise of the judgments."""

from dataclasses import KW_ONLY, dataclass
from types import SimpleNamespace
from typing import Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import log_expit, log_ndtr, stdtrit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from closerthan._core.threads import one_blas_thread
from closerthan._core.typing import Seed
from closerthan._core.validation import check_weights, check_word, share_or_auto
from closerthan._core.warn import warn
from closerthan.comparison_model import ComparisonModel, as_answered
from closerthan.comparisons.answers import as_answers, number_people
from closerthan.comparisons.check import (
    check_comparisons,
    count_objects,
    exchange_where,
    pair_columns,
)
from closerthan.optimize.lapse import likeliest_lapse
from closerthan_lab.checks import check_share

# The logarithms of a distribution function and of its density, which is symmetric.
LINKS = {
    "probit": (log_ndtr, lambda z: -(z**2 + np.log(2 * np.pi)) / 2),
    "logit": (log_expit, lambda z: log_expit(z) + log_expit(-z)),
}
BY = ("answers", "participant")


@dataclass(eq=False, repr=False)
class DifferenceScale(ComparisonModel):
    """Scale stimuli of a known order, from answers on which of two differences is larger.

    Maximum likelihood difference scaling (Maloney and Yang, 2003). Each stimulus has a value on a
    line. People compare two differences of values, each taken along the order, and err because
    noise is added. `OrdinalEmbedding` in one dimension does not know the order, and may fold.

    Parameters
    ----------
    link : {"probit", "logit"}, default "probit"
        Distribution of the noise: normal or logistic.
    monotone : bool, default False
        Whether no stimulus may lie below the one before it. By default, noise may exchange
        neighbors.
    lapse : float or "auto", default 0.0
        Lapse rate: the share of answers given at random, from 0 to less than 1. "auto" estimates
        the rate together with the scale.
    by : {"answers", "participant"}, default "answers"
        What the standard errors take as independent: screens (each row of an array is one), or
        participants with all their answers. With "participant" they hold for other people, too.
        This needs about twenty participants.

    Attributes
    ----------
    scale_ : ndarray of shape (n_objects,)
        The value of each stimulus, by its id: 0 for the first of the order, 1 for the last. NaN for
        an id that the order lacks. ``scale_ / sigma_`` is in units of the noise.
    standard_error_ : ndarray of shape (n_objects,)
        Standard errors of the values (see the notes). NaN if no answer contradicts the scale.
    sigma_ : float
        The noise of a judgment, in units of the scale: the standard deviation of the normal
        distribution, or the scale parameter of the logistic one.
    lapse_ : float
        Lapse rate: the given value, or the estimate.
    deviance_ : float
        Minus twice the log-likelihood.
    order_ : ndarray of shape (n_stimuli,)
        The ids of the stimuli, from the lowest to the highest.

    Notes
    -----
    A variance is the larger one of two: from the Fisher information, and from the sandwich
    estimator, which allows for comparisons of one screen or participant that depend on each other.
    :doc:`/scale` tells how often the intervals held the true value in simulations. With an
    estimated lapse rate and 300 answers they are too narrow.

    References
    ----------
    L. T. Maloney and J. N. Yang, Maximum likelihood difference scaling, Journal of Vision 3(8),
    2003. K. Knoblauch and L. T. Maloney, MLDS: Maximum likelihood difference scaling in R, Journal
    of Statistical Software 25(2), 2008.

    Examples
    --------
    Anchored at stimulus 0, people find 2 farther than 1; at 2, they find 0 farther than 1:

    >>> triplets = [[0, 1, 2]] * 9 + [[0, 2, 1]] + [[2, 1, 0]] * 6 + [[2, 0, 1]] * 4
    >>> model = DifferenceScale().fit(triplets, order=[0, 1, 2])
    >>> model.scale_.round(2)
    array([0.  , 0.17, 1.  ])
    """

    link: str = "probit"
    _: KW_ONLY
    monotone: bool = False
    lapse: float | Literal["auto"] = 0.0
    by: str = "answers"

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        order: ArrayLike | None = None,
    ) -> Self:
        """Fit the scale to comparisons.

        Raise a ValueError if a comparison or a parameter is malformed; if the order has other
        stimuli than the comparisons, one of them twice, or fewer than three; or if the answers
        leave part of the scale open, or do not follow the order.

        Parameters
        ----------
        X, y, sample_weight
            As for `OrdinalEmbedding.fit`. A weight of 2 counts as two answers.
        order : array_like of int, shape (n_stimuli,), optional
            The ids of all stimuli that the comparisons name, from the lowest to the highest. It
            must be given, because answers can hardly tell it.
        """
        X = as_answered(X, y)
        comparisons = check_comparisons(X)
        check_word("link", self.link, LINKS)
        check_word("by", self.by, BY)
        lapse, order = share_or_auto("lapse", self.lapse), _check_order(order, comparisons)
        weights = check_weights(sample_weight, X)
        weights = np.ones(len(comparisons)) if weights is None else weights
        answers = as_answers(X)
        unit = answers.screen
        if self.by == "participant":
            unit = number_people(answers, "by='participant'")[unit]
            if unit.max() < 2:
                raise ValueError("by='participant': give three or more people, or by='answers'")
        place = np.full(count_objects(comparisons), -1)
        place[order] = np.arange(len(order))
        design = _gaps_between(place[comparisons], len(order) - 1)
        likelihood = _Likelihood(design, weights, self.link, lapse)
        with one_blas_thread():
            _refuse_open(design[weights > 0])
            gaps = likelihood.maximize(0.0 if self.monotone else None)
            self.deviance_ = 2 * likelihood(gaps)[0]  # estimates the lapse rate at these gaps, too
            variance = likelihood.variance(gaps, unit)
        total = gaps.sum()
        self.order_, self.sigma_ = order, float(1 / total)
        self.lapse_ = likelihood.lapse
        self._place, self._freedom = place, unit.max()  # one less than the number of units
        found = np.full((2, len(place)), np.nan)
        found[:, order] = np.pad([np.cumsum(gaps) / total, np.sqrt(variance)], ((0, 0), (1, 0)))
        self.scale_, self.standard_error_ = found
        return self

    def intervals(self, level: float = 0.9) -> pd.DataFrame:
        """Return the scale with confidence intervals of a level between 0 and 1.

        The table has a row for each stimulus in the order, with ``stimulus`` (its id), ``scale``,
        ``low`` and ``high``: the value, plus and minus the standard error times a quantile of
        Student's t. The first value and the last one are 0 and 1 by definition: no interval.
        """
        check_is_fitted(self)
        check_share("level", level)
        half = stdtrit(self._freedom, (1 + level) / 2) * self.standard_error_
        columns = {"scale": self.scale_, "low": self.scale_ - half, "high": self.scale_ + half}
        frame = pd.DataFrame(columns).rename_axis("stimulus")
        return frame.loc[self.order_].reset_index()

    def runs_test(
        self, X: ArrayLike, *, n_simulations: int = 1000, random_state: Seed = None
    ) -> float:
        """Test whether the scale describes the answers `X` of the fit, and return the p-value.

        The questions are sorted by the predicted probability that a certain pair of the two, the
        same for all answers, differs more. If the scale describes the answers, the residuals change
        their sign as often as those of simulated answers. The p-value is the share of simulations
        with as few changes or fewer (Knoblauch and Maloney, 2008). The given answers count as one
        more simulation, so it is never 0. Weights are ignored: each row counts once.
        """
        near, far = as_answers(X).pairs  # the pair with the larger number is asked about
        probability = self.predict_proba(exchange_where(np.asarray(X), far <= near))[:, 1]
        order, rng = np.argsort(probability, kind="stable"), np.random.default_rng(random_state)

        def changes(yes):
            return np.count_nonzero(np.diff(yes[order]))

        drawn = [changes(rng.random(len(near)) < probability) for _ in range(n_simulations)]
        few = np.count_nonzero(np.array(drawn) <= changes(far > near))
        return (1 + few) / (1 + n_simulations)

    @property
    def _loss(self):
        """What has the probability of an answer, as the loss of other models."""
        cumulative = LINKS[self.link][0]
        return SimpleNamespace(
            probability=lambda a, b, _: np.exp(cumulative((b - a) / self.sigma_))
        )

    def _loss_components(self):
        return 1

    def _n_fitted(self):
        return len(self.scale_)

    def _both_distances(self, quadruplets):
        """Return the differences of both pairs along the order, not squared, for the link."""
        i, j, l, k = quadruplets.T

        def along(a, b):
            return (self.scale_[a] - self.scale_[b]) * np.sign(self._place[a] - self._place[b])

        return along(i, j), along(l, k)


class _Likelihood:
    """The negative log-likelihood of weighted answers as a function of the gaps between neighbors.

    `design` has a row for each answer: which gaps the farther pair spans, less those of the nearer
    one. Gaps are in units of the noise. `lapse` is the rate, or its estimate at the last gaps.
    """

    def __init__(self, design, weights, link, lapse):
        self._design, self._weights, self._link = design, weights, LINKS[link]
        self._estimated, self.lapse = lapse is None, lapse or 0.0

    def __call__(self, gaps):
        """Return the negative log-likelihood and its gradient."""
        z = self._design @ gaps
        if self._estimated:
            self.lapse = likeliest_lapse(np.exp(self._link[0](z)), self._weights, self.lapse)
        values, slopes = self._of(z)
        return -self._weights @ values, -(self._weights * slopes) @ self._design

    def _of(self, z):
        """Return the log-probability of answers, and its derivative."""
        cumulative, density = self._link
        with np.errstate(divide="ignore"):  # without lapses
            values = np.logaddexp(np.log(self.lapse / 2), np.log1p(-self.lapse) + cumulative(z))
        return values, np.exp(np.log1p(-self.lapse) + density(z) - values)

    def maximize(self, least):
        """Return the likeliest gaps, none below `least`."""
        start, rule = np.ones(self._design.shape[1]), {"ftol": 1e-14, "gtol": 1e-7}
        given = {"jac": True, "method": "L-BFGS-B", "options": rule}
        mean = self._weights.mean()  # the rule must not depend on the unit of weights

        def scaled(gaps):
            value, slopes = self(gaps)
            return value / mean, slopes / mean

        gaps = minimize(scaled, start, bounds=[(least, None)] * len(start), **given).x
        if gaps.sum() <= 0:
            fault = "the answers put the last stimulus below the first"
            raise ValueError(f"order: {fault}; check the order, and which pair the answers name")
        return gaps

    def variance(self, gaps, unit):
        """Return the variances of all values but the first, in units of the scale."""
        z = self._design @ gaps
        if (z[self._weights > 0] > 0).all():
            fault = "no answer contradicts the scale, so many others fit, with any small noise"
            warn(f"{fault}; ask about smaller differences", ConvergenceWarning)
            return np.full(len(gaps), np.nan)
        values, slopes = self._of(z)
        scores = slopes[:, None] * self._design
        if self._estimated:
            by_lapse = (0.5 - np.exp(self._link[0](z))) / np.exp(values)
            scores = np.column_stack([scores, by_lapse])
        # The score of the opposite answer is -p / (1 - p) times this one, so the expected square of
        # the score is p / (1 - p) times this one's.
        information = self._weights * np.exp(values - self._of(-z)[0])
        # The larger of two variances: by the expected information, and by the sandwich, which holds
        # if the answers of a unit depend on each other.
        fisher = np.linalg.pinv(scores.T @ (information[:, None] * scores), hermitian=True)
        sums = np.zeros((unit.max() + 1, scores.shape[1]))
        np.add.at(sums, unit, self._weights[:, None] * scores)
        n, total = len(gaps), gaps.sum()
        to_scale = (np.tril(np.ones((n, n))) - (np.cumsum(gaps) / total)[:, None]) / total
        own = to_scale @ fisher[:n]
        return np.maximum((own[:, :n] * to_scale).sum(axis=1), ((own @ sums.T) ** 2).sum(axis=1))


def _gaps_between(places, n_gaps):
    """Return which gaps the farther pair spans (1), less those of the nearer one."""
    gaps = np.arange(n_gaps)
    i, j, l, k = np.array(pair_columns(places))[..., None]

    def spanned(a, b):
        return (np.minimum(a, b) <= gaps) & (gaps < np.maximum(a, b))

    return spanned(l, k).astype(float) - spanned(i, j)


def _refuse_open(design):
    """Raise a ValueError if some gaps may change without changing any probability."""
    values, vectors = np.linalg.eigh(design.T @ design)
    if values[0] <= 1e-9 * values[-1]:
        gap = np.abs(vectors[:, 0]).argmax() + 1
        step = f"comparisons: they leave the step from number {gap} to {gap + 1} of the order open"
        raise ValueError(f"{step}; ask questions that compare it with other differences")


def _check_order(order, comparisons):
    """Return the order as an array of ids, if it has each stimulus of the comparisons once."""
    if order is None:
        raise ValueError("order: give the ids of the stimuli from the lowest to the highest")
    refuse_order(order, comparisons)
    return np.array(order, dtype=np.int64)


def refuse_order(order: np.ndarray | range | list, named: ArrayLike) -> None:
    """Raise a ValueError if an order of ids or names has not each of those in the answers once."""
    if len(order) < 3:
        raise ValueError(f"order: {len(order)} stimuli; a scale needs three or more")
    stimuli, times = np.unique(order, return_counts=True)
    if (times > 1).any():
        raise ValueError(f"order: it has stimulus {stimuli[times.argmax()]} twice; name each once")
    other = np.setxor1d(named, order)
    if other.size:
        only = "it has" if other[0] in order else "the answers have"
        raise ValueError(f"order: only {only} stimulus {other[0]}; name those of the answers")
