"""Check the baselines with scikit-learn: its own checks, tables and warnings."""

import numpy as np
import pytest

from class_pairs import PAIRS, SIDES, TARGETS
from class_points import X, Y
from closerthan.comparisons import sample_from_labels
from closerthan_study import baselines
from closerthan_study.baselines import ITML, LEGO, LMNN, RCA, MahalanobisMetric, pairs_from_triplets
from sklearn_checks import OfLabels, check_all, check_table, estimators_in

FITS = [
    (RCA(), (Y,)),
    (LMNN(), (Y,)),
    (ITML(), (PAIRS, SIDES)),
    (LEGO(), (PAIRS, TARGETS)),
]


class PairsOfLabels(OfLabels):
    def fit_transform(self, X, y):
        return self.fit(X, y).transform(X)

    def _drawn(self, y):
        triplets = sample_from_labels(y, 25, replace=True, random_state=0)
        return pairs_from_triplets(triplets)


class LabelsITML(PairsOfLabels, ITML):
    pass


class LabelsLEGO(PairsOfLabels, LEGO):
    def _drawn(self, y):
        pairs, y = super()._drawn(y)
        return pairs, np.where(y == 1, 0.1, 2.0)


# With more neighbors, LMNN needs more points than the checks have.
CHECKED = [RCA(), LMNN(n_neighbors=1), LabelsITML(), LabelsLEGO()]


@pytest.mark.parametrize("estimator", CHECKED, ids=lambda e: type(e).__name__)
def test_a_baseline_fails_no_check(estimator):
    check_all(estimator, {})


def test_every_metric_is_checked():
    names = {type(model).__name__.removeprefix("Labels") for model in CHECKED}
    metrics = [found for found in estimators_in(baselines) if issubclass(found, MahalanobisMetric)]
    assert {metric.__name__ for metric in metrics} == names


@pytest.mark.parametrize(("model", "data"), FITS)
def test_a_table_comes_out_where_one_is_asked_for(model, data):
    check_table(model, data)


def test_warnings_point_at_the_line_of_the_user():
    two = [0, 1] * (len(X) // 2)
    for warns in (
        lambda: LMNN(max_iter=1).fit_transform(X, two),
        lambda: ITML(max_iter=1, gamma=100.0, tol=1e-9).fit(X, PAIRS, SIDES),
    ):
        with pytest.warns(UserWarning, match="max_iter=1") as caught:
            warns()
        assert {warning.filename for warning in caught} == {__file__}
