"""Check what the defaults choose: a start, a loss by its held-out error, and a prior."""

import numpy as np
import pytest
from sklearn.base import clone

from closerthan import OrdinalEmbedding
from closerthan._core.vectors import pad
from closerthan.comparisons import (
    Answers,
    from_rankings,
    sample_from_points,
    split,
    swap_answers,
)
from closerthan.comparisons.check import exchange_where
from closerthan.losses import STE, TSTE, SmoothSOE
from closerthan.ordinal.problem import Problem
from closerthan.ordinal.search import (
    Search,
    candidates,
    is_behind,
    principal_start,
    random_start,
)
from closerthan.penalties import Ridge
from plain_fit import plain_embedding
from slow_reference import random_quadruplets, squared_distances


def simulated(seed, n=40, p=2, n_triplets=2000, swapped=0.1, places=np.array, kind="triplets"):
    """Return triplets of normal points, changed by `places`; some triplets are swapped."""
    points = places(np.random.default_rng(seed).normal(size=(n, p)))
    if kind == "triplets":
        rows = sample_from_points(points, n_triplets, random_state=seed)
    else:
        rows = random_quadruplets(np.random.default_rng(seed), n, n_triplets)
        near, far = squared_distances(points, rows)
        rows = exchange_where(rows, near > far)
    return swap_answers(rows, swapped, random_state=seed)[0]


