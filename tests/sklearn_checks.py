"""Run scikit-learn's own checks on estimators; check responses, weights, tables, requests."""

import inspect
import warnings
from importlib import import_module
from itertools import permutations
from pkgutil import walk_packages

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.utils import estimator_checks
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import validate_data

from class_points import X
from closerthan.comparisons import Answers, sample_from_points, to_query_response

TABLE = pd.DataFrame(X, columns=[f"feature {c}" for c in range(X.shape[1])]).set_index(
    np.arange(len(X)) + 100
)
OF_SIX = np.array(list(permutations(range(6), 3)))

# Answers about 12 objects, which come from points, so a model of them is almost always right.
N_OBJECTS = 12
TRUTH = np.random.default_rng(3).normal(size=(N_OBJECTS, 2))
TRIPLETS = sample_from_points(TRUTH, 600, random_state=0)
OPPOSITE = TRIPLETS[:, [0, 2, 1]]

PARAMETER_CHECKS = [
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_get_params_invariance",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
]


def estimators_in(*packages):
    """Return every estimator that the packages define, found in all of their modules."""
    modules = [m.name for p in packages for m in walk_packages(p.__path__, f"{p.__name__}.")]
    own = [name for name in modules if name.rpartition(".")[2] != "__main__"]
    definitions = [(name, value) for name in own for value in vars(import_module(name)).values()]
    return [
        value
        for module, value in definitions
        if inspect.isclass(value) and value.__module__ == module
        if issubclass(value, BaseEstimator) and not inspect.isabstract(value)
    ]


def in_parent(child, name):
    """Return whether a class after `child` in the resolution order has the method."""
    return available_if(lambda self: hasattr(super(child(), self), name))


class OfRows:
    """A model of comparisons: each row of features stands for a triplet of six objects."""

    def fit(self, X, y=None):
        return super().fit(self._triplets(X, reset=True))

    def predict(self, X):
        return super().predict(self._triplets(X))

    @in_parent(lambda: OfRows, "predict_proba")
    def predict_proba(self, X):
        return super().predict_proba(self._triplets(X))

    def score(self, X, y=None):
        return super().score(X)

    @property
    def transform(self):
        raise AttributeError("it is about new objects, for which no row stands")

    def _triplets(self, X, reset=False):
        X = validate_data(self, X, reset=reset, dtype=float)
        return OF_SIX[(1000 * np.abs(X).sum(axis=1)).astype(int) % len(OF_SIX)]


class OfWeightedRows(OfRows):
    """The same, if answers may have weights."""

    def fit(self, X, y=None, sample_weight=None, **options):
        triplets = self._triplets(X, reset=True)
        return super(OfRows, self).fit(triplets, sample_weight=sample_weight, **options)

    def score(self, X, y=None, sample_weight=None):
        return super(OfRows, self).score(X, sample_weight=sample_weight)


class OfLabels:
    """An estimator that learns from triplets or pairs of rows, which are drawn by label."""

    def fit(self, X, y):
        return super().fit(X, *self._drawn(y))

    @in_parent(lambda: OfLabels, "partial_fit")
    def partial_fit(self, X, y):
        return super().partial_fit(X, *self._drawn(y))


def check_all(estimator, expected):
    """Run all checks: only the expected ones fail, and each of these does fail."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = estimator_checks.check_estimator(
            estimator, on_fail=None, on_skip=None, expected_failed_checks=expected
        )
    skipped = {result["check_name"] for result in results if result["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}  # needs an environment variable
    assert all(hasattr(estimator_checks, name) for name in expected)
    for result in results:
        if result["status"] == "failed":
            raise AssertionError(result["check_name"]) from result["exception"]
    assert not [
        result["check_name"]
        for result in results
        if result["expected_to_fail"] and result["status"] == "passed"
    ]


def check_table(model, data):
    """Check that a model returns a table if asked, with the numbers of its array."""
    name = type(model).__name__.lower()
    model = clone(model).set_output(transform="pandas")
    plain = clone(model).set_output(transform="default").fit(TABLE, *data)
    table = model.fit_transform(TABLE, *data)
    assert list(table.columns) == [f"{name}{c}" for c in range(table.shape[1])]
    assert list(table.columns) == list(model.get_feature_names_out())
    assert table.index.equals(TABLE.index)
    points = plain.embedding_ if hasattr(plain, "embedding_") else plain.transform(TABLE)
    np.testing.assert_array_equal(table.to_numpy(), points)
    assert list(model.feature_names_in_) == list(TABLE.columns)
    assert model.n_features_in_ == TABLE.shape[1]
    if hasattr(model, "transform"):
        assert model.transform(TABLE).index.equals(TABLE.index)
        with pytest.raises(ValueError, match="feature names should match"):
            model.transform(TABLE.rename(columns={"feature 0": "another"}))


AS_RESPONSES = [lambda yes: yes, lambda yes: np.where(yes, 1, -1)]
NO_RESPONSES = [
    (np.full(600, 0.5), "y: responses, row 0: 0.5 is not an answer.*sample_w"),
    (np.r_[np.ones(599), 0], "y: responses, row 599: 0.0 is not an answer"),
    (np.r_[np.ones(599), -2], "y: it has counts of responses; give y=np.sign"),
    (np.full(600, 1e9), "y: it has counts of responses; give y=np.sign"),
    ([True], r"y: responses: shape \(1,\)"),
]


def check_responses(model, as_responses):
    """Check that `y` are responses to questions, in a fit and in a score."""
    questions, signs = to_query_response(TRIPLETS)
    responses = as_responses(signs == 1)
    assert 0 < (signs == 1).mean() < 1
    one, other = clone(model).fit(TRIPLETS), clone(model).fit(questions, responses)
    np.testing.assert_array_equal(one.predict(TRIPLETS), other.predict(TRIPLETS))
    assert one.score(TRIPLETS) == one.score(questions, responses) > 0.8
    assert one.score(OPPOSITE) == one.score(TRIPLETS, np.zeros(600, bool)) < 0.2


def check_refusal(model, y, message):
    """Check that a fit refuses what are no responses."""
    with pytest.raises(ValueError, match=message):
        clone(model).fit(TRIPLETS, y)


def check_answers(model):
    """Check that a fit refuses responses beside `Answers`."""
    with pytest.raises(ValueError, match="X are Answers, which already have responses"):
        clone(model).fit(Answers(TRIPLETS), np.ones(600, bool))


def check_score(model):
    """Check that a score counts answers by weight."""
    model = clone(model).fit(TRIPLETS)
    both, weights = np.vstack([TRIPLETS, OPPOSITE]), np.repeat([1.0, 3.0], 600)
    right, wrong = model.score(TRIPLETS), model.score(OPPOSITE)
    expected = pytest.approx((right + 3 * wrong) / 4)
    assert model.score(both, sample_weight=weights) == expected
    assert model.score(Answers(both, weight=weights)) == expected
    assert model.score(Answers(both), sample_weight=weights) == expected
    with pytest.raises(ValueError, match=r"sample_weight, row 1: -1\.0"):
        model.score(both, sample_weight=np.where(np.arange(1200) == 1, -1.0, 1.0))


def check_requests(model, fit):
    """Check what a model requests if metadata are routed: in a fit, in a score and else nothing."""
    requests = model.get_metadata_routing()
    assert set(requests.fit.requests) == fit
    assert set(requests.score.requests) == {"sample_weight"}
    assert not requests.predict.requests
