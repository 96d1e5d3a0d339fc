"""Scores of points: tidy rows that equal what is worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from closerthan.scores.embedding import procrustes_distance, triplet_error
from closerthan_study.tasks.base import KEYS
from closerthan_study.tasks.ordinal.score import read_off
from closerthan_study.tasks.scoring import COLUMNS
from toy_study import files_of, pick

RETRIEVAL = {
    "comparisons": {
        **{"source": "labels", "n_classes": 5, "n_items": 12, "n_queries": 8},
        **{"n_train": 400, "n_test": 100, "noise": [0.1]},
    },
    "retrieval": {"k": [4, 12, 30], "ridge": 0.1},
}
CONTROLS = {"features": {"control": "features"}, "random": {"control": "random"}}


def curve(epochs, values, **keys):
    keys = {**dict(zip(KEYS, ["default", "ste", 1, 0.0, np.nan, 0], strict=True)), **keys}
    return pd.DataFrame({"epoch": epochs, "test_error": values}).assign(**keys)


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
    toy.make_trials()
    for method in toy.experiment.methods:
        toy.make_fits(method)
    table = toy.make_scores()
    assert list(table.columns) == COLUMNS
    assert not table.duplicated([name for name in COLUMNS if name != "value"]).any()
    assert set(table.method) == set(toy.experiment.methods)
    assert set(table.study) == {"papers"} and set(table.experiment) == {"toy"}
    assert pick(table, method="truth", measure="test_error").value.eq(0).all()
    before = files_of(toy.folder("scores"))
    toy.make_scores()
    assert files_of(toy.folder("scores")) == before

    last = pick(table, method="batch", measure="test_error", loss="ste", trial=1, epoch=8)
    embeddings = pd.read_parquet(toy.folder("fits") / "0" / "batch.embedding.parquet")
    points = pick(embeddings, loss="ste", trial=1).sort_values("object")[["x0", "x1"]].to_numpy()
    _, test = toy.setup.comparisons(1)
    assert last.value.item() == triplet_error(points, test)
    norm = pick(table, method="batch", measure="norm", loss="ste", trial=1, epoch=8)
    assert norm.value.item() == pytest.approx(np.linalg.norm(points))


def test_batches_are_put_together(study):
    methods = {"batch": {"solver": "Batch", "variants": {"default": {}}}}
    whole = study(methods=methods)
    whole.make_trials()
    whole.make_fits("batch")
    expected = whole.make_scores()
    parts = study(methods=methods, batches=2)
    for batch in (0, 1):
        parts.make_fits("batch", [batch], folder=parts.folder("fits") / str(batch))
    pd.testing.assert_frame_equal(parts.make_scores(), expected, check_exact=True)


def test_maps_are_compared_with_metric_mds(study):
    truth = np.random.default_rng(0).normal(size=(10, 2))
    toy = study(
        {"distances": np.linalg.norm(truth[:, None] - truth, axis=-1)},
        comparisons={"source": "distances", "n_train": 200},
        methods={"mds": {"control": "mds"}, "random": {"control": "random"}},
    )
    toy.make_trials()
    for method in toy.experiment.methods:
        fitted = toy.make_fits(method)
    start = fitted.learned.query("trial == 0")[["x0", "x1"]].to_numpy()
    scores = pick(toy.make_scores(), measure="procrustes")
    assert pick(scores, method="mds").value.abs().max() < 1e-12
    found = pick(scores, method="random", trial=0).value.item()
    assert found == pytest.approx(procrustes_distance(truth, start))


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
    toy.make_trials()
    embeddings = toy.make_fits("random").learned
    embeddings.loc[(embeddings.trial == 0) & (embeddings.object == 3), "x0"] = np.nan
    embeddings.to_parquet(toy.folder("fits") / "0/random.embedding.parquet")
    scores = pick(toy.make_scores(), measure=measure).sort_values("trial")
    assert list(scores.trial) == [0, 1] and list(scores.value.isna()) == [True, False]
