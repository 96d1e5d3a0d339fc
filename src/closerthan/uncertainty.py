"""How sure each place of an embedding is: refits to resampled answers, and what they show."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import fdtri
from sklearn.base import clone

from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_number, check_word
from closerthan.comparisons.answers import as_answers
from closerthan.comparisons.check import check_comparisons, pair_columns
from closerthan.optimize.lapse import with_lapses
from closerthan.ordinal.many import fit_many, missing_objects_allowed
from closerthan.ordinal.model import OrdinalEmbedding
from closerthan.scores.coverage import each_object_once
from closerthan.scores.probability import expected_calibration_error, reliability_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BY = ("answers", "participant")
_FEWEST = 10  # refits from which a covariance in the plane can be told


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Refits of an embedding, and how sure its places and its predictions are by them.

    `bootstrap` makes it.

    Attributes
    ----------
    embedding : ndarray of shape (n_objects, n_components)
        The points that were fitted to all answers; NaN where no comparison names the object.
    refits : ndarray of shape (n_refits, n_objects, n_components)
        The points of each refit, moved onto the embedding by rotation, reflection, translation and
        scaling.
    covariance : ndarray of shape (n_objects, n_components, n_components)
        Mean product of the deviations of the refits from the embedding, in units of its
        coordinates. So their variance and the square of their bias are both in it. Where the loss
        was chosen, the mean square by which the losses that were tried move the object is added to
        the variance of each coordinate.
    level : float
        The share of ellipses that are to hold the true points.
    by : {"answers", "participant"}
        What was resampled.
    n_units : int
        How many screens, or participants, these are.
    fit_by_object : DataFrame
        A row an object: its number of comparisons, `held_in`, the share of these, by weight, that
        hold in the embedding, and `held_out`, the share that holds in refits to which they were not
        drawn (out of bag), NaN if all were drawn always. Another answer to the same question may
        have been drawn; `closerthan.commands.embed` holds out whole questions.
    probability : ndarray of shape (n_comparisons,), or None
        Of each answer that was given, as the first refit without it predicts it; NaN if there is
        none. None where the loss gives answers no probability.
    reliability : DataFrame or None
        The `closerthan.scores.reliability_curve` of these probabilities.
    calibration_error : float or None
        Their `closerthan.scores.expected_calibration_error`.
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
        """What a covariance in two components is multiplied by, to be the shape of an ellipse.

        Of an embedding in one component, what a variance is, to be the square of half an interval.
        """
        r, p = min(len(self.refits), self.n_units), min(2, self.embedding.shape[1])
        return p * (r - 1) / (r - p) * fdtri(p, r - p, self.level)

    def ellipses(self, components: tuple[int, int] = (0, 1)) -> pd.DataFrame:
        """Ellipses about the fitted points, of which the share `level` is to hold the true ones.

        An ellipse is where d' C^-1 d <= q, for the distance d to the fitted point, its covariance C
        in the two components and q the quantile of Hotelling's T^2 (2 (r - 1) / (r - 2) times that
        of F with 2 and r - 2 degrees of freedom), r being the number of refits, or of what was
        resampled if that is less.

        Parameters
        ----------
        components : (int, int), default (0, 1)
            Which two to look at.

        Returns
        -------
        DataFrame
            A row an object: its place `x` and `y`, half the length of the long and of the short
            axis, `major` and `minor`, in units of the coordinates, and `angle`, that of the long
            axis to the x-axis in degrees, counterclockwise, from -90 to 90.

        Raises
        ------
        ValueError
            If these are not two components that the embedding has.
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
        """Draw the points and their ellipses.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        components : (int, int), default (0, 1)

        Returns
        -------
        matplotlib Axes
        """
        import matplotlib.pyplot as plt  # here, as closerthan does without
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
                "ellipses: the embedding has one component; `covariance` has its variances"
            )
        known = range(n_components)
        if (
            len(components) != 2
            or not all(c in known for c in components)
            or len({*components}) < 2
        ):
            raise ValueError(
                f"components={components!r}; it must be two different numbers from 0 to "
                f"{n_components - 1}"
            )
        return components


