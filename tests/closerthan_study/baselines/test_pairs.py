"""Check ITML and LEGO, which learn from pairs: their optima, their steps, and the pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from class_pairs import BOUNDS, PAIRS, SIDES, TARGETS, matrix_of
from class_points import D, X
from closerthan_study.baselines import (
    ITML,
    LEGO,
    distance_bounds,
    pairs_from_triplets,
)


def _log_det_divergence(M, N):
    return np.trace(M @ np.linalg.inv(N)) - np.linalg.slogdet(M @ np.linalg.inv(N))[1] - len(M)


def _itml_objective(M, slack, start, gamma):
    """Return the objective of eq. (5), with the slack variables."""
    xi = _log_det_divergence(np.diag(slack), np.diag(start))
    return _log_det_divergence(M, np.eye(len(M))) + gamma * xi


def _squared(M, X, pairs):
    z = X[pairs[:, 0]] - X[pairs[:, 1]]
    return np.einsum("ij,jk,ik->i", z, M, z)


def _itml(gamma, n_pairs=150, **options):
    options = {"bounds": BOUNDS, "tol": 1e-10, "max_iter": 100_000, **options}
    return ITML(gamma, **options).fit(X, PAIRS[:n_pairs], SIDES[:n_pairs])


@pytest.mark.parametrize("gamma", [0.05, 1.0, 4.0])
def test_itml_satisfies_the_optimality_conditions(gamma):
    model = _itml(gamma)
    M, dual = matrix_of(model), model.dual_
    start = np.where(SIDES == 1, *BOUNDS)
    z = X[PAIRS[:, 0]] - X[PAIRS[:, 1]]
    # The gradients in M and in the slack are zero.
    inverse = np.eye(D) + (z.T * (SIDES * dual)) @ z
    np.testing.assert_allclose(np.linalg.inv(M), inverse, rtol=1e-6)
    slack = 1 / (1 / start - SIDES * dual / gamma)
    assert (slack > 0).all()
    # The solution is feasible and complementary.
    assert (dual >= 0).all()
    excess = SIDES * (_squared(M, X, PAIRS) / slack - 1)
    assert excess.max() < 1e-4
    assert np.abs(excess[dual > 1e-3]).max() < 1e-4
    assert 0 < (dual > 0).mean() < 1
    # The history holds the primal of the paper, and closes the gap.
    slack = np.where(SIDES * (_squared(M, X, PAIRS) - start) > 0, _squared(M, X, PAIRS), start)
    primal = model.history_["primal"]
    np.testing.assert_allclose(primal.iloc[-1], _itml_objective(M, slack, start, gamma), rtol=1e-9)
    np.testing.assert_allclose(model.history_["dual"].iloc[-1], primal.iloc[-1], rtol=1e-8)
    assert len(primal) == model.n_iter_


def test_itml_says_when_it_has_not_finished():
    with pytest.warns(ConvergenceWarning, match="duality gap .* max_iter=1 "):
        _itml(1.0, max_iter=1)


def test_itml_takes_its_bounds_from_the_points():
    np.testing.assert_array_equal(ITML().fit(X, PAIRS, SIDES).bounds_, BOUNDS)
    for bad in ((0, 1), (1, np.inf), (1, np.nan), (1, 2, 3), 4):
        with pytest.raises(ValueError, match=r"bounds=.*two finite squared distances above zero"):
            ITML(bounds=bad).fit(X, PAIRS, SIDES)
    with pytest.raises(ValueError, match="too many points are equal"):
        ITML().fit(np.repeat(X[:2], 30, axis=0), PAIRS, SIDES)


# LEGO


@given(seed=st.integers(0, 10_000), eta=st.floats(1e-3, 1e3), target=st.floats(0, 1e3))
def test_a_step_of_lego_is_the_exact_minimizer(seed, eta, target):
    # The derivative of D(M, M_t) + eta / 2 (z'Mz - target)^2 vanishes.
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(4, 3))
    before = matrix_of(LEGO(eta).fit(points, [[0, 1]], [1.0]))
    after = matrix_of(LEGO(eta).fit(points, [[0, 1], [2, 3]], [1.0, target]))
    z = points[2] - points[3]
    slope = eta * (z @ after @ z - target) * np.outer(z, z)
    stationary = np.linalg.inv(before) - np.linalg.inv(after) + slope
    scale = np.abs(np.linalg.inv(before)).max() + np.abs(slope).max()
    np.testing.assert_allclose(stationary, 0, atol=1e-6 * scale)
    assert np.linalg.eigvalsh(after)[0] > 0


def test_lego_leaves_equal_points_and_met_targets_alone():
    rows = np.vstack([X, X[:1]])
    model = LEGO().fit(rows, [[0, 0], [0, len(X)]], [5.0, 0.0])
    np.testing.assert_array_equal(matrix_of(model), np.eye(D))
    model.fit(rows, PAIRS[:1], _squared(np.eye(D), X, PAIRS[:1]))
    np.testing.assert_allclose(matrix_of(model), np.eye(D), atol=1e-12)


# Pairs


def test_pairs_of_triplets():
    pairs, sides = pairs_from_triplets([[0, 1, 2], [4, 3, 0]])
    assert pairs.tolist() == [[0, 1], [0, 2], [4, 3], [4, 0]]
    assert sides.tolist() == [1, -1, 1, -1]
    with pytest.raises(ValueError, match=r"shape \(1, 4\); expected \(n, 3\)"):
        pairs_from_triplets([[0, 1, 2, 3]])


def test_distance_bounds_of_all_or_of_some_points():
    d2 = ((X[:, None] - X) ** 2).sum(axis=2)[np.triu_indices(len(X), 1)]
    np.testing.assert_allclose(distance_bounds(X), np.percentile(d2, [5, 95]))
    np.testing.assert_allclose(distance_bounds(X, (0, 100)), [d2.min(), d2.max()])
    many = np.random.default_rng(6).normal(size=(5000, 4))
    # Squared distances are twice a chi-squared variable with 4 degrees of freedom.
    np.testing.assert_allclose(distance_bounds(many, random_state=0), [1.42, 18.98], rtol=0.1)
    assert (distance_bounds(many, random_state=0) == distance_bounds(many, random_state=0)).all()


BAD_PAIRS = {
    "(0, 60).*from 0 to 59": ([[1, 2], [0, 60]], [1, 1]),
    r"row 0: \(-1, 2\)": ([[-1, 2], [0, 3]], [1, 1]),
    r"row 1: \(0.5, 3.0\)": ([[1, 2], [0.5, 3]], [1, 1]),
    r"shape \(1, 3\)": ([[0, 1, 2]], [1]),
    r"shape \(0, 2\)": (np.empty((0, 2), int), []),
    r"values of shape \(3,\); it must be \(2,\)": ([[1, 2], [0, 3]], [1, 1, 1]),
    "row 1: nan": ([[1, 2], [0, 3]], [1, np.nan]),
}


@pytest.mark.parametrize("message", BAD_PAIRS)
@pytest.mark.parametrize("model", [ITML(), LEGO()])
def test_bad_pairs_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, *BAD_PAIRS[message])


def test_bad_values_of_pairs_and_parameters_are_named():
    with pytest.raises(ValueError, match=r"pairs, row 1: 0; y must be 1 \(similar\) or -1"):
        ITML().fit(X, [[0, 1], [1, 2]], [1, 0])
    with pytest.raises(ValueError, match="pairs, row 0: -2; targets must be finite"):
        LEGO().fit(X, [[0, 1]], [-2.0])
    for model, name in (
        (ITML(gamma=0), "gamma=0"),
        (ITML(gamma=np.inf), "gamma=inf"),
        (ITML(max_iter=0), "max_iter=0"),
        (LEGO(eta=-1), "eta=-1"),
    ):
        with pytest.raises(ValueError, match=name):
            model.fit(X, PAIRS, SIDES if isinstance(model, ITML) else TARGETS)
