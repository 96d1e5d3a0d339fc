"""Check the gradients of penalties, how every solver uses them, and how the strength is chosen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from closerthan._core.vectors import pad
from closerthan.comparisons import (
    from_rankings,
    sample_from_points,
    swap_answers,
)
from closerthan.losses import make_loss
from closerthan.optimize.objective import Objective
from closerthan.ordinal.problem import Problem
from closerthan.penalties import LowRank, Penalty, Ridge
from plain_fit import plain_embedding
from slow_reference import assert_gradient

PENALTIES = [Ridge(), LowRank(), LowRank(power=0.5, epsilon=0.01)]


def noisy(seed, n=40, n_triplets=800, p=2):
    """Return triplets of points with 15 % swapped, and other triplets without errors."""
    points = np.random.default_rng(seed).normal(size=(n, p))
    train = sample_from_points(points, n_triplets, random_state=seed)
    test = sample_from_points(points, 5000, random_state=seed + 1)
    return swap_answers(train, 0.15, random_state=seed)[0], test


def objective_of(penalty, strength, loss="ste", p=3, seed=0, n=12):
    points = np.random.default_rng(seed).normal(size=(n, p))
    triplets = sample_from_points(points, 100, random_state=seed)
    return Objective(make_loss(loss), triplets, (n, p), penalty=penalty, strength=strength)


@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_the_penalty_is_the_sum_over_singular_values(penalty, seed):
    X = np.random.default_rng(seed).normal(size=(12, 3))
    plain, penalized = (objective_of(penalty, s).value(pad(X)) for s in (0.0, 0.7))
    variances = np.linalg.svd(X, compute_uv=False) ** 2 / len(X)
    if isinstance(penalty, Ridge):
        expected = (X**2).sum() / len(X)
    else:
        half, e = penalty.power / 2, penalty.epsilon
        expected = sum((s + e) ** half - e**half for s in variances)
    np.testing.assert_allclose(penalized - plain, 0.7 * expected)


@pytest.mark.parametrize("loss", ["ste", "t-ste", "gnmds", "ckl", "soe"])
@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
def test_the_gradient_is_that_of_finite_differences(penalty, loss):
    objective = objective_of(penalty, 0.4, loss)
    X = pad(np.random.default_rng(1).normal(size=(12, 3)))
    gradient = assert_gradient(objective, X, 1e-6, rtol=1e-4, atol=1e-8)
    np.testing.assert_array_equal(gradient, objective.gradient(X, np.empty_like(X)))
    assert (gradient[:, 3:] == 0).all()


@pytest.mark.parametrize("p", [1, 2, 3, 8, 9, 32])
@given(seed=st.integers(0, 2**32 - 1), rank=st.integers(0, 40), power=st.sampled_from([0.5, 1.0]))
@settings(max_examples=10)
def test_what_is_compiled_is_the_penalty(p, seed, rank, power):
    """Points have any number of dimensions; some dimensions are empty or equally wide."""
    X = np.random.default_rng(seed).normal(size=(12, p)) * np.geomspace(2, 0.01, p)
    if power == 1.0:
        X = np.linalg.qr(X)[0] @ np.eye(min(12, p), p)
    X[:, rank:] = 0.0
    X = pad(X @ np.linalg.qr(np.random.default_rng(seed).normal(size=(p, p)))[0])
    found = []
    for add_to in (LowRank.add_to, Penalty.add_to):
        gradient = np.zeros_like(X)
        value = add_to(LowRank(power), gradient, X, p, 0.4)
        found.append([value, *gradient.ravel()])
    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
@pytest.mark.parametrize("solver", ["auto", "minibatch-sgd", "batch", "sgd", "svrg"])
def test_every_solver_comes_to_the_minimum(penalty, solver):
    """No solver leaves the minimum of L-BFGS, and all reach it from other starts."""
    triplets, _ = noisy(0)
    fit = plain_embedding(3, penalty=penalty, strength=0.1, tol=1e-9, max_iter=2000, random_state=0)
    objective = Objective(make_loss("ste"), triplets, (40, 3), penalty=penalty, strength=0.1)
    best = clone(fit).set_params(solver="l-bfgs").fit(triplets).embedding_
    least = objective.value(pad(best))
    at_best = clone(fit).set_params(solver=solver, init=best, max_iter=100).fit(triplets)
    assert objective.value(pad(at_best.embedding_)) < 1.02 * least
    found = objective.value(pad(clone(fit).set_params(solver=solver).fit(triplets).embedding_))
    plain = clone(fit).set_params(solver="l-bfgs", penalty=None).fit(triplets).embedding_
    assert found < 1.015 * least < 0.999 * objective.value(pad(plain))


def test_threads_of_blas_change_no_bit():
    objective = objective_of(LowRank(), 0.1, p=132, n=400)
    X = pad(np.random.default_rng(0).normal(size=(400, 132)))
    found = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads):
            found.append(objective.value_and_gradient(X, np.empty_like(X)))
    assert found[0][0] == found[1][0]
    np.testing.assert_array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize(
    ("loss", "penalty"), [("ste", "ridge"), ("soe", "ridge"), ("t-ste", "low-rank")]
)
def test_the_chosen_strength_brings_most_of_what_the_best_would(loss, penalty):
    """The means of three fits in ten dimensions; without a penalty they would fit the noise."""
    plain, chosen, best = [], [], []
    for seed in range(3):
        train, test = noisy(seed)
        model = plain_embedding(10, loss=loss, penalty=penalty, strength="auto", random_state=seed)

        def error(model, train=train, test=test, **options):
            return 1 - clone(model).set_params(**options).fit(train).score(test)

        plain.append(error(model, penalty=None))
        chosen.append(error(model))
        best.append(min(error(model, strength=strength) for strength in (0.01, 0.03, 0.1, 0.3, 1)))
    assert np.mean(best) < 0.85 * np.mean(plain)
    assert np.mean(chosen) < 0.6 * np.mean(best) + 0.4 * np.mean(plain)


def test_a_part_of_many_answers_tells_the_strength_for_all():
    """The best strength for 25,000 answers is 0.001 to 0.003; for 2,000, ten times as much."""
    strengths = []
    for seed in range(6):
        train, _ = noisy(seed, n_triplets=25_000)
        options = {"penalty": "ridge", "strength": "auto", "init": "random"}
        model = plain_embedding(2, loss="t-ste", **options, random_state=seed)
        strengths.append(model.fit(train).strength_)
    assert np.exp(np.mean(np.log(strengths))) < 0.004


def test_the_path_is_kept_and_its_best_taken():
    """Random answers cannot be predicted at any strength, so all strengths are tried."""
    train, _ = noisy(1)
    model = plain_embedding(10, penalty="ridge", strength="auto", random_state=0).fit(train)
    path = model.path_
    assert (np.diff(path["strength"]) > 0).all() and len(path) >= 3
    assert model.strength_ == path["strength"][path["error"] == path["error"].min()].min()
    swapped = model.fit(swap_answers(train, 0.5, random_state=0)[0]).path_
    assert path["error"].median() < 0.4 and swapped["error"].median() > 0.45
    np.testing.assert_allclose(swapped["strength"], np.geomspace(0.001, 10, 9))


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_a_question_is_held_out_whole(seed):
    rng = np.random.default_rng(seed)
    triplets = np.array([rng.permutation(6)[:3] for _ in range(300)])
    held = Problem.of(triplets, triplets, 6, 2)[0].hold_out(rng)
    question = [(i, frozenset((j, k))) for i, j, k in triplets.tolist()]
    sides = {}
    for asked, side in zip(question, held, strict=True):
        assert sides.setdefault(asked, side) == side
    rankings = np.array([rng.permutation(6) for _ in range(100)])
    answers = from_rankings(rankings[:, 0], rankings[:, 1:4])
    held = Problem.of(answers, answers.comparisons, 6, 2)[0].hold_out(rng)
    by_question = answers.question[answers.screen]
    for asked in np.unique(by_question):
        assert len(np.unique(held[by_question == asked])) == 1


@pytest.mark.parametrize("lapse", [0, "auto"])
def test_what_is_held_out_has_weight(lapse):
    train, _ = noisy(0)
    weights = (np.arange(len(train)) < 12).astype(float)
    options = {"penalty": "ridge", "strength": "auto", "lapse": lapse}
    model = plain_embedding(2, **options, random_state=0)
    with pytest.raises(ValueError, match=r"would hold out \d of 12 comparisons with weight"):
        model.fit(train, sample_weight=weights)
