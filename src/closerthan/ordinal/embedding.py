"""OrdinalEmbedding: fit points whose distances agree with comparisons."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_feature_names

from closerthan._core.maps import MapMixin
from closerthan._core.threads import Team, count_threads
from closerthan._core.ties import tie_of_points
from closerthan._core.typing import Seed
from closerthan._core.validation import (
    check_count,
    check_number,
    check_points,
    check_start,
    check_weights,
    is_number,
    share_or_auto,
)
from closerthan._core.vectors import pad
from closerthan._core.warn import warn, warn_of_missing
from closerthan.comparison_model import as_answered
from closerthan.comparisons.check import check_comparisons, count_objects
from closerthan.losses import Loss, make_loss, probable_losses
from closerthan.optimize.auto import Auto
from closerthan.optimize.lapse import minimize_with_lapses
from closerthan.optimize.lbfgs import LBFGS
from closerthan.optimize.solvers import make_solver
from closerthan.ordinal.folding import warn_of_folds
from closerthan.ordinal.groups import warn_of_groups
from closerthan.ordinal.placing import PlacingModel
from closerthan.ordinal.problem import Problem
from closerthan.ordinal.search import SHARES, Search, candidates, is_narrow, random_start
from closerthan.penalties import Ridge, make_penalty


@dataclass(eq=False, repr=False)
class OrdinalEmbedding(MapMixin, PlacingModel):
    """Embed objects so that their distances agree with relative comparisons.

    The model minimizes the mean loss of the comparisons over the points, eq. (5) of Ma et al.
    (2019). It needs neither a positive semidefinite constraint nor an n x n matrix.

    Parameters
    ----------
    n_components : int, default 2
        Dimension of the embedding, at most the number of objects.
    loss : {"auto", "gnmds", "ckl", "ste", "t-ste", "soe", "smooth-soe"} or Loss, default "auto"
        See `closerthan.losses`. "auto" takes t-STE with five degrees of freedom or CKL, whichever
        has the smaller error on held-out answers. As soon as one has an error below 0.2, it goes
        on with smooth SOE and STE. With too few answers to hold out, it takes t-STE.
    solver : {"auto", "l-bfgs", "minibatch-sgd", "batch", "sgd", "svrg"} or solver, default "auto"
        See `closerthan.optimize`. "auto" is mini-batch SGD followed by L-BFGS. If the fit starts
        from principal axes (see `init`) or has features, "auto" is L-BFGS alone.
    penalty : {"ridge", "low-rank"}, Penalty or None, default "ridge"
        Added to the mean loss, multiplied by `strength`; see `closerthan.penalties`.
    strength : float, "prior" or "auto", default "prior"
        Not negative. "prior" is n / (2 m) for n objects and comparisons of total weight m: a
        standard normal prior on every coordinate, if the penalty is the ridge. With
        ``loss="auto"``, smooth SOE and STE may take a lower one. "auto" takes the strength from
        0.001 to 10 with the smallest error on held-out answers, or log loss if there are lapses.
    lapse : float or "auto", default 0.0
        Lapse rate: the share of answers given at random, from 0 to less than 1. The loss must have
        probabilities (not gnmds, not soe). "auto" estimates the rate together with the points.
    feature_share : float or "auto", default "auto"
        If `fit` gets features: their share of the prior variance, from 0 to less than 1. "auto"
        takes 0, 0.5 or 0.8, whichever has the smallest error on held-out answers. If some objects
        have no answers, it does not try 0. With too few answers to hold out, it takes 0.5.
    n_objects : int, optional
        Number of objects; by default the rows of the features, or the largest id plus one.
    init : "principal", "random" or ndarray of shape (n_objects, n_components), default "principal"
        Points to start from. "principal" takes the principal axes of a quick fit with a ridge in
        ten dimensions; "random" draws normal points with a mean squared distance of one.
        Embeddings in ten or more dimensions, or in as many as there are objects less one, start
        from random points in both cases.
    max_iter : int, default 500
        Largest number of epochs. An epoch is as many gradient evaluations as there are comparisons.
    tol : float, default 1e-4
        Stop when ten rows of `history_` have lowered the loss by less than this share. Zero turns
        this rule off.
    n_jobs, callback, verbose, random_state
        See :doc:`the glossary </glossary>`.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_objects, n_components)
        The points. An object that no comparison names has a row of NaN, or with features the point
        that these predict.
    history_ : DataFrame
        One row per epoch, or per step of L-BFGS or batch: gradient evaluations and seconds so far,
        mean loss, step size and Frobenius norm of the points. The loss of mini-batch SGD is an
        average taken while the points move. Lapses enter the loss once L-BFGS takes over.
    n_iter_ : int
        Number of rows of `history_`.
    loss_ : Loss
        The loss that was minimized, given or chosen.
    choice_ : DataFrame or None
        The losses tried by ``loss="auto"``, with strengths and held-out errors. The errors are too
        small if answers are few, because the start has seen all answers.
    strength_ : float
        The factor of the penalty; zero if there is no penalty.
    path_ : DataFrame or None
        The strengths tried by ``strength="auto"``, and their held-out errors or log losses.
    lapse_ : float
        Lapse rate: the given value, or the estimate (at most 0.99).
    feature_share_ : float or None
        Share of the prior variance that comes from the features, or None. If it is 0, the features
        predict the mean point for every object.
    coef_, intercept_ : ndarray of shape (n_features, n_components) and (n_components,), or None
        The linear function that predicts points from features.

    Notes
    -----
    If `lapse` is not 0, L-BFGS continues from the fit without lapses; a fit takes up to about ten
    times as long. If the solver has spent all of `max_iter`, only the rate is estimated. Estimate
    it with STE, because other losses and strong penalties hide lapses (see :doc:`the evidence
    </probability>`).

    In one dimension an embedding can fold. `fit` warns if another start, with about the same loss,
    leads to another order.

    With features, the coordinates of the objects have the prior covariance
    (1 - share) I + share F F', for centered features F whose rows have a mean squared length of
    one.

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

    n_components: int = 2
    _: KW_ONLY
    loss: str | Loss = "auto"
    solver: str | BaseEstimator = "auto"
    penalty: str | BaseEstimator | None = "ridge"
    strength: float | Literal["prior", "auto"] = "prior"
    lapse: float | Literal["auto"] = 0.0
    feature_share: float | Literal["auto"] = "auto"
    n_objects: int | None = None
    init: str | np.ndarray = "principal"
    max_iter: int = 500
    tol: float = 1e-4
    n_jobs: int | None = None
    callback: Callable | None = None
    verbose: int = 0
    random_state: Seed = None

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        features: ArrayLike | None = None,
    ) -> Self:
        """Fit the embedding to comparisons.

        Parameters
        ----------
        X : Answers, or array_like of shape (n, 3) or (n, 4), int
            Triplets (i, j, k): d(i, j) < d(i, k). Or quadruplets (i, j, l, k): d(i, j) < d(l, k).
        y : array_like of shape (n,), optional
            Responses, if X are questions: True or 1 for yes, False or -1 for no.
        sample_weight : array_like of shape (n,), optional
            Weights of the comparisons; by default those of `Answers`, or 1. With
            ``strength="prior"``, a weight of 2 counts as two answers, so the sum of the weights
            must not be normalized to one.
        features : array_like of shape (n_objects, n_features), optional
            Features of the objects, such as the activations of a neural network. A point is then
            what the features predict, by a linear function, plus a correction of its own. Objects
            that no comparison names get the predicted point. The solver must be L-BFGS or "auto",
            and the penalty the ridge. The names of a table's columns become `feature_names_in_`,
            and `transform` wants the same columns. See :doc:`the page on features </new-objects>`.
        """
        X = as_answered(X, y)
        comparisons = check_comparisons(X, self.n_objects, dtype=np.uint32)
        n_objects = count_objects(comparisons, self.n_objects)
        table = features
        if features is not None:
            features = self._checked_features(features, n_objects)
            n_objects = len(features)
        check_count("n_components", self.n_components, n_objects, "the number of objects")
        check_count("max_iter", self.max_iter, 10**9, "epochs")
        weights = check_weights(sample_weight, X)
        rng = np.random.default_rng(self.random_state)
        start = self._start(n_objects, rng)
        problem, named = Problem.of(X, comparisons, n_objects, self.n_components, weights)
        solver, penalty = make_solver(self.solver), make_penalty(self.penalty)
        has_good_start = start is None and is_narrow(*problem.shape)
        if isinstance(solver, Auto) and (has_good_start or features is not None):
            solver = LBFGS()  # from a good start it converges fastest
        losses = self._losses()
        lapse = self._lapse(losses[0])
        finish = None if lapse == 0 else partial(minimize_with_lapses, lapse=lapse)
        of_prior = float(len(named) / (2 * problem.weights.sum()))
        strength = self._strength(of_prior)
        if penalty is None:
            strength = 0.0
        first = of_prior if strength is None else strength
        search = Search(problem, losses[0], penalty, first, rng)
        share = None
        if features is not None:
            share = self.feature_share
            if isinstance(share, str):
                # Objects without answers have nothing but their features.
                shares = SHARES if len(named) == n_objects else SHARES[1:]
                share = search.best_share(features[named], shares)
            problem = search.problem = problem.with_features(features[named], share)
        search.begin(None if start is None else start[named])
        if len(losses) > 1:
            search.choose_loss(vary=isinstance(self.strength, str) and penalty is not None)
        if strength is None:
            search.choose_strength(lapse)
        if isinstance(solver, LBFGS):  # unequal weights would make stochastic steps uneven
            problem = problem.merge()

        def to_embedding(found):
            embedding = np.full((n_objects, self.n_components), np.nan)
            embedding[named] = problem.points(found)
            return embedding

        with Team(count_threads(self.n_jobs)) as team:
            objective = problem.objective(
                search.loss, team=team, penalty=penalty, strength=search.strength
            )
            objective.each = len(comparisons) / len(problem)  # if equal ones were merged
            found = self._minimize(solver, objective, pad(search.start), rng, to_embedding, finish)
        self.embedding_ = to_embedding(objective.points(found))
        self.loss_, self.choice_ = search.loss, search.choice
        self.lapse_, self.strength_, self.path_ = objective.lapse, search.strength, search.path
        self.feature_share_, self.coef_, self.intercept_ = share, None, None
        if table is not None or hasattr(self, "feature_names_in_"):  # or those of an earlier fit
            _check_feature_names(self, table, reset=True)
        if self.n_components == 1 and isinstance(self.init, str) and features is None:
            warn_of_folds(problem, search, penalty, self.embedding_[named])
        if features is None:
            warn_of_missing(named, n_objects)
            warn_of_groups(problem.comparisons, named)
        else:
            self._predict_missing(features, problem.prior, named)
        return self

    def fit_transform(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        features: ArrayLike | None = None,
    ) -> np.ndarray:
        """Fit and return `embedding_`; the index of a DataFrame (`set_output`) has the ids."""
        return self._as_rows(self.fit(X, y, sample_weight, features=features).embedding_)

    def _checked_features(self, features, n_objects):
        """Return finite features; raise a ValueError if they do not fit objects and settings."""
        features = check_points(features, "features")
        if len(features) < n_objects or self.n_objects not in (None, len(features)):
            raise ValueError(
                f"features: {len(features)} rows; there must be one for each of the {n_objects} "
                "objects"
            )
        share_or_auto("feature_share", self.feature_share)
        if not isinstance(make_solver(self.solver), Auto | LBFGS):
            raise ValueError(f"solver={self.solver!r}; with features it must be 'l-bfgs' or 'auto'")
        if not isinstance(make_penalty(self.penalty), Ridge):
            raise ValueError(f"penalty={self.penalty!r}; with features it must be 'ridge'")
        if is_number(self.strength) and self.strength == 0:
            raise ValueError(f"strength={self.strength!r}; with features it must be positive")
        return features

    def _predict_missing(self, features, prior, named):
        """Keep the linear function, and place the objects that no comparison names."""
        self.coef_ = np.zeros((features.shape[1], self.n_components))
        self.intercept_ = self.embedding_[named].mean(axis=0)
        if prior is not None:
            self.coef_, self.intercept_ = prior.linear_function(self.embedding_[named])
        missing = np.setdiff1d(np.arange(len(features)), named)
        self.embedding_[missing] = self._predicted(features[missing])
        if prior is None and missing.size:
            warn(
                f"the share of the features is 0, so {len(missing)} objects that occur in no "
                "comparison get the mean point"
            )

    @property
    def _loss(self):
        """The loss of the fit; before `fit`, the first candidate."""
        return self.loss_ if hasattr(self, "loss_") else self._losses()[0]

    def _losses(self):
        """Return the candidate losses: several for "auto", otherwise one."""
        auto = isinstance(self.loss, str) and self.loss == "auto"
        return candidates() if auto else [make_loss(self.loss, others=["auto"])]

    def _strength(self, of_prior):
        """Return the strength of the penalty, or None if it must be chosen."""
        if not isinstance(self.strength, str):
            check_number("strength", self.strength)
            return self.strength
        if self.strength not in ("prior", "auto"):
            raise ValueError(
                f"strength={self.strength!r}; it must be 'prior', 'auto' or a number not below 0"
            )
        return of_prior if self.strength == "prior" else None

    def _lapse(self, loss):
        """Return the lapse rate, or None if it must be estimated."""
        lapse = share_or_auto("lapse", self.lapse)
        if lapse != 0 and not hasattr(loss, "probability"):
            raise ValueError(
                f"lapse={self.lapse!r} with the loss {type(loss).__name__}, which has no "
                f"probabilities of answers; take {probable_losses()}, or lapse=0"
            )
        return lapse

    def _start(self, n_objects, rng):
        """Return points to start from, or None if they must be fitted."""
        shape = n_objects, self.n_components
        start = check_start(self.init, shape, ["random", "principal"], "an array of points")
        if isinstance(start, str):
            return random_start(*shape, rng) if start == "random" else None
        return start

    def _n_fitted(self):
        return len(self.embedding_)

    def _tie(self):
        return tie_of_points(self.embedding_)

    def _both_distances(self, quadruplets):
        i, j, l, k = self.embedding_[quadruplets].transpose(1, 0, 2)
        return ((i - j) ** 2).sum(axis=1), ((l - k) ** 2).sum(axis=1)
