"""Check the losses: formulas, extremes, and users' own losses."""

import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor

import slow_reference
from closerthan.losses import (
    CKL,
    GNMDS,
    SOE,
    STE,
    TSTE,
    Loss,
    compile_slopes,
    compile_values,
    make_loss,
)
from plain_fit import plain_embedding

ALL = sorted(slow_reference.LOSSES)
WITH_PROBABILITY = ["ckl", "ste", "t-ste"]


def _pairs(scale, size=300):
    rng = np.random.default_rng(0)
    return scale * rng.uniform(0.05, 2.0, (2, size))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("n_components", [1, 2, 6, 10])  # t-STE has a loop of its own for 6
@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1.0, 5.0, 100.0])
def test_values_and_slopes_are_the_formulas(name, n_components, scale):
    a, b = _pairs(scale)
    value, da, db = slow_reference.LOSSES[name](a, b, n_components)
    loss = make_loss(name)
    np.testing.assert_allclose(loss.values(a, b, n_components), value, rtol=1e-12, atol=1e-14)
    slopes = loss.slopes(a, b, n_components)
    np.testing.assert_allclose(slopes, (da, db), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("n_components", [2, 6])
@pytest.mark.parametrize("name", ALL)
def test_no_overflow_and_no_nan_at_any_scale(name, n_components):
    sizes = np.array([0.0, *10.0 ** np.arange(-200, 201, 10)])
    a, b = (grid.ravel() for grid in np.meshgrid(sizes, sizes))
    loss = make_loss(name)
    da, db = loss.slopes(a, b, n_components)
    values = loss.values(a, b, n_components)
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    assert np.isfinite([da, db]).all()
    assert (da >= 0).all()
    assert (db <= 0).all()


def test_ste_where_the_naive_formula_overflows():
    with np.errstate(over="ignore"):
        assert np.isinf(np.log(1 + np.exp(1000.0)))
    assert STE().values([1000.0], [0.0]) == [1000.0]
    assert STE().slopes([1000.0], [0.0]) == ([1.0], [-1.0])
    # The small loss remains even if 1 + exp(a - b) rounds to one.
    np.testing.assert_allclose(STE().values([0.0], [50.0]), np.exp(-50.0), rtol=1e-14)
    np.testing.assert_allclose(STE().slopes([0.0], [50.0])[0], np.exp(-50.0), rtol=1e-14)


@pytest.mark.parametrize("name", WITH_PROBABILITY)
def test_the_loss_is_minus_the_log_of_the_probability(name):
    a, b = _pairs(3.0)
    loss = make_loss(name)
    for n_components in (2, 7):
        probability = loss.probability(a, b, n_components)
        np.testing.assert_allclose(
            loss.values(a, b, n_components), -np.log(probability), rtol=1e-10
        )
        other = loss.probability(b, a, n_components)
        np.testing.assert_allclose(probability + other, 1.0, rtol=1e-14)
    assert loss.probability(2.0, 2.0) == 0.5
    extremes = loss.probability(np.array([0.0, 1e200]), np.array([1e200, 0.0]))
    np.testing.assert_allclose(extremes, [1.0, 0.0], atol=1e-15)


def test_tste_takes_its_degrees_of_freedom_from_the_dimension():
    a, b = _pairs(1.0)
    np.testing.assert_array_equal(TSTE().values(a, b, 6), TSTE(alpha=5).values(a, b, 2))


@pytest.mark.parametrize(
    ("loss", "name"), [(GNMDS, "margin"), (CKL, "mu"), (TSTE, "alpha"), (SOE, "delta")]
)
def test_parameters_must_be_positive(loss, name):
    for bad in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match=rf"{loss.__name__}: {name}={bad}.*positive"):
            loss(**{name: bad}).values([1.0], [2.0])


def _hinge(margin):
    """GNMDS's loss again; its class cannot be imported, like one of a notebook."""

    class Hinge(Loss):
        def __init__(self, margin=1.0):
            self.margin = margin

        def parameter(self, n_components):
            return self.margin

        @staticmethod
        @compile_values
        def _values(a, b, margin, out):
            for t in range(a.size):
                out[t] = max(0.0, margin + a[t] - b[t])

        @staticmethod
        @compile_slopes
        def _slopes(a, b, margin, da, db):
            for t in range(a.size):
                da[t] = 1.0 if margin + a[t] > b[t] else 0.0
                db[t] = -da[t]

    return Hinge(margin)


def test_a_loss_of_ones_own_can_be_sent_to_workers_before_and_after_its_first_use():
    a, b = _pairs(1.0)
    expected = GNMDS(0.5).values(a, b)
    used, unused = _hinge(0.5), _hinge(0.5)
    np.testing.assert_array_equal(used.values(a, b), expected)
    # The workers get the class by value, because numba's compiled function cannot be pickled.
    worker = get_reusable_executor(max_workers=1)
    for values in worker.map(lambda loss: loss.values(a, b), [used, unused]):
        np.testing.assert_array_equal(values, expected)
    worker.shutdown()


@pytest.mark.parametrize("solver", ["l-bfgs", "batch", "sgd", "svrg"])
def test_every_solver_takes_a_loss_of_ones_own(solver):
    rng = np.random.default_rng(0)
    triplets = slow_reference.random_triplets(rng, 12, 200)[:, [0, 1, 3]]
    fits = [
        plain_embedding(loss=loss, solver=solver, max_iter=20, random_state=0).fit(triplets)
        for loss in (_hinge(2.0), GNMDS(2.0))
    ]
    np.testing.assert_array_equal(fits[0].embedding_, fits[1].embedding_)
    with pytest.raises(AttributeError, match="predict_proba"):
        fits[0].predict_proba(triplets)
