"""Uncertainty of an embedding, by refits to resampled questions or people (bootstrap)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import fdtri
from sklearn.base import clone

from closerthan._core.ties import tie_of_points
from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_word
from closerthan.comparisons.answers import Answers, as_answers
from closerthan.comparisons.check import check_comparisons
from closerthan.optimize.lapse import with_lapses
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan.ordinal.groups import connected_objects
from closerthan.scores.probability import expected_calibration_error, reliability_curve
from closerthan_lab.checks import check_share
from closerthan_lab.fit_many import fit_many
from closerthan_lab.quality.coverage import share_by_object
from closerthan_lab.refits import align, estimate_bias, like, pair_distances

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BY = ("answers", "participant")
_FEWEST = 10  # refits, enough to estimate a covariance in the plane


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Bootstrap refits of an embedding, and the uncertainty of its points and predictions.

    Attributes
    ----------
    embedding : ndarray of shape (n_objects, n_components)
        The points fitted to all answers. Without features, an object that no comparison names has a
        row of NaN.
    refits : ndarray of shape (n_refits, n_objects, n_components)
        The points of each refit, aligned with the embedding by rotation, reflection, translation
        and scaling.
    covariance : ndarray of shape (n_objects, n_components, n_components)
        Mean product of the deviations of the refits from the embedding, plus the product of the
        estimated bias of the fit, in squared units of the coordinates. Without features, NaN for
        objects that no comparison links to the largest group.
    level : float
        Confidence level of the ellipses.
    by : {"answers", "participant"}
        What was resampled.
    n_units : int
        Number of questions, or participants, to draw from; the smaller if both were drawn.
    fit_by_object : DataFrame
        One row per object, with its number of comparisons, `held_in` and `held_out`. `held_in` is
        the weighted share of its comparisons that the embedding predicts. `held_out` is the share
        that refits predict for comparisons they were not fitted to (out of bag); NaN if there are
        none. If people are drawn, refits may have seen another answer to the same question.
    probability : ndarray of shape (n_comparisons,), or None
        Probability of each given answer under the first refit that was not fitted to it, or NaN.
        None if the loss has no probabilities.
    reliability, calibration_error : DataFrame and float, or None
        The `reliability_curve` and `expected_calibration_error` of these probabilities.
    """

    embedding: np.ndarray
    refits: np.ndarray
    covariance: np.ndarray
    level: float
    by: str
    n_units: int
    fit_by_object: pd.DataFrame
    probability: np.ndarray | None
    reliability: pd.DataFrame | None
    calibration_error: float | None

    @property
    def quantile(self) -> float:
        """Factor from a covariance to an ellipse, or from a variance to a squared half-width."""
        r, p = min(len(self.refits), self.n_units), min(2, self.embedding.shape[1])
        return p * (r - 1) / (r - p) * fdtri(p, r - p, self.level)

    def ellipses(self, components: tuple[int, int] = (0, 1)) -> pd.DataFrame:
        """Return confidence ellipses around the fitted points at the confidence level `level`.

        The ellipse of an object has all points with d' C^-1 d <= q. Here d is the difference from
        the fitted point, and C is its covariance in the two components. q is the quantile of
        Hotelling's T^2: 2 (r - 1) / (r - 2) times the quantile of F with 2 and r - 2 degrees of
        freedom. r is the number of refits, or of questions or participants if there are fewer.

        Returns a DataFrame with one row per object. `x` and `y` are the center. `major` and `minor`
        are the semi-axes, in units of the coordinates. `angle` is the direction of the major axis
        from the x-axis, in degrees counterclockwise, from -90 to 90. Raise a ValueError if
        `components` are not two different components of the embedding.
        """
        first, second = self._check_components(components)
        quantile = self.quantile
        xx, yy = self.covariance[:, first, first], self.covariance[:, second, second]
        xy = self.covariance[:, first, second]
        middle, half = (xx + yy) / 2, np.hypot((xx - yy) / 2, xy)
        return pd.DataFrame(
            {
                "x": self.embedding[:, first],
                "y": self.embedding[:, second],
                "major": np.sqrt(quantile * (middle + half)),
                "minor": np.sqrt(quantile * np.maximum(middle - half, 0.0)),
                "angle": np.degrees(np.arctan2(2 * xy, xx - yy) / 2),
            }
        )

    def plot(self, ax: "Axes | None" = None, components: tuple[int, int] = (0, 1)) -> "Axes":
        """Plot the points and their confidence ellipses, by default on new axes; return them."""
        import matplotlib.pyplot as plt  # imported here because it is optional
        from matplotlib.patches import Ellipse

        ax = plt.subplots()[1] if ax is None else ax
        for x, y, major, minor, angle in self.ellipses(components).dropna().itertuples(index=False):
            ax.add_patch(Ellipse((x, y), 2 * major, 2 * minor, angle=angle, alpha=0.2))
        ax.plot(*self.embedding[:, list(components)].T, "k.")
        ax.set_aspect("equal")
        return ax

    def _check_components(self, components):
        n_components = self.embedding.shape[1]
        if n_components < 2:
            raise ValueError(
                "ellipses need two components, but the embedding has one; use the variances in "
                "`covariance`"
            )
        different = {*components}.intersection(range(n_components))
        if not len(components) == len(different) == 2:
            raise ValueError(
                f"components={components!r}; it must be two different numbers from 0 to "
                f"{n_components - 1}"
            )
        return components


