"""DimensionSearch: choose the number of dimensions by cross-validation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from closerthan._core.typing import Seed
from closerthan._core.validation import check_count, check_weights, check_word
from closerthan.comparison_model import as_answered
from closerthan.comparisons.answers import as_answers
from closerthan.comparisons.check import check_comparisons, count_objects
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan_lab.checks import check_share
from closerthan_lab.fit_many import fit_many

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RULES = ("one-standard-error", "test")


def _can(name):
    def check(search):
        model = search.best_estimator_ if hasattr(search, "best_estimator_") else search._model()
        getattr(model, name)  # an AttributeError says that there is none
        return True

    return check


class DimensionSearch(MetaEstimatorMixin, BaseEstimator):
    """Choose the dimension of an embedding by cross-validation over questions.

    All screens that compare the same pairs of objects are in one fold. The error is the weighted
    share of a fold's comparisons that a model of the other folds predicts wrongly.

    Parameters
    ----------
    estimator : OrdinalEmbedding, optional
        The model to fit, by default ``OrdinalEmbedding()``; the search sets its `n_components`. Any
        estimator with the parameters `n_components`, `n_objects` and `random_state` works. With
        ``strength="auto"``, the rule of one standard error sometimes takes too many dimensions.
    dimensions : sequence of int, default (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
        The dimensions to choose from: two or more, in increasing order.
    rule : {"one-standard-error", "test"}, default "one-standard-error"
        "one-standard-error" takes the lowest dimension whose mean error is within one standard
        error of the smallest mean error. The standard error, at that smallest mean, is the standard
        deviation over all folds, divided by the square root of `cv`.

        "test" takes the lowest dimension whose next step brings no significant fall of the error
        (Künstle, von Luxburg and Wichmann), or the highest. The differences in the
        N = `cv` * `n_repeats` folds have mean m and variance s^2. With N - 1 degrees of freedom,
        t = m / sqrt((1/N + 1/(cv - 1)) s^2) (Nadeau and Bengio). The one-sided p-values are
        corrected by Holm's method.
    cv : int, default 5
        Number of folds, at least 2.
    n_repeats : int, default 4
        Number of times the questions are divided into folds.
    alpha : float, default 0.05
        Level of the test, above 0 and below 1: about the largest probability of a step that
        brings nothing.
    n_jobs, verbose, random_state
        See :doc:`the glossary </glossary>`. An estimator without a `random_state` is seeded, too.

    Attributes
    ----------
    best_params_ : dict
        ``{"n_components": dimension}`` with the chosen dimension.
    best_estimator_ : estimator
        The model of the chosen dimension, fitted to all answers. `predict`, `predict_proba` and
        `score` use it.
    best_index_, best_score_ : int and float
        Index of the chosen dimension in `dimensions`, and its mean held-out accuracy.
    errors_ : ndarray of shape (n_dimensions, cv * n_repeats)
        The error in each fold. Their number is `n_splits_`.
    tests_ : DataFrame
        The tests, for both rules, with one row per step: the columns n_components, next, gain (the
        mean fall of the error), t, p_value and p_holm.
    cv_results_ : dict of ndarray
        Scores (one minus the errors) in the format of scikit-learn's searches.

    References
    ----------
    Künstle, von Luxburg and Wichmann, Estimating the perceived dimension of psychophysical stimuli
    using triplet accuracy and hypothesis testing, Journal of Vision 22(13):5, 2022.
    Nadeau and Bengio, Inference for the generalization error, Machine Learning 52, 2003.
    Hastie, Tibshirani and Friedman, The elements of statistical learning, 2009, sec. 7.10.

    Examples
    --------
    >>> from closerthan.comparisons import sample_from_points
    >>> truth = np.random.default_rng(0).normal(size=(20, 2))
    >>> triplets = sample_from_points(truth, 1000, random_state=0)
    >>> search = DimensionSearch(dimensions=[1, 2, 3], n_repeats=1, random_state=0).fit(triplets)
    >>> search.best_params_
    {'n_components': 2}
    """

    def __init__(
        self,
        estimator: OrdinalEmbedding | None = None,
        dimensions: Sequence[int] = tuple(range(1, 11)),
        *,
        rule: str = "one-standard-error",
        cv: int = 5,
        n_repeats: int = 4,
        alpha: float = 0.05,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Seed = None,
    ):
        self.estimator = estimator
        self.dimensions = dimensions
        self.rule = rule
        self.cv = cv
        self.n_repeats = n_repeats
        self.alpha = alpha
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Choose the dimension, then fit a model of this dimension to all answers.

        Raise a ValueError if a comparison or a parameter is malformed, there are fewer questions
        than folds, or all answers of a fold have weight zero. Parameters as for `OrdinalEmbedding`.
        """
        X = as_answered(X, y)
        model = self._model()
        check_comparisons(X, model.n_objects)  # here, because row numbers differ in a fold
        answers = as_answers(X)
        weights = check_weights(sample_weight, X)
        n_objects = count_objects(answers.comparisons, model.n_objects)
        dimensions = self._check(n_objects)
        rng = np.random.default_rng(self.random_state)
        folds = _folds(answers.question, self.cv, self.n_repeats, rng)
        seeds = rng.integers(2**31, size=len(folds) + 1)

        def seeded(number, **params):
            own = {} if model.random_state is not None else {"random_state": int(seeds[number])}
            return clone(model).set_params(**params, **own)

        errors = np.empty((len(dimensions), len(folds)))

        def errors_of(number):
            held = folds[number]
            rows, train = held[answers.screen], answers.take(~held)
            test = answers.comparisons[rows]
            own = (None, None) if weights is None else (weights[~rows], weights[rows])
            for place, dimension in enumerate(dimensions):
                fit = seeded(number, n_components=dimension, n_objects=n_objects)
                fit.fit(train, sample_weight=own[0])
                errors[place, number] = _error(fit, test, own[1])

        # If a fold's training answers lack an object, its comparisons count as errors.
        fit_many(errors_of, len(folds), self.n_jobs, "folds", self.verbose)
        tests, best = self._choose(dimensions, errors)
        fit = seeded(-1, n_components=dimensions[best]).fit(X, sample_weight=sample_weight)
        self.errors_ = errors
        self.n_splits_ = errors.shape[1]
        self.tests_ = tests
        self.best_index_ = best
        self.best_params_ = {"n_components": dimensions[best]}
        self.best_estimator_ = fit
        self.cv_results_ = _results(dimensions, 1.0 - errors)
        self.best_score_ = float(self.cv_results_["mean_test_score"][best])
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict answers to comparisons with the best estimator."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    @available_if(_can("predict_proba"))
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Predict the probabilities of both answers with the best estimator."""
        check_is_fitted(self)
        return self.best_estimator_.predict_proba(X)

    def score(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the share of comparisons that the best estimator predicts."""
        check_is_fitted(self)
        return self.best_estimator_.score(X, y, sample_weight)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Plot the mean errors with their standard errors, by default on new axes; return them."""
        check_is_fitted(self)
        if ax is None:
            import matplotlib.pyplot as plt  # imported here because it is optional

            ax = plt.subplots()[1]
        dimensions, means = self.cv_results_["param_n_components"], self.errors_.mean(axis=1)
        ax.errorbar(dimensions, means, _standard_errors(self.errors_, self.cv), capsize=3)
        best = self.best_params_["n_components"]
        ax.plot(best, means[self.best_index_], "ko", zorder=3, label=f"chosen: {best}")
        ax.set(xlabel="dimension", ylabel="error on held-out answers", xticks=dimensions)
        ax.legend()
        return ax

    def _model(self):
        return OrdinalEmbedding() if self.estimator is None else self.estimator

    def _check(self, n_objects):
        """Check the parameters; return the dimensions as a list."""
        check_word("rule", self.rule, RULES)
        check_count("cv", self.cv)
        check_count("n_repeats", self.n_repeats)
        check_share("alpha", self.alpha)
        if self.cv < 2:
            raise ValueError("cv=1; it must be 2 or more")
        dimensions = list(self.dimensions)
        for dimension in dimensions:
            check_count("dimensions", dimension, n_objects, "the number of objects")
        if len(dimensions) < 2 or (np.diff(dimensions) <= 0).any():
            raise ValueError(f"dimensions={dimensions}; give two or more in increasing order")
        return [int(dimension) for dimension in dimensions]

    def _choose(self, dimensions, errors):
        """Return the tests of all steps, and the index of the best dimension."""
        tests = _test_steps(errors, self.cv)
        tests.insert(0, "n_components", dimensions[:-1])
        tests.insert(1, "next", dimensions[1:])
        if self.rule == "test":
            significant = [*(tests["p_holm"] <= self.alpha), False]
            return tests, significant.index(False)
        return tests, _lowest_within_one_error(errors, self.cv)


def _folds(question, cv, n_repeats, rng):
    """Return the screens that each fold holds out: an array of bool with a row for each fold."""
    n_questions = int(question.max()) + 1
    if n_questions < 2:
        raise ValueError("the answers are to one question; ask 2 or more different questions")
    if n_questions < cv:
        raise ValueError(
            f"cv={cv}, but there are only {n_questions} different questions; take cv={n_questions} "
            "or less"
        )
    folds = [(rng.permutation(n_questions) % cv)[question] for _ in range(n_repeats)]
    return np.array([own == fold for own in folds for fold in range(cv)])


def _error(model, comparisons, weights):
    """Return the weighted share of the comparisons that the model predicts wrongly."""
    if weights is not None and not weights.any():
        raise ValueError("all answers of a fold have weight 0; leave them out, or take fewer folds")
    return np.average(model.predict(comparisons) == 0, weights=weights)


def _standard_errors(errors, cv):
    return errors.std(axis=1, ddof=1) / np.sqrt(cv)


def _lowest_within_one_error(errors, cv):
    """Return the first row whose mean is within one standard error of the smallest mean."""
    means = errors.mean(axis=1)
    best = means.argmin()
    return int(np.argmax(means <= means[best] + _standard_errors(errors, cv)[best]))


def _test_steps(errors, cv):
    """Test whether the error falls from each row to the next; return a DataFrame of the steps."""
    from scipy.stats import t as student

    from closerthan_lab.quality.multiplicity import holm

    falls = errors[:-1] - errors[1:]
    n_folds = falls.shape[1]
    gain = falls.mean(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):  # if all folds agree
        t = gain / (falls.std(axis=1, ddof=1) * np.sqrt(1 / n_folds + 1 / (cv - 1)))
    t[gain == 0] = 0.0
    p_value = student.sf(t, n_folds - 1)
    return pd.DataFrame({"gain": gain, "t": t, "p_value": p_value, "p_holm": holm(p_value)})


def _results(dimensions, scores):
    """Return the scores (a row for each dimension) in the format of scikit-learn's searches."""
    means = scores.mean(axis=1)
    results = {f"split{fold}_test_score": column for fold, column in enumerate(scores.T)}
    return {
        "param_n_components": np.array(dimensions),
        "params": [{"n_components": dimension} for dimension in dimensions],
        **results,
        "mean_test_score": means,
        "std_test_score": scores.std(axis=1),
        "rank_test_score": 1 + (means[:, None] < means).sum(axis=1),
    }
