"""Run scikit-learn's own checks on the lab's estimators, with a reason for each expected failure.

`check_estimator` passes features, and no comparisons. So each estimator is checked as a subclass,
which makes comparisons from features.
"""

import numpy as np
import pytest
from sklearn.utils import estimator_checks

import closerthan_lab
from closerthan import OrdinalEmbedding
from closerthan_lab.dimension import DimensionSearch
from closerthan_lab.people import PeopleEmbedding
from closerthan_lab.scale import DifferenceScale
from closerthan_lab.spose import SPoSE
from sklearn_checks import PARAMETER_CHECKS, OfRows, OfWeightedRows, check_all, estimators_in

ESTIMATORS = estimators_in(closerthan_lab)


class RowsDifferenceScale(OfWeightedRows, DifferenceScale):
    """Rows stand for answers about three stimuli, most of which follow the order."""

    def fit(self, X, y=None, sample_weight=None):
        return super().fit(X, y, sample_weight, order=range(3))

    def _triplets(self, X, reset=False):
        kinds = [[0, 1, 2], [2, 1, 0], [2, 1, 0], [0, 1, 2], [0, 1, 2], [2, 0, 1]]
        return np.array(kinds)[super()._triplets(X, reset)[:, 0]]


class RowsSPoSE(OfRows, SPoSE):
    def score(self, X, y=None):
        return super(OfRows, self).score(self._triplets(X))


class RowsDimensionSearch(OfWeightedRows, DimensionSearch):
    def score(self, X, y=None, sample_weight=None):
        return super().score(self._triplets(X), sample_weight=sample_weight)


TURNED = [
    RowsDifferenceScale(),
    RowsSPoSE(4, max_iter=5),
    RowsDimensionSearch(OrdinalEmbedding(max_iter=2), [1, 2], cv=2, n_repeats=1),
]
EXPECTED = {
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


@pytest.mark.parametrize("estimator", TURNED, ids=lambda e: type(e).__name__)
def test_an_estimator_fails_no_check_but_those_listed(estimator):
    check_all(estimator, EXPECTED.get(type(estimator), {}))


def test_every_estimator_is_checked():
    turned = {type(estimator).__bases__[1] for estimator in TURNED}
    # It takes `Answers` with participants only, which no array can be turned into.
    assert set(ESTIMATORS) == turned | {PeopleEmbedding}


@pytest.mark.parametrize("definition", ESTIMATORS)
@pytest.mark.parametrize("name", PARAMETER_CHECKS)
def test_parameters_are_kept(name, definition):
    getattr(estimator_checks, name)(definition.__name__, definition())
