"""What changes no learned metric: the unit of features, and the order of rows."""

import numpy as np
import pytest

import closerthan_study.baselines
from class_pairs import PAIRS, SIDES, TARGETS
from class_points import X, Y
from closerthan_study.baselines import ITML, LEGO, LMNN, RCA, MahalanobisMetric
from sklearn_checks import estimators_in

ORDER = np.random.default_rng(0).permutation(len(X))


def rca(X, Y, pairs, unit):
    return RCA().fit(X, Y).components_ * unit


def lmnn(X, Y, pairs, unit):
    """Learn by hinges with a margin of one, whatever the unit: units matter here."""
    return LMNN(tol=1e-8).fit(X, Y).components_ * unit


def itml(X, Y, pairs, unit):
    bounds = np.array([5.0, 20.0]) * unit**2
    return ITML(bounds=bounds).fit(X, pairs, SIDES).components_


def lego(X, Y, pairs, unit):
    return LEGO(0.125 / unit**4).fit(X, pairs, TARGETS * unit**2).components_


TABLE = {
    RCA: (rca, [1e-80, 1e-6, 1e6, 1e80], 1e-9),
    LMNN: (lmnn, [], 1e-2),
    ITML: (itml, [1e-80, 1e-6, 1e6, 1e80], 1e-9),
    LEGO: (lego, [1e-6, 1e6], 1e-9),
}


@pytest.mark.parametrize("learn, units, tolerance", TABLE.values())
def test_units_and_the_order_of_rows_change_no_metric(learn, units, tolerance):
    L = learn(X, Y, PAIRS, 1.0)
    others = [learn(X * unit, Y, PAIRS, unit) for unit in units]
    others.append(learn(X[ORDER], Y[ORDER], np.argsort(ORDER)[PAIRS], 1.0))
    for other in others:
        np.testing.assert_allclose(other.T @ other, L.T @ L, atol=tolerance * np.abs(L.T @ L).max())


@pytest.mark.parametrize("learn", [rca, lmnn, itml, lego])
@pytest.mark.parametrize("far", [1e-160, 1e160])
def test_squares_out_of_range_are_refused(learn, far):
    with pytest.raises(ValueError, match=r"X, row \d+, column \d: .*give them in another unit"):
        learn(X * far, Y, PAIRS, 1.0)


def test_every_metric_stands_in_the_table():
    found = estimators_in(closerthan_study.baselines)
    assert set(TABLE) == {model for model in found if issubclass(model, MahalanobisMetric)}
