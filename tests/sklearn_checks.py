"""Run scikit-learn's own checks on estimators, and check the tables that they return."""

import inspect
import warnings
from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.utils import estimator_checks
from sklearn.utils.metaestimators import available_if

from class_points import X

TABLE = pd.DataFrame(X, columns=[f"feature {c}" for c in range(X.shape[1])]).set_index(
    np.arange(len(X)) + 100
)
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
    own = [name for name in modules if name != "closerthan_lab.__main__"]
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
