"""Compare ProjectedKernel's updates with a full eigendecomposition; check its lower bounds."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from closerthan.kernels.lanczos import bound_from_inverse, bound_from_steps
from closerthan.kernels.projection import BOUNDS, GRADIENTS, RULES, ProjectedKernel
from closerthan.kernels.triangle import (
    add_gathered,
    enlarge_triangle,
    gather_term,
    make_triangle,
    multiply,
    multiply_three,
    squared_kernel_distance,
    to_dense,
)
from kernels import plain

LARGEST = {"symmetric": np.sqrt(3), "paper": 3.0}  # largest eigenvalue of G
SLOPE = {"symmetric": 6.0, "paper": 10.0}

both_gradients = pytest.mark.parametrize("gradient", GRADIENTS)
every_rule = pytest.mark.parametrize("rule", RULES)


def check_steps(kernel, triplets, rule, deltas, margin, every=1):
    """Follow triplets one by one; compare each update with the formulas and with `eigh`."""
    n = kernel.n_objects
    records = []
    for t, (triplet, delta) in enumerate(zip(triplets, deltas, strict=True)):
        before = kernel.to_dense() if t % every == 0 else None
        [[held, size, eigenvalue]] = kernel.follow(
            triplet[None], rule, np.array([float(delta)]), margin
        )
        records.append((held, size, eigenvalue))
        if before is None:
            continue
        K = kernel.to_dense()
        np.testing.assert_array_equal(K, K.T)
        accuracy = 1e-10 * max(np.linalg.norm(K), np.linalg.norm(before))
        assert abs(held - plain.margin_of(triplet, before)) <= accuracy
        expected = plain.step_size(rule, held, delta, margin, kernel.gradient)
        np.testing.assert_allclose(size, expected, rtol=1e-12)
        stepped = before - size * plain.gradient_of(triplet, n, kernel.gradient)
        values = np.linalg.eigvalsh(stepped)
        assert (values < -accuracy).sum() <= 1
        assert np.linalg.norm(K - plain.clip_eigenvalues(stepped)) <= accuracy
        assert np.linalg.eigvalsh(K)[0] >= -accuracy
        assert abs(eigenvalue - min(0.0, values[0])) <= accuracy
        assert kernel._bounds.min() <= max(0.0, values[0]) + accuracy
    return np.array(records)


@both_gradients
def test_the_gradient_and_its_eigenvalues(gradient):
    G = GRADIENTS[gradient]
    np.testing.assert_array_equal(G.matrix, plain.gradient_of((0, 1, 2), 3, gradient))
    e = LARGEST[gradient]
    np.testing.assert_allclose(np.linalg.eigvalsh(G.matrix), [-e, 0, e], atol=1e-14)
    np.testing.assert_allclose(G.eigenvalue, e)
    np.testing.assert_allclose(e * (np.outer(G.u, G.u) - np.outer(G.w, G.w)), G.matrix, atol=1e-14)
    K = np.random.default_rng(0).normal(size=(3, 3))
    K = K + K.T
    more = plain.margin_of((0, 1, 2), K - 0.5 * G.matrix) - plain.margin_of((0, 1, 2), K)
    np.testing.assert_allclose(more, 0.5 * SLOPE[gradient])
    assert G.slope == SLOPE[gradient]


@given(
    n=st.integers(3, 40),
    seed=st.integers(0, 10_000),
    scale=st.sampled_from([0.0, 0.3, 1.0, 5.0]),
    gradient=st.sampled_from(list(GRADIENTS)),
    rule=st.sampled_from(list(RULES)),
    size=st.floats(-3, 3),
    kind=st.sampled_from(["true", "conflicting", "repeated"]),
    bound=st.sampled_from(BOUNDS),
)
@example(3, 0, 0.0, "paper", "gnmds", 3, "conflicting", "paper")
@example(4, 1, 1.0, "symmetric", "ste", 3, "conflicting", "objects")
@settings(max_examples=30)
def test_every_update_is_the_projection(n, seed, scale, gradient, rule, size, kind, bound):
    rng = np.random.default_rng(seed)
    triplets = plain.random_triplets(n, 40, seed, noise=0.5 if kind == "conflicting" else 0.0)
    if kind == "repeated":
        triplets = triplets[rng.integers(0, 3, 40)]
    deltas = 10**size * rng.uniform(0.5, 1.5, 40)
    check_steps(ProjectedKernel(n, scale, gradient, bound), triplets, rule, deltas, 10**size)


@both_gradients
@every_rule
def test_long_runs_stay_exact(gradient, rule):
    # The run refreshes the inverse often and adds gathered terms.
    n = 20
    triplets = plain.random_triplets(n, 1500, seed=5, noise=0.2)
    kernel = ProjectedKernel(n, 1.0, gradient)
    deltas = np.full(1500, 1.0 if rule == "passive-aggressive" else 0.3)
    records = check_steps(kernel, triplets, rule, deltas, 1.0, every=17)
    assert (records[:, 2] < 0).sum() > 200


def test_150_objects():
    kernel = ProjectedKernel(150, 0.05, "symmetric")
    triplets = plain.random_triplets(150, 450, seed=6)
    records = check_steps(
        kernel, triplets, "passive-aggressive", np.ones(len(triplets)), 1.0, every=9
    )
    assert (records[:, 2] < 0).sum() > 300


def test_steps_of_many_sizes():
    # The shift does not fit a large step after small ones, or a small one after large ones.
    n = 15
    triplets = plain.random_triplets(n, 300, seed=7, noise=0.3)
    deltas = 10.0 ** np.random.default_rng(7).uniform(-6, 6, 300)
    check_steps(ProjectedKernel(n, 1.0, "symmetric"), triplets, "ste", deltas, 1.0)


@both_gradients
def test_a_wrong_inverse_costs_time_and_no_accuracy(gradient):
    n = 12
    triplets = plain.random_triplets(n, 220, seed=8, noise=0.3)
    kernel = ProjectedKernel(n, 0.3, gradient)
    ones = np.ones(200)
    kernel.follow(triplets[:200], "passive-aggressive", ones, 1.0)
    for triplet in triplets[200:]:
        for age in (0, 1):  # a new inverse makes the projection use all eigenvalues
            kernel._inverse.lower[:] = np.eye(n)
            kernel._inverse.n_gathered[0] = 0
            kernel._state.age = age
            check_steps(kernel, triplet[None], "passive-aggressive", ones[:1], 1.0)


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_step_without_the_inverse_counts_in_later_bounds(bound):
    # No triplet joins the two groups of objects. The third step needs no inverse, so the inverse
    # lacks it. The fourth step, in the other group, renews the bounds of the first group too.
    triplets = np.array([[0, 1, 2], [0, 2, 1], [0, 1, 2], [3, 4, 5], [0, 1, 2]])
    lowered_by = np.array([1.2, 0.5, 0.4, 0.6, 0.3])
    kernel = ProjectedKernel(6, 1.0, "symmetric", bound)
    records = check_steps(kernel, triplets, "gnmds", lowered_by / LARGEST["symmetric"], 1e9)
    np.testing.assert_allclose(records[:, 2], [-0.2, 0, 0, 0, -0.2], atol=1e-12)


@given(seed=st.integers(0, 10_000), bound=st.sampled_from(BOUNDS))
@settings(max_examples=30)
def test_groups_of_objects_without_common_triplets(seed, bound):
    rng = np.random.default_rng(seed)
    triplets = np.array([rng.permutation(4)[:3] + 4 * rng.integers(2) for _ in range(60)])
    kernel = ProjectedKernel(8, 1.0, "symmetric", bound)
    check_steps(kernel, triplets, "gnmds", rng.uniform(0.0, 0.5, 60), 1e9)


@both_gradients
def test_the_inverse_follows_the_kernel(gradient):
    # A wrong inverse would still give exact results, only slowly.
    kernel = ProjectedKernel(40, 0.3, gradient)
    for n, n_triplets in ((40, 100), (45, 5)):
        kernel.grow(n)
        for _ in range(2):  # after new objects, and after steps
            if kernel._state.age:
                shifted = kernel.to_dense() + kernel._state.shift * np.eye(n)
                inverse = to_dense(kernel._inverse)
                np.testing.assert_allclose(inverse @ shifted, np.eye(n), atol=1e-8)
            triplets = plain.random_triplets(n, n_triplets, seed=n)
            kernel.follow(triplets, "passive-aggressive", np.ones(n_triplets), 1.0)
    assert kernel._state.age > 0


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize(
    ("n", "n_triplets", "scale", "every", "rule"),
    [
        (300, 900, 4.0, 60, "passive-aggressive"),
        (60, 400, 3.0, 3, "passive-aggressive"),
        (10, 200, 20.0, 1, "gnmds"),
        (3, 120, 12.0, 1, "gnmds"),
    ],
)
def test_the_bound_never_exceeds_the_smallest_eigenvalue(n, n_triplets, scale, every, rule, bound):
    # Few objects soon fill the log of steps, and then the bound comes from the kernel.
    margin = 1.0 if rule == "passive-aggressive" else 1e9  # forces a step each time
    triplets = plain.random_triplets(n, n_triplets, seed=n, noise=0.5)
    kernel = ProjectedKernel(n, scale, "symmetric", bound)
    for start in range(0, n_triplets, every):
        piece = triplets[start : start + every]
        kernel.follow(piece, rule, np.full(len(piece), 0.2), margin)
        K = kernel.to_dense()
        smallest = np.linalg.eigvalsh(K)[0]
        assert kernel._bounds.min() <= smallest + 1e-12 * scale
        assert np.linalg.eigvalsh(K - np.diag(kernel._bounds))[0] >= -1e-12 * scale
    assert kernel.n_eigenpairs >= (3 if bound == "paper" or n == 3 else 0)
    assert smallest > 0
    assert (kernel._state.n_steps > len(kernel._log.sizes)) == (n < 300)


@both_gradients
def test_each_object_pays_for_its_own_triplets_alone(gradient):
    # If no two triplets share an object, one step determines the smallest eigenvalue.
    n_steps = 40
    triplets = np.random.default_rng(12).permutation(3 * n_steps).reshape(-1, 3)
    scale = 1.01 * LARGEST[gradient]
    kernels = [ProjectedKernel(3 * n_steps, scale, gradient, bound) for bound in BOUNDS]
    for kernel in kernels:
        kernel.follow(triplets, "gnmds", np.ones(n_steps), 1e9)
        np.testing.assert_allclose(kernels[0].to_dense(), kernel.to_dense(), atol=1e-12)
    objects, paper = kernels
    assert objects.n_eigenpairs == 0
    np.testing.assert_allclose(objects._bounds.min(), np.linalg.eigvalsh(objects.to_dense())[0])
    assert paper.n_eigenpairs >= n_steps - 1


@pytest.mark.parametrize("n", [20, 150])
def test_bounds_hold_for_every_random_start(n):
    triplets = plain.random_triplets(n, 2 * n, seed=n, noise=0.3)
    kernel = ProjectedKernel(n, 4.0, "symmetric")
    kernel.follow(triplets, "passive-aggressive", np.ones(len(triplets)), 1.0)
    smallest = np.linalg.eigvalsh(kernel.to_dense())[0]
    shift = 0.3
    P = enlarge_triangle(make_triangle(), n, 1)
    P.lower[:] = np.linalg.inv(kernel.to_dense() + shift * np.eye(n))
    rng = np.random.default_rng(10)
    for _ in range(150):
        start = rng.normal(size=n) / np.sqrt(n)
        step = triplets[-1], 0.0, start
        sparse = kernel._log, kernel._state.n_steps, GRADIENTS["symmetric"]
        found = (
            bound_from_steps(kernel._kernel, *sparse, *step),
            bound_from_inverse(P, shift, start),
        )
        assert 0.97 * smallest <= min(found) <= max(found) <= smallest


@pytest.mark.parametrize("gradient", GRADIENTS)
def test_the_bound_of_an_indefinite_kernel_is_negative(gradient):
    n = 30
    kernel = ProjectedKernel(n, 1.0, gradient)
    start = np.random.default_rng(11).normal(size=n) / np.sqrt(n)
    for size, sign in ((0.9 / LARGEST[gradient], 1), (1.1 / LARGEST[gradient], -1)):
        bound = bound_from_steps(
            *(kernel._kernel, kernel._log, 0, GRADIENTS[gradient], np.array([3, 9, 20])),
            *(size, start),
        )
        assert np.sign(bound) == sign


def test_the_bound_holds_where_objects_come_after_the_log_was_full():
    # Four objects have a log of 64 steps, so it misses some of the 100 steps. The log of 200
    # objects has room for all.
    kernel = ProjectedKernel(4, 20.0, "symmetric", "paper")
    n_eigenpairs = []
    for n, n_triplets in ((4, 100), (200, 300)):
        kernel.grow(n)
        for triplet in plain.random_triplets(4, n_triplets, seed=n, noise=0.5):
            kernel.follow(triplet[None], "gnmds", np.array([0.2]), 1e9)
            K = kernel.to_dense()
            # No triplet names the other objects, so each is an eigenvector with eigenvalue 20.
            np.testing.assert_array_equal(K[4:], 20.0 * np.eye(n)[4:])
            assert kernel._bounds.min() <= min(20.0, np.linalg.eigvalsh(K[:4, :4])[0]) + 1e-10
        n_eigenpairs.append(kernel.n_eigenpairs)
    assert n_eigenpairs[1] > n_eigenpairs[0] > 0


@pytest.mark.parametrize(
    ("n", "n_triplets", "scale", "noise", "gradient"),
    [
        (20, 400, 1.0, 0.0, "symmetric"),
        (40, 400, 3.0, 0.0, "paper"),
        (40, 500, 5.0, 0.3, "symmetric"),
        (30, 300, 2.0, 0.5, "symmetric"),
        (8, 300, 1.0, 0.5, "paper"),
    ],
)
def test_eigenpairs_are_counted_as_by_the_papers_rule(n, n_triplets, scale, noise, gradient):
    # The paper restarts its bound at the eigenvalue itself; ours restarts a fiftieth below it.
    triplets = plain.random_triplets(n, n_triplets, 1, noise)
    kernel = ProjectedKernel(n, scale, gradient, "paper")
    kernel.follow(triplets, "passive-aggressive", np.ones(n_triplets), 1.0)
    K, n_eigenpairs = plain.follow(scale * np.eye(n), triplets, gradient)
    assert n_eigenpairs <= kernel.n_eigenpairs <= 1.04 * n_eigenpairs + 1
    np.testing.assert_allclose(kernel.to_dense(), K, atol=1e-10 * np.linalg.norm(K))


@given(seed=st.integers(0, 10_000), n=st.integers(1, 21))
def test_triangles_are_symmetric_matrices(seed, n):
    rng = np.random.default_rng(seed)
    A = enlarge_triangle(make_triangle(), n, 5)
    A.lower[:] = rng.normal(size=(n, n))
    full = np.tril(A.lower) + np.tril(A.lower, -1).T
    for r in range(5):
        x = rng.normal(size=n)
        gather_term(A, (-1.0) ** r, x)
        full += (-1.0) ** r * np.outer(x, x)
    close = {"rtol": 1e-12, "atol": 1e-12 * np.abs(full).max() * n}
    np.testing.assert_allclose(to_dense(A), full, **close)
    larger = enlarge_triangle(A, n + 2, 8)
    full = np.pad(full, (0, 2))
    for _ in range(2):  # gathered terms apart from the triangle, then added to it
        np.testing.assert_allclose(to_dense(larger), full, **close)
        x, out = rng.normal(size=n + 2), np.empty(n + 2)
        multiply(larger, x, out)
        np.testing.assert_allclose(out, full @ x, **close)
        rows = rng.integers(0, n + 2, 3)
        multiply_three(larger, rows, x[:3], out)
        np.testing.assert_allclose(out, full[:, rows] @ x[:3], **close)
        i, j = rows[:2]
        d2 = full[i, i] - 2 * full[i, j] + full[j, j]
        np.testing.assert_allclose(squared_kernel_distance(larger, i, j), max(0, d2), **close)
        add_gathered(larger)
        assert larger.n_gathered[0] == 0
