"""The objective of points and weights: by hand, by differences, and with any number of threads."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from closerthan._core.vectors import pad
from closerthan.losses import CKL, STE, TSTE
from closerthan_lab.people.weights import PeopleObjective, Places, Widths
from people.simulated import simulate

N, P = 12, 5
POINTS, _, ANSWERS = simulate(0, n_objects=N, n_people=P, n_answers=40)
PERSON = ANSWERS.participant
WIDTHS = Widths(scale=0.5, weights=0.3)


def objective(loss=None, comparisons=ANSWERS.comparisons, weights=None):
    places = Places(comparisons, PERSON, N)
    weights = np.ones(len(PERSON)) if weights is None else weights
    return PeopleObjective(loss or STE(), places, (N, 2), np.arange(P), WIDTHS, 0.02, weights)


def some_V(seed=0):
    return pad(np.random.default_rng(seed).normal(size=(N + P, 2)))


def by_hand(V, loss, comparisons, weights):
    """Return objective and lapse rates from their definition, with the prior as a density."""
    z = V[N:, :2]
    scales = np.sqrt(2) * 0.5 * z.mean(axis=1, keepdims=True)
    t = 0.3 * (z - z.mean(axis=1, keepdims=True)) + scales
    t -= t.mean(axis=0)
    probability = np.empty(len(comparisons))
    for number, (row, p) in enumerate(zip(comparisons, PERSON, strict=True)):
        points = V[:N, :2] * np.exp(t[p] / 2)
        i, j, l, k = points[row if len(row) == 4 else row[[0, 1, 0, 2]]]
        losses = loss.values(((i - j) ** 2).sum(), ((l - k) ** 2).sum())
        probability[number] = np.exp(-losses.item())

    def of_person(lapse, own):
        mixed = lapse / 2 + (1 - lapse) * probability[own]
        return -(weights[own] @ np.log(mixed) + 5 * np.log(1 - lapse / 2)) / weights.mean()

    each = [
        minimize_scalar(
            of_person, args=(own,), bounds=(0, 0.99), method="bounded", options={"xatol": 1e-9}
        )
        for own in np.arange(P)[:, None] == PERSON
    ]
    ridge = 0.02 * (V[:N] ** 2).sum() / N
    value = sum(one.fun for one in each) / len(PERSON) + ridge
    return value + 0.5 * (z**2).sum() / weights.sum(), [one.x for one in each]


@pytest.mark.parametrize("loss", [STE(), CKL(), TSTE(alpha=5.0)])
def test_value_is_the_mean_loss_at_each_persons_places_plus_the_prior(loss):
    weights = np.random.default_rng(1).uniform(0.5, 2.0, len(PERSON))
    quadruplets = np.random.default_rng(2).random((len(PERSON), N)).argsort(axis=1)[:, :4]
    for comparisons in (ANSWERS.comparisons, quadruplets):
        tested = objective(loss, comparisons, weights)
        value, lapses = by_hand(some_V(), loss, comparisons, weights)
        assert tested.value(some_V()) == pytest.approx(value, rel=1e-8)
        np.testing.assert_allclose(tested.lapses, lapses, atol=1e-3)
        assert (tested.lapses > 0.05).any() or isinstance(loss, TSTE)


@pytest.mark.parametrize("loss", [STE(), CKL(), TSTE(alpha=5.0)])
def test_gradient_by_differences(loss):
    tested, V, step = objective(loss), some_V(), 1e-5
    value, gradient = tested.value_and_gradient(V, np.empty_like(V))
    assert value == pytest.approx(tested.value(V), rel=1e-13)
    for row, column in np.ndindex(N + P, 2):
        near, far = V.copy(), V.copy()
        near[row, column] -= step
        far[row, column] += step
        slope = (tested.value(far) - tested.value(near)) / (2 * step)
        assert gradient[row, column] == pytest.approx(slope, abs=1e-8)


def test_impossible_answers_of_weight_zero_change_nothing():
    """Their probabilities underflow, and nobody lapses."""
    V = pad(np.zeros((N + P, 2)))
    V[:N, 0] = 100 * np.arange(N) ** 2
    i, j, k = V[:, 0][ANSWERS.comparisons].T
    tested = objective(weights=(np.abs(i - j) < np.abs(i - k)).astype(float))
    value, gradient = tested.value_and_gradient(V, np.empty_like(V))
    assert not tested.lapses.any()
    assert np.isfinite(value) and np.isfinite(gradient).all()


def test_log_weights_have_a_mean_of_zero_over_people():
    np.testing.assert_allclose(objective().logs(some_V()).mean(axis=0), 0, atol=1e-15)


def test_the_prior_has_the_given_widths():
    z = np.random.default_rng(0).normal(size=(200_000, 3))
    logs = WIDTHS.to_logs(z)
    scales = logs.mean(axis=1)
    assert scales.std() == pytest.approx(0.5, rel=0.01)
    assert np.cov((logs - scales[:, None]).T)[0, 0] == pytest.approx(0.09 * 2 / 3, rel=0.02)
    np.testing.assert_allclose(np.linalg.inv(np.cov(logs.T)), WIDTHS.precision(3), atol=0.2)
