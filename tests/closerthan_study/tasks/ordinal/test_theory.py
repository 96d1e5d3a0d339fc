"""Check the theorems' conditions against finite differences and printed examples."""

import numpy as np
import pandas as pd
import pytest

from closerthan.losses import make_loss
from closerthan.optimize.objective import secant_step
from closerthan_study.tasks.ordinal.theory import (
    gains_22,
    hessians,
    largest_batch,
    module_factor,
    over_bound_22,
    over_bound_25,
    over_bound_28,
    smoothness,
)


@pytest.mark.parametrize("name", ["ste", "t-ste", "ckl"])
def test_hessian_agrees_with_differences_of_the_gradient(name):
    loss = make_loss(name)
    rng = np.random.default_rng(0)
    x = rng.normal(size=9)

    def gradient(x):
        i, j, k = x.reshape(3, 3)
        near, far = i - j, i - k
        da, db = (slope[0] for slope in loss.slopes([near @ near], [far @ far], 3))
        return 2 * np.concatenate([da * near + db * far, -da * near, -db * far])

    step = 1e-6 * np.eye(9)
    differences = np.array([(gradient(x + h) - gradient(x - h)) / 2e-6 for h in step])
    (found,) = hessians(loss, x.reshape(3, 3), np.array([[0, 1, 2]]))
    np.testing.assert_allclose(found, differences, atol=1e-6)


def test_lemma_4_prints_the_hessian_of_ste_which_is_bounded_with_the_points():
    eye, x = np.eye(2), np.random.default_rng(2).normal(size=6)
    m = np.kron([[0, -1, 1], [-1, 1, 0], [1, 0, -1]], eye)  # x' M x is d2_ij - d2_ik
    e = np.exp(x @ m @ x)
    printed = 4 * e / (1 + e) ** 2 * np.outer(m @ x, m @ x) + 2 * e / (1 + e) * m  # eq. (55)
    (found,) = hessians(make_loss("ste"), x.reshape(3, 2), np.array([[0, 1, 2]]))
    np.testing.assert_allclose(found, printed, atol=1e-8)
    norm = np.linalg.norm(m, 2)
    assert np.abs(np.linalg.eigvalsh(found)).max() <= norm**2 * (x @ x) + 2 * norm


def test_lemma_4_does_not_hold_for_gnmds_at_its_kink():
    below, above = (make_loss("gnmds").slopes([1.0], [2.0 + d])[0].item() for d in (-1e-9, 1e-9))
    assert (below, above) == (1.0, 0.0)


def test_example_1_has_a_step_of_the_wrong_sign_and_one_that_is_not_a_number():
    a = np.diag([1.0, 0.0, -1.0])

    def steps(x, epsilon):
        dx = -0.5 * a @ x  # a gradient step
        printed = dx @ dx / (dx @ a @ dx) if dx.any() else np.nan  # eq. (10)
        return printed, secant_step(dx[None], (a @ dx)[None], epsilon)

    assert steps(np.array([0.0, 0.0, 1.0]), 0.0) == (-1.0, 1.0)
    assert np.isnan(steps(np.array([0.0, 1.0, 0.0]), 0.1)).all()


def test_corollary_1_bounds_the_step_of_a_definite_hessian_and_of_no_other():
    rng, mu, smoothness, epsilon = np.random.default_rng(3), 0.5, 4.0, 0.2
    a = np.diag(rng.uniform(mu, smoothness, 5))
    for dx in rng.normal(size=(20, 1, 5)):
        step = secant_step(dx, dx @ a, epsilon)
        assert 1 / (smoothness + epsilon) <= step <= 1 / (mu + epsilon)
    # The magnitudes of both eigenvalues are 1, and yet the curvature of this move is 0.
    dx = np.array([[1.0, 1.0]])
    assert secant_step(dx, dx @ np.diag([1.0, -1.0]), epsilon) == pytest.approx(1 / epsilon)


def test_smoothness_is_the_largest_of_the_triplets():
    loss = make_loss("ste")
    points = np.random.default_rng(1).normal(size=(6, 2))
    triplets = np.array([[0, 1, 2], [3, 4, 5], [1, 5, 0]])
    each = [smoothness(loss, points, triplets[[row]]) for row in range(3)]
    assert smoothness(loss, points, triplets) == max(each)


def test_the_bound_at_equal_epsilon_and_smoothness_is_the_one_worked_out_in_the_paper():
    # Section 4.1: with epsilon = L and m = 2 (1 + sqrt 5) n, the bound is n.
    n = 500
    m = 2 * (1 + np.sqrt(5)) * n
    assert largest_batch(3.0, 3.0, m) == pytest.approx(n)


