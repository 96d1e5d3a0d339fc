"""Check difference scaling: closed forms, the likelihood, recovery, coverage and bad input."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import logistic, norm, spearmanr
from sklearn.exceptions import ConvergenceWarning

from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers, to_quadruplets
from closerthan.comparisons.check import exchange_where
from closerthan_lab.datasets import load
from closerthan_lab.datasets.mlds import SETS
from closerthan_lab.scale import DifferenceScale, _gaps_between, _Likelihood

FIVE = [[0, 1, 2, 3], [2, 4, 0, 1], [1, 3, 0, 4], [0, 4, 1, 2], [1, 2, 3, 4]]
NOISE = {"probit": norm, "logit": logistic}
SCALE = np.linspace(0, 1, 11) ** 2


# All questions about four of eleven stimuli, the lower two against the upper two.
QUESTIONS = np.array(list(combinations(range(11), 4)))


def simulated(n_answers, seed=0, scale=SCALE, sigma=0.15, noise="normal"):
    """Return answers to random questions; `sigma` may be a function of the questions."""
    rng = np.random.default_rng(seed)
    asked = QUESTIONS[rng.integers(len(QUESTIONS), size=n_answers)]
    a, b, c, d = scale[asked.T]
    sigma = sigma(asked) if callable(sigma) else sigma
    seen = (d - c) - (b - a) + sigma * getattr(rng, noise)(size=n_answers)
    return exchange_where(asked, seen <= 0)


@pytest.mark.parametrize("link", NOISE)
@pytest.mark.parametrize("lapse", [0.0, 0.1])
def test_three_stimuli_have_a_closed_form(link, lapse):
    """Anchored at one end, a question compares a gap with nothing: the probability gives it."""
    yes, n = np.array([70, 90]), 100
    rows = [[2, 1, 0], [0, 1, 2]]  # the first gap, the second gap
    X = np.repeat([*rows, *np.array(rows)[:, [0, 2, 1]]], [*yes, *(n - yes)], axis=0)
    model = DifferenceScale(link, lapse=lapse).fit(X, order=[0, 1, 2])
    p = (yes / n - lapse / 2) / (1 - lapse)
    first, second = gaps = NOISE[link].ppf(p)
    total = gaps.sum()
    np.testing.assert_allclose(model.scale_, [0, first / total, 1], atol=1e-6)
    assert model.sigma_ == pytest.approx(1 / total, rel=1e-5)
    assert model.deviance_ == pytest.approx(
        -2 * n * (yes / n * np.log(yes / n) + (1 - yes / n) * np.log(1 - yes / n)).sum()
    )
    v = yes / n * (1 - yes / n) / n / ((1 - lapse) * NOISE[link].pdf(gaps)) ** 2
    error = np.sqrt(second**2 * v[0] + first**2 * v[1]) / total**2
    np.testing.assert_allclose(model.standard_error_, [0, error, 0], rtol=1e-4)


@pytest.mark.parametrize("link", NOISE)
@pytest.mark.parametrize("lapse", [0.0, 0.07, None])
def test_the_likelihood_is_that_of_a_loop_and_has_its_gradient(link, lapse):
    answers, weights = simulated(60), np.random.default_rng(0).uniform(0.5, 2, size=60)
    likelihood = _Likelihood(_gaps_between(answers, 10), weights, link, lapse)
    gaps = np.linspace(0.5, 2, 10)
    value, gradient = likelihood(gaps)
    scale, expected = np.append(0, np.cumsum(gaps)), 0.0
    for (i, j, l, k), weight in zip(answers, weights, strict=True):
        p = NOISE[link].cdf(abs(scale[l] - scale[k]) - abs(scale[i] - scale[j]))
        expected -= weight * np.log(likelihood.lapse / 2 + (1 - likelihood.lapse) * p)
    assert value == pytest.approx(expected)
    slopes = approx_fprime(gaps, lambda x: likelihood(x)[0], 1e-6)
    np.testing.assert_allclose(gradient, slopes, rtol=1e-3, atol=1e-3)


def test_no_other_scale_is_likelier():
    answers, rng = simulated(500), np.random.default_rng(0)
    model = DifferenceScale().fit(answers, order=range(11))
    likelihood = _Likelihood(_gaps_between(answers, 10), np.ones(500), "probit", 0.0)
    gaps = np.diff(model.scale_) / model.sigma_
    assert 2 * likelihood(gaps)[0] == pytest.approx(model.deviance_)
    assert model.deviance_ == pytest.approx(-2 * np.log(model.predict_proba(answers)[:, 1]).sum())
    for _ in range(100):
        assert likelihood(gaps + 0.1 * rng.normal(size=10))[0] > model.deviance_ / 2


@pytest.mark.parametrize("n_answers", [300, 3000])
def test_intervals_hold_the_scale_as_often_as_they_say(n_answers):
    held = []
    for seed in range(500):
        model = DifferenceScale().fit(simulated(n_answers, seed), order=range(11))
        found = model.intervals(0.9)
        held.append(((found.low <= SCALE) & (found.high >= SCALE))[1:-1].mean())
    assert 0.87 <= np.mean(held) <= 0.93


@pytest.mark.parametrize("options", [{}, {"link": "logit"}, {"monotone": True}, {"lapse": "auto"}])
def test_scale_noise_and_lapses_are_recovered(options):
    answers = simulated(20_000, noise="logistic" if "link" in options else "normal")
    lapsed = np.random.default_rng(1).random(20_000) < (0.1 if "lapse" in options else 0)
    answers[lapsed] = exchange_where(answers[lapsed], np.arange(lapsed.sum()) % 2 == 1)
    model = DifferenceScale(**options).fit(answers, order=range(11))
    np.testing.assert_allclose(model.scale_, SCALE, atol=0.03)
    assert model.sigma_ == pytest.approx(0.15, rel=0.05)
    assert model.lapse_ == pytest.approx(lapsed.mean(), abs=0.02)
    assert model.score(answers) > 0.75


def test_the_lapse_rate_and_the_deviance_are_those_of_the_scale():
    answers = simulated(300, seed=3)
    answers[:30] = exchange_where(answers[:30], np.arange(30) % 2 == 1)
    model = DifferenceScale(lapse="auto").fit(answers, order=range(11))
    gaps = np.diff(model.scale_) / model.sigma_

    def deviance(lapse):
        design = _gaps_between(answers, 10)
        return 2 * _Likelihood(design, np.ones(300), "probit", lapse)(gaps)[0]

    assert model.lapse_ > 0.01
    assert model.deviance_ == pytest.approx(deviance(model.lapse_), rel=1e-13)
    assert deviance(model.lapse_) <= min(deviance(model.lapse_ + step) for step in (-1e-5, 1e-5))


def test_a_monotone_scale_never_falls():
    answers = simulated(100, seed=2)
    free, monotone = (
        DifferenceScale(monotone=m).fit(answers, order=range(11)) for m in (False, True)
    )
    assert np.diff(free.scale_).min() < 0 <= np.diff(monotone.scale_).min()
    assert free.deviance_ < monotone.deviance_


def test_ids_are_names_and_the_order_may_be_reversed():
    answers, ids = simulated(400), np.random.default_rng(0).permutation(14)[:11]
    one = DifferenceScale().fit(answers, order=range(11))
    other = DifferenceScale().fit(ids[answers], order=ids)
    back = DifferenceScale().fit(answers, order=range(10, -1, -1))
    np.testing.assert_allclose(other.scale_[ids], one.scale_, atol=1e-6)
    np.testing.assert_allclose(back.scale_, 1 - one.scale_, atol=1e-4)
    assert np.isnan(np.delete(other.scale_, ids)).all()
    assert other.intervals().stimulus.tolist() == ids.tolist()
    np.testing.assert_array_equal(other.predict(ids[answers]), one.predict(answers))
    np.testing.assert_array_equal(back.predict(answers), one.predict(answers))


def test_a_triplet_is_a_quadruplet_that_shares_a_stimulus():
    asked = np.array(list(combinations(range(11), 3)))[:, [1, 0, 2]]
    triplets = asked[np.random.default_rng(0).integers(len(asked), size=500)]
    quadruplets = to_quadruplets(triplets)
    yes = SCALE[quadruplets] @ [-2, 1, 0, 1] + 0.15 * np.random.default_rng(1).normal(size=500) > 0
    one = DifferenceScale().fit(triplets, yes, order=range(11))
    other = DifferenceScale().fit(quadruplets, yes, order=range(11))
    np.testing.assert_array_equal(one.scale_, other.scale_)
    assert spearmanr(one.scale_, SCALE)[0] > 0.95


def test_answers_that_depend_on_each_other_have_wider_intervals():
    """Each answer is given twice on a screen; people differ, and each is one unit."""
    answers = simulated(300)
    twice = Answers(np.repeat(answers, 2, axis=0), np.repeat(np.arange(300), 2))
    once, double = (DifferenceScale().fit(X, order=range(11)) for X in (answers, twice))
    np.testing.assert_allclose(once.standard_error_, double.standard_error_, rtol=0.2)
    scales = [np.linspace(0, 1, 11) ** power for power in np.linspace(0.6, 3, 20)]
    people = np.concatenate([simulated(100, s, scale) for s, scale in enumerate(scales)])
    people = Answers(people, participant=np.repeat(np.arange(20), 100))
    one, other = (
        DifferenceScale(by=by).fit(people, order=range(11)) for by in ("answers", "participant")
    )
    assert np.median(other.standard_error_ / np.maximum(one.standard_error_, 1e-9)) > 1.5


@pytest.mark.parametrize("name", SETS)
def test_scales_of_people_follow_the_order(name, mirror):
    answers = load(name, mirror=mirror).answers
    model = DifferenceScale().fit(answers, order=range(answers.comparisons.max() + 1))
    assert round(spearmanr(model.scale_, np.arange(len(model.scale_)))[0], 2) >= 0.92


@pytest.mark.parametrize("name", ["autumn_lab", "transparency", "kk1", "kk2", "kk3"])
def test_an_embedding_in_one_dimension_may_have_folded_if_another_order_fits_as_well(name, mirror):
    answers = load(f"mlds_{name}", mirror=mirror).answers
    said = "^a scale in one dimension can fold: .* scale the differences along"
    with pytest.warns(UserWarning, match=said) as caught:
        OrdinalEmbedding(1, random_state=0).fit(answers)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("sigma", "fits"), [(0.15, True), (lambda q: 0.02 + 0.3 * (q[:, 3] > 8), False)]
)
def test_answers_of_another_model_fail_the_test_of_runs(sigma, fits):
    """The noise of the other model depends on the stimuli."""
    answers = simulated(1000, sigma=sigma)
    model = DifferenceScale().fit(answers, order=range(11))
    assert (model.runs_test(answers, random_state=0) > 0.05) == fits


def test_the_answers_are_one_more_simulation_of_the_test_and_weights_are_ignored():
    answers = simulated(300)
    model = DifferenceScale().fit(answers, order=range(11))
    one, three = (model.runs_test(answers, n_simulations=n, random_state=0) for n in (1, 3))
    assert one in (1 / 2, 1) and three in (1 / 4, 1 / 2, 3 / 4, 1)
    weighted = Answers(answers, weight=np.arange(300) % 7)
    options = {"n_simulations": 99, "random_state": 0}
    assert model.runs_test(weighted, **options) == model.runs_test(answers, **options)


@pytest.mark.parametrize(
    ("order", "fault"),
    [
        (None, "order: give the ids of the stimuli from the lowest to the highest"),
        ([0, 1, 2, 3, 9], "order: only the answers have stimulus 4; name those"),
        ([0, 1, 2, 3, 4, 9], "order: only it has stimulus 9; name those"),
        ([0, 1, 2, 3, 4, 4], "order: it has stimulus 4 twice; name each once"),
        ([0, 1], "order: 2 stimuli; a scale needs three or more"),
        (list("abcde"), "order: only the answers have stimulus 0"),
    ],
)
def test_an_order_that_does_not_fit_is_refused(order, fault):
    with pytest.raises(ValueError, match=fault):
        DifferenceScale().fit(FIVE, order=order)


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ([[0, 1, 1, 0]], "compares a pair with itself"),
        ([[0, 1, 2, 3]], "they leave the step from number 1 to 2 of the order open"),
        (
            [[0, 1, 2], [0, 2, 1], [2, 0, 1], [2, 0, 1], [2, 1, 0]],
            "the answers put the last stimulus below",
        ),
    ],
)
def test_answers_that_give_no_scale_are_refused(answers, fault):
    with pytest.raises(ValueError, match=fault):
        DifferenceScale().fit(answers, order=np.unique(answers))


@pytest.mark.parametrize(
    "options", [{"link": "cauchit"}, {"lapse": 1}, {"by": "luck"}, {"by": "participant"}]
)
def test_a_wrong_parameter_is_named(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        DifferenceScale(**options).fit(FIVE, order=range(5))


def test_answers_without_errors_give_no_noise():
    with pytest.warns(ConvergenceWarning, match="no answer contradicts the scale"):
        model = DifferenceScale().fit(simulated(200, sigma=0), order=range(11))
    assert np.isnan(model.standard_error_[1:]).all()
    np.testing.assert_allclose(model.scale_, SCALE, atol=0.05)
