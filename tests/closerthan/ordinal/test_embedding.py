"""Check OrdinalEmbedding: answers, objects without comparisons, new objects and errors."""

import io
import re
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import special_ortho_group
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers, sample_from_points
from closerthan.comparisons.check import count_objects, exchange_where
from closerthan.losses import CKL, STE, TSTE
from closerthan.optimize import SGD, SVRG, Batch
from closerthan.ordinal import folding
from closerthan.penalties import LowRank, Ridge
from closerthan.scores import procrustes_distance, triplet_error
from plain_fit import PLAIN, plain_embedding
from slow_reference import squared_distances

TRUTH = np.random.default_rng(5).normal(size=(25, 2))
TRIPLETS = sample_from_points(TRUTH, 1500, random_state=0)


@pytest.fixture(scope="module")
def fitted():
    return OrdinalEmbedding(2, random_state=0).fit(TRIPLETS)


def test_the_defaults_find_the_points(fitted):
    assert fitted.score(TRIPLETS) > 0.97
    assert fitted.score(sample_from_points(TRUTH, 5000, random_state=1)) > 0.95
    assert procrustes_distance(TRUTH, fitted.embedding_) < 0.02


@pytest.mark.parametrize("columns", [[0, 1, 2], [0, 1, 0, 2]])
def test_predictions_follow_the_distances(fitted, columns):
    queries = TRIPLETS[:, columns]
    near, far = squared_distances(fitted.embedding_, TRIPLETS)
    nearer = near < far
    np.testing.assert_array_equal(fitted.predict(queries), nearer.astype(int))
    assert fitted.score(queries) == nearer.mean()
    swapped = TRIPLETS[:, [0, 2, 1]][:, columns]
    np.testing.assert_array_equal(fitted.predict(swapped), 1 - nearer)


@pytest.mark.parametrize("loss", [STE(), CKL(0.3), TSTE(), TSTE(4.0)])
def test_probabilities_are_the_models(loss):
    model = plain_embedding(3, loss=loss, random_state=0, max_iter=20).fit(TRIPLETS)
    a, b = squared_distances(model.embedding_, TRIPLETS)
    probability = model.predict_proba(TRIPLETS)
    assert probability.shape == (len(TRIPLETS), 2)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    np.testing.assert_allclose(probability[:, 1], np.exp(-loss.values(a, b, 3)), rtol=1e-9)
    np.testing.assert_array_equal(probability[:, 1] > 0.5, model.predict(TRIPLETS) == 1)
    # The loss is the log loss of the answers, because a fit maximizes their likelihood.
    log_loss = -np.log(probability[:, 1]).mean()
    np.testing.assert_allclose(log_loss, model.history_["loss"].iloc[-1], rtol=1e-9)


def test_nothing_is_answered_before_the_fit():
    for method in ("predict", "score", "predict_proba", "transform"):
        with pytest.raises(NotFittedError):
            getattr(OrdinalEmbedding(), method)([[0, 1, 2]])


# --- objects without comparisons ----------------------------------------------------------------


@pytest.fixture(scope="module")
def with_gaps():
    """Fit 30 objects; 0, 3 and 27 to 29 occur in no comparison."""
    ids, seen = np.delete(np.arange(27), [0, 3]), []
    model = OrdinalEmbedding(
        n_objects=30, callback=lambda X, row: seen.append(X.copy()), random_state=0
    )
    with pytest.warns(UserWarning, match="occur in no comparison") as caught:
        model.fit(ids[TRIPLETS])
    np.testing.assert_array_equal(seen[-1], model.embedding_)
    assert len(caught) == 1
    assert "5 of 30 objects" in str(caught[0].message)
    assert "0, 3, 27, 28, 29" in str(caught[0].message)
    return model, ids


def test_an_object_without_comparisons_has_a_row_of_nan(with_gaps, fitted):
    """The other objects have the same places as in a fit without it."""
    model, ids = with_gaps
    missing = np.setdiff1d(np.arange(30), ids)
    assert model.embedding_.shape == (30, 2)
    assert np.isnan(model.embedding_[missing]).all()
    np.testing.assert_array_equal(model.embedding_[ids], fitted.embedding_)
    assert model.score(ids[TRIPLETS]) == fitted.score(TRIPLETS)


