"""OrdinalEmbedding: points whose distances agree with comparisons, by any loss and any solver."""

from collections.abc import Callable
from functools import partial
from typing import Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from closerthan._core.threads import Team, count_threads
from closerthan._core.typing import Seed
from closerthan._core.validation import (
    check_count,
    check_number,
    check_start,
    check_weights,
    is_number,
)
from closerthan._core.vectors import pad
from closerthan._core.warn import warn
from closerthan.base import ComparisonModel, as_answered
from closerthan.comparisons.check import check_comparisons
from closerthan.losses import Loss, make_loss
from closerthan.optimize.auto import Auto
from closerthan.optimize.lapse import LapsingObjective, minimize_with_lapses
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.solvers import make_solver
from closerthan.ordinal.choice import candidates, choose_loss, choose_strength
from closerthan.ordinal.problem import Problem, descend
from closerthan.ordinal.start import is_narrow, principal_start, random_start
from closerthan.penalties import make_penalty

_PLACING = 1000  # epochs at most to place new objects


class OrdinalEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ComparisonModel):
    """Embed objects so that their distances agree with relative comparisons.

    Minimizes the mean loss of the comparisons over the points, eq. (5) of Ma et al. (2019),
    without a positive semidefinite constraint and without any n x n matrix.

    Parameters
    ----------
    n_components : int, default 2
        Dimension of the embedding, at most the number of objects.
    loss : {"auto", "ste", "t-ste", "gnmds", "ckl", "soe"} or Loss, default "auto"
        See `closerthan.losses`. "auto" is t-STE with five degrees of freedom or CKL, whichever
        misses fewer of the answers to a fifth of the questions that are held out for that; or STE
        without a penalty, where these miss less than a tenth and it misses fewer still. Where there
        are too few answers to hold some out, it is t-STE.
    solver : {"auto", "l-bfgs", "minibatch-sgd", "batch", "sgd", "svrg"} or solver, default "auto"
        See `closerthan.optimize`. "auto" is mini-batch SGD, finished by L-BFGS; from "principal"
        points it is L-BFGS alone.
    penalty : {"ridge", "low-rank"}, Penalty or None, default "ridge"
        Added to the mean loss, times `strength`; see `closerthan.penalties`.
    strength : float, "prior" or "auto", default "prior"
        Not negative. "prior" is n / (2 m) for n objects in comparisons of weight m: with the ridge
        the points are then the most probable ones, if their coordinates are standard normal before
        anything is asked. The more answers, the less it counts. "auto" holds out the answers to a
        fifth of the questions, fits the others, or a part of them where they are many, with
        strengths from 0.001 to 10, each from the points before, and takes the one with the least
        error on those held out, or where there are lapses the least log loss; the fit to all starts
        from its points. It takes at most some four times as long as a fit without a penalty.
    lapse : float or "auto", default 0.0
        Share of answers that are given at random, from 0 to less than 1: the probability of an
        answer is lapse / 2 + (1 - lapse) P, P being that of the loss, which must have one (ste,
        t-ste, ckl). "auto" estimates it with the points; see the notes.
    n_objects : int, optional
        Number of objects; by default the largest id plus one.
    init : "principal", "random" or ndarray of shape (n_objects, n_components), default "principal"
        Points to start from. "principal" takes the principal axes of a quick fit in ten dimensions,
        with a ridge: it ends in poor local optima less often. Random points, which those of ten
        dimensions and more start from in any case, are normal with a mean squared distance of one.
    max_iter : int, default 500
        Budget in epochs; an epoch is as many gradient evaluations as there are comparisons.
    tol : float, default 1e-4
        Stop when ten epochs have lowered the loss by less than this share. Zero spends the whole
        budget.
    n_jobs : int, optional
        Threads for the sums over all comparisons; one by default, -1 for all cores. Their number
        does not change the result.
    callback : callable, optional
        Called as ``callback(points, row)`` after each epoch with the current points, like
        `embedding_`, and the row of the history as a dict; a true answer stops.
    verbose : int, default 0
        Nonzero shows a progress bar.
    random_state : int, SeedSequence, Generator or None, default None
        Seeds the random points, what is held out to choose a strength, and the solver's draws.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_objects, n_components)
        The points. An object that no comparison names has a row of NaN.
    history_ : DataFrame
        A row an epoch: gradient evaluations so far, seconds so far (without the evaluation of the
        loss where the solver does not need it), mean loss (of mini-batch SGD that of the points
        while they move; with lapses once L-BFGS goes on), step size and Frobenius norm of the
        points.
    n_iter_ : int
        Number of rows of `history_`.
    loss_ : Loss
        That which was minimized, as given or as chosen.
    choice_ : DataFrame or None
        Where the loss was chosen: each that was tried, and its error on what was held out. That
        compares them; as "principal" points have seen all answers, it is too low where these are
        few.
    strength_ : float
        What the penalty is multiplied by; zero without one.
    path_ : DataFrame or None
        Where the strength was chosen: each that was tried, and the error of the comparisons that
        were held out, or their log loss where there are lapses.
    lapse_ : float
        The rate of lapses, as given, or as estimated, then at most 0.99.

    Notes
    -----
    With lapses the solver first fits the points without them. Then L-BFGS goes on to maximize the
    likelihood (or that less the penalty) over the points, and over the rate where it is estimated;
    no step lowers it. It all takes from hardly longer to some ten times as long as a fit without
    lapses. Where the solver leaves nothing of `max_iter`, the rate alone is estimated.

    A lapse can be told from the noise of the loss itself only by answers that the model is sure of,
    for there alone it is a surprise. Where P stays near one half, P - 1/2 is about proportional to
    the squared scale of the embedding, and only the product of that and 1 - lapse is known. So it
    nearly is with t-STE, whose P comes to one slowly. Where answers hardly err but for lapses, or
    each object has few, the scale has no likeliest value and grows, and the rate is overestimated;
    a weak penalty prevents that. A strong one, which draws the points together, hides lapses; so
    does the one that "auto" chooses where each object has few answers.

    The default loss hides them too, for its tails allow answers that are far off. Of 5,000 answers
    of STE about 60 objects in the plane, ten simulations with rates of 0, 0.1 and 0.3, the mean
    estimates are 0.00, 0.00 and 0.05 by default; 0.00, 0.08 and 0.25 with ``loss="ste"`` and the
    prior; 0.00, 0.09 and 0.28 with ``loss="ste", strength=0.003``; 0.00, 0.10 and 0.34 with
    ``loss="ste", penalty=None``. So take STE, for the rate itself with a weak penalty, and for the
    probabilities, of which the log loss is then the least, with the prior.

    Examples
    --------
    >>> from closerthan import OrdinalEmbedding
    >>> from closerthan.comparisons import sample_from_points
    >>> truth = np.random.default_rng(0).normal(size=(20, 2))
    >>> triplets = sample_from_points(truth, 1000, random_state=0)
    >>> model = OrdinalEmbedding(2, random_state=0).fit(triplets)
    >>> model.score(triplets) > 0.97
    True
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        loss: str | Loss = "auto",
        solver: str | BaseEstimator = "auto",
        penalty: str | BaseEstimator | None = "ridge",
        strength: float | Literal["prior", "auto"] = "prior",
        lapse: float | Literal["auto"] = 0.0,
        n_objects: int | None = None,
        init: str | np.ndarray = "principal",
        max_iter: int = 500,
        tol: float = 1e-4,
        n_jobs: int | None = None,
        callback: Callable | None = None,
        verbose: int = 0,
        random_state: Seed = None,
    ):
        self.n_components = n_components
        self.loss = loss
        self.solver = solver
        self.penalty = penalty
        self.strength = strength
        self.lapse = lapse
        self.n_objects = n_objects
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.callback = callback
        self.verbose = verbose
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Embed the objects of the comparisons.

        Parameters
        ----------
        X : Answers, or array_like of shape (n, 3) or (n, 4), int
            Triplets (i, j, k): i is closer to j than to k. Or quadruplets (i, j, l, k):
            d(i, j) < d(l, k).
        y : array_like of shape (n,), optional
            Responses, if X are questions: True or 1 where the row holds as it stands, False or -1
            where it is the other way round. By default all rows hold.
        sample_weight : array_like of shape (n,), optional
            Weights of the comparisons; by default those of `Answers`, and of an array 1. With
            ``strength="prior"`` one of weight 2 counts as two: weights that sum to one would be a
            single answer, and the prior draw all points together.

        Returns
        -------
        self : OrdinalEmbedding

        Raises
        ------
        ValueError
            On a malformed comparison (naming row and value) or parameter.
        """
        X = as_answered(X, y)
        comparisons = check_comparisons(X, self.n_objects, dtype=np.uint32)
        n_objects = self.n_objects or int(comparisons.max()) + 1
        check_count("n_components", self.n_components, n_objects, "the number of objects")
        check_count("max_iter", self.max_iter, 10**9, "epochs")
        weights = check_weights(sample_weight, X)
        rng = np.random.default_rng(self.random_state)
        start = self._start(n_objects, rng)
        problem, occur = Problem.of(X, comparisons, n_objects, self.n_components, weights)

        def in_place(points):
            embedding = np.full((n_objects, self.n_components), np.nan)
            embedding[occur] = points
            return embedding

        solver, losses, penalty = (
            make_solver(self.solver),
            self._losses(),
            make_penalty(self.penalty),
        )
        loss, choice, path = losses[0], None, None
        lapse = self._lapse(loss)
        finish = None if lapse == 0 else partial(minimize_with_lapses, lapse=lapse)
        prior = float(len(occur) / (2 * problem.weight.sum()))
        strength = self._strength(prior)
        if penalty is None:
            strength = 0.0
        if start is not None:
            start = start[occur]
        else:
            start = principal_start(problem, loss, rng)
            if is_narrow(*problem.shape) and isinstance(solver, Auto):
                solver = LBFGS()  # from a good place the sure way to the bottom is the short one
        if len(losses) > 1:
            first = prior if strength is None else strength
            strengths = [first, first, first if is_number(self.strength) else 0.0]
            place, start, choice = choose_loss(problem, losses, strengths, penalty, start, rng)
            loss = losses[place]
            if strength is not None:
                strength = strengths[place]
        if strength is None:
            strength, start, path = choose_strength(problem, loss, penalty, start, rng, lapse)
        with Team(count_threads(self.n_jobs)) as team:
            objective = problem.objective(loss, team=team, penalty=penalty, strength=strength)
            points = self._minimize(solver, objective, pad(start), rng, in_place, finish)
        self.embedding_ = in_place(objective.points(points))
        self.loss_, self.choice_ = loss, choice
        self.lapse_, self.strength_, self.path_ = objective.lapse, strength, path
        if len(occur) < n_objects:
            missing = np.setdiff1d(np.arange(n_objects), occur)
            warn(
                f"{len(missing)} of {n_objects} objects occur in no comparison and have no place "
                f"(rows of NaN): {', '.join(map(str, missing[:5]))}"
                + (", ..." if len(missing) > 5 else ""),
            )
        return self

    def fit_transform(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> np.ndarray:
        """Fit and return `embedding_`; parameters are those of `fit`.

        A table that `set_output` asks for has a row an object, and its id is the index.
        """
        return self._as_rows(self.fit(X, y, sample_weight).embedding_)

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Place new objects among the embedded ones, which stay where they are.

        The places are those of the least mean loss, by weight of `Answers`, at the rate of lapses
        of the fit; a penalty does not count, so that an object with a few answers may be put far
        off.

        Parameters
        ----------
        X : Answers, or array_like of shape (n, 3) or (n, 4), int
            Comparisons in which ids from ``len(embedding_)`` on are new objects.

        Returns
        -------
        ndarray of shape (n_new, n_components)
            The rows of the new objects. One without comparisons has a row of NaN. In a table that
            `set_output` asks for, the ids are the index.

        Raises
        ------
        ValueError
            If no comparison names a new object, or one names an embedded object without a place.
        """
        check_is_fitted(self)
        n_fitted = self._n_fitted()
        comparisons = check_comparisons(X)
        self._check_places(comparisons)
        n_new = int(comparisons.max()) + 1 - n_fitted
        if n_new < 1:
            raise ValueError(f"no new object in the comparisons: their ids begin at {n_fitted}")
        occur = np.isin(np.arange(n_fitted, n_fitted + n_new), comparisons)
        found = self._place(comparisons, n_new, check_weights(None, X))
        return self._as_rows(np.where(occur[:, None], found, np.nan), n_fitted)

    def _as_rows(self, points, first=0):
        """Return points as they are; as a DataFrame with their ids where one is asked for.

        For scikit-learn would take the index of X, whose rows are comparisons and no objects.
        """
        if _get_output_config("transform", self)["dense"] != "pandas":
            return points
        return pd.DataFrame(points, index=pd.RangeIndex(first, first + len(points)))

    def _place(self, comparisons, n_new, weights):
        """Minimize over the new rows from several random starts; return the best."""
        rng = np.random.default_rng(self.random_state)
        known = np.nan_to_num(self.embedding_)
        objective = _NewRows(self.loss_, comparisons, known, n_new, weights)
        if self.lapse_ > 0:
            objective.allow(self.lapse_)
        places = self.embedding_[~np.isnan(self.embedding_[:, 0])]
        starts = [places[rng.integers(len(places), size=n_new)] for _ in range(10)]
        starts.append(np.tile(places.mean(axis=0), (n_new, 1)))
        found = [descend(objective, start, _PLACING, tol=1e-9) for start in starts]
        return min(found, key=lambda points: objective.value(pad(points)))

    def _check_places(self, comparisons):
        missing = np.flatnonzero(np.isnan(self.embedding_[:, 0]))
        bad = np.argwhere(np.isin(comparisons, missing))
        if bad.size:
            row, column = bad[0]
            raise ValueError(
                f"comparisons, row {row}: object {comparisons[row, column]} has no place, "
                "because the comparisons of `fit` did not name it"
            )

    @property
    def _loss(self):
        """The loss of the fit; before it, one of those to choose from."""
        return self.loss_ if hasattr(self, "loss_") else self._losses()[0]

    def _losses(self):
        """Return the losses to choose from: one, unless it is to be chosen."""
        auto = isinstance(self.loss, str) and self.loss == "auto"
        return candidates() if auto else [make_loss(self.loss, others=["auto"])]

    def _strength(self, prior):
        """Return the strength of the penalty, None where it has to be found."""
        if not isinstance(self.strength, str):
            check_number("strength", self.strength)
            return self.strength
        if self.strength not in ("prior", "auto"):
            raise ValueError(
                f"strength={self.strength!r}; it must be 'prior', 'auto' or a number not below 0"
            )
        return prior if self.strength == "prior" else None

    def _lapse(self, loss):
        """Return the rate of lapses, None where it has to be estimated."""
        auto = isinstance(self.lapse, str) and self.lapse == "auto"
        if not auto and not (is_number(self.lapse) and 0 <= self.lapse < 1):
            raise ValueError(
                f"lapse={self.lapse!r}; it must be 'auto' or a number from 0 to less than 1"
            )
        if self.lapse != 0 and not hasattr(loss, "probability"):
            raise ValueError(
                f"lapse={self.lapse!r} with the loss {type(loss).__name__}, which gives answers no "
                "probability; take ste, t-ste or ckl, or lapse=0"
            )
        return None if auto else float(self.lapse)

    def _start(self, n_objects, rng):
        """Return points to start from, None where they have to be fitted."""
        if isinstance(self.init, str):
            if self.init not in ("random", "principal"):
                raise ValueError(
                    f"init={self.init!r}; it must be 'random', 'principal' or an array of points"
                )
            random = self.init == "random"
            return random_start(n_objects, self.n_components, rng) if random else None
        return check_start(self.init, (n_objects, self.n_components))

    def __sklearn_is_fitted__(self):
        return hasattr(self, "embedding_")

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]

    def _n_fitted(self):
        return len(self.embedding_)

    def _squared_distances(self, quadruplets):
        i, j, l, k = self.embedding_[quadruplets].transpose(1, 0, 2)
        return ((i - j) ** 2).sum(axis=1), ((l - k) ** 2).sum(axis=1)


class _NewRows(LapsingObjective):
    """Mean loss of comparisons as a function of the last points alone; the known ones stay."""

    def __init__(self, loss, comparisons, known, n_new, weights):
        n_known, n_components = known.shape
        super().__init__(loss, comparisons, (n_known + n_new, n_components), weights)
        self._whole = pad(np.vstack([known, np.zeros((n_new, n_components))]))
        self._new = self._whole[n_known:]
        self._gradient = np.empty_like(self._whole)

    def value(self, X):
        self._new[:] = X
        return super().value(self._whole)

    def gradient(self, X, out):
        return self.value_and_gradient(X, out)[1]

    def value_and_gradient(self, X, out):
        self._new[:] = X
        value, gradient = super().value_and_gradient(self._whole, self._gradient)
        out[:] = gradient[-len(out) :]
        return value, out