def curve_of(loss, squared_gradient, step_size=0.01, n=100):
    """Return a curve with an outer iteration every three epochs of n evaluations."""
    epoch = np.arange(len(loss), dtype=float)
    curve = pd.DataFrame({"epoch": epoch, "evaluations": n * epoch, "mean_loss": loss})
    curve["step_size"], curve["squared_gradient"] = step_size, squared_gradient
    curve.loc[0, ["mean_loss", "step_size", "squared_gradient"]] = np.nan
    curve["mean_squared_gradient"] = curve.squared_gradient.expanding().mean()
    return curve


def test_bound_25_is_four_excesses_over_what_was_drawn_times_the_least_step():
    # One outer iteration of 100 comparisons gives 4 * 2.5 / (100 * 0.01) = 10; two give 5.
    curve = curve_of(np.full(7, 3.0), np.full(7, 4.0))
    assert over_bound_25(curve, 0.5) == pytest.approx(4 / 5)
    curve.loc[4:, "step_size"] = 0.005  # the least step counts, which loosens the bound
    assert over_bound_25(curve, 0.5) == pytest.approx(4 / 10)


def recursion(step, smoothness, m):
    """Return (22) and Gamma of each inner step by (19) to (21), with beta of (23) and b = 1."""
    beta = 4 * m * step**2 * smoothness**3
    rho = 1 + step * beta + 2 * step**2 * smoothness**2
    left, gains, c = [], [], 0.0
    for _ in range(m):  # from t = m - 1 down to 0, with c of t + 1
        left.append(step * (smoothness + 2 * c) + c / beta)
        gains.append(step * (1 - c / beta - step * (smoothness + 2 * c)))
        c = rho * c + step**2 * smoothness**3
    return max(left), min(gains)


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_the_gains_of_theorem_1_are_those_of_its_recursion(share):
    m, step, smoothness = 50, share / (50 * 3.0), 3.0
    np.testing.assert_allclose(gains_22(step, smoothness, m), recursion(step, smoothness, m))


@pytest.mark.parametrize("ratio", [0.03, 0.3, 1.0])
def test_22_follows_from_29_and_from_24_only_without_a_factor_that_the_proof_loses(ratio):
    # (29) asks 4 m^2 eta^3 L^3 + 2 m eta^2 L^2 to be below 1. At eta = 1 / (m epsilon), the largest
    # of (15), and r = epsilon / L this is 4 / (m r^3) + 2 / (m r^2). The proof has m^2 r^3 instead.
    def gains(m):
        return gains_22(1 / (m * ratio), 1.0, m), 1 / (m * ratio)

    (left, gain), step = gains(int(4 / ratio**3 + 2 / ratio**2) + 1)
    assert left < 1 and gain >= step / 4
    m = int(1 / largest_batch(ratio, 1.0, 1)) + 1  # a mini-batch of one is just within (24)
    assert (gains(m)[0][0] > 1) == (ratio < 0.5)


def test_bound_22_is_the_excess_over_what_was_drawn_times_the_least_gain():
    curve = curve_of(np.full(7, 3.0), np.full(7, 4.0), step_size=1e-4)
    _, gain = gains_22(1e-4, 5.0, 100)
    _, ratio = over_bound_22(curve, 0.5, 5.0)
    assert ratio == pytest.approx(4 * 200 * gain / 2.5)
    curve.loc[4:, "step_size"] = 1e-2  # beyond (22), which the largest left side says
    left, ratio = over_bound_22(curve, 0.5, 5.0)
    assert left > 1 and left == gains_22(1e-2, 5.0, 100)[0] and np.isnan(ratio)


def test_a_quadratic_has_the_polyak_lojasiewicz_constant_of_its_curvature():
    # f = c x^2 / 2 has |f'|^2 = c^2 x^2 = 2 c f.
    curvature, loss = 0.7, 0.9 ** np.arange(61.0)
    curve = curve_of(loss, 2 * curvature * loss)
    drawn = 100 * 20 / 4
    assert module_factor(curve, 0.0, 4) == pytest.approx(curvature * drawn * 0.01 / 2)


def test_bound_28_is_that_of_every_module_and_says_nothing_below_one():
    loss = 0.9 ** np.arange(61.0)
    curve = curve_of(loss, 2 * 0.7 * loss)
    factor = module_factor(curve, 0.0, 4)
    ends = loss[[15, 30, 45, 60]] / loss[1] * factor ** np.arange(1.0, 5)
    assert factor > 1 and over_bound_28(curve, 0.0, 4) == pytest.approx(ends.max())
    assert np.isnan(over_bound_28(curve_of(loss, 1e-6 * loss), 0.0, 4))


def test_a_run_that_diverges_keeps_no_bound():
    curve = curve_of(np.full(7, 3.0), np.full(7, 4.0))
    curve.loc[5:, ["squared_gradient", "mean_loss"]] = np.nan
    assert np.isinf(over_bound_25(curve, 0.5)) and np.isnan(module_factor(curve, 0.5, 2))