def test_comparisons_with_it_are_ties(with_gaps):
    model, _ = with_gaps
    queries = [[0, 1, 2], [1, 0, 2], [1, 2, 0], [29, 3, 0]]
    assert model.predict(queries).tolist() == [0, 0, 0, 0]
    assert model.predict_proba(queries).tolist() == [[0.5, 0.5]] * 4
    assert model.score(queries) == 0.0


# --- new objects --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_new", [1, 3])
def test_new_objects_find_their_places(n_new):
    rng = np.random.default_rng(1)
    points = np.vstack([TRUTH, rng.normal(size=(n_new, 2))])
    every = sample_from_points(points, 7500, random_state=1)
    new = (every >= 25).any(axis=1)
    model = OrdinalEmbedding(2, random_state=0).fit(every[~new])
    before = model.embedding_.copy()
    places = model.transform(every[new][:500])
    assert places.shape == (n_new, 2)
    np.testing.assert_array_equal(model.embedding_, before)
    whole = np.vstack([model.embedding_, places])
    assert triplet_error(whole, every[new][500:]) < 0.05
    assert procrustes_distance(points, whole) < 0.15
    np.testing.assert_array_equal(model.transform(every[new][:500]), places)


def test_new_objects_are_placed_by_the_weights_of_answers(fitted):
    rng = np.random.default_rng(0)
    j, k = np.array([rng.choice(25, 2, replace=False) for _ in range(60)]).T
    triplets = np.column_stack([np.full(60, 25), j, k])
    weights = rng.integers(0, 3, size=60)
    places = fitted.transform(Answers(triplets, weight=weights))
    repeated = fitted.transform(np.repeat(triplets, weights, axis=0))
    np.testing.assert_allclose(places, repeated, atol=1e-4)


def test_a_new_object_without_comparisons_has_no_place(fitted):
    places = fitted.transform([[26, 0, 1], [26, 2, 3], [5, 26, 4]])
    assert np.isnan(places[0]).all()
    assert np.isfinite(places[1]).all()


def test_transform_refuses_what_it_can_not_place(fitted, with_gaps):
    with pytest.raises(ValueError, match=r"names a new object.*ids from 25"):
        fitted.transform([[0, 1, 2]])
    with pytest.raises(ValueError, match="row 1, column 1: 3 is an object without"):
        with_gaps[0].transform([[30, 1, 2], [30, 3, 1]])


# --- starting points, randomness, invariance ----------------------------------------------------


def test_the_random_start_has_a_mean_squared_distance_of_one():
    starts = []
    for n_components in (1, 2, 10):
        model = plain_embedding(n_components, random_state=0)
        start = model._start(2000, np.random.default_rng(0))
        distances = ((start[:1000] - start[1000:]) ** 2).sum(axis=1)
        starts.append(distances.mean())
    np.testing.assert_allclose(starts, 1.0, rtol=0.1)


@pytest.mark.parametrize("loss", ["ste", "gnmds", "soe"])
@settings(max_examples=10)
@given(seed=st.integers(0, 1000))
def test_turned_and_moved_and_with_other_names_the_points_are_the_same(loss, seed):
    rng = np.random.default_rng(seed)
    start, shift, name = rng.normal(size=(25, 2)), rng.normal(size=2), rng.permutation(25)
    rotation = special_ortho_group.rvs(2, random_state=seed)
    model = plain_embedding(loss=loss, solver=Batch("fixed", 0.05), max_iter=10)
    one = clone(model).set_params(init=start).fit(TRIPLETS)
    other = clone(model).set_params(init=(start @ rotation + shift)[np.argsort(name)])
    other.fit(name[TRIPLETS])
    np.testing.assert_allclose(other.embedding_[name], one.embedding_ @ rotation + shift, atol=1e-8)
    np.testing.assert_allclose(other.history_["loss"], one.history_["loss"])


# --- callback, progress bar, divergence ---------------------------------------------------------


def test_the_callback_sees_every_row_and_can_stop():
    seen = []

    def callback(X, row):
        assert X.shape == (25, 2)
        seen.append((X.copy(), row))
        return len(seen) == 4

    model = OrdinalEmbedding(callback=callback, random_state=0).fit(TRIPLETS)
    assert model.n_iter_ == len(seen) == 4
    assert [row["loss"] for _, row in seen] == model.history_["loss"].tolist()
    np.testing.assert_array_equal(seen[-1][0], model.embedding_)


