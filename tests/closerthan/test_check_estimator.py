"""Run scikit-learn's own checks on every estimator, and give a reason for each expected failure.

`check_estimator` passes features, and labels or numbers to predict. An estimator that learns from
other input is checked as a subclass, which makes this input from features and labels.
"""

import pytest
from sklearn.utils import estimator_checks

import closerthan
from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
from closerthan.comparisons import sample_from_labels
from closerthan.mds import PatternSearchMDS
from closerthan.similarity import OASIS, SDCA
from sklearn_checks import (
    PARAMETER_CHECKS,
    OfLabels,
    OfRows,
    OfWeightedRows,
    check_all,
    estimators_in,
)

ESTIMATORS = estimators_in(closerthan)


# --- what an estimator takes, made of what `check_estimator` gives --------------------------------


class TripletsOfLabels(OfLabels):
    def score(self, X, y):
        return super().score(X, *self._drawn(y))

    def _drawn(self, y):
        return [sample_from_labels(y, 50, random_state=0)]


class RowsOrdinalEmbedding(OfWeightedRows, OrdinalEmbedding):
    pass


class RowsBatchKernel(OfWeightedRows, BatchKernel):
    pass


class RowsOnlineKernel(OfRows, OnlineKernel):
    def partial_fit(self, X, y=None):
        first = not hasattr(self, "n_features_in_")
        return super().partial_fit(self._triplets(X, reset=first))


class LabelsOASIS(TripletsOfLabels, OASIS):
    def transform(self, X):  # its matrix is not symmetric, so there is no map
        return self._features(X) @ self.similarity_


class LabelsSDCA(TripletsOfLabels, SDCA):
    pass


TURNED = [
    RowsOrdinalEmbedding(max_iter=5),
    RowsBatchKernel(max_iter=5),
    RowsOnlineKernel(),
    LabelsOASIS(),
    LabelsSDCA(project=True),
]
EXPECTED = {
    PatternSearchMDS: dict.fromkeys(
        ["check_transformer_general", "check_transformer_data_not_an_array"],
        "it may leave a point at a minimum of its own, and `transform` finds it a better one",
    ),
}


OF_FEATURES = [
    definition()
    for definition in ESTIMATORS
    if hasattr(definition, "fit") and definition not in {type(e).__bases__[1] for e in TURNED}
]


# --- the checks -----------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", OF_FEATURES + TURNED, ids=lambda e: type(e).__name__)
def test_an_estimator_fails_no_check_but_those_listed(estimator):
    check_all(estimator, EXPECTED.get(type(estimator), {}))


@pytest.mark.parametrize("definition", ESTIMATORS)
@pytest.mark.parametrize("name", PARAMETER_CHECKS)
def test_parameters_are_kept(name, definition):
    """Check losses, solvers and penalties too, which have no `fit`."""
    getattr(estimator_checks, name)(definition.__name__, definition())
