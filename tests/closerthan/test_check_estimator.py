"""Run scikit-learn's own checks on every estimator, and give a reason for each expected failure.

`check_estimator` passes features, and labels or numbers to predict. An estimator that learns from
other input is checked as a subclass, which makes this input from features and labels.
"""

from itertools import permutations

import numpy as np
import pytest
from sklearn.utils import estimator_checks
from sklearn.utils.validation import validate_data

import closerthan
import closerthan_lab
from closerthan import BatchKernel, DifferenceScale, OnlineKernel, OrdinalEmbedding
from closerthan.comparisons import sample_from_labels
from closerthan.mds import PatternSearchMDS
from closerthan.similarity import OASIS, SDCA
from closerthan_lab.dimension import DimensionSearch
from closerthan_lab.people import PeopleEmbedding
from closerthan_lab.spose import SPoSE
from sklearn_checks import PARAMETER_CHECKS, OfLabels, check_all, estimators_in, in_parent

ESTIMATORS = estimators_in(closerthan, closerthan_lab)


# --- what an estimator takes, made of what `check_estimator` gives --------------------------------

TRIPLETS = np.array(list(permutations(range(6), 3)))


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
        return TRIPLETS[(1000 * np.abs(X).sum(axis=1)).astype(int) % len(TRIPLETS)]


class OfWeightedRows(OfRows):
    def fit(self, X, y=None, sample_weight=None, **options):
        triplets = self._triplets(X, reset=True)
        return super(OfRows, self).fit(triplets, sample_weight=sample_weight, **options)

    def score(self, X, y=None, sample_weight=None):
        return super(OfRows, self).score(X, sample_weight=sample_weight)


class TripletsOfLabels(OfLabels):
    def score(self, X, y):
        return super().score(X, *self._drawn(y))

    def _drawn(self, y):
        return [sample_from_labels(y, 50, random_state=0)]


class RowsOrdinalEmbedding(OfWeightedRows, OrdinalEmbedding):
    pass


class RowsDifferenceScale(OfWeightedRows, DifferenceScale):
    """Rows stand for answers about three stimuli, most of which follow the order."""

    def fit(self, X, y=None, sample_weight=None):
        return super().fit(X, y, sample_weight, order=range(3))

    def _triplets(self, X, reset=False):
        kinds = [[0, 1, 2], [2, 1, 0], [2, 1, 0], [0, 1, 2], [0, 1, 2], [2, 0, 1]]
        return np.array(kinds)[super()._triplets(X, reset)[:, 0]]


class RowsBatchKernel(OfWeightedRows, BatchKernel):
    pass


class RowsOnlineKernel(OfRows, OnlineKernel):
    def partial_fit(self, X, y=None):
        first = not hasattr(self, "n_features_in_")
        return super().partial_fit(self._triplets(X, reset=first))


class RowsSPoSE(OfRows, SPoSE):
    def score(self, X, y=None):
        return super(OfRows, self).score(self._triplets(X))


class RowsDimensionSearch(OfWeightedRows, DimensionSearch):
    def score(self, X, y=None, sample_weight=None):
        return super().score(self._triplets(X), sample_weight=sample_weight)


class LabelsOASIS(TripletsOfLabels, OASIS):
    def transform(self, X):  # its matrix is not symmetric, so there is no map
        return self._features(X) @ self.similarity_


class LabelsSDCA(TripletsOfLabels, SDCA):
    pass


TURNED = [
    RowsOrdinalEmbedding(max_iter=5),
    RowsDifferenceScale(),
    RowsBatchKernel(max_iter=5),
    RowsOnlineKernel(),
    RowsSPoSE(4, max_iter=5),
    RowsDimensionSearch(OrdinalEmbedding(max_iter=2), [1, 2], cv=2, n_repeats=1),
    LabelsOASIS(),
    LabelsSDCA(project=True),
]
EXPECTED = {
    PatternSearchMDS: dict.fromkeys(
        ["check_transformer_general", "check_transformer_data_not_an_array"],
        "it may leave a point at a minimum of its own, and `transform` finds it a better one",
    ),
    RowsSPoSE: {
        "check_fit2d_1sample": "one answer names three objects, and the message speaks of these",
    },
    RowsDifferenceScale: {
        "check_fit2d_1sample": "one answer leaves the scale open, and the message speaks of this",
    },
    RowsDimensionSearch: {
        "check_sample_weight_equivalence_on_dense_data": "`cv` is a number of folds of questions",
        "check_fit2d_1sample": "one row is one question, of which there are fewer than folds",
    },
}


OF_FEATURES = [
    definition()
    for definition in ESTIMATORS
    if hasattr(definition, "fit") and definition not in {type(e).__bases__[1] for e in TURNED}
    # It takes `Answers` with participants only, which no array can be turned into.
    if definition is not PeopleEmbedding
]


# --- the checks -----------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", OF_FEATURES + TURNED, ids=lambda e: type(e).__name__)
def test_an_estimator_fails_no_check_but_those_listed(estimator):
    check_all(estimator, EXPECTED.get(type(estimator), {}))


@pytest.mark.parametrize("definition", [OrdinalEmbedding, BatchKernel, OnlineKernel])
@pytest.mark.parametrize(
    "name", ["check_fit1d", "check_estimator_sparse_array", "check_estimator_sparse_matrix"]
)
def test_what_can_not_be_comparisons_is_refused(name, definition):
    getattr(estimator_checks, name)(definition.__name__, definition())


@pytest.mark.parametrize("definition", ESTIMATORS)
@pytest.mark.parametrize("name", PARAMETER_CHECKS)
def test_parameters_are_kept(name, definition):
    """Check losses, solvers and penalties too, which have no `fit`."""
    getattr(estimator_checks, name)(definition.__name__, definition())