class _Broken(io.StringIO):
    def write(self, text):
        raise OSError(5, "Input/output error")


def _closed():
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stderr", [io.StringIO, _closed, _Broken, lambda: None])
@pytest.mark.parametrize("solver", ["l-bfgs", "svrg"])
def test_a_progress_bar_never_crashes(stderr, solver, monkeypatch):
    quiet = plain_embedding(solver=solver, max_iter=9, random_state=0).fit(TRIPLETS)
    monkeypatch.setattr(sys, "stderr", stderr())
    model = plain_embedding(solver=solver, max_iter=9, verbose=1, random_state=0).fit(TRIPLETS)
    np.testing.assert_array_equal(model.embedding_, quiet.embedding_)


@pytest.mark.parametrize("solver", [Batch("fixed", 1e15), SGD(1e15), SVRG("fixed", step_size=1e15)])
def test_divergence_is_a_warning_and_shows_in_the_norm(solver):
    model = plain_embedding(loss="gnmds", solver=solver, random_state=0)
    with pytest.warns(ConvergenceWarning, match=f"{type(solver).__name__} diverged.*step_size"):
        model.fit(TRIPLETS)
    assert not model.history_["norm"].iloc[-1] <= 1e12
    assert model.n_iter_ < 10
    assert 0 <= model.score(TRIPLETS) <= 1


def test_a_fit_that_does_not_end_leaves_the_one_before():
    """An error from a warning or an interrupt keeps the earlier fit."""

    def interrupt(points, row):
        raise KeyboardInterrupt

    model = plain_embedding(random_state=0).fit(TRIPLETS)
    before = {name: value for name, value in vars(model).items() if name[-1] == "_"}
    before["_history"] = model._history
    diverging = {"loss": "gnmds", "solver": Batch("fixed", 1e15)}
    for options in (diverging, {"callback": interrupt, "penalty": "ridge", "lapse": "auto"}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises((ConvergenceWarning, KeyboardInterrupt)):
                model.set_params(**options).fit(TRIPLETS)
        model.set_params(**PLAIN, solver="auto")
        for name, value in before.items():
            assert getattr(model, name) is value


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 26}, r"n_components=26.*from 1 to 25 \(the number of objects\)"),
        ({"loss": "autp"}, "loss='autp'; it must be a Loss or one of auto, gnmds, ckl, ste,"),
        ({"strength": "much", "penalty": None}, "strength='much'; it must be 'prior', 'auto' or"),
        ({"strength": -1}, "strength=-1; it must be finite and not negative"),
        (
            {"strength": "auto", "X": TRIPLETS[:3]},
            r"strength='auto' would hold out \d of 3 comparisons",
        ),
        ({"penalty": "lasso"}, "penalty='lasso'; it must be None, a penalty or one of ridge, low-"),
        ({"penalty": Ridge}, "penalty=<class .*Ridge'>; it must be None, a penalty or one of"),
        ({"penalty": LowRank(power=0)}, "LowRank: power=0; it must be"),
        ({"penalty": LowRank(epsilon=0)}, "LowRank: epsilon=0; it must be"),
        ({"lapse": 1}, "lapse=1; it must be 'auto' or a number from 0 to less than 1"),
        ({"lapse": "auto", "loss": "gnmds"}, "lapse='auto' with the loss GNMDS, which has no prob"),
        ({"lapse": 0.1, "loss": "soe"}, "lapse=0.1 with the loss SOE, which has no prob"),
        ({"solver": "adam"}, "solver='adam'.*svrg"),
        ({"init": "pca"}, "init='pca'.*'random', 'principal' or an array"),
        ({"init": np.zeros((24, 2))}, r"init.*\(24, 2\).*\(25, 2\)"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"n_objects": 20}, r"row \d+: .* has the id 2\d; allowed are 0 to 19"),
        ({"sample_weight": np.r_[-2.0, np.ones(1499)]}, r"sample_weight, row 0: -2\.0"),
    ],
)
def test_bad_parameters_and_data_are_refused(options, message):
    given = {"X": TRIPLETS, "sample_weight": None}
    given |= {name: options.pop(name) for name in given if name in options}
    with pytest.raises(ValueError, match=message):
        OrdinalEmbedding(**options).fit(**given)


