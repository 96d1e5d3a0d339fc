"""Check LMNN: its objective and gradient, the optimum, and its refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from class_pairs import matrix_of
from class_points import D, X, Y, classes
from closerthan_study.baselines import LMNN
from closerthan_study.baselines.lmnn import LMNNObjective


def _slow_lmnn(L, X, y, k, mu):
    """Return eps(L), eq. (13), term by term; the target neighbors; the number of active hinges."""
    pull = push = active = 0
    targets = []
    for i in range(len(X)):
        mates = [j for j in range(len(X)) if y[j] == y[i] and j != i]
        mates.sort(key=lambda j: ((X[i] - X[j]) ** 2).sum())
        targets.append(mates[:k])
        for j in mates[:k]:
            near = ((L @ (X[i] - X[j])) ** 2).sum()
            pull += near
            for l in np.flatnonzero(y != y[i]):
                hinge = 1 + near - ((L @ (X[i] - X[l])) ** 2).sum()
                push += max(hinge, 0)
                active += hinge > 0
    return (1 - mu) * pull + mu * push, np.array(targets), active


def _objective(X, y, k, mu):
    order = np.argsort(y, kind="stable")
    targets = _slow_lmnn(np.eye(X.shape[1]), X, y, k, mu)[1]
    return LMNNObjective(X[order], y[order], np.argsort(order)[targets[order]], mu)


@given(
    seed=st.integers(0, 10_000),
    k=st.integers(1, 4),
    rows=st.integers(1, 6),
    d=st.integers(2, 6),
    mu=st.floats(0.01, 0.99),
)
def test_the_objective_of_lmnn_is_the_papers(seed, k, rows, d, mu):
    rng = np.random.default_rng(seed)
    X, y = classes(seed, n_classes=3, n_each=6, d=d)
    L = rng.normal(size=(rows, d)) * 0.4
    objective = _objective(X, y, k, mu)
    value, gradient = objective(L)
    slow_value, _, active = _slow_lmnn(L, X, y, k, mu)
    np.testing.assert_allclose(value, slow_value, rtol=1e-10)
    assert objective.n_active == active
    direction = rng.normal(size=L.shape)
    h = 1e-6
    difference = (objective(L + h * direction)[0] - objective(L - h * direction)[0]) / (2 * h)
    np.testing.assert_allclose(np.vdot(gradient, direction), difference, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("options", [{}, {"mu": 0.2}])
def test_lmnn_descends_to_what_its_history_says(options):
    model = LMNN(n_neighbors=2, **options).fit(X, Y)
    history = model.history_
    value, targets, active = _slow_lmnn(model.components_, X, Y, 2, model.mu)
    np.testing.assert_array_equal(model.target_neighbors_, targets)
    np.testing.assert_allclose(history["objective"].iloc[-1], value, rtol=1e-10)
    assert history["active"].iloc[-1] == active
    assert len(history) == model.n_iter_ + 1
    assert (np.diff(history["objective"]) <= 0).all()
    assert history["objective"].iloc[-1] < 0.8 * history["objective"].iloc[0]


def test_lmnn_finds_the_one_optimum():
    # The problem is convex in M, so no direction leads below the minimum.
    rng = np.random.default_rng(3)
    model = LMNN(tol=1e-7, max_iter=2000).fit(X, Y)
    lowest = model.history_["objective"].iloc[-1]
    objective = _objective(X, Y, 3, 0.5)
    M = matrix_of(model)
    for _ in range(100):
        A = rng.normal(size=(D, D)) * np.sqrt(np.trace(M) / D) / np.sqrt(D)
        for step in (1e-3, 1e-2, 0.1, 1.0):
            L = np.linalg.cholesky(M + step * (A.T @ A - M) + 1e-12 * np.eye(D)).T
            assert objective(L)[0] > lowest * (1 - 1e-3)


def test_lmnn_refuses_what_it_cannot_learn_from():
    y = np.where(np.arange(len(Y)) < 3, 9, Y % 2)
    with pytest.raises(ValueError, match=r"n_neighbors = 3, n_samples_fit = 3"):
        LMNN().fit(X, y)
    for options in ({"mu": 0}, {"mu": 1.0}, {"n_neighbors": 0}, {"max_iter": 0}):
        with pytest.raises(ValueError, match=f"{next(iter(options))}="):
            LMNN(**options).fit(X, Y)
