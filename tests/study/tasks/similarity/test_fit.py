"""Fits of similarities: who learns from what."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from closerthan.bilinear.oasis import OASIS
from closerthan.bilinear.sdca import SDCA
from closerthan.mahalanobis.itml import ITML
from closerthan.mahalanobis.lego import LEGO
from closerthan.mahalanobis.lmnn import LMNN
from closerthan.mahalanobis.pairs import distance_bounds, pairs_from_triplets
from closerthan.mahalanobis.rca import RCA
from closerthan_study.reading import coordinates
from closerthan_study.seeds import seed_sequence
from closerthan_study.tasks.similarity.draw import Collection
from closerthan_study.tasks.similarity.fit import bound_on_gap, learn
from toy_study import assert_shards_make_no_difference, pick


def test_the_bound_of_theorem_1_holds_and_is_that_of_the_formula(blobs):
    rng = np.random.default_rng(0)
    features = blobs["features"]
    triplets = np.array([rng.choice(90, 3, replace=False) for _ in range(40)])
    largest = max(
        np.linalg.norm(np.outer(features[i], features[j] - features[k])) ** 2
        for i, j, k in triplets
    )
    scale = 40 + 2 * largest / 0.5
    expected = [scale, scale * np.exp(-400 / scale)]
    np.testing.assert_allclose(bound_on_gap([0, 400], features, triplets, 0.5), expected)
    model = SDCA(0.5, n_epochs=30, random_state=0).fit(features, triplets)
    steps = model.history_.iterations
    assert (model.history_.gap <= bound_on_gap(steps, features, triplets, 0.5)).all()


def by_hand(model, items, triplets, seed):
    """Fit a model to what the paper gives it; return its matrix."""
    pairs, y = pairs_from_triplets(triplets)
    bounds = distance_bounds(items.features, random_state=np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    match model:
        case OASIS() | SDCA():
            model.set_params(random_state=rng)
            return model.fit(items.features, triplets).similarity_
        case RCA() | LMNN():
            return model.fit(items.features, items.labels).components_
        case ITML():
            model.set_params(bounds=bounds)
            return model.fit(items.features, pairs, y).components_
        case LEGO():
            return model.fit(items.features, pairs, np.where(y == 1, *bounds)).components_


@pytest.mark.parametrize(
    ("method", "keys", "model"),
    [
        ("rca", {"variant": "paper"}, RCA(ridge=0.01)),
        ("lmnn", {"variant": "paper"}, LMNN(max_iter=5)),
        ("itml", {"variant": "paper"}, ITML(max_iter=2)),
        ("oasis", {"variant": "default", "sweep": 0.001}, OASIS(0.001, n_epochs=3)),
        ("sdca", {"variant": "projected"}, SDCA(0.02, n_epochs=3, project=True)),
    ],
)
@pytest.mark.filterwarnings("ignore:LMNN was", "ignore:ITML left")
def test_what_is_kept_is_what_was_learned_from_all_items(similarity, method, keys, model):
    toy = similarity()
    fitted = toy.make_fits(method)
    items = Collection(toy.setup).of_trial(1, "item", "validation")
    (triplets,) = toy.setup.comparisons(1, parts=("train",))
    seed = seed_sequence(7, "papers", "toy", "synthetic", method, 1)
    with threadpool_limits(1):
        expected = by_hand(model, items, triplets, seed)
    found = coordinates(pick(fitted.learned, trial=1, **keys))
    np.testing.assert_array_equal(found, expected)
    (row,) = pick(fitted.curves, trial=1, **keys).iloc
    if method in ("oasis", "sdca"):
        assert (row.triplets, row.epoch) == (450, 3)
        assert row.squared_hinge == model.history_.squared_hinge.iloc[-1]
    else:
        assert np.isnan(row.triplets)
        assert np.array_equal(row.epoch, getattr(model, "n_iter_", np.nan), equal_nan=True)


@pytest.mark.parametrize(
    ("method", "name", "values", "make"),
    [
        ("sdca", "reg", [0.01, 1.0, 30.0], lambda reg: SDCA(reg, n_epochs=3)),
        ("lego", "eta", [0.01, 0.5], LEGO),
    ],
)
def test_a_parameter_is_tuned_in_each_split_by_the_items_that_validate(
    similarity, map_by_hand, method, name, values, make
):
    toy = similarity(sizes={"trials": 3})
    curves = pick(toy.make_fits(method).curves, variant="paper")
    kept = Collection(toy.setup)
    for trial in range(3):
        items, queries = (kept.of_trial(trial, part) for part in ("item", "validation"))
        assert (len(items.labels), len(queries.labels)) == (45, 18)
        (triplets,) = toy.setup.comparisons(trial, parts=("tuning",))
        seed = seed_sequence(7, "papers", "toy", "synthetic", method, trial)
        found = []
        for value in values:
            model = make(value)
            learned = by_hand(model, items, triplets, seed)
            scores = queries.features @ learned @ items.features.T
            if method == "lego":
                at = [x.features @ learned.T for x in (queries, items)]
                scores = -np.linalg.norm(at[0][:, None] - at[1], axis=-1)
            found.append(map_by_hand(scores, queries.labels, items.labels))
        assert len(set(found)) == len(values)
        (chosen,) = set(curves.loc[curves.trial == trial, name])
        assert chosen == values[int(np.argmax(found))]


@pytest.mark.parametrize("method", ["oasis", "sdca", "lego"])
def test_runs_and_shards_make_no_difference(similarity, tmp_path, method):
    toy = similarity(sizes={"trials": 3})
    assert_shards_make_no_difference(toy, method, tmp_path)


def test_features_that_are_mostly_zero_are_learned_from_alike():
    rng = np.random.default_rng(4)
    features = rng.normal(size=(20, 30)) * (rng.random((20, 30)) < 0.2)
    triplets = np.array([rng.choice(20, 3, replace=False) for _ in range(50)])
    seed = np.random.SeedSequence(0)
    model = SDCA(n_epochs=2)
    learn(model, features, None, triplets, seed)
    expected = SDCA(n_epochs=2, random_state=np.random.default_rng(seed)).fit(features, triplets)
    np.testing.assert_allclose(model.similarity_, expected.similarity_, atol=1e-12)
