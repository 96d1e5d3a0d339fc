"""Check how lapses change likelihood and gradient, and whether fits find them.

Answers are simulated from the model, so the lapse rate and the points are known.
"""

import numpy as np
import pytest
from sklearn.base import clone

from closerthan._core.vectors import pad
from closerthan.comparisons import Answers
from closerthan.losses import CKL, STE, TSTE, make_loss
from closerthan.optimize.lapse import LapsingObjective, likeliest_lapse, with_lapses
from closerthan.scores import expected_calibration_error, log_loss
from plain_fit import plain_embedding
from slow_reference import assert_gradient, squared_distances


def simulated(lapse, *, loss="ste", n=6000, scale=1.0, seed=0, n_objects=40, p=2):
    """Return answers from the model at known points: some to fit, others to score."""
    rng = np.random.default_rng(seed)
    points = scale * rng.normal(size=(n_objects, p))

    def answer(n):
        triplets = np.array([rng.permutation(n_objects)[:3] for _ in range(n)])
        probability = make_loss(loss).probability(*squared_distances(points, triplets), p)
        other = rng.random(n) >= lapse / 2 + (1 - lapse) * probability
        triplets[other] = triplets[other][:, [0, 2, 1]]
        return triplets

    return answer(n), answer(10_000)


def objective_and_points(loss, lapse, weights):
    """Return an objective of 700 triplets; two in three agree with the points."""
    rng = np.random.default_rng(0)
    X = 2 * rng.normal(size=(12, 3))
    triplets = np.array([rng.permutation(12)[:3] for _ in range(700)])
    near, far = squared_distances(X, triplets)
    wrong = (near > far) ^ (np.arange(700) % 3 == 0)
    triplets[wrong] = triplets[wrong][:, [0, 2, 1]]
    objective = LapsingObjective(loss, triplets, (12, 3), weights)
    objective.allow(lapse)
    return objective, triplets, X


# --- the objective ------------------------------------------------------------------------------