def bootstrap(
    estimator: OrdinalEmbedding,
    answers: ArrayLike,
    *,
    features: ArrayLike | None = None,
    n_refits: int = 200,
    by: str = "answers",
    level: float = 0.9,
    n_jobs: int | None = None,
    random_state: Seed = None,
    progress: bool = False,
) -> Bootstrap:
    """Estimate the uncertainty of an embedding by refits to resampled questions or people.

    Each refit draws as many questions (or participants) as there are, with replacement, each with
    all its answers. A question that is drawn twice counts twice. Each refit starts from the points
    of the fit and keeps its loss, penalty strength, lapse rate and share of the features, so that
    all refits stay in the same optimum. Then it is aligned with the fit. The bias of the fit is
    estimated with 40 more fits, to simulated answers (indirect inference).

    Raise a ValueError if a comparison or a parameter is malformed, if participants are unknown, if
    there are fewer than three questions or participants, or if an answer names an object that the
    fitted estimator does not know.

    Parameters
    ----------
    estimator : OrdinalEmbedding
        If it is not fitted, a clone of it is fitted to the answers first.
    answers : Answers, or array_like of shape (n, 3) or (n, 4), int
        The answers that the estimator was or will be fitted to.
    features : array_like of shape (n_objects, n_features), optional
        The features that the estimator was or will be fitted with. The covariance of an object
        that no answer names then contains how far the other objects lie from their predictions.
    n_refits : int, default 200
        Number of refits, at least 10. With 200, the axes of the ellipses are accurate to about 5 %.
    by : {"answers", "participant"}, default "answers"
        What to resample: questions with all their answers, or participants with theirs. If people
        differ, resample participants, about twenty or more: the ellipses then show the uncertainty
        for people in general. If a question has two answers or more on average, `by="participant"`
        draws questions as well.
    level : float, default 0.9
        Confidence level of the ellipses, above 0 and below 1.
    n_jobs, random_state
        See :doc:`the glossary </glossary>`. An estimator without a `random_state` is seeded, too.
    progress : bool, default False
        Whether to show a progress bar on stderr.

    References
    ----------
    Efron and Tibshirani, An introduction to the bootstrap, 1993. Jacoby and Armstrong, Bootstrap
    confidence regions for multidimensional scaling solutions, American Journal of Political
    Science 58, 2014. Gourieroux, Monfort and Renault, Indirect inference, Journal of Applied
    Econometrics 8, 1993.

    Examples
    --------
    >>> from closerthan.comparisons import sample_from_points
    >>> truth = np.random.default_rng(0).normal(size=(20, 2))
    >>> triplets = sample_from_points(truth, 400, random_state=0)
    >>> sure = bootstrap(OrdinalEmbedding(2), triplets, n_refits=20, random_state=0)
    >>> sure.refits.shape
    (20, 20, 2)
    >>> list(sure.ellipses())
    ['x', 'y', 'major', 'minor', 'angle']
    """
    answers = as_answers(answers)
    check_settings(answers, n_refits, by, level)
    rng = np.random.default_rng(random_state)
    fit = _fitted(estimator, answers, features, rng)
    check_comparisons(answers.comparisons, len(fit.embedding_))
    if (fit.feature_share_ is None) != (features is None):
        had = "without" if features is not None else "with"
        raise ValueError(f"features: the estimator was fitted {had} features; do the same here")
    draw = _Draw(answers, by, rng.integers(2**63, size=n_refits))
    refits = _refit(like(fit), answers.comparisons, features, draw, n_jobs, progress)
    out_of_bag = _OutOfBag(fit, answers.comparisons)
    for number, points in enumerate(refits):
        out_of_bag.add(points, draw.weights(number))
    linked = ~np.isnan(fit.embedding_[:, 0])
    if features is None:
        linked &= connected_objects(answers.comparisons, len(linked)) == 0
    refits = align(fit.embedding_, refits, linked)
    weights = answers.sample_weight
    away = refits - fit.embedding_
    bias = estimate_bias(fit, answers, features, linked, rng, n_jobs, progress)
    covariance = np.einsum("bni,bnj->nij", away, away) / n_refits
    covariance += np.einsum("ni,nj->nij", bias, bias)
    covariance[~linked] = np.nan
    if features is not None:
        covariance += _left_open(fit, answers, features)
    reliability, calibration_error = out_of_bag.calibration(weights)
    return Bootstrap(
        embedding=fit.embedding_,
        refits=refits,
        covariance=covariance,
        level=level,
        by=by,
        n_units=draw.n_units,
        fit_by_object=out_of_bag.by_object(weights),
        probability=out_of_bag.probability,
        reliability=reliability,
        calibration_error=calibration_error,
    )


