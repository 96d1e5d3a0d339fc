"""Check the mean loss and its gradient against plain numpy, also at block boundaries."""

import numpy as np
import pytest

import slow_reference as slow
from closerthan._core.threads import Team
from closerthan._core.vectors import pad
from closerthan.losses import make_loss
from closerthan.optimize import Objective
from closerthan.optimize.objective import inverse_curvature, secant_step

ALL = sorted(slow.LOSSES)
KINDS = {"triplets": slow.random_triplets, "quadruplets": slow.random_quadruplets}


def _evaluate(loss, X, quadruplets, weights=None):
    """Return value and gradient from every method that the objective offers."""
    objective = Objective(make_loss(loss), quadruplets, X.shape, weights)
    padded = pad(X)
    slopes = np.empty((len(quadruplets), 2))
    gradient = objective.gradient(padded, np.full_like(padded, np.nan))
    together, again = objective.value_and_gradient(padded, np.full_like(padded, np.nan))
    kept = objective.gradient(padded, np.full_like(padded, np.nan), slopes)
    np.testing.assert_array_equal(gradient, again)
    np.testing.assert_array_equal(gradient, kept)
    assert together == objective.value(padded)
    assert not gradient[:, X.shape[1] :].any()
    return together, gradient[:, : X.shape[1]], slopes.T


def _assert_agree(found, expected):
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    scale = np.abs(expected[1]).max()
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-11, atol=1e-13 * scale)


@pytest.mark.parametrize("loss", ALL)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("n_components", "n_comparisons"),
    [
        *((1, 1), (2, 2), (5, 60), (10, 60), (300, 60)),
        *((3, n) for n in (255, 256, 257, 511, 512, 513)),  # blocks have 256
    ],
)
def test_plain_numpy_agrees_to_rounding(loss, kind, n_components, n_comparisons):
    rng = np.random.default_rng(n_components)
    quadruplets = KINDS[kind](rng, 12, n_comparisons)
    X = rng.normal(size=(12, n_components))
    by_loss = slow.LOSSES[loss](*slow.squared_distances(X, quadruplets), n_components)[1:]
    for w in (None, rng.uniform(0.1, 3, n_comparisons)):
        value, gradient, slopes = _evaluate(loss, X, quadruplets, w)
        _assert_agree((value, gradient), slow.value_and_gradient(loss, X, quadruplets, w))
        own = np.array(by_loss) * (1 if w is None else w / w.mean())
        np.testing.assert_allclose(slopes, own, rtol=1e-11)


def _random_problem(n_objects, n_comparisons, n_components=3, seed=0):
    """Return points, triplets of three columns, and weights."""
    rng = np.random.default_rng(seed)
    quadruplets = slow.random_triplets(rng, n_objects, n_comparisons)
    X = rng.normal(size=(n_objects, n_components))
    return X, quadruplets[:, [0, 1, 3]], rng.uniform(0, 3, n_comparisons)


@pytest.mark.parametrize("loss", ALL)
@pytest.mark.parametrize("n_comparisons", [5, 60, 2000])
@pytest.mark.parametrize("n_components", [3, 10])
def test_triplets_are_quadruplets_sorted_or_not_dense_or_not(loss, n_comparisons, n_components):
    X, triplets, weights = _random_problem(12, n_comparisons, n_components)
    padded, expected = pad(X), None
    for w in (None, weights):
        quadruplets = triplets[:, [0, 1, 0, 2]]
        expected = slow.value_and_gradient(loss, X, quadruplets, w)
        objective = Objective(make_loss(loss), triplets, X.shape, w)
        for _ in range(2):  # 2,000 sorted triplets of 12 objects are dense
            value, gradient = objective.value_and_gradient(padded, np.empty_like(padded))
            _assert_agree((value, gradient[:, :n_components]), expected)
            assert not gradient[:, n_components:].any()
            assert value == objective.value(padded)
            objective.sort()


@pytest.mark.parametrize("reorder", [Objective.sort, lambda o: o.shuffle(np.random.default_rng(1))])
def test_a_new_order_keeps_comparisons_weights_and_slopes_together(reorder):
    X, triplets, weights = _random_problem(12, 300)
    objective = Objective(make_loss("ste"), triplets, (12, 3), weights)
    reorder(objective)
    now = objective.comparisons[:300]
    assert (now != triplets).any()
    rows = {(*t, w) for t, w in zip(triplets.tolist(), weights / weights.mean(), strict=True)}
    assert {(*t, w) for t, w in zip(now.tolist(), objective.weights, strict=True)} == rows
    slopes = np.empty((300, 2))
    objective.gradient(pad(X), pad(X), slopes)
    distances = slow.squared_distances(X, now)
    expected = make_loss("ste").slopes(*distances) * objective.weights
    np.testing.assert_allclose(slopes.T, expected, rtol=1e-11)


@pytest.mark.parametrize("n_objects", [12, 700])
def test_threads_change_no_bit(n_objects):
    X, triplets, _ = _random_problem(n_objects, 300_000)
    padded, found = pad(X), set()
    expected = slow.value_and_gradient("ste", X, triplets[:, [0, 1, 0, 2]], None)
    for size in (1, 2, 3, 7):
        with Team(size) as team:
            objective = Objective(make_loss("ste"), triplets, (n_objects, 3), team=team)
            for _ in range(2):
                value, gradient = objective.value_and_gradient(padded, np.empty_like(padded))
                _assert_agree((value, gradient[:, :3]), expected)
                found.add((value, gradient.tobytes()))
                objective.sort()
    assert len(found) == 2  # one for each order


def test_the_step_of_a_quadratic_is_one_over_its_curvature():
    dx = np.random.default_rng(0).normal(size=(4, 3))
    np.testing.assert_allclose(secant_step(dx, -5.0 * dx, epsilon=3.0), 1 / 8)
    assert secant_step(dx, 0 * dx) == np.inf


def test_the_probe_finds_the_curvature_along_the_gradient():
    rng = np.random.default_rng(0)
    objective = Objective(make_loss("ste"), slow.random_triplets(rng, 10, 100), (10, 2))
    X = pad(rng.normal(size=(10, 2)))
    gradient = objective.gradient(X, np.empty_like(X))
    along = gradient / np.linalg.norm(gradient)
    h = 1e-4
    before, here, after = (objective.value(X + step * along) for step in (-h, 0, h))
    curvature = abs(before - 2 * here + after) / h**2
    assert 1 / inverse_curvature(objective, X, gradient) == pytest.approx(curvature, rel=1e-2)
    assert inverse_curvature(objective, X, np.zeros_like(X)) == 10
