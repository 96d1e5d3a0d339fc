"""The losses: formulas, slopes by finite differences, extremes, and losses of one's own."""

import pickle

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.base import clone

import slow_reference
from closerthan import OrdinalEmbedding
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
from own_loss import Exponential, Hinge
from plain_fit import plain_embedding

ALL = sorted(slow_reference.LOSSES)
WITH_PROBABILITY = ["ckl", "ste", "t-ste"]


def _pairs(scale, size=300):
    rng = np.random.default_rng(0)
    return scale * rng.uniform(0.05, 2.0, (2, size))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("n_components", [1, 2, 10])
def test_values_and_slopes_are_the_formulas(name, n_components):
    a, b = _pairs(5.0)
    value, da, db = slow_reference.LOSSES[name](a, b, n_components)
    loss = make_loss(name)
    np.testing.assert_allclose(loss.values(a, b, n_components), value, rtol=1e-12, atol=1e-14)
    slopes = loss.slopes(a, b, n_components)
    np.testing.assert_allclose(slopes, (da, db), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_slopes_are_the_finite_differences_of_the_values(name, scale):
    a, b = _pairs(scale)
    # GNMDS and STE bend over one unit, whatever the scale; the others over their arguments.
    step = 1e-3 * min(scale, 1.0) if name in ("gnmds", "ste") else 1e-4 * scale
    # Keep away from the hinges, where there is no derivative.
    if name == "gnmds":
        smooth = np.abs(1 + a - b) > 2 * step
    elif name == "soe":
        smooth = np.abs(np.sqrt(a) + 0.1 - np.sqrt(b)) > 1e-3 * np.sqrt(scale)
    else:
        smooth = np.full(a.size, True)
    a, b = a[smooth], b[smooth]
    assert a.size > 200
    loss = make_loss(name)
    da, db = loss.slopes(a, b)
    by_a = (loss.values(a + step, b) - loss.values(a - step, b)) / (2 * step)
    by_b = (loss.values(a, b + step) - loss.values(a, b - step)) / (2 * step)
    rounding = 1e-15 * loss.values(a, b).max() / step
    np.testing.assert_allclose(da, by_a, rtol=1e-4, atol=rounding)
    np.testing.assert_allclose(db, by_b, rtol=1e-4, atol=rounding)


@pytest.mark.parametrize("name", ALL)
def test_no_overflow_and_no_nan_at_any_scale(name):
    sizes = np.array([0.0, *10.0 ** np.arange(-200, 201, 10)])
    a, b = (grid.ravel() for grid in np.meshgrid(sizes, sizes))
    loss = make_loss(name)
    da, db = loss.slopes(a, b)
    values = loss.values(a, b)
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
    # And where 1 + exp(a - b) rounds to one: the small loss is still there.
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


@pytest.mark.parametrize("name", ["gnmds", "soe"])
def test_losses_without_a_model_of_answers_have_no_probability(name):
    assert not hasattr(make_loss(name), "probability")


def test_tste_takes_its_degrees_of_freedom_from_the_dimension():
    a, b = _pairs(1.0)
    np.testing.assert_array_equal(TSTE().values(a, b, 6), TSTE(alpha=5).values(a, b, 2))
    np.testing.assert_array_equal(TSTE().values(a, b, 1), TSTE(alpha=1).values(a, b, 2))
    assert not np.allclose(TSTE().values(a, b, 6), TSTE().values(a, b, 3))


@pytest.mark.parametrize(
    ("loss", "name"), [(GNMDS, "margin"), (CKL, "mu"), (TSTE, "alpha"), (SOE, "delta")]
)
def test_parameters_must_be_positive(loss, name):
    for bad in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match=rf"{loss.__name__}: {name}={bad}.*positive"):
            loss(**{name: bad}).values([1.0], [2.0])
        with pytest.raises(ValueError, match=name):
            OrdinalEmbedding(loss=loss(**{name: bad})).fit([[0, 1, 2]])


@pytest.mark.parametrize("loss", [GNMDS(2.0), CKL(0.5), STE(), TSTE(9.0), TSTE(), SOE(0.3)])
def test_a_loss_is_an_estimator(loss):
    a, b = _pairs(1.0)
    for copy in (clone(loss), pickle.loads(pickle.dumps(loss))):
        assert copy is not loss
        assert copy.get_params() == loss.get_params()
        np.testing.assert_array_equal(copy.values(a, b), loss.values(a, b))


def test_parameters_matter():
    a, b = np.array([1.0]), np.array([2.5])
    for one, other in [(GNMDS(2.0), GNMDS(3.0)), (CKL(0.1), CKL(1.0)), (SOE(1.0), SOE(2.0))]:
        assert one.values(a, b) != other.values(a, b)


def test_make_loss():
    assert [type(make_loss(name)).__name__ for name in ("t-ste", "soe")] == ["TSTE", "SOE"]
    loss = CKL(3.0)
    assert make_loss(loss) is loss
    with pytest.raises(ValueError, match=r"loss='hinge'.*gnmds, ckl, ste, t-ste, soe"):
        make_loss("hinge")


def test_a_loss_of_ones_own_can_be_sent_to_workers_before_and_after_its_first_use():
    class Ratio(Loss):  # cannot be imported, like a class of `__main__` or of a notebook
        @staticmethod
        @compile_values
        def _values(a, b, _, out):
            for t in range(a.size):
                out[t] = a[t] / b[t]

        @staticmethod
        @compile_slopes
        def _slopes(a, b, _, da, db):
            for t in range(a.size):
                da[t], db[t] = 1.0 / b[t], -a[t] / b[t] ** 2

    a, b = _pairs(1.0)
    for _ in range(2):
        # The workers get the class by value; numba's compiled function cannot be pickled.
        for values in Parallel(n_jobs=2)([delayed(Ratio().values)(a, b)] * 2):
            np.testing.assert_array_equal(values, a / b)
        np.testing.assert_array_equal(Ratio().values(a, b), a / b)


def test_a_loss_of_ones_own_has_values_and_slopes():
    a, b = _pairs(1.0)
    np.testing.assert_allclose(Exponential(0.5).values(a, b), np.exp(0.5 * (a - b)), rtol=1e-12)
    da, db = Exponential(0.5).slopes(a, b)
    np.testing.assert_allclose(da, 0.5 * np.exp(0.5 * (a - b)), rtol=1e-12)
    np.testing.assert_array_equal(da, -db)
    np.testing.assert_array_equal(Hinge().values(a, b), GNMDS().values(a, b))


@pytest.mark.parametrize("solver", ["l-bfgs", "batch", "sgd", "svrg"])
def test_every_solver_takes_a_loss_of_ones_own(solver):
    rng = np.random.default_rng(0)
    triplets = slow_reference.random_triplets(rng, 12, 200)[:, [0, 1, 3]]
    fits = [
        plain_embedding(loss=loss, solver=solver, max_iter=20, random_state=0).fit(triplets)
        for loss in (Hinge(), GNMDS())
    ]
    np.testing.assert_array_equal(fits[0].embedding_, fits[1].embedding_)
    other = plain_embedding(loss=Exponential(0.5), solver=solver, max_iter=20, random_state=0)
    assert other.fit(triplets).history_["loss"].iloc[-1] < 1.0
    with pytest.raises(AttributeError, match="predict_proba"):
        other.predict_proba(triplets)
