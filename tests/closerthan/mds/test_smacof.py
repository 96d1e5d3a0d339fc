"""SMACOF beside scikit-learn's, and beside its formula with weights."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.manifold import smacof

from closerthan.mds import SMACOF
from closerthan.mds import smacof as smacof_module
from closerthan.scores import procrustes_distance
from mds import plain


def _fit(D, weights=None, **settings):
    model = SMACOF(metric="precomputed", random_state=0, **settings)
    return model.fit(D, weights=weights)


@pytest.mark.parametrize("n", [4, 33, 100])
@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_it_takes_the_path_of_scikit_learn(n, n_components):
    start, D, _ = plain.random_problem(n, n_components, n)
    for max_iter, eps in [(1, 1e-6), (20, 0.0), (300, 1e-4)]:
        expected, stress, n_iter = smacof(
            D, init=start, n_init=1, max_iter=max_iter, eps=eps, return_n_iter=True
        )
        model = _fit(
            D, init=start, accelerate=False, n_components=n_components, max_iter=max_iter, eps=eps
        )
        np.testing.assert_allclose(model.embedding_, expected - expected.mean(axis=0), atol=1e-8)
        np.testing.assert_allclose(model.stress_, stress, rtol=1e-8)
        if eps > 0:  # else rounding alone says when it ends
            assert model.n_iter_ == n_iter


@pytest.mark.parametrize("accelerate", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_stress_never_rises_and_is_that_of_the_embedding(weighted, accelerate):
    _, D, W = plain.random_problem(60, 2, 1, weighted)
    model = _fit(D, W, eps=0, max_iter=100, accelerate=accelerate)
    history = model.history_
    assert (history.stress.diff().iloc[1:] <= 1e-12 * history.stress.iloc[0]).all()
    np.testing.assert_allclose(model.stress_, plain.stress(model.embedding_, D, W), rtol=1e-12)
    np.testing.assert_allclose(history.stress.iloc[-1], model.stress_, rtol=1e-10)
    assert model.n_iter_ == 100 == len(history) - 1
    passes = history.evaluations.diff().iloc[1:] / (60 * 59)
    assert set(passes) <= ({1.0, 2.0} if accelerate else {1.0})


@pytest.mark.parametrize("weighted", [False, True])
def test_it_ends_at_a_minimum_and_sooner_than_by_plain_steps(weighted):
    start, D, W = plain.random_problem(80, 2, 7, weighted)
    slow = _fit(D, W, init=start, accelerate=False, eps=0, max_iter=2000)
    fast = _fit(D, W, init=start, eps=1e-13)
    lowest = plain.stress(fast.embedding_, D, W)
    for i, c in [(0, 0), (5, 1), (79, 0)]:
        for step in (-0.01, 0.01):
            moved = fast.embedding_.copy()
            moved[i, c] += step
            assert plain.stress(moved, D, W) > lowest
    level = 1.001 * max(slow.stress_, fast.stress_)
    epochs = [np.argmax(model.history_.stress <= level) for model in (slow, fast)]
    assert epochs[1] < epochs[0] / 2


def test_it_does_not_stop_high():
    digits = load_digits().data[::3]
    model = SMACOF(random_state=0).fit(digits)
    further = SMACOF(init=model.embedding_, accelerate=False, eps=0, max_iter=300).fit(digits)
    assert model.stress_ < 1.0005 * further.stress_


def test_a_weighted_iteration_is_the_guttman_transform():
    start, D, W = plain.random_problem(25, 2, 2, weighted=True)
    found = _fit(D, W, init=start, max_iter=1).embedding_  # the first step is plain
    U = np.diag(W.sum(axis=1)) - W
    R = -np.where(W > 0, W * np.nan_to_num(D), 0.0) / (plain.distances(start) + np.eye(25))
    R -= np.diag(R.sum(axis=1))
    np.testing.assert_allclose(found, np.linalg.pinv(U) @ R @ start, atol=1e-10)


def test_points_in_parts_that_nothing_joins_have_a_generalized_inverse():
    _, _, W = plain.random_problem(30, 2, 8, weighted=True)
    W[:12, 12:] = W[12:, :12] = 0.0
    for size, link in [(1e-6, 0), (1.0, 0), (1e6, 0), (1.0, 1e-9)]:
        W[0, 12] = W[12, 0] = link
        U = size * (np.diag(W.sum(axis=1)) - W)
        expected = np.linalg.pinv(U, rcond=1e-13, hermitian=True) * size
        found = smacof_module._pseudo_inverse(U) * size
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-10)


def test_it_finds_points_and_places_new_ones():
    points = np.random.default_rng(1).normal(size=(100, 2))
    model = SMACOF(init="classical_mds", random_state=0).fit(points[:90])
    assert procrustes_distance(points[:90], model.embedding_, scale=False) < 1e-9
    all_ = np.vstack([model.embedding_, model.transform(points[90:])])
    assert procrustes_distance(points, all_, scale=False) < 1e-6
