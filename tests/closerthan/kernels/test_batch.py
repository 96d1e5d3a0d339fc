"""Check BatchKernel: gradient, projection, convex optimum, trace, points and predictions."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slow_reference as slow
from closerthan import BatchKernel
from closerthan.comparisons import sample_from_points, to_quadruplets
from closerthan.kernels import KernelObjective
from closerthan.losses import make_loss
from closerthan.similarity.accumulator import nearest_psd
from plain_fit import plain_embedding

N = 12
KINDS = {"triplets": slow.random_triplets, "quadruplets": slow.random_quadruplets}
TRUTH = np.random.default_rng(3).normal(size=(N, 2))
# Some answers are wrong, which keeps the optimum finite.
CLEAN = sample_from_points(TRUTH, 400, random_state=0)
NOISY = np.vstack([CLEAN, CLEAN[:80, [0, 2, 1]]])


def _random_kernel(rng, n=N, rank=N):
    points = rng.normal(size=(n, rank))
    return points @ points.T


def _objective(loss, quadruplets, weights=None, tau=0.0):
    return KernelObjective(make_loss(loss), quadruplets, (N, 2), weights, tau=tau)


def _squared_distances(K):
    return np.diag(K)[:, None] - 2 * K + np.diag(K)


def _slow_value(loss, K, quadruplets, weights):
    i, j, l, k = quadruplets.T
    D = _squared_distances(K)
    return np.average(slow.LOSSES[loss](D[i, j], D[l, k], 2)[0], weights=weights)


@pytest.mark.parametrize("loss", slow.LOSSES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_comparisons", [40, 255, 256, 257])
@pytest.mark.parametrize("tau", [0.0, 7.0])  # weight of the trace beside the sum of the losses
def test_the_value_is_the_formula(loss, kind, n_comparisons, tau):
    rng = np.random.default_rng(0)
    K, quadruplets = _random_kernel(rng), KINDS[kind](rng, N, n_comparisons)
    for weights in (None, rng.uniform(0, 2, n_comparisons)):
        value = _objective(loss, quadruplets, weights, tau).value(K)
        total = n_comparisons if weights is None else weights.sum()
        expected = _slow_value(loss, K, quadruplets, weights) + tau * np.trace(K) / total
        np.testing.assert_allclose(value, expected, rtol=1e-12)


@pytest.mark.parametrize("loss", slow.LOSSES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tau", [0.0, 30.0])
def test_the_gradient_is_symmetric_and_the_finite_difference(loss, kind, tau):
    rng = np.random.default_rng(1)
    K, quadruplets = _random_kernel(rng), KINDS[kind](rng, N, 300)
    objective = _objective(loss, quadruplets, rng.uniform(0, 2, 300), tau)
    value, gradient = objective.value_and_gradient(K, np.full((N, N), np.nan))
    assert value == objective.value(K)
    np.testing.assert_array_equal(gradient, gradient.T)
    for _ in range(20):
        direction = rng.normal(size=(N, N))
        direction += direction.T
        h = 1e-6
        difference = objective.value(K + h * direction) - objective.value(K - h * direction)
        slope = np.vdot(gradient, direction)
        np.testing.assert_allclose(difference / (2 * h), slope, rtol=1e-4, atol=1e-8)


@pytest.mark.parametrize("project", [partial(KernelObjective.project, None), nearest_psd])
@given(seed=st.integers(0, 10_000), n=st.integers(1, 9), shift=st.floats(-3, 3))
def test_the_projection_is_the_nearest_positive_semidefinite_matrix(project, seed, n, shift):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n))
    A = A + A.T + shift * np.eye(n)
    projected = project(A)
    values, vectors = np.linalg.eigh(A)
    nearest = sum(max(v, 0) * np.outer(x, x) for v, x in zip(values, vectors.T, strict=True))
    np.testing.assert_allclose(projected, nearest, atol=1e-12 * np.linalg.norm(A))
    np.testing.assert_array_equal(projected, projected.T)
    assert np.linalg.eigvalsh(projected)[0] >= -1e-10 * np.linalg.norm(A)
    other = _random_kernel(rng, n, n)
    np.testing.assert_allclose(project(other), other, atol=1e-10)


@pytest.mark.parametrize("loss", ["ste", "gnmds"])
@pytest.mark.parametrize("comparisons", [NOISY, to_quadruplets(NOISY)], ids=["three", "four"])
def test_every_start_leads_to_the_one_optimum_of_a_convex_loss(loss, comparisons):
    options = {"max_iter": 3000, "tol": 1e-9}
    accuracy = 1e-3
    if loss == "gnmds":  # its kinks need short steps
        options |= {"step": "fixed", "step_size": 0.1}
        accuracy = 2e-3
    starts = ["identity", _random_kernel(np.random.default_rng(4)), np.zeros((N, N))]
    models = [BatchKernel(loss, init=start, **options).fit(comparisons) for start in starts]
    losses = [model.history_["loss"].min() for model in models]
    np.testing.assert_allclose(losses, losses[0], rtol=accuracy)
    for model in models:
        K = model.kernel_
        np.testing.assert_array_equal(K, K.T)
        assert np.linalg.eigvalsh(K)[0] >= -1e-10 * np.linalg.norm(K)

    # Points of any dimension are kernels too, so none of them is better.
    for n_components in (2, N):
        points = plain_embedding(n_components, loss=loss, solver="l-bfgs", tol=1e-6, random_state=0)
        fit = points.fit(comparisons)
        assert min(losses) <= fit.history_["loss"].min() * (1 + accuracy)
    assert abs(fit.history_["loss"].min() / min(losses) - 1) < 0.02


@pytest.mark.parametrize("tau", [0.0, 1.0, 10.0])
def test_the_conditions_of_a_minimum_hold(tau):
    # K and the gradient are positive semidefinite, and their product is zero.
    model = BatchKernel("ste", tau=tau, max_iter=5000, tol=1e-11).fit(NOISY)
    K, quadruplets = model.kernel_, to_quadruplets(NOISY)
    gradient = _objective("ste", quadruplets, tau=tau).gradient(K, np.empty((N, N)))
    start = _objective("ste", quadruplets, tau=tau).gradient(np.eye(N), np.empty((N, N)))
    scale = np.linalg.norm(start)
    assert np.linalg.eigvalsh(gradient)[0] >= -1e-3 * scale
    assert np.linalg.norm(gradient @ K) <= 1e-3 * scale * np.linalg.norm(K)
    if tau:  # large enough for a useful test
        assert np.linalg.norm(gradient) > 1e-2 * scale


def test_fixed_steps_in_plain_numpy():
    quadruplets = to_quadruplets(NOISY)
    i, j, l, k = quadruplets.T
    K = np.eye(N)
    for _ in range(5):
        gradient = np.zeros((N, N))
        D = _squared_distances(K)
        _, da, db = slow.LOSSES["ste"](D[i, j], D[l, k], 2)
        for rows, columns, slopes in ((i, j, da), (l, k, db)):
            for r, c, slope in zip(rows, columns, slopes / len(NOISY), strict=True):
                e = np.eye(N)[r] - np.eye(N)[c]
                gradient += slope * np.outer(e, e)
        values, vectors = np.linalg.eigh(K - 3.0 * N * gradient)
        K = vectors @ np.diag(np.maximum(values, 0)) @ vectors.T
    found = BatchKernel("ste", step="fixed", step_size=3.0, max_iter=5, tol=0.0).fit(NOISY)
    np.testing.assert_allclose(found.kernel_, K, atol=1e-10 * np.linalg.norm(K))


def test_points_of_a_kernel():
    model = BatchKernel(max_iter=1).fit(CLEAN)
    points = TRUTH + 5.0
    model.kernel_ = points @ points.T
    for n_components in (2, 3):
        X = model.embedding(n_components)
        assert X.shape == (N, n_components)
        np.testing.assert_allclose(
            _squared_distances(X @ X.T), _squared_distances(TRUTH @ TRUTH.T), atol=1e-10
        )
        np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-6)
    lengths = np.linalg.norm(model.embedding(2), axis=0)
    assert lengths[0] > lengths[1]
    line = model.embedding(1)
    np.testing.assert_allclose(line, model.embedding(2)[:, :1], atol=1e-10)
    for bad in (0, N + 1, 1.5):
        with pytest.raises(ValueError, match=f"n_components={bad}"):
            model.embedding(bad)


_LOPSIDED = np.eye(N)
_LOPSIDED[2, 5] = 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"init": "zero"}, "init='zero'.*'identity' or a kernel"),
        ({"init": np.eye(3)}, r"init has shape \(3, 3\).*\(12, 12\)"),
        ({"init": _LOPSIDED}, r"init, row 2, column 5: 0\.5 is not .* must be symmetric"),
        ({"init": -np.eye(N)}, "eigenvalue -1; it must be positive"),
        ({"step": "newton"}, "step='newton'"),
        ({"loss": "hinge"}, "loss='hinge'"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"tau": -0.1}, "tau=-0.1; it must be finite and not negative"),
        ({"n_objects": 5}, r"allowed are 0 to 4"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        BatchKernel(**options).fit(NOISY)
