"""The scores station: tidy rows that equal what is worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from relsim.scores import procrustes_distance, triplet_error
from relsim.study.comparisons import read_comparisons
from relsim.study.fits.ordinal import KEYS
from relsim.study.scores import COLUMNS
from relsim.study.scores.ordinal import read_off, ridge_map

RETRIEVAL = {
    "comparisons": {
        **{"source": "labels", "n_classes": 5, "n_items": 12, "n_queries": 8},
        **{"n_train": 400, "n_test": 100, "noise": [0.1]},
    },
    "retrieval": {"k": [4, 12, 30], "ridge": 0.1},
}
CONTROLS = {"features": {"control": "features"}, "random": {"control": "random"}}


def curve(epochs, values, **keys):
    keys = {**dict(zip(KEYS, ["default", "ste", 1, 0.0, 0], strict=True)), **keys}
    return pd.DataFrame({"epoch": epochs, "test_error": values}).assign(**keys)


def pick(table, **keys):
    for key, value in keys.items():
        table = table[table[key] == value]
    return table


def test_curves_are_read_off_at_common_epochs_with_the_last_value_before():
    curves = pd.concat(
        [
            curve([0.0, 1.0, 2.5, 4.0], [0.5, 0.4, 0.2, 0.1]),
            curve([0.0, 3.0], [0.6, 0.3], trial=1),  # stopped at epoch 3
        ]
    )
    table = read_off(curves, "test_error", 5)
    for trial, values in ((0, [0.5, 0.4, 0.4, 0.2, 0.1, 0.1]), (1, [0.6] * 3 + [0.3] * 3)):
        found = pick(table, trial=trial)
        assert list(found.epoch) == [0, 1, 2, 3, 4, 5] and list(found.value) == values
        assert set(found.measure) == {"test_error"} and set(found.loss) == {"ste"}


def test_long_curves_are_read_off_at_few_epochs_and_at_both_ends():
    long = curve(np.arange(1001.0), np.arange(1001.0))
    table = read_off(long, "test_error", 900)
    assert 30 <= len(table) <= 100
    assert table.epoch.iloc[0] == 0 and table.epoch.iloc[-1] == 900
    np.testing.assert_array_equal(table.value, table.epoch)


def test_every_row_is_tidy_and_the_file_repeats(study):
    toy = study()
    toy.make_comparisons()
    for method in toy.experiment.methods:
        toy.make_fits(method)
    table = toy.make_scores()
    assert list(table.columns) == COLUMNS
    assert not table.duplicated([name for name in COLUMNS if name != "value"]).any()
    assert set(table.method) == set(toy.experiment.methods)
    assert set(table.study) == {"papers"} and set(table.experiment) == {"toy"}
    assert pick(table, method="truth", measure="test_error").value.eq(0).all()
    folder = toy.folder / "scores"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    toy.make_scores()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before

    last = pick(table, method="batch", measure="test_error", loss="ste", trial=1, epoch=8)
    folder = toy.folder / "fits/papers/toy/synthetic/batch.0"
    embeddings = pd.read_parquet(folder / "batch.embedding.parquet")
    points = pick(embeddings, loss="ste", trial=1).sort_values("object")[["x0", "x1"]].to_numpy()
    _, test = read_comparisons(toy.inputs[1], 1, 0.0)
    assert last.value.item() == triplet_error(points, test)
    norm = pick(table, method="batch", measure="norm", loss="ste", trial=1, epoch=8)
    assert norm.value.item() == pytest.approx(np.linalg.norm(points))


def test_shards_are_put_together(study):
    methods = {"batch": {"solver": "Batch", "variants": {"default": {}}}}
    whole = study(methods=methods)
    whole.make_comparisons()
    whole.make_fits("batch")
    expected = whole.make_scores()
    parts = study(methods=methods, trials_per_job=1)
    for shard in (0, 1):
        folder = parts.folder / f"fits/papers/toy/synthetic/batch.{shard}"
        parts.make_fits("batch", [shard], folder=folder)
    pd.testing.assert_frame_equal(parts.make_scores(), expected, check_exact=True)


def test_maps_are_compared_with_metric_mds(study):
    truth = np.random.default_rng(0).normal(size=(10, 2))
    toy = study(
        {"distances": np.linalg.norm(truth[:, None] - truth, axis=-1)},
        comparisons={"source": "distances", "n_train": 200},
        methods={"mds": {"control": "mds"}, "random": {"control": "random"}},
    )
    toy.make_comparisons()
    for method in toy.experiment.methods:
        fitted = toy.make_fits(method)
    start = pd.read_parquet(fitted.embeddings).query("trial == 0")[["x0", "x1"]].to_numpy()
    scores = pick(toy.make_scores(), measure="procrustes")
    assert pick(scores, method="mds").value.abs().max() < 1e-12
    found = pick(scores, method="random", trial=0).value.item()
    assert found == pytest.approx(procrustes_distance(truth, start))


def test_retrieval_is_perfect_on_separated_features_and_chance_on_random_points(study, classes):
    toy = study(classes, methods=CONTROLS, **RETRIEVAL)
    toy.make_comparisons()
    for method in CONTROLS:
        toy.make_fits(method)
    scores = toy.make_scores()
    features = pick(scores, method="features")
    for measure, values in (
        ("MAP", {None: 1.0}),
        ("precision", {4: 1.0, 12: 1.0, 30: 12 / 30}),
        ("recall", {4: 4 / 12, 12: 1.0, 30: 1.0}),
    ):
        for trial in (0, 1):
            rows = pick(features, measure=measure, trial=trial)
            found = {None if pd.isna(k) else k: v for k, v in zip(rows.k, rows.value, strict=True)}
            assert found == pytest.approx(values)
    assert pick(scores, method="random", measure="MAP").value.max() < 0.5


def test_retrieval_equals_a_count_by_hand(study, classes):
    """The random points again, ranked here by a plain sort of all distances."""
    toy = study(classes, methods={"random": CONTROLS["random"]}, **RETRIEVAL)
    _, objects = toy.make_comparisons()
    start = pd.read_parquet(toy.make_fits("random").embeddings).query("trial == 1")
    scores = pick(toy.make_scores(), trial=1)
    items, queries = (
        objects[(objects.part == part) & (objects.trial == 1)] for part in ("item", "query")
    )
    features = classes["features"]
    mean, sd = features[items.row].mean(axis=0), features[items.row].std(axis=0)
    points = start.sort_values("object")[["x0", "x1"]].to_numpy()
    standardized = [(features[part.row] - mean) / sd for part in (items, queries)]
    center = points.mean(axis=0)
    places = ridge_map(*standardized, 0.1) @ (points - center) + center
    hits = []
    for place, label in zip(places, queries.label, strict=True):
        order = np.argsort(np.linalg.norm(points - place, axis=1))
        hits.append(items.label.to_numpy()[order] == label)
    hits = np.array(hits)
    precision = hits.cumsum(axis=1) / np.arange(1, 61)
    expected = ((precision * hits).sum(axis=1) / 12).mean()
    assert pick(scores, measure="MAP").value.item() == pytest.approx(expected)
    for k in (4, 12, 30):
        first = hits[:, :k].sum(axis=1)
        for measure, value in (("precision", first / k), ("recall", first / 12)):
            found = pick(scores, measure=measure, k=k).value.item()
            assert found == pytest.approx(value.mean())


@pytest.mark.parametrize("retrieval", [True, False])
def test_an_embedding_with_nan_is_scored_as_missing(study, classes, retrieval):
    if retrieval:
        toy, measure = study(classes, methods={"random": CONTROLS["random"]}, **RETRIEVAL), "MAP"
    else:
        settings = {"source": "distances", "n_train": 200}
        points = np.random.default_rng(0).normal(size=(10, 2))
        arrays = {"distances": np.linalg.norm(points[:, None] - points, axis=-1)}
        toy = study(arrays, methods={"random": CONTROLS["random"]}, comparisons=settings)
        measure = "procrustes"
    toy.make_comparisons()
    fitted = toy.make_fits("random")
    embeddings = pd.read_parquet(fitted.embeddings)
    embeddings.loc[(embeddings.trial == 0) & (embeddings.object == 3), "x0"] = np.nan
    embeddings.to_parquet(fitted.embeddings)
    scores = pick(toy.make_scores(), measure=measure).sort_values("trial")
    assert list(scores.trial) == [0, 1] and list(scores.value.isna()) == [True, False]


def test_the_map_of_features_meets_its_points_without_a_penalty():
    rng = np.random.default_rng(0)
    features, points = rng.normal(size=(20, 5)), rng.normal(size=(20, 3))
    found = ridge_map(features, features, 1e-10) @ points
    np.testing.assert_allclose(found, points, atol=1e-6)
    assert abs(ridge_map(features, features, 1e10) @ points).max() < 1e-6


def test_the_map_of_features_equals_the_normal_equations():
    rng = np.random.default_rng(1)
    features, new = rng.normal(size=(9, 4)), rng.normal(size=(6, 4))

    def square(a, b):
        return ((a[:, None] - b) ** 2).sum(axis=-1)

    width = square(features, features).mean()
    kernel, cross = (np.exp(-square(x, features) / (2 * width)) for x in (features, new))
    expected = cross @ np.linalg.inv(kernel + 0.5 * np.eye(9))
    np.testing.assert_allclose(ridge_map(features, new, 0.5), expected)