def ranked(seed, n=20, n_screens=120):
    """Rank four objects by noisy distances to a fifth: six weighted triplets a screen."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 2))
    shown = np.array([rng.permutation(n)[:5] for _ in range(n_screens)])
    distances = np.linalg.norm(points[shown[:, :1]] - points[shown[:, 1:]], axis=2)
    order = np.argsort(distances + rng.normal(scale=0.3, size=distances.shape), axis=1)
    return from_rankings(shown[:, 0], np.take_along_axis(shown[:, 1:], order, axis=1))


# --- the loss -----------------------------------------------------------------------------------


def problem_of(given, p=2):
    rows = np.asarray(given).astype(np.uint32)
    return Problem.of(given, rows, rows.max() + 1, p, getattr(given, "sample_weight", None))[0]


def test_comparisons_without_weight_take_no_places_of_others():
    rows = simulated(0)
    both = Answers(np.vstack([rows, rows[::-1]]), weight=np.repeat([1.0, 0.0], len(rows)))
    for most in (100, len(rows), len(rows) + 100):
        found = problem_of(both).thin(most)
        np.testing.assert_array_equal(found.comparisons, problem_of(rows).thin(most).comparisons)


def errors_of(given, seed=0):
    """Choose a loss from points that saw no answers; return the error of each loss."""
    problem = problem_of(given)
    strength = problem.shape[0] / (2 * problem.weights.sum())
    search = Search(problem, candidates()[0], Ridge(), strength, np.random.default_rng(seed))
    search.begin(random_start(*problem.shape, np.random.default_rng(seed)))
    search.choose_loss()
    return search.choice["error"]


@pytest.mark.parametrize(
    "given", [simulated(0, swapped=0.25), ranked(0)], ids=["triplets", "screens"]
)
def test_errors_are_those_of_fits_by_hand(given):
    """Errors agree within 0.04, because the choice stops its fits early; the least error wins."""
    comparisons = np.asarray(given)
    model = OrdinalEmbedding(random_state=0).fit(given)
    losses, errors = model.choice_["loss"], model.choice_["error"]
    assert list(map(repr, losses)) == ["TSTE(alpha=5.0)", "CKL()"]
    assert model.loss_ is losses[errors.argmin()]
    problem = problem_of(given)
    start = principal_start(problem, losses[0], np.random.default_rng(0))
    held = problem.hold_out(np.random.default_rng(0))
    for loss, error in zip(losses, errors, strict=True):
        # The prior counts for more with fewer answers.
        options = {"solver": "l-bfgs", "n_objects": len(start), "random_state": 0}
        rest = OrdinalEmbedding(loss=loss, init=start, **options)
        rest.fit(comparisons[~held], sample_weight=problem.weights[~held])
        held_out = rest.score(comparisons[held], sample_weight=problem.weights[held])
        assert error == pytest.approx(1 - held_out, abs=0.04)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_held_out_is_not_seen_by_the_fits(seed):
    """If the fits saw held-out answers, turning these would not give one minus each error."""
    triplets = simulated(1, swapped=0.25)
    held = problem_of(triplets).hold_out(np.random.default_rng(0))
    turned = np.where(held[:, None], triplets[:, [0, 2, 1]], triplets)
    errors, opposite = (errors_of(rows, seed) for rows in (triplets, turned))
    np.testing.assert_allclose(errors, 1 - opposite)
    np.testing.assert_allclose(errors * held.sum(), (errors * held.sum()).round(), atol=1e-9)


@pytest.mark.parametrize(("p", "swapped"), [(2, 0.0), (5, 0.0), (2, 0.02), (5, 0.02)])
def test_a_loss_for_rare_errors_is_chosen_where_answers_seldom_err(p, swapped):
    """STE or smooth SOE, with a strength of its own, misses far fewer answers than t-STE."""
    sure, ratios = 0, []
    for seed in range(4):
        n = 30 * p // 2 + 30  # more dimensions need more answers
        triplets = simulated(seed, n=n, p=p, n_triplets=80 * n * p // 2, swapped=swapped)
        train, test = split(triplets, 0.8, random_state=seed)
        model = OrdinalEmbedding(p, random_state=seed).fit(train)
        assert len(model.choice_) in (2, 3)
        sure += isinstance(model.loss_, STE | SmoothSOE)
        other = clone(model).set_params(loss=candidates()[0]).fit(train)
        ratios.append((1 - model.score(test)) / (1 - other.score(test)))
    assert sure >= 3 and np.median(ratios) < (0.8 if swapped == 0 else 1)


@pytest.mark.parametrize("screens", [1, 2])
def test_a_loss_is_behind_by_more_than_a_standard_error_or_kept(screens):
    """Count by hand, for comparisons alone and two a question."""
    rows = simulated(0, n_triplets=400)
    question = None if screens == 1 else np.arange(400) // 2
    problem = Problem(rows, (40, 2), question=question)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        missed, other = rng.random((2, 400)) < [[0.2], [0.17]]
        excess = (missed * 1.0 - other).reshape(-1, screens).sum(axis=1)
        expected = excess.mean() > np.sqrt(np.mean(excess**2) / len(excess))
        assert is_behind(problem, missed * 1.0, other * 1.0) == expected
        assert not is_behind(problem, missed * 1.0, missed * 1.0)


@pytest.mark.parametrize(
    ("behind", "losses"),
    [
        ([True, False], [SmoothSOE]),  # at once: its weaker penalty is not tried, nor is STE
        ([False, False, False], [SmoothSOE]),  # never, but the first loss is as good
        ([False, False, True, True, False], [SmoothSOE, STE]),
    ],
)
def test_a_loss_is_dropped_once_it_is_behind(monkeypatch, behind, losses):
    """Say in turn whether smooth SOE is behind with each penalty, the first loss, STE, ..."""
    turns = iter(behind)
    monkeypatch.setattr("closerthan.ordinal.search.is_behind", lambda *of: next(turns))
    found = OrdinalEmbedding(random_state=0).fit(simulated(0, n=60, n_triplets=6000, swapped=0))
    assert list(map(type, found.choice_["loss"])) == [TSTE, *losses]
    assert next(turns, None) is None


def test_the_table_has_the_error_that_others_are_compared_with(monkeypatch):
    missed = []

    def is_behind(problem, first, other):
        missed.append(first)
        return len(missed) == 1  # first smooth SOE, which is, then t-STE, which is not

    monkeypatch.setattr("closerthan.ordinal.search.is_behind", is_behind)
    found = OrdinalEmbedding(random_state=0).fit(simulated(0, n=60, n_triplets=6000, swapped=0))
    assert found.choice_["error"][0] == missed[1].mean()


@pytest.mark.filterwarnings("ignore:[0-9]+ of [0-9]+ objects occur")
def test_few_answers_are_left_to_the_first_loss():
    for n_answers in (1, 10, 40):
        model = OrdinalEmbedding(1, random_state=0).fit(simulated(0, n=8, n_triplets=n_answers))
        assert repr(model.loss_) == "TSTE(alpha=5.0)" and model.choice_ is None
        assert np.isfinite(model.embedding_[np.unique(simulated(0, 8, 2, n_answers))]).all()
    weights = np.r_[np.ones(15), np.zeros(1985)]
    assert OrdinalEmbedding(random_state=0).fit(simulated(0), sample_weight=weights).choice_ is None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["triplets", "quadruplets"])
def test_a_comparison_that_is_repeated_counts_as_often(kind, weighted):
    rng = np.random.default_rng(0)
    rows = simulated(0, n=8, n_triplets=100, kind=kind)[rng.integers(100, size=5000)]
    weights = rng.integers(3, size=5000) if weighted else np.ones(5000)
    problem = problem_of(Answers(rows, weight=weights))
    merged = problem.merge()
    assert len(merged) <= 100 and merged.weights.sum() == weights.sum()
    X = pad(random_start(*problem.shape, rng))
    (loss, slopes), (same, others) = (
        given.objective(STE()).value_and_gradient(X, np.empty_like(X))
        for given in (problem, merged)
    )
    assert loss == pytest.approx(same)
    np.testing.assert_allclose(slopes, others)
    few = problem_of(simulated(0, kind=kind))
    assert few.merge() is few


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_the_same_is_chosen_with_every_number_of_threads(n_jobs):
    triplets = simulated(0, n=60, n_triplets=20_000)
    one = OrdinalEmbedding(random_state=0).fit(triplets)
    other = OrdinalEmbedding(n_jobs=n_jobs, random_state=0).fit(triplets)
    np.testing.assert_array_equal(one.embedding_, other.embedding_)
    np.testing.assert_array_equal(one.choice_["error"], other.choice_["error"])


# --- the prior ----------------------------------------------------------------------------------


def test_the_prior_counts_objects_that_occur_and_weights():
    triplets = simulated(0)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, size=len(triplets))
    with pytest.warns(UserWarning, match="5 of 45 objects"):
        model = OrdinalEmbedding(n_objects=45, max_iter=1, random_state=0)
        model.fit(triplets, sample_weight=weights)
    np.testing.assert_allclose(model.strength_, 40 / (2 * weights.sum()))
    assert OrdinalEmbedding(max_iter=1).fit(triplets).strength_ == 40 / (2 * 2000)
    assert plain_embedding(max_iter=1).fit(triplets).strength_ == 0.0


@pytest.mark.parametrize("loss", [STE(), TSTE(alpha=5.0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_points_are_the_most_probable_of_a_standard_normal_prior(loss, weighted):
    """The gradient of the negative log posterior is zero at the fit."""
    triplets = simulated(0, n_triplets=600)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, size=600) if weighted else np.ones(600)
    model = OrdinalEmbedding(loss=loss, tol=0, max_iter=5000, random_state=0)
    X = model.fit(triplets, sample_weight=weights if weighted else None).embedding_

    def negative_log_posterior(points):
        probability = loss.probability(*squared_distances(points, triplets), 2)
        return -weights @ np.log(probability) + (points**2).sum() / 2

    assert squared_distances(X, triplets)[0].mean() > 0.5  # the prior has not merged the points
    value, h = negative_log_posterior(X), 1e-5
    for i, c in np.ndindex(X.shape):
        step = np.zeros_like(X)
        step[i, c] = h
        ends = negative_log_posterior(X + step), negative_log_posterior(X - step)
        assert abs(ends[0] - ends[1]) / (2 * h) < 1e-3 * np.abs(X).max()
        assert min(ends) > value - 1e-6


# --- the start ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["triplets", "quadruplets"])
def test_principal_starts_hold_most_answers_before_the_fit_begins(kind):
    rows = simulated(0, n=60, n_triplets=1500, swapped=0, kind=kind)
    rng = np.random.default_rng(0)
    start = principal_start(problem_of(rows), STE(), rng)
    near, far = squared_distances(start, rows)
    assert (near < far).mean() > 0.85
    np.testing.assert_allclose(start.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(start[:, 0] @ start[:, 1], 0, atol=1e-6)
    assert (start[:, 0] ** 2).sum() > (start[:, 1] ** 2).sum()