@pytest.mark.parametrize("lapse", [0.2, None])
@pytest.mark.parametrize("loss", [STE(), TSTE(), CKL(0.3)])
def test_the_objective_is_the_log_loss_of_the_mixture(loss, lapse):
    """The gradient equals the finite difference, also with an estimated rate.

    The estimated rate differs from place to place.
    """
    weights = np.random.default_rng(1).exponential(size=700)
    objective, triplets, X = objective_and_points(loss, lapse, weights)
    assert_gradient(objective, pad(X), 1e-5, rtol=1e-5, atol=1e-9)
    value = objective.value(pad(X))
    assert 0.01 < objective.lapse < 0.9
    probability = loss.probability(*squared_distances(X, triplets), 3)
    mixed = objective.lapse / 2 + (1 - objective.lapse) * probability
    np.testing.assert_allclose(value, np.average(-np.log(mixed), weights=weights), rtol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_the_rate_is_the_likeliest(seed):
    rng = np.random.default_rng(seed)
    probability = rng.beta(4, 1, size=300)
    probability[rng.random(300) < 0.05 * (seed % 4)] *= 1e-6
    weights = rng.integers(0, 3, size=300).astype(float)
    found = likeliest_lapse(probability, weights, start=rng.random())
    rates = np.linspace(0, 0.99, 991)
    likelihood = [weights @ np.log(with_lapses(probability, rate)) for rate in rates]
    assert weights @ np.log(with_lapses(probability, found)) >= max(likelihood) - 1e-9
    assert abs(found - rates[np.argmax(likelihood)]) <= 0.001


@pytest.mark.parametrize(
    ("probability", "expected"),
    [
        ([1.0, 1.0], 0.0),
        ([0.5, 0.5], 0.0),
        ([0.0, 0.0], 0.99),
        ([0.0, 1.0, 1.0, 1.0], 0.5),  # closed form: lapses are right as often as wrong
        ([1e-320, 1.0, 1.0, 1.0], 0.5),
        ([np.nan, 1.0], 0.0),
    ],
)
def test_rates_at_the_edge(probability, expected):
    for start in (0.0, 1e-9, 0.1, 0.99):
        found = likeliest_lapse(np.array(probability), np.ones(len(probability)), start)
        np.testing.assert_allclose(found, expected, atol=1e-8)


# --- the fit ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lapse", [0.0, 0.1, 0.3])
def test_the_rate_of_a_simulation_is_found(lapse):
    """Each of three rates from 6,000 answers is within 0.05, and their mean within 0.02.

    The standard error of one rate is 0.012 at 0.1 and 0.02 at 0.3, and there is no bias.
    """
    found = []
    for seed in range(3):
        train, test = simulated(lapse, seed=seed)
        plain = plain_embedding(random_state=seed).fit(train)
        model = plain_embedding(lapse="auto", random_state=seed).fit(train)
        found.append(model.lapse_)
        assert abs(model.lapse_ - lapse) < 0.05
        losses, gaps = (
            [score(m.predict_proba(test), test) for m in (plain, model)]
            for score in (log_loss, expected_calibration_error)
        )
        if lapse == 0.0:
            assert losses[1] < losses[0] + 0.002 and gaps[1] < gaps[0] + 0.005
        else:
            assert losses[1] < losses[0] - 0.005 and gaps[1] < 0.8 * gaps[0]
    assert abs(np.mean(found) - lapse) < 0.02


def test_the_likelihood_never_falls():
    train, _ = simulated(0.2)
    plain = plain_embedding(random_state=0).fit(train)
    model = plain_embedding(lapse="auto", random_state=0).fit(train)
    after = model.history_["loss"].to_numpy()[plain.n_iter_ - 1 :]
    assert len(after) > 5 and (np.diff(after) <= 0).all()
    np.testing.assert_allclose(log_loss(model.predict_proba(train), train), after[-1], rtol=1e-9)
    assert (np.diff(model.history_["evaluations"]) > 0).all()
    best = [log_loss(with_lapses(_of_the_loss(model, train), r), train) for r in (0.18, 0.2, 0.22)]
    assert after[-1] <= min(best)


def _of_the_loss(model, triplets):
    return STE().probability(*squared_distances(model.embedding_, triplets))


def test_without_lapses_nothing_changes():
    train, _ = simulated(0.2, n=1000)
    plain = plain_embedding(random_state=0).fit(train)
    none = plain_embedding(lapse=0, random_state=0).fit(train)
    np.testing.assert_array_equal(plain.embedding_, none.embedding_)
    np.testing.assert_array_equal(plain.predict_proba(train)[:, 1], _of_the_loss(plain, train))
    assert plain.lapse_ == none.lapse_ == 0.0
    assert plain_embedding(loss="soe", random_state=0).fit(train).lapse_ == 0.0


def test_a_penalty_and_its_strength_go_with_lapses():
    """Few answers are certain except for lapses, so the scale would grow without a penalty."""
    train, test = simulated(0.3, n=2500, scale=2.0)
    lapse, ridge = {"lapse": "auto"}, {"penalty": "ridge", "strength": "auto"}
    *others, both = (
        plain_embedding(random_state=0, **options).fit(train)
        for options in ({}, lapse, ridge, lapse | ridge)
    )
    losses = [log_loss(model.predict_proba(test), test) for model in others]
    found = log_loss(both.predict_proba(test), test)
    assert (found < np.array(losses) - [0.03, 0.01, 0.03]).all()
    assert both.strength_ == both.path_["strength"][both.path_["error"].idxmin()]
    np.testing.assert_allclose(both.path_["error"].min(), found, atol=0.03)
    assert 0.15 < both.lapse_ < 0.35


def test_weights_count():
    """Random answers without weight add no lapses; weights count as repeated answers."""
    train, _ = simulated(0.1, n=4000)
    rubbish, _ = simulated(0.99, n=4000)
    both = Answers(np.vstack([train, rubbish]), weight=np.repeat([1.0, 0.0], 4000))
    model = plain_embedding(lapse="auto", solver="minibatch-sgd", random_state=0)
    assert abs(clone(model).fit(both).lapse_ - 0.1) < 0.03
    assert clone(model).fit(np.asarray(both)).lapse_ > 0.3
    times = np.random.default_rng(0).integers(1, 4, size=4000)
    repeated = clone(model).fit(np.repeat(train, times, axis=0))
    weighed = clone(model).fit(Answers(train, weight=times))
    np.testing.assert_allclose(weighed.lapse_, repeated.lapse_, atol=0.005)


def test_quadruplets_change_nothing():
    train, _ = simulated(0.2, n=2000)
    model = plain_embedding(lapse="auto", solver="l-bfgs", random_state=0).fit(train)
    quadruplets = clone(model).fit(train[:, [0, 1, 0, 2]])
    np.testing.assert_array_equal(model.embedding_, quadruplets.embedding_)


def test_the_callback_ends_both_fits():
    train, _ = simulated(0.2)
    seen = []

    def callback(points, row):
        seen.append(row["loss"])
        return len(seen) == 4

    model = plain_embedding(lapse="auto", callback=callback, random_state=0).fit(train)
    assert model.n_iter_ == len(seen) == 4
    rate = likeliest_lapse(_of_the_loss(model, train), np.ones(len(train)))
    np.testing.assert_allclose(model.lapse_, rate, atol=1e-8)  # at the current points


def test_new_objects_are_placed_with_lapses():
    """No place around the new object is likelier, given the lapse rate."""
    train, _ = simulated(0.2, n=8000)
    old = (train < 39).all(axis=1)
    model = plain_embedding(lapse="auto", random_state=0).fit(train[old])
    whole = np.vstack([model.embedding_, model.transform(train[~old])])

    def loss(points):
        probability = STE().probability(*squared_distances(points, train[~old]))
        return -np.log(with_lapses(probability, model.lapse_)).sum()

    least = loss(whole)
    for move in 0.05 * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]]):
        moved = whole.copy()
        moved[39] += move
        assert loss(moved) > least
