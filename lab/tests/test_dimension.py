"""Check the search for a dimension: its folds, errors and rules, and how often it is right."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from scipy import stats
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import GridSearchCV

from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers, from_rankings, sample_from_points, swap_answers
from closerthan.scores import log_loss
from closerthan_lab.dimension import (
    DimensionSearch,
    _folds,
    _lowest_within_one_error,
    _test_steps,
)
from closerthan_lab.quality.multiplicity import holm
from plain_fit import plain_embedding


def simulated(p, seed, n=60, share=10):
    """Return share * n p log2(n) triplets of normal points; 10 % are swapped."""
    points = np.random.default_rng([p, seed]).normal(size=(n, p))
    triplets = sample_from_points(points, int(share * n * p * np.log2(n)), random_state=seed)
    return swap_answers(triplets, 0.1, random_state=seed)[0]


def small(**options):
    options = {"dimensions": [1, 2, 3], "n_repeats": 1, "random_state": 0} | options
    return DimensionSearch(**options)


@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_the_dimension_of_simulated_answers_is_found(p):
    """Both rules find the true dimension each time."""
    for seed in range(2):
        search = small(dimensions=range(1, 8), random_state=seed).fit(simulated(p, seed, n=30))
        assert search.best_params_ == {"n_components": p}
        _, best = search.set_params(rule="test")._choose(search.dimensions, search.errors_)
        assert search.dimensions[best] == p


def test_more_dimensions_fit_the_noise():
    """More dimensions lower the loss of the training answers and raise the held-out error."""
    answers = simulated(2, 0)
    search = DimensionSearch(plain_embedding(), n_repeats=1, random_state=0).fit(answers)
    error = dict(zip(search.dimensions, search.errors_.mean(axis=1), strict=True))
    assert error[10] > 1.05 * error[2]
    models = (plain_embedding(p, random_state=0).fit(answers) for p in (2, 10))
    two, ten = (log_loss(model.predict_proba(answers), answers) for model in models)
    assert ten < two - 0.05


def test_of_noise_alone_the_test_takes_one_dimension():
    noise = swap_answers(simulated(2, 0, n=20), 0.5, random_state=0)[0]
    assert small(rule="test").fit(noise).best_params_ == {"n_components": 1}


class Cheat(BaseEstimator):
    """A model that predicts known errors.

    It errs if the first object is divisible by the dimension plus one, or if it was trained on the
    question.
    """

    def __init__(self, n_components=1, n_objects=None, random_state=None):
        self.n_components, self.n_objects = n_components, n_objects
        self.random_state = random_state

    def fit(self, X, sample_weight=None):
        self.seen_ = {_question(row) for row in np.asarray(X).tolist()}
        return self

    def predict(self, X):
        seen = np.array([_question(row) in self.seen_ for row in X.tolist()])
        return (~seen & (X[:, 0] % (self.n_components + 1) != 0)).astype(int)


def _question(row):
    return frozenset((frozenset(row[:2]), frozenset((row[0], row[2]))))


def test_no_question_is_trained_on_and_asked():
    rng = np.random.default_rng(0)
    rows = np.array([rng.permutation(6)[:3] for _ in range(300)])
    rows = rows[rows[:, 0] > 0]
    # No first object is divisible by 6 or 7, so only a question that was trained on gives an error.
    search = DimensionSearch(Cheat(n_objects=7), [5, 6]).fit(rows)
    assert (search.errors_ == 0).all()


def test_errors_count_by_weight_in_every_fold():
    """Each question is a fold, so the test computes the errors by hand."""
    rng = np.random.default_rng(1)
    rows = np.array([rng.permutation(4)[:3] for _ in range(100)])
    weights = rng.uniform(0.5, 2.0, size=100)
    asked = [_question(row) for row in rows.tolist()]
    n_questions = len(set(asked))
    search = DimensionSearch(Cheat(), [1, 2], cv=n_questions, n_repeats=1)
    own = Answers(rows, weight=weights)
    for fitted in (search.fit(rows, sample_weight=weights), search.fit(own)):
        for errors, divisor in zip(fitted.errors_, (2, 3), strict=True):
            expected = []
            for question in set(asked):
                mine = np.array([other == question for other in asked])
                wrong = rows[mine, 0] % divisor == 0
                expected.append((wrong * weights[mine]).sum() / weights[mine].sum())
            np.testing.assert_allclose(np.sort(errors), np.sort(expected))


def test_answers_without_weight_count_nowhere():
    """Every answer stands beside its opposite, which has no weight."""
    triplets = simulated(2, 0, n=20)
    rows = np.vstack([triplets, triplets[:, [0, 2, 1]]])
    both = Answers(rows, weight=np.repeat([1.0, 0.0], len(triplets)))
    plain = np.asarray(both)
    alone = small().fit(triplets).errors_.mean(axis=1)
    for search in (small().fit(both), small().fit(plain, sample_weight=both.sample_weight)):
        np.testing.assert_allclose(search.errors_.mean(axis=1), alone, atol=0.02)
        assert search.best_estimator_.score(triplets) > 0.85
    assert (small().fit(plain).errors_.mean(axis=1) > 0.4).all()


@given(seed=st.integers(0, 2**32 - 1), cv=st.integers(2, 6))
@settings(max_examples=20)
def test_folds_folds_questions_evenly_and_anew(seed, cv):
    rng = np.random.default_rng(seed)
    rankings = np.array([rng.permutation(6) for _ in range(60)])
    question = from_rankings(rankings[:, 0], rankings[:, 1:4]).question
    folds = _folds(question, cv, 2, rng)
    assert folds.shape == (2 * cv, 60)
    for repeat in (folds[:cv], folds[cv:]):
        assert (repeat.sum(axis=0) == 1).all()
        sizes = [len(np.unique(question[fold])) for fold in repeat]
        assert max(sizes) - min(sizes) <= 1 and sum(sizes) == len(np.unique(question))
    assert (folds[:cv] != folds[cv:]).any()


def test_the_rule_of_one_standard_error():
    errors = np.array([[0.4, 0.4], [0.215, 0.225], [0.19, 0.21], [0.2, 0.22]])
    # The least mean is 0.2. Its deviation is 0.02 / sqrt(2), so two folds have a standard error of
    # 0.01.
    assert _lowest_within_one_error(errors, 2) == 2
    assert _lowest_within_one_error(errors - [[0], [0.011], [0], [0]], 2) == 1
    # Repeats lower the deviation to 0.01. The standard error is still of two folds: 0.0071.
    again = np.tile(errors, 500)
    assert _lowest_within_one_error(again - [[0], [0.0135], [0], [0]], 2) == 1
    assert _lowest_within_one_error(again - [[0], [0.0125], [0], [0]], 2) == 2


@given(seed=st.integers(0, 2**32 - 1), cv=st.integers(2, 10), n_repeats=st.integers(1, 3))
@settings(max_examples=20)
def test_the_corrected_t_is_the_plain_one_shrunk(seed, cv, n_repeats):
    errors = np.random.default_rng(seed).normal(size=(4, cv * n_repeats))
    tests = _test_steps(errors, cv)
    plain = stats.ttest_rel(errors[:-1], errors[1:], axis=1, alternative="greater")
    n = cv * n_repeats
    np.testing.assert_allclose(tests["t"], plain.statistic / np.sqrt(1 + n / (cv - 1)))
    np.testing.assert_allclose(tests["p_value"], stats.t.sf(tests["t"], n - 1))
    np.testing.assert_allclose(tests["gain"], errors[:-1].mean(axis=1) - errors[1:].mean(axis=1))


def test_steps_that_are_the_same_in_all_folds():
    tests = _test_steps(np.array([[0.5, 0.5], [0.25, 0.25], [0.25, 0.25], [0.5, 0.5]]), 2)
    assert tests["p_value"].tolist() == [0.0, 0.5, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.floats(0.001, 0.999))
def test_holm_rejects_from_the_smallest_on_until_one_is_too_large(p_values, alpha):
    left, rejected = sorted(p_values), 0
    while left and left[0] * len(left) <= alpha:
        left.pop(0)
        rejected += 1
    assert (holm(np.array(p_values)) <= alpha).sum() == rejected


@pytest.mark.parametrize(("found", "expected"), [([1, 1, 0], 3), ([1, 0, 1], 2), ([1, 1, 1], 4)])
def test_the_test_stops_at_the_first_step_that_is_not_significant(found, expected):
    noise = np.random.default_rng(0).normal(scale=0.001, size=(4, 20))
    errors = 0.5 - 0.1 * np.cumsum([0, *found])[:, None] + noise
    search = DimensionSearch(rule="test")
    assert search._choose([1, 2, 3, 4], errors)[1] == expected - 1


def test_any_number_of_threads_gives_the_same():
    triplets = simulated(2, 0, n=20, share=3)
    one, three = (small(n_jobs=n_jobs).fit(triplets) for n_jobs in (None, 3))
    np.testing.assert_array_equal(one.errors_, three.errors_)
    np.testing.assert_array_equal(one.best_estimator_.embedding_, three.best_estimator_.embedding_)
    other = small(random_state=1).fit(triplets)
    assert (one.errors_ != other.errors_).any()


def test_it_is_a_search_as_those_of_scikit_learn():
    triplets = simulated(2, 0, n=20)
    model = plain_embedding(loss="t-ste", random_state=3)
    search = clone(small(estimator=model)).fit(triplets)
    assert search.best_params_ == {"n_components": 2} and model.n_components == 2
    again = clone(model).set_params(n_components=2).fit(triplets)
    np.testing.assert_array_equal(search.best_estimator_.embedding_, again.embedding_)
    np.testing.assert_array_equal(search.predict(triplets), again.predict(triplets))
    np.testing.assert_array_equal(search.predict_proba(triplets), again.predict_proba(triplets))
    assert search.score(triplets) == again.score(triplets)
    assert not hasattr(small(estimator=plain_embedding(loss="soe")), "predict_proba")

    theirs = GridSearchCV(model, {"n_components": [1, 2, 3]}, cv=5).fit(triplets)
    keys = {key for key in theirs.cv_results_ if "time" not in key}
    assert search.cv_results_.keys() == keys and search.n_splits_ == theirs.n_splits_
    assert search.best_index_ == 1
    means, ranks = (search.cv_results_[f"{name}_test_score"] for name in ("mean", "rank"))
    np.testing.assert_allclose(means, theirs.cv_results_["mean_test_score"], atol=0.03)
    np.testing.assert_array_equal(np.argsort(ranks), np.argsort(-means))
    assert search.best_score_ == means[1]
    np.testing.assert_allclose(means, 1 - search.errors_.mean(axis=1))


def test_objects_that_a_fold_leaves_out_cost_errors_and_no_warning():
    triplets = np.vstack([simulated(2, 0, n=12, share=2), [[12, 0, 1]]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search = small().fit(triplets)
    assert (search.errors_.max(axis=1) > 0).all()


def test_a_row_is_that_of_the_answers_given():
    triplets = np.array(simulated(2, 0, n=12, share=2))
    triplets[100] = [3, 50, 4]
    with pytest.raises(ValueError, match=r"row 100: \(3, 50, 4\) has the id 50"):
        small(estimator=OrdinalEmbedding(n_objects=12)).fit(triplets)


class Interrupted(OrdinalEmbedding):
    """A model whose fit to all answers is interrupted."""

    def fit(self, X, y=None, sample_weight=None):
        if len(X) == 40:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


def test_a_search_that_is_interrupted_leaves_the_one_before():
    triplets = simulated(2, 0, n=12, share=2)[:40]
    search = small().fit(triplets)
    before = dict(vars(search))
    with pytest.raises(KeyboardInterrupt):
        search.set_params(estimator=Interrupted(2), random_state=1).fit(triplets)
    for name in before.keys() - {"estimator", "random_state"}:
        assert vars(search)[name] is before[name]


def test_the_plot_marks_the_choice():
    search = small().fit(simulated(2, 0, n=20))
    ax = search.plot()
    assert search.plot(ax) is ax
    mark = next(line for line in ax.lines if line.get_label() == "chosen: 2")
    np.testing.assert_allclose(mark.get_xydata(), [[2, 1 - search.best_score_]])
    plt.close(ax.figure)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "elbow"}, "rule='elbow'; it must be one of one-standard-error, test"),
        ({"dimensions": [2]}, r"dimensions=\[2\]; give two or more in increasing order"),
        ({"dimensions": [2, 1]}, r"dimensions=\[2, 1\]; give two or more in increasing order"),
        ({"dimensions": [1, 4]}, r"dimensions=4; it must be a whole number from 1 to 3"),
        ({"cv": 1}, "cv=1; it must be 2 or more"),
        ({"n_repeats": 0}, "n_repeats=0; it must be a whole number from 1"),
        ({"alpha": 1}, "alpha=1; it must be less than 1"),
        ({"alpha": 0}, "alpha=0; it must be finite and positive"),
        ({"cv": 3, "sample_weight": [1, 1, 0]}, "all answers of a fold have weight 0; leave"),
        ({"cv": 3, "sample_weight": [1, 1]}, r"sample_weight: shape .* expected"),
    ],
)  # fmt: skip
def test_the_search_refuses(options, message):
    weights = options.pop("sample_weight", None)
    search = DimensionSearch(**{"dimensions": [1, 2], **options})
    with pytest.raises(ValueError, match=message):
        search.fit([[0, 1, 2], [1, 2, 0], [2, 0, 1]], sample_weight=weights)