def check_settings(answers: Answers, n_refits: int, by: str, level: float) -> None:
    """Raise a ValueError if `bootstrap` cannot use these settings. Call it before long work."""
    check_count("n_refits", n_refits)
    if n_refits < _FEWEST:
        raise ValueError(f"n_refits={n_refits}; it must be {_FEWEST} or more")
    check_word("by", by, BY)
    if by == "participant" and answers.participant is None:
        raise ValueError(
            "by='participant', but the answers have no participants; take by='answers'"
        )
    check_share("level", level)


def _fitted(estimator, answers, features, rng):
    """Return the estimator if it is fitted, otherwise a fitted clone."""
    if not isinstance(estimator, OrdinalEmbedding):
        name = type(estimator).__name__
        raise ValueError(f"estimator={name}; it must be an OrdinalEmbedding")
    if hasattr(estimator, "embedding_"):
        return estimator
    own = {} if estimator.random_state is not None else {"random_state": int(rng.integers(2**31))}
    return clone(estimator).set_params(**own).fit(answers, features=features)


def _left_open(fit, answers, features):
    """Return the covariance that features leave open, for each object that no answer names.

    As in a regression, each feature takes a degree of freedom, up to half of them.
    """
    named = np.isin(np.arange(len(fit.embedding_)), answers.comparisons)
    off = (fit.embedding_ - fit.transform(features=features))[named]
    freedom = max(len(off) - len(fit.coef_), len(off) / 2)
    return np.where(named[:, None, None], 0.0, off.T @ off / freedom)


