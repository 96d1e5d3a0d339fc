"""Check the bootstrap: its draws, the alignment of refits, and the coverage of ellipses."""

import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from calibrate import TABLE, designs, logistic, trial
from scipy.stats import t
from sklearn.base import clone

from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers, sample_from_points, split, swap_answers
from closerthan.scores import procrustes_align, procrustes_distance
from closerthan_lab.refits import align, estimate_bias
from closerthan_lab.uncertainty import Bootstrap, _Draw, _needed, bootstrap

N = 30


def simulated(seed, per_object=20, n=N):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(n, 2))
    again = per_object > 150  # more answers than there are questions about 20 objects
    triplets = sample_from_points(truth, per_object * n, replace=again, random_state=rng)
    return truth, swap_answers(triplets, 0.1, random_state=rng)[0]


def simulated_people(n_people, spread=0.0, n_answers=60):
    """Return the same number of answers from each person; the people's maps differ."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(12, 2))
    own = [common + spread * rng.normal(size=(12, 2)) for _ in range(n_people)]
    triplets = np.concatenate([sample_from_points(x, n_answers, random_state=rng) for x in own])
    return Answers(triplets, participant=np.repeat(np.arange(n_people), n_answers))


@pytest.mark.parametrize(
    "words",
    [
        "400 answers, 10 % at random wrong",
        "16,000 answers, 10 % at random wrong",
        "8,000 answers, logistic noise",
        "1 dimension, 400 answers, 10 % wrong",
        "60 objects, 2,400 answers, 10 % wrong",
        "20 people, the same 200 questions, 10 % wrong",
        "20 people with maps of their own, 200 questions each, by participant",
    ],
)
def test_regions_hold_the_truth_about_as_often_as_the_page_says(words):
    """A small part of `make calibrate`, which the page shows."""
    number = [row[0] for row in designs()].index(words)
    held = np.mean([trial(number, seed, n_refits=50)[0] for seed in range(8)])
    row = pd.read_csv(TABLE, index_col="design").loc[words]
    assert abs(held - row.held) < 4 * row.standard_error * (row.trials / 8) ** 0.5


def test_the_page_shows_regions_that_hold_the_truth_unless_it_says_why():
    table = pd.read_csv(TABLE, index_col="design")
    assert list(table.index) == [words for words, *_ in designs()]
    assert list(table.index[table.held < 0.86]) == [
        words for words in table.index if "link" in words
    ]


def test_the_number_of_threads_changes_nothing():
    triplets = simulated(0)[1]
    model = OrdinalEmbedding(random_state=0).fit(triplets)
    options = {"n_refits": 12, "random_state": 0}
    one, two = (bootstrap(model, triplets, n_jobs=n_jobs, **options) for n_jobs in (1, 2))
    assert np.array_equal(one.refits, two.refits)
    assert one.fit_by_object.equals(two.fit_by_object)
    assert np.array_equal(one.probability, two.probability, equal_nan=True)


def test_refits_are_aligned_as_one_by_one():
    rng = np.random.default_rng(0)
    onto, refits = rng.normal(size=(9, 2)), rng.normal(size=(5, 9, 2)) + 3
    expected = [procrustes_align(onto, points) for points in refits]
    assert np.allclose(align(onto, refits, np.full(9, True)), expected)
    assert np.allclose(align(onto, 0 * refits, np.full(9, True)), onto.mean(axis=0))
    some = np.arange(9) < 5
    moved = align(onto, (onto @ np.array([[0.6, -0.8], [0.8, 0.6]]) * 3)[None] + 1, some)
    assert np.allclose(moved, onto)


def test_a_refit_is_a_fit_to_copies_of_what_was_drawn():
    triplets = simulated(0, n=12)[1]
    model = OrdinalEmbedding(loss="ste", tol=1e-9, random_state=0).fit(triplets)
    sure = bootstrap(model, triplets, n_refits=10, random_state=0)
    seeds = np.random.default_rng(0).integers(2**63, size=10)
    drawn = np.random.default_rng(seeds[3]).multinomial(240, np.full(240, 1 / 240))
    copies = np.repeat(triplets, drawn[Answers(triplets).question], axis=0)
    start = {"init": model.embedding_, "solver": "l-bfgs"}  # mini-batches may leave the optimum
    again = OrdinalEmbedding(loss="ste", tol=1e-9, n_objects=12, **start).fit(copies)
    expected = procrustes_align(model.embedding_, again.embedding_)
    assert np.allclose(sure.refits[3], expected, atol=1e-3)


def test_the_covariance_holds_deviations_and_bias():
    triplets = simulated(0)[1]
    model = OrdinalEmbedding(random_state=0).fit(triplets)
    sure = bootstrap(model, triplets, n_refits=30, random_state=0)
    rng = np.random.default_rng(0)
    rng.integers(2**63, size=30)  # of the draws
    bias = estimate_bias(model, Answers(triplets), None, np.full(N, True), rng, 1, False)
    away = sure.refits - sure.embedding
    for obj in (4, 17):
        products = away[:, obj].T @ away[:, obj] / 30 + np.outer(bias[obj], bias[obj])
        assert np.allclose(sure.covariance[obj], products)


def test_the_bias_leads_from_the_fit_towards_the_truth():
    """One answer in ten is wrong, and no loss says so: the many answers are fitted with a bias."""
    truth, triplets = simulated(0, per_object=300, n=20)
    model = OrdinalEmbedding(random_state=0).fit(triplets)
    args = (Answers(triplets), None, np.full(20, True), np.random.default_rng(0), 1, False)
    better = model.embedding_ + estimate_bias(model, *args)
    assert procrustes_distance(truth, better) < 0.8 * procrustes_distance(truth, model.embedding_)


def test_intervals_of_one_dimension_take_the_quantile_of_t():
    model = OrdinalEmbedding(1, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sure = bootstrap(model, simulated(0)[1], n_refits=50, level=0.8, random_state=0)
    assert sure.quantile == pytest.approx(t.ppf(0.9, 49) ** 2)


def test_weights_of_answers_count():
    _, triplets = simulated(0)
    answers = Answers(triplets, weight=np.linspace(0, 2, len(triplets)))
    draw = _Draw(answers, "answers", [7])
    drawn = np.random.default_rng(7).multinomial(600, np.full(600, 1 / 600))
    assert np.array_equal(draw.weights(0), drawn[answers.question] * answers.weight)


def asked_again(n_people=6, n_questions=9, one_each=False):
    """Return answers of people to the same questions, or each question to one person alone."""
    asked = sample_from_points(simulated(0)[0], n_people * n_questions, random_state=0)
    asked = asked if one_each else np.tile(asked[:n_questions], (n_people, 1))
    return Answers(asked, participant=np.repeat(np.arange(n_people), n_questions))


@pytest.mark.parametrize(
    ("answers", "by", "shape", "n_units"),
    [
        (simulated_people(8), "participant", (8, 60), 8),
        (asked_again(one_each=True), "participant", (6, 9), 6),
        (asked_again(), "answers", (6, 9), 9),
        (asked_again(), "participant", (6, 9), 6),
        (Answers(simulated(0)[1][:60], screen=np.repeat(np.arange(20), 3)), "answers", (20, 3), 20),
    ],
)
def test_participants_questions_and_screens_are_drawn_whole(answers, by, shape, n_units):
    """If people share questions, both are drawn: the weights are products of the two numbers."""
    draw = _Draw(answers, by, [7])
    assert draw.n_units == n_units
    weights = draw.weights(0).reshape(shape)
    assert np.linalg.matrix_rank(weights) == 1
    rows, columns = weights.max(axis=1), weights.max(axis=0)
    equal_rows, equal_columns = np.ptp(rows) == 0, np.ptp(columns) == 0
    shared = answers.n_screens >= 2 * len(np.unique(answers.question))
    assert equal_rows == (shared and by == "answers")
    assert equal_columns == (not shared)


def test_where_people_differ_ellipses_by_participant_are_larger():
    answers = simulated_people(10, spread=1.0, n_answers=300)
    model = OrdinalEmbedding(random_state=0).fit(answers)
    options = {"n_refits": 100, "random_state": 0}
    found = [bootstrap(model, answers, by=by, **options) for by in ("answers", "participant")]
    by_answers, by_participant = (sure.ellipses()["major"].median() for sure in found)
    assert by_participant > 1.5 * by_answers


def test_fit_by_object_is_that_of_the_answers_that_name_it():
    triplets = simulated(0, per_object=8)[1]
    model = OrdinalEmbedding(random_state=0).fit(triplets)
    sure = bootstrap(model, triplets, n_refits=12, random_state=3)
    seeds = np.random.default_rng(3).integers(2**63, size=12)
    draw = _Draw(Answers(triplets), "answers", seeds)
    held = np.array([sure.refits[r] for r in range(12)])
    named = (triplets == 5).any(axis=1)
    inside = model.predict(triplets)[named].mean()
    shares = []
    for row in np.flatnonzero(named):
        i, j, k = triplets[row]
        out = [r for r in range(12) if draw.weights(r)[row] == 0]
        near, far = (np.linalg.norm(held[out, i] - held[out, x], axis=1) for x in (j, k))
        shares.extend([] if not out else [(near < far).mean()])
    row = sure.fit_by_object.loc[5]
    assert row.n_comparisons == named.sum()
    assert row.held_in == pytest.approx(inside)
    assert row.held_out == pytest.approx(np.mean(shares))
    assert sure.fit_by_object.held_out.mean() < sure.fit_by_object.held_in.mean()


def test_out_of_bag_probabilities_are_as_good_as_those_of_answers_held_out():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(N, 2))
    triplets = logistic(sample_from_points(points, 4000, random_state=rng), points, rng)
    train, test = split(triplets, 0.5, random_state=0)
    model = OrdinalEmbedding(loss="ste", random_state=0).fit(train)
    sure = bootstrap(model, train, n_refits=30, random_state=0)
    assert np.isfinite(sure.probability).all()
    held_out = model.predict_proba(test)[:, 1]
    assert np.log(sure.probability).mean() == pytest.approx(np.log(held_out).mean(), abs=0.06)
    assert sure.reliability["weight"].sum() == len(train)
    assert 0 < sure.calibration_error < 0.1


def test_a_loss_without_probabilities_has_no_calibration():
    triplets = simulated(0)[1]
    sure = bootstrap(OrdinalEmbedding(loss="soe", random_state=0), triplets, n_refits=10)
    assert sure.probability is sure.reliability is sure.calibration_error is None


def test_lapses_are_in_the_probabilities():
    triplets = simulated(0)[1]
    model = OrdinalEmbedding(loss="ste", lapse=0.4, random_state=0)
    sure = bootstrap(model, triplets, n_refits=10, random_state=0)
    assert np.nanmin(sure.probability) >= 0.2 and np.nanmax(sure.probability) <= 0.8


def test_there_is_no_ellipse_across_groups_that_nothing_links():
    triplets = simulated(0, n=12)[1]
    apart = np.concatenate([triplets, 12 + triplets[(triplets < 8).all(axis=1)]])
    with pytest.warns(UserWarning, match="links 2 groups"):
        model = OrdinalEmbedding(random_state=0).fit(apart)
    sure = bootstrap(model, apart, n_refits=10, random_state=0)
    assert sure.ellipses()["major"].isna().tolist() == 12 * [False] + 8 * [True]


def test_an_object_without_a_place_has_no_ellipse():
    triplets = simulated(0, n=12)[1]
    model = OrdinalEmbedding(n_objects=13, random_state=0)
    with pytest.warns(UserWarning, match="1 of 13 objects"):
        model.fit(triplets)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sure = bootstrap(model, triplets, n_refits=10, random_state=0)
    assert sure.ellipses().isna().all(axis=1).tolist() == 12 * [False] + [True]
    assert np.isnan(sure.fit_by_object.held_in[12])


def test_an_ellipse_has_the_axes_of_its_covariance():
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    covariance = turn @ np.diag([4.0, 1.0]) @ turn.T
    others = dict.fromkeys(["fit_by_object", "probability", "reliability", "calibration_error"])
    others |= {"level": 0.9, "by": "answers", "n_units": 10**6, "refits": np.zeros((10**6, 0, 0))}
    sure = Bootstrap(embedding=np.array([[1.0, 2.0]]), covariance=covariance[None], **others)
    ellipse = sure.ellipses().loc[0]
    assert ellipse[["x", "y"]].tolist() == [1, 2]
    radius = np.sqrt(-2 * np.log(0.1))  # radius for a standard normal point in the plane
    assert ellipse[["major", "minor"]].tolist() == pytest.approx([2 * radius, radius], rel=1e-4)
    assert ellipse["angle"] == pytest.approx(np.degrees(np.arctan2(0.6, 0.8)))


def test_plot_draws_an_ellipse_an_object():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    triplets = simulated(0, n=12)[1]
    sure = bootstrap(OrdinalEmbedding(random_state=0), triplets, n_refits=10, random_state=0)
    assert len(sure.plot().patches) == 12


LINE = OrdinalEmbedding(1, max_iter=1, random_state=0)
PLANE = OrdinalEmbedding(max_iter=1, random_state=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_refits": 9}, "n_refits=9; it must be 10 or more"),
        ({"n_refits": 0}, "n_refits=0; it must be a whole number"),
        ({"level": 1.0}, "level=1.0; it must be less than 1"),
        ({"by": "people"}, "by='people'; it must be one of answers, participant"),
        ({"estimator": clone(PLANE).fit(simulated(0)[1]), "answers": [[0, 1, N]]}, "row 0"),
        ({"estimator": SimpleNamespace()}, "SimpleNamespace; it must be an OrdinalEmbedding"),
        ({"estimator": LINE, "components": (0, 1)}, "embedding has one"),
        ({"components": (0, 2)}, "from 0 to 1"),
    ],
)
def test_what_makes_no_ellipses_is_refused(options, message):
    given = {"estimator": PLANE, "answers": simulated(0)[1], "n_refits": 10} | options
    components = given.pop("components", None)
    with pytest.raises(ValueError, match=message):
        bootstrap(**given).ellipses(components)


def test_a_refit_leaves_out_what_was_not_drawn_and_keeps_all_objects():
    """The optimum is the same, because a weight of zero adds nothing to it."""
    triplets = np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0], [3, 0, 1], [0, 2, 3]])
    kept = _needed(triplets, np.array([2.0, 0.0, 1.0, 0.0, 0.0]), n_objects=4)
    assert kept.tolist() == [True, False, True, True, True]


# --- features of objects

M, Q, P = 60, 8, 2


def answers_with_features():
    """Return answers that do not name the last ten objects, and features of all objects."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(M, Q)) + 3.0
    points = features @ rng.normal(size=(Q, P)) * 0.4 + rng.normal(scale=0.2, size=(M, P))
    triplets = sample_from_points(points, 4000, random_state=0)
    triplets, _ = swap_answers(triplets, 0.05, random_state=1)
    return triplets[(triplets < 50).all(axis=1)][:400], features


