"""Similarities: who learns from what, who searches what, and what the rankings are worth."""

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

from relsim.bilinear import OASIS, SDCA
from relsim.mahalanobis import ITML, LEGO, LMNN, RCA, distance_bounds, pairs_from_triplets
from relsim.scores import retrieval_scores
from relsim.study.comparisons import read_comparisons
from relsim.study.fits.similarities import KEYS, bound_on_gap, learn
from relsim.study.mixture import Mixture, draw_mixture
from relsim.study.retrieval import (
    Collection,
    Objects,
    draw_retrieval,
    mean_average_precision,
    mean_average_precision_among,
)
from relsim.study.scores import COLUMNS
from relsim.study.seeds import seed_sequence

COMPARISONS = {"source": "labels", "items": 0.7, "validation": 0.3, "n_train": 150}
POINTS = {"n_objects": 300, "n_labeled": 90, "n_classes": 3, "n_components": 50}
METHODS = {
    "euclidean": {"control": "features"},
    "random": {"control": "random"},
    "rca": {"model": "RCA", "variants": {"paper": {"parameters": {"ridge": 0.01}}}},
    "lmnn": {"model": "LMNN", "variants": {"paper": {"parameters": {"max_iter": 5}}}},
    "itml": {"model": "ITML", "variants": {"paper": {"parameters": {"max_iter": 2}}}},
    "lego": {"model": "LEGO", "variants": {"paper": {"tune": {"eta": [0.01, 0.5]}}}},
    "oasis": {"model": "OASIS", "sweep": {"C": [0.001, 0.1]}, "variants": {"default": {}}},
    "sdca": {
        "model": "SDCA",
        "variants": {
            "paper": {"tune": {"reg": [0.01, 1.0, 30.0]}},
            "projected": {"parameters": {"reg": 0.02, "project": True}},
        },
    },
}


@pytest.fixture
def blobs():
    """Features of three classes of 30 objects that overlap, with their labels."""
    rng = np.random.default_rng(5)
    labels = rng.permutation(np.repeat(np.arange(3), 30))
    return {"features": rng.normal(size=(90, 4)) * [1, 1, 3, 3] + labels[:, None], "labels": labels}


@pytest.fixture
def similarity(study, blobs):
    """A study of similarities, by default of the blobs, with its comparisons made."""

    def make(**changes):
        settings = {"learns": "similarity", "comparisons": COMPARISONS, "epochs": 3}
        toy = study(**{"arrays": blobs, "methods": METHODS, **settings, "losses": {}, **changes})
        toy.make_comparisons()
        return toy

    return make


def collection(toy):
    data, _, objects = toy.inputs
    return Collection(toy.spec, toy.experiment, "synthetic", data, objects)


def pick(table, **keys):
    for key, value in keys.items():
        table = table[table[key] == value]
    return table


def matrix(table):
    return table.filter(regex=r"^x\d+$").to_numpy()


def map_by_hand(scores, query_labels, item_labels):
    """Mean average precision, query by query and rank by rank; higher scores come first."""
    averages = []
    for row, label in zip(scores, query_labels, strict=True):
        hits, precisions = 0, []
        for rank, item in enumerate(np.argsort(-row), start=1):
            if item_labels[item] == label:
                hits += 1
                precisions.append(hits / rank)
        averages.append(np.mean(precisions))
    return np.mean(averages)


def test_every_class_is_parted_and_triplets_name_items_alone():
    labels = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [20, 40, 61]))
    settings = {**COMPARISONS, "validation": 0.2}
    triplets, objects = draw_retrieval(settings, labels, np.random.SeedSequence(1))
    assert sorted(objects.row) == list(range(121)), "each once"
    assert (objects.label.to_numpy() == labels[objects.row]).all()
    sizes = objects.groupby(["part", "label"]).size()
    assert list(sizes["item"]) == [11, 22, 34]
    assert list(sizes["validation"]) == [3, 6, 9] and list(sizes["query"]) == [6, 12, 18]
    items = objects[objects.part != "query"].sort_values("object")
    assert list(items.object) == list(range(85)) and set(items.part[:67]) == {"item"}
    assert list(objects[objects.part == "query"].object) == list(range(36))
    label = items.label.to_numpy()
    for part, n in (("train", 85), ("tuning", 67)):
        i, j, k = triplets.loc[triplets.part == part, ["i", "j", "k"]].to_numpy().T
        assert len(i) == 150 and max(i.max(), j.max(), k.max()) == n - 1
        assert (label[i] == label[j]).all() and (label[i] != label[k]).all() and (i != j).all()