class _Draw:
    """Random weights of the comparisons for each refit, from draws of questions and people."""

    def __init__(self, answers, by, seeds):
        units = {"questions": answers.question}
        if by == "participant":
            people = np.unique(answers.participant, return_inverse=True)[1]
            # If people share questions, a map of other people depends on these questions, too.
            shared = answers.n_screens >= 2 * (answers.question.max() + 1)
            units = {"participants": people} | (units if shared else {})
        self._units = [unit[answers.screen] for unit in units.values()]
        self._own = answers.sample_weight
        self._seeds = seeds
        counts = {what: int(unit.max()) + 1 for what, unit in units.items()}
        self.n_units = min(counts.values())
        if self.n_units < 3:
            what = min(counts, key=counts.get)
            instead = ", or take by='answers'" if what == "participants" else ""
            found = f"2 {what}" if self.n_units == 2 else f"1 {what[:-1]}"
            raise ValueError(f"answers: {found}; give three or more{instead}")

    def weights(self, number):
        """Return the weight of each comparison in a refit; zero if it was not drawn."""
        rng = np.random.default_rng(self._seeds[number])
        weights = self._own
        for unit in self._units:
            n = unit.max() + 1
            weights = weights * rng.multinomial(n, np.full(n, 1 / n))[unit]
        if not weights.any():
            raise ValueError(
                "weight: nearly all are 0, and a resample has only such answers; leave out "
                "answers of weight 0"
            )
        return weights


def _refit(again, comparisons, features, draw, n_jobs, progress):
    """Return the points of all refits, before alignment."""
    n_refits = len(draw._seeds)
    refits = np.empty((n_refits, *again.init.shape))

    def refit(number):
        weights = draw.weights(number)
        rows = _needed(comparisons, weights, len(again.init))
        model = clone(again).fit(comparisons[rows], sample_weight=weights[rows], features=features)
        refits[number] = model.embedding_

    fit_many(refit, n_refits, n_jobs, "refits", progress)
    return refits


def _needed(comparisons, weights, n_objects):
    """Return which comparisons have weight, or name an object that would otherwise be missing."""
    drawn = weights > 0
    placed = np.zeros(n_objects, dtype=bool)
    placed[comparisons[drawn]] = True
    return drawn | ~placed[comparisons].all(axis=1)


class _OutOfBag:
    """Predictions of each refit for the answers that were not drawn for it."""

    def __init__(self, fit, comparisons):
        self._fit, self._comparisons = fit, comparisons
        self._holds = self._seen = 0  # counts for each comparison, over refits without it
        gives = hasattr(fit.loss_, "probability")
        self.probability = np.full(len(comparisons), np.nan) if gives else None

    def add(self, points, weights):
        """Count the predictions of a refit for the answers without weight in it."""
        out = weights == 0
        near, far = pair_distances(points, self._comparisons)
        self._holds = self._holds + (out & (far - near > tie_of_points(points)))
        self._seen = self._seen + out
        if self.probability is not None:
            new = out & np.isnan(self.probability)
            probability = self._fit.loss_.probability(near[new], far[new], points.shape[1])
            self.probability[new] = with_lapses(probability, self._fit.lapse_)

    def by_object(self, weights):
        """Return the accuracy for each object, in and out of bag."""
        near, far = pair_distances(self._fit.embedding_, self._comparisons)
        holds = far - near > tie_of_points(self._fit.embedding_)
        with np.errstate(invalid="ignore"):
            held_out = np.where(self._seen > 0, self._holds / self._seen, np.nan)
        n = len(self._fit.embedding_)
        n_comparisons, held_in = share_by_object(self._comparisons, holds, weights, n)
        _, held_out = share_by_object(self._comparisons, held_out, weights, n)
        columns = {"object": np.arange(n), "n_comparisons": n_comparisons}
        return pd.DataFrame({**columns, "held_in": held_in, "held_out": held_out})

    def calibration(self, weights):
        """Return the reliability curve and the calibration error, or twice None."""
        known = None if self.probability is None else ~np.isnan(self.probability)
        if known is None or not weights[known].any():
            return None, None
        args = self.probability[known], self._comparisons[known]
        weight = {"sample_weight": weights[known]}
        return reliability_curve(*args, **weight), expected_calibration_error(*args, **weight)