def test_refits_of_the_bootstrap_know_the_features():
    answers, features = answers_with_features()
    model = OrdinalEmbedding(P, random_state=0).fit(answers, features=features)
    with_them = bootstrap(model, answers, features=features, n_refits=20, random_state=0)
    assert np.isfinite(with_them.refits).all()
    spread = np.trace(with_them.covariance, axis1=1, axis2=2)
    off = (model.embedding_ - model.transform(features=features))[:50]
    assert spread[50:].min() > (off**2).sum(axis=1).mean()
    plain = OrdinalEmbedding(P, random_state=0).fit(answers)
    for fit, given, word in ((model, None, "with"), (plain, features[:50], "without")):
        with pytest.raises(ValueError, match=f"fitted {word} features"):
            bootstrap(fit, answers, features=given, n_refits=20)


def aligned(points, target):
    """Return the last ten points, moved as the first fifty fit their targets best."""
    center, there = points[:50].mean(axis=0), target[:50].mean(axis=0)
    one, other = points[:50] - center, target[:50] - there
    left, sizes, right = np.linalg.svd(one.T @ other)
    return (points[50:] - center) @ left @ right * sizes.sum() / (one**2).sum() + there


def test_prior_and_coverage_of_an_object_that_no_answer_names():
    """Its true point lies in its 90 % ellipse, in most of many draws."""
    inside = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        features = rng.normal(size=(M, Q))
        linear = features @ rng.normal(size=(Q, P)) / np.sqrt(Q)
        points = linear * 0.8**0.5 + rng.normal(size=(M, P)) * 0.2**0.5
        triplets = sample_from_points(points, 3000, random_state=seed)
        answers = triplets[(triplets < 50).all(axis=1)]
        model = OrdinalEmbedding(P, feature_share=0.8, random_state=0)
        model.fit(answers, features=features)
        sure = bootstrap(model, answers, features=features, n_refits=20, random_state=0)
        away = aligned(points, model.embedding_) - model.embedding_[50:]
        inverse = np.linalg.inv(sure.covariance[50:])
        inside += list(np.einsum("ni,nij,nj->n", away, inverse, away) <= sure.quantile)
    assert np.mean(inside) > 0.75