def test_a_share_of_the_queries_is_used():
    labels = np.repeat([0, 1], 100)
    settings = {**COMPARISONS, "queries": 0.1}
    _, objects = draw_retrieval(settings, labels, np.random.SeedSequence(1))
    assert (objects.part == "query").sum() == 6


def test_a_class_that_is_too_small_is_named():
    labels = np.repeat([0, 7], [30, 1])
    with pytest.raises(ValueError, match="class 7: with 1 objects, no validation is left"):
        draw_retrieval(COMPARISONS, labels, np.random.SeedSequence(1))


def test_objects_are_those_of_their_numbers(similarity, blobs):
    toy = similarity()
    objects = pd.read_parquet(toy.inputs[2])
    for trial in (0, 1):
        found = collection(toy).of_trial(trial, "item", "validation")
        rows = objects[(objects.trial == trial) & (objects.part != "query")]
        rows = rows.set_index("object").row.loc[range(63)]
        np.testing.assert_array_equal(found.features, blobs["features"][rows])
        np.testing.assert_array_equal(found.labels, blobs["labels"][rows])
    assert set(objects[objects.trial == 0].row[:60]) != set(objects[objects.trial == 1].row[:60])


@pytest.mark.parametrize("how", ["range", "length"])
def test_features_are_normalized_where_the_study_says_so(similarity, how):
    toy = similarity(normalize={"synthetic": how})
    found = collection(toy).of_trial(0, "item", "validation", "query").features
    assert len(found) == 90
    if how == "range":
        np.testing.assert_allclose([found.min(0), found.max(0)], [[-1] * 4, [1] * 4])
    else:
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)


@pytest.mark.parametrize("model", [None, "OASIS", "SDCA", "ITML"])
def test_rankings_are_those_of_the_definition(model):
    rng = np.random.default_rng(2)
    q, x, m = rng.normal(size=(8, 3)), rng.normal(size=(40, 3)), rng.normal(size=(3, 3))
    queries, items = Objects(q, rng.integers(3, size=8)), Objects(x, rng.integers(3, size=40))
    background = rng.normal(size=(50, 3))
    everything = np.vstack([x, background])
    if model in ("OASIS", "SDCA"):
        scores = np.array([[a @ m @ b for b in everything] for a in q])
    else:
        m = None if model is None else m
        root = np.eye(3) if m is None else m
        scores = np.array([[-np.linalg.norm(root @ (a - b)) for b in everything] for a in q])
    found = mean_average_precision(model, m, queries, items)
    assert found == pytest.approx(map_by_hand(scores[:, :40], queries.labels, items.labels))
    among = map_by_hand(scores, queries.labels, np.append(items.labels, np.full(50, -1)))
    assert among < found
    for size in (7, 50):
        chunks = (background[start : start + size] for start in range(0, 50, size))
        assert mean_average_precision_among(model, m, queries, items, chunks) == pytest.approx(
            among
        )


def test_a_ranking_by_a_matrix_that_is_not_finite_is_missing():
    objects, broken = Objects(np.eye(3), np.arange(3)), np.full((3, 3), np.inf)
    assert np.isnan(mean_average_precision("OASIS", broken, objects, objects))
    assert np.isnan(mean_average_precision_among("OASIS", broken, objects, objects, []))


