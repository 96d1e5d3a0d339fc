"""Retrieval by learned points equals a count by hand."""

import numpy as np
import pandas as pd
import pytest

from closerthan_study.tasks.ordinal.retrieval import ridge_smoother
from toy_study import pick

RETRIEVAL = {
    "comparisons": {
        **{"source": "labels", "n_classes": 5, "n_items": 12, "n_queries": 8},
        **{"n_train": 400, "n_test": 100, "noise": [0.1]},
    },
    "retrieval": {"k": [4, 12, 30], "ridge": 0.1},
}
CONTROLS = {"features": {"control": "features"}, "random": {"control": "random"}}


def test_retrieval_is_perfect_on_separated_features_and_chance_on_random_points(ordinal, classes):
    toy = ordinal(classes, methods=CONTROLS, **RETRIEVAL)
    scores = toy.make_all()
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
    """Rank the random points again by a plain sort of all distances."""
    toy = study(classes, methods={"random": CONTROLS["random"]}, **RETRIEVAL)
    _, objects = toy.make_trials()
    start = toy.make_fits("random").learned.query("trial == 1")
    scores = pick(toy.make_scores(), trial=1)
    items, queries = (
        objects[(objects.part == part) & (objects.trial == 1)] for part in ("item", "query")
    )
    features = classes["features"]
    mean, sd = features[items.row].mean(axis=0), features[items.row].std(axis=0)
    points = start.sort_values("object")[["x0", "x1"]].to_numpy()
    standardized = [(features[part.row] - mean) / sd for part in (items, queries)]
    center = points.mean(axis=0)
    places = ridge_smoother(*standardized, 0.1) @ (points - center) + center
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

    labels = items.label.to_numpy()
    order = np.argsort(np.linalg.norm(points[:, None] - points, axis=-1), axis=1)
    hits = labels[order] == labels[:, None]  # the printed protocol: each is its own first hit
    for k in (4, 12, 30):
        found = pick(scores, measure="R@K", k=k).value.item()
        assert found == pytest.approx(hits[:, :k].sum() / 60 / 12)
    assert pick(scores, measure="P@R").value.item() == pytest.approx(hits[:, :12].mean())


def test_the_map_of_features_equals_the_normal_equations():
    rng = np.random.default_rng(1)
    features, new = rng.normal(size=(9, 4)), rng.normal(size=(6, 4))

    def square(a, b):
        return ((a[:, None] - b) ** 2).sum(axis=-1)

    width = square(features, features).mean()
    kernel, cross = (np.exp(-square(x, features) / (2 * width)) for x in (features, new))
    expected = cross @ np.linalg.inv(kernel + 0.5 * np.eye(9))
    np.testing.assert_allclose(ridge_smoother(features, new, 0.5), expected)


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
    scores = toy.make_scores()
    for name in (measure, "MAP@R", "P@R") if retrieval else (measure,):
        found = pick(scores, measure=name).sort_values("trial")
        assert list(found.trial) == [0, 1] and list(found.value.isna()) == [True, False]


def test_items_and_queries_are_apart_and_balanced(study, classes):
    _, objects = study(classes, **RETRIEVAL).make_trials()
    for _, table in objects.groupby("trial"):
        items, queries = (table[table.part == name] for name in ("item", "query"))
        assert table.row.is_unique and (classes["labels"][table.row] == table.label).all()
        assert items.object.tolist() == list(range(60)) and len(queries) == 40
        assert items.label.value_counts().tolist() == [12] * 5
        assert queries.label.value_counts().tolist() == [8] * 5
    first, second = (set(pick(objects, trial=trial, part="item").row) for trial in (0, 1))
    assert first != second


def test_a_class_with_too_few_objects_is_named(study, classes):
    toy = study(classes, comparisons={**RETRIEVAL["comparisons"], "n_items": 13})
    with pytest.raises(ValueError, match="class 0 has 20 objects; 13 items and 8 queries"):
        toy.make_trials()
    assert not toy.trials.exists()