# --- the edges of what can be fitted -------------------------------------------------------------

EVERY_SOLVER = ["auto", "l-bfgs", "minibatch-sgd", "batch", "sgd", "svrg"]


def test_uneven_weights_do_not_look_like_steps_that_are_too_large():
    rng = np.random.default_rng(0)
    triplets = sample_from_points(rng.normal(size=(20, 2)), 3000, random_state=0)
    tails, few = np.exp(1.5 * rng.normal(size=3000)), (rng.random(3000) < 0.1) * 1.0
    for weights in (tails, few, np.repeat([0.0, 1.0], [2000, 1000])):
        for random_state in range(3):
            model = plain_embedding(solver="minibatch-sgd", random_state=random_state)
            model.fit(triplets, sample_weight=weights)
            assert model.score(triplets) > 0.8  # chance: one half
            assert model.n_iter_ > 1


@pytest.mark.parametrize("solver", EVERY_SOLVER)
def test_a_start_beyond_arithmetic_is_told(solver):
    start = np.random.default_rng(0).normal(size=(25, 2)) * 1e200
    with pytest.warns(ConvergenceWarning, match="diverged"):
        plain_embedding(solver=solver, init=start, random_state=0).fit(TRIPLETS)


HUGE = np.array([[10**9 + 1, 10**9 + 2, 10**9 + 3], [10**9 + 2, 10**9 + 1, 10**9 + 3]])


def test_a_huge_id_is_refused_before_it_takes_all_memory():
    with pytest.raises(ValueError, match=r"row 0, .* 1000000001 is an id that takes"):
        OrdinalEmbedding(2, random_state=0).fit(HUGE)
    numbered = np.unique(HUGE, return_inverse=True)[1]  # as the message says
    assert OrdinalEmbedding(2, random_state=0).fit(numbered).embedding_.shape == (3, 2)


def test_many_objects_without_answers_are_allowed():
    count = count_objects
    assert count(np.array([[0, 1, 10**6 - 1]])) == count(np.array([[0, 1, 2]]), 10**6) == 10**6
    assert count(HUGE, 10**10) == 10**10 and count(HUGE, first=10**9) == 4
    everyone = np.arange(3 * 10**6).reshape(-1, 3)
    assert count(everyone) == count(everyone[::10]) + 27 == 3 * 10**6


def test_a_fit_that_stays_at_its_start_says_so():
    model = OrdinalEmbedding(loss="ste", init=np.zeros((3, 2)))
    with pytest.warns(ConvergenceWarning, match="OrdinalEmbedding made no step from its start"):
        assert not model.fit([[0, 1, 2]]).embedding_.any()


def folds(answers, **settings):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        OrdinalEmbedding(1, random_state=0, **settings).fit(answers)
    said = "a scale in one dimension can fold: .* scale the differences along"
    return [bool(re.match(said, str(one.message))) for one in seen]


@pytest.mark.parametrize("seed", range(3))
def test_a_scale_may_have_folded_if_another_order_fits_as_well(seed):
    """Each question asks which of two gaps is larger: that of the lower two or the upper two."""
    rng = np.random.default_rng(seed)
    asked = np.sort(rng.permuted(np.tile(np.arange(11), (1000, 1)), axis=1)[:, :4], axis=1)
    larger = asked @ [1, -1, -1, 1] + 1.5 * rng.normal(size=1000) > 0
    answers = exchange_where(asked, ~larger)
    assert folds(answers) == folds(answers, init="random") == [True]


@pytest.mark.parametrize("seed", range(5))
def test_a_line_that_the_answers_tell_has_not_folded(seed):
    assert folds(sample_from_points(TRUTH[:, :1], 1000, random_state=seed)) == []


def test_a_fold_is_not_looked_for_if_nobody_would_hear_of_it(monkeypatch):
    tried = []
    monkeypatch.setattr(folding, "descend", lambda *args: tried.append(args))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "a scale in one dimension can fold")
        OrdinalEmbedding(1, random_state=0).fit(TRIPLETS)
    assert tried == []