def test_a_mixture_repeats_and_classes_differ_where_they_should():
    mixture, again = (Mixture(np.random.SeedSequence(3), **POINTS) for _ in range(2))
    assert mixture.features.dtype == np.float32 and mixture.features.shape == (90, 50)
    assert list(np.bincount(mixture.labels)) == [30, 30, 30]
    np.testing.assert_array_equal(mixture.features, again.features)
    chunks = list(mixture.background(chunk=100))
    assert [len(chunk) for chunk in chunks] == [100, 100, 10]
    for one, other in zip(chunks, mixture.background(chunk=100), strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_allclose(np.linalg.norm(one, axis=1), 1, rtol=1e-5)
    by_class = Objects(mixture.features, mixture.labels)
    assert 0.4 < mean_average_precision(None, None, by_class, by_class) < 0.99
    other = Mixture(np.random.SeedSequence(4), **POINTS)
    assert not np.isin(other.features, mixture.features).any()


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
    items = collection(toy).of_trial(1, "item", "validation")
    (triplets,) = read_comparisons(toy.inputs[1], 1, parts=("train",))
    seed = seed_sequence(7, "papers", "toy", "synthetic", method, 1)
    with threadpool_limits(1):
        expected = by_hand(model, items, triplets, seed)
    found = matrix(pick(pd.read_parquet(fitted.embeddings), trial=1, **keys))
    np.testing.assert_array_equal(found, expected)
    (row,) = pick(pd.read_parquet(fitted.curves), trial=1, **keys).iloc
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
    similarity, method, name, values, make
):
    toy = similarity(trials=3)
    curves = pick(pd.read_parquet(toy.make_fits(method).curves), variant="paper")
    for trial in range(3):
        items, queries = (collection(toy).of_trial(trial, part) for part in ("item", "validation"))
        assert (len(items.labels), len(queries.labels)) == (45, 18)
        (triplets,) = read_comparisons(toy.inputs[1], trial, parts=("tuning",))
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
    toy = similarity(trials=3)
    fitted = toy.make_fits(method)
    again = toy.make_fits(method, folder=tmp_path / "again")
    for name in ("curves", "embeddings"):
        whole = getattr(fitted, name)
        assert whole.read_bytes() == getattr(again, name).read_bytes()
        whole = pd.read_parquet(whole).sort_values(KEYS, kind="stable", ignore_index=True)
        shards = [toy.make_fits(method, [t], folder=tmp_path / str(t)) for t in range(3)]
        parts = pd.concat(pd.read_parquet(getattr(shard, name)) for shard in shards)
        parts = parts.sort_values(KEYS, kind="stable", ignore_index=True)
        pd.testing.assert_frame_equal(whole, parts, check_exact=True)


def test_features_that_are_mostly_zero_are_learned_from_alike():
    rng = np.random.default_rng(4)
    features = rng.normal(size=(20, 30)) * (rng.random((20, 30)) < 0.2)
    triplets = np.array([rng.choice(20, 3, replace=False) for _ in range(50)])
    seed = np.random.SeedSequence(0)
    model = SDCA(n_epochs=2)
    learn(model, features, None, triplets, seed)
    expected = SDCA(n_epochs=2, random_state=np.random.default_rng(seed)).fit(features, triplets)
    np.testing.assert_allclose(model.similarity_, expected.similarity_, atol=1e-12)


def test_every_row_is_tidy_and_the_file_repeats(similarity):
    toy = similarity()
    for method in toy.experiment.methods:
        toy.make_fits(method)
    table = toy.make_scores()
    assert list(table.columns) == COLUMNS
    assert not table.duplicated([name for name in COLUMNS if name != "value"]).any()
    assert table[["noise", "value"]].notna().all(axis=None) and set(table.loss) == {"none"}
    assert table[["batch_size", "k"]].isna().all(axis=None)
    assert table.sweep.notna().equals(table.method == "oasis")
    assert table.triplets.notna().equals(table.method.isin(["oasis", "sdca"]))
    curves = {"hinge", "squared_hinge", "mistake_rate", "MAP"}
    measures = {"oasis": curves, "sdca": {*curves, "duality_gap", "reg"}, "lego": {"MAP", "eta"}}
    for method in METHODS:
        assert set(pick(table, method=method).measure) == measures.get(method, {"MAP"})
    assert len(pick(table, measure="MAP")) == 2 * (6 + 2 + 2), "trials times fits"

    kept = collection(toy)
    queries, items = kept.of_trial(1, "query"), kept.of_trial(1, "item", "validation")
    fits = toy.folder / "fits" / "papers" / "toy" / "synthetic"
    learned = pick(pd.read_parquet(fits / "oasis.0/oasis.embedding.parquet"), sweep=0.1, trial=1)
    scores = queries.features @ matrix(learned) @ items.features.T
    (row,) = pick(table, method="oasis", sweep=0.1, trial=1, measure="MAP").iloc
    assert row.value == pytest.approx(map_by_hand(scores, queries.labels, items.labels))
    assert row.triplets == 450 and row.epoch == 3
    learned = pick(pd.read_parquet(fits / "rca.0/rca.embedding.parquet"), trial=1)
    places = (x.features @ matrix(learned).T for x in (queries, items))
    expected = retrieval_scores(*places, queries.labels, items.labels, k=())
    (row,) = pick(table, method="rca", trial=1).iloc
    assert row.value == pytest.approx(expected.value[0])

    folder = toy.folder / "scores"
    seconds = pd.read_parquet(folder / "seconds.parquet")
    assert set(seconds.measure) == {"seconds"} and (seconds.value > 0).all()
    assert set(seconds.method) == set(METHODS) - {"euclidean", "random"}
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    toy.make_scores()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_controls_are_what_they_say(similarity):
    methods = {name: METHODS[name] for name in ("euclidean", "random", "rca")}
    toy = similarity(methods=methods, trials=4)
    for method in methods:
        fitted = toy.make_fits(method)
        assert pd.read_parquet(fitted.embeddings).empty == (method != "rca")
        assert pd.read_parquet(fitted.seconds).empty == (method != "rca")
    table = toy.make_scores()
    chance = pick(table, method="random").value
    assert chance.nunique() == 4 and chance.mean() == pytest.approx(0.37, abs=0.04)
    queries, items = (collection(toy).of_trial(0, *p) for p in (("query",), ("item", "validation")))
    distances = np.linalg.norm(queries.features[:, None] - items.features, axis=-1)
    (row,) = pick(table, method="euclidean", trial=0).iloc
    assert row.value == pytest.approx(map_by_hand(-distances, queries.labels, items.labels))