def bootstrap(
    estimator: OrdinalEmbedding,
    answers: ArrayLike,
    *,
    n_refits: int = 200,
    by: str = "answers",
    level: float = 0.9,
    n_jobs: int | None = None,
    random_state: Seed = None,
    progress: bool = False,
) -> Bootstrap:
    """Refit an embedding to resampled answers, to see how sure it is.

    In each refit the screens, or the participants with all their screens, are drawn with
    replacement, as many as there are; how often one was drawn multiplies its weight. A refit starts
    from the points of the fit, with its loss, strength of the penalty and rate of lapses, so that
    all stay in the same optimum, and is moved onto it.

    Parameters
    ----------
    estimator : OrdinalEmbedding
        If it is not fitted, a clone of it is fitted to the answers first.
    answers : Answers, or array_like of shape (n, 3) or (n, 4), int
        Triplets (i, j, k): i is closer to j than to k. Or quadruplets (i, j, l, k):
        d(i, j) < d(l, k). Those that the estimator was fitted to.
    n_refits : int, default 200
        At least 10. Of 200 the lengths of the axes are known to about a twentieth.
    by : {"answers", "participant"}, default "answers"
        What is drawn: screens (each comparison of an array is one), or participants. Where people
        differ, the latter says how sure the map is of people in general; some twenty are needed.
    level : float, default 0.9
        The share of ellipses that are to hold the true points, above 0 and below 1.
    n_jobs : int, optional
        Threads over the refits; one by default, -1 for all cores. Their number does not change the
        result.
    random_state : int, SeedSequence, Generator or None, default None
        Draws the answers, and seeds an estimator without a `random_state`.
    progress : bool, default False
        Whether to show a progress bar on stderr.

    Returns
    -------
    Bootstrap

    Raises
    ------
    ValueError
        On a malformed comparison or parameter, for participants that are unknown or fewer than
        three, and for answers about objects that a fitted estimator does not know.

    Notes
    -----
    How often ellipses hold the truth was simulated: 20, 30 or 60 objects in the plane, 10 or 40
    triplets an object, of which up to 25 % were swapped, or that err as STE, Bradley-Terry-Luce or
    odd ones out have it. Of 90 % ellipses 88 to 95 % held the true point, once the truth was moved
    onto the embedding; 91 to 98 % where answers never err (`benchmarks/ellipses.py`).
    The center is the fitted point, and the covariance has the bias of the refits in it, as few or
    noisy answers are fitted more closely when some of them count twice. Without it as few as 40 %
    held the truth. Where the loss was chosen, it has in it how far the others that were tried move
    an object: of many answers about few objects the loss distorts the map by more than they vary.
    Without that 76 to 83 % held the truth with 20 objects and 100 answers an object or more, and a
    third where answers never err. A loss that was given is taken to be right.

    What draws all points alike, such as the prior's shrinkage, is not in the ellipses, since moving
    onto the embedding takes it out. Nor is what refits cannot show: a dimension too few, a model
    of answers that is wrong everywhere alike, or another optimum. An object of which there are a
    few answers only is missing from some refits; there the penalty draws it to the middle.

    References
    ----------
    Efron and Tibshirani, An introduction to the bootstrap, 1993. Jacoby and Armstrong, Bootstrap
    confidence regions for multidimensional scaling solutions, American Journal of Political
    Science 58, 2014.

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
    _check(n_refits, by, level)
    answers = as_answers(answers)
    rng = np.random.default_rng(random_state)
    fit = _fitted(estimator, answers, rng)
    check_comparisons(answers.comparisons, len(fit.embedding_))
    draw = _Draw(answers, by, rng.integers(2**63, size=n_refits))
    again = _again(fit)
    refits = _refit(again, answers.comparisons, draw, n_jobs, progress)
    out_of_bag = _OutOfBag(fit, answers.comparisons)
    for number, points in enumerate(refits):
        out_of_bag.add(points, draw.weights(number))
    refits = _align(fit.embedding_, refits)
    weights = answers.sample_weight
    away = refits - fit.embedding_
    covariance = np.einsum("bni,bnj->nij", away, away) / n_refits
    if fit.choice_ is not None:
        by_loss = _align(fit.embedding_, _with_each_loss(fit, again, answers))
        # How far another loss moves an object says how far off it may be, but not where to.
        off = ((by_loss - fit.embedding_) ** 2).mean(axis=(0, 2))
        covariance += off[:, None, None] * np.eye(fit.n_components)
    return Bootstrap(
        embedding=fit.embedding_,
        refits=refits,
        covariance=covariance,
        level=level,
        by=by,
        n_units=draw.n_units,
        fit_by_object=out_of_bag.by_object(weights),
        probability=out_of_bag.probability,
        **out_of_bag.calibration(weights),
    )


def _check(n_refits, by, level):
    check_count("n_refits", n_refits)
    if n_refits < _FEWEST:
        raise ValueError(f"n_refits={n_refits}; there must be {_FEWEST} or more")
    check_word("by", by, BY)
    check_number("level", level, positive=True)
    if level >= 1:
        raise ValueError(f"level={level}; it must be less than 1")


def _fitted(estimator, answers, rng):
    """Return the estimator if it is fitted, else a clone of it that is."""
    if not isinstance(estimator, OrdinalEmbedding):
        name = type(estimator).__name__
        raise ValueError(f"estimator is a {name}; it must be an OrdinalEmbedding")
    if hasattr(estimator, "embedding_"):
        return estimator
    own = {} if estimator.random_state is not None else {"random_state": int(rng.integers(2**31))}
    return clone(estimator).set_params(**own).fit(answers)


class _Draw:
    """How often each screen, or each participant, was drawn for each refit, as weights."""

    def __init__(self, answers, by, seeds):
        if by == "participant" and answers.participant is None:
            raise ValueError("by='participant'; the participants of these answers are unknown")
        units = np.arange(answers.n_screens)
        if by == "participant":
            units = np.unique(answers.participant, return_inverse=True)[1]
        self._unit = units[answers.screen]
        self._own = answers.sample_weight
        self._seeds = seeds
        self.n_units = int(units.max()) + 1
        if self.n_units < 3:
            what = "participants" if by == "participant" else "screens"
            raise ValueError(f"the answers are of {self.n_units} {what}; three or more are needed")

    def weights(self, number):
        """Return the weight of each comparison in a refit; zero: it was not drawn."""
        n = self.n_units
        drawn = np.random.default_rng(self._seeds[number]).multinomial(n, np.full(n, 1 / n))
        weights = drawn[self._unit] * self._own
        if not weights.any():
            raise ValueError(
                "weight: nearly all are 0; a draw of the answers holds none that count"
            )
        return weights


def _again(fit):
    """Return an estimator like a fitted one that begins where that one ended."""
    start = np.nan_to_num(fit.embedding_)
    return clone(fit).set_params(
        init=start,
        loss=fit.loss_,
        strength=fit.strength_,
        lapse=fit.lapse_,
        solver="l-bfgs",  # from a good place the sure way to the bottom
        n_objects=len(start),
        n_jobs=None,
        callback=None,
        verbose=0,
        random_state=0,
    )


def _refit(again, comparisons, draw, n_jobs, progress):
    """Return the points of all refits, in the places and units in which each was found."""
    n_refits = len(draw._seeds)
    refits = np.empty((n_refits, *again.init.shape))

    def refit(number):
        model = clone(again).fit(comparisons, sample_weight=draw.weights(number))
        refits[number] = model.embedding_

    fit_many(refit, n_refits, n_jobs, "refits", progress)
    return refits


def _with_each_loss(fit, again, answers):
    """Return the points that each loss finds from which that of the fit was chosen."""
    tried = zip(fit.choice_["loss"], fit.choice_["strength"], strict=True)
    with missing_objects_allowed():
        return np.array(
            [
                clone(again).set_params(loss=loss, strength=strength).fit(answers).embedding_
                for loss, strength in tried
            ]
        )


def _align(embedding, refits):
    """Move each refit onto the embedding, as `closerthan.scores.procrustes_align` does."""
    placed = ~np.isnan(embedding[:, 0])
    center = embedding[placed].mean(axis=0)
    moved = refits - refits[:, placed].mean(axis=1, keepdims=True)
    here = moved[:, placed]
    products = np.einsum("bni,nj->bij", here, embedding[placed] - center)
    left, values, right = np.linalg.svd(products)
    squares = np.einsum("bni,bni->b", here, here)
    size = np.divide(values.sum(axis=1), squares, out=np.zeros(len(refits)), where=squares > 0)
    return (moved @ (left @ right)) * size[:, None, None] + center


class _OutOfBag:
    """What each refit makes of the answers that were not drawn for it."""

    def __init__(self, fit, comparisons):
        self._fit, self._comparisons = fit, comparisons
        self._holds = self._seen = 0  # of each comparison, in refits to which it was not drawn
        gives = hasattr(fit.loss_, "probability")
        self.probability = np.full(len(comparisons), np.nan) if gives else None

    def add(self, points, weights):
        """Look at the answers that have no weight in a refit."""
        out = weights == 0
        near, far = self._distances(points)
        self._holds = self._holds + (out & (near < far))
        self._seen = self._seen + out
        if self.probability is not None:
            new = out & np.isnan(self.probability)
            probability = self._fit.loss_.probability(near[new], far[new], points.shape[1])
            self.probability[new] = with_lapses(probability, self._fit.lapse_)

    def by_object(self, weights):
        """Return how much of the comparisons of each object holds, in and out of bag."""
        near, far = self._distances(self._fit.embedding_)
        with np.errstate(invalid="ignore"):
            held_out = np.where(self._seen > 0, self._holds / self._seen, np.nan)
        objects, rows = each_object_once(self._comparisons)
        n = len(self._fit.embedding_)

        def share(holds):
            known = ~np.isnan(holds[rows])
            total = np.bincount(objects[known], weights[rows[known]], n)
            held = np.bincount(objects[known], (weights * holds)[rows[known]], n)
            return np.divide(held, total, out=np.full(n, np.nan), where=total > 0)

        return pd.DataFrame(
            {
                "object": np.arange(n),
                "n_comparisons": np.bincount(objects, minlength=n),
                "held_in": share((near < far).astype(float)),
                "held_out": share(held_out),
            }
        )

    def calibration(self, weights):
        """Return whether the probabilities are what they say, by the name of each measure."""
        measures = {
            "reliability": reliability_curve,
            "calibration_error": expected_calibration_error,
        }
        known = None if self.probability is None else ~np.isnan(self.probability)
        if known is None or not weights[known].any():
            return dict.fromkeys(measures)
        args = self.probability[known], self._comparisons[known]
        return {
            name: measure(*args, sample_weight=weights[known]) for name, measure in measures.items()
        }

    def _distances(self, points):
        i, j, l, k = pair_columns(self._comparisons)
        near, far = points[i] - points[j], points[l] - points[k]
        return np.einsum("nc,nc->n", near, near), np.einsum("nc,nc->n", far, far)