def test_a_background_is_searched_too(similarity):
    methods = {name: METHODS[name] for name in ("euclidean", "random", "sdca")}
    methods["sdca"] = {"model": "SDCA", "variants": {"paper": {"parameters": {"reg": 0.01}}}}
    toy = similarity(methods=methods, points=POINTS)
    for method in methods:
        toy.make_fits(method)
    table = toy.make_scores()
    mixture = draw_mixture(toy.spec, toy.experiment, 1)
    queries, items = (collection(toy).of_trial(1, *p) for p in (("query",), ("item", "validation")))
    assert np.isin(queries.features, mixture.features).all()
    everything = np.vstack([items.features, *mixture.background()])
    labels = np.append(items.labels, np.full(210, -1))
    folder = toy.folder / "fits" / "papers" / "toy" / "synthetic"
    learned = matrix(pick(pd.read_parquet(folder / "sdca.0/sdca.embedding.parquet"), trial=1))
    scores = queries.features @ learned @ everything.T
    (row,) = pick(table, method="sdca", trial=1, measure="MAP").iloc
    assert row.value == pytest.approx(map_by_hand(scores, queries.labels, labels), abs=1e-4)
    distances = np.linalg.norm(queries.features[:, None] - everything, axis=-1)
    (row,) = pick(table, method="euclidean", trial=1).iloc
    assert row.value == pytest.approx(map_by_hand(-distances, queries.labels, labels), abs=1e-4)
    assert (pick(table, method="random").value < 0.2).all()
    assert not np.isin(draw_mixture(toy.spec, toy.experiment, 0).features, mixture.features).any()


def test_progress_is_kept_step_by_step_and_nothing_is_ranked(similarity):
    methods = {name: METHODS[name] for name in ("oasis", "sdca")}
    toy = similarity(methods=methods, progress=True, epochs=1)
    for method in methods:
        assert pd.read_parquet(toy.make_fits(method).embeddings).empty
    table = toy.make_scores()
    assert "MAP" not in set(table.measure)
    curve = pick(table, method="sdca", variant="projected", trial=0, measure="mistake_rate")
    assert list(curve.triplets) == list(range(1, 151))
    assert curve.epoch.iloc[-1] == 1 and curve.value.between(0, 1).all()
    assert len(pick(table, method="sdca", variant="paper", measure="reg")) == 2


def test_the_gap_is_kept_epoch_by_epoch_with_its_bound(similarity):
    methods = {"sdca": {"model": "SDCA", "sweep": {"reg": [30, 100]}, "variants": {"paper": {}}}}
    toy = similarity(methods=methods, gap=True, epochs=40)
    toy.make_fits("sdca")
    table = toy.make_scores()
    for _, curves in table.groupby(["sweep", "trial"]):
        gap, bound = (pick(curves, measure=name) for name in ("duality_gap", "gap_bound"))
        assert list(gap.epoch) == list(range(1, 41)) and list(gap.triplets)[-1] == 6000
        assert (gap.value.to_numpy() <= bound.value.to_numpy()).all()
        assert gap.value.iloc[-1] < 1e-3 * gap.value.iloc[0]
