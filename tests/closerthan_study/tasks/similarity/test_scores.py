"""Check scores of similarities: the quality of rankings, and learning curves."""

import numpy as np
import pandas as pd
import pytest

from closerthan.scores.retrieval import retrieval_scores
from closerthan_study.reading import coordinates
from closerthan_study.tasks.similarity.mixture import draw_mixture
from closerthan_study.tasks.similarity.trials import Collection
from toy_study import pick

POINTS = {"n_objects": 300, "n_labeled": 90, "n_classes": 3, "n_components": 50}


def test_every_row_says_what_it_is_of(similarity, similarity_methods, map_by_hand, tidy_scores):
    toy = similarity()
    table = tidy_scores(toy)
    assert table[["noise", "value"]].notna().all(axis=None) and set(table.loss) == {"none"}
    assert table[["batch_size", "k"]].isna().all(axis=None)
    assert table.sweep.notna().equals(table.method == "oasis")
    assert table.triplets.notna().equals(table.method.isin(["oasis", "sdca"]))
    curves = {"hinge", "squared_hinge", "mistake_rate", "MAP"}
    measures = {"oasis": curves, "sdca": {*curves, "duality_gap", "reg"}, "lego": {"MAP", "eta"}}
    for method in similarity_methods:
        assert set(pick(table, method=method).measure) == measures.get(method, {"MAP"})
    assert len(pick(table, measure="MAP")) == 2 * (6 + 2 + 2), "trials times fits"

    kept = Collection(toy.setup)
    queries, items = kept.of_trial(1, "query"), kept.of_trial(1, "item", "validation")
    fits = toy.folder("fits")
    learned = pick(pd.read_parquet(fits / "0/oasis.embedding.parquet"), sweep=0.1, trial=1)
    scores = queries.features @ coordinates(learned) @ items.features.T
    (row,) = pick(table, method="oasis", sweep=0.1, trial=1, measure="MAP").iloc
    assert row.value == pytest.approx(map_by_hand(scores, queries.labels, items.labels))
    assert row.triplets == 450 and row.epoch == 3
    learned = pick(pd.read_parquet(fits / "0/rca.embedding.parquet"), trial=1)
    places = (x.features @ coordinates(learned).T for x in (queries, items))
    expected = retrieval_scores(*places, queries.labels, items.labels, k=())
    (row,) = pick(table, method="rca", trial=1).iloc
    assert row.value == pytest.approx(expected.value[0])

    seconds = toy.seconds
    assert set(seconds.measure) == {"seconds"} and (seconds.value > 0).all()


def test_a_background_is_searched_too(similarity, similarity_methods, map_by_hand):
    methods = {name: similarity_methods[name] for name in ("euclidean", "random", "sdca")}
    methods["sdca"] = {"model": "SDCA", "variants": {"paper": {"parameters": {"reg": 0.01}}}}
    toy = similarity(methods=methods, points=POINTS)
    table = toy.make_all()
    mixture = draw_mixture(toy.setup, 1)
    kept = Collection(toy.setup)
    queries, items = (kept.of_trial(1, *p) for p in (("query",), ("item", "validation")))
    assert np.isin(queries.features, mixture.features).all()
    everything = np.vstack([items.features, *mixture.background()])
    labels = np.append(items.labels, np.full(210, -1))
    folder = toy.folder("fits")
    learned = coordinates(pick(pd.read_parquet(folder / "0/sdca.embedding.parquet"), trial=1))
    scores = queries.features @ learned @ everything.T
    (row,) = pick(table, method="sdca", trial=1, measure="MAP").iloc
    assert row.value == pytest.approx(map_by_hand(scores, queries.labels, labels), abs=1e-4)
    distances = np.linalg.norm(queries.features[:, None] - everything, axis=-1)
    (row,) = pick(table, method="euclidean", trial=1).iloc
    assert row.value == pytest.approx(map_by_hand(-distances, queries.labels, labels), abs=1e-4)
    assert (pick(table, method="random").value < 0.2).all()
    again = np.isin(draw_mixture(toy.setup, 0).features, mixture.features)
    assert again.mean() < 0.01, "single floats may be equal by chance"


def test_progress_is_kept_step_by_step_and_nothing_is_ranked(similarity, similarity_methods):
    methods = {name: similarity_methods[name] for name in ("oasis", "sdca")}
    toy = similarity(methods=methods, progress=True, sizes={"epochs": 1})
    for method in methods:
        assert toy.make_fits(method).learned.empty
    table = toy.make_scores()
    assert "MAP" not in set(table.measure)
    curve = pick(table, method="sdca", variant="projected", trial=0, measure="mistake_rate")
    assert list(curve.triplets) == list(range(1, 151))
    assert curve.epoch.iloc[-1] == 1 and curve.value.between(0, 1).all()
    assert len(pick(table, method="sdca", variant="paper", measure="reg")) == 2


def test_the_gap_is_kept_epoch_by_epoch_with_its_bound(similarity):
    methods = {"sdca": {"model": "SDCA", "sweep": {"reg": [30, 100]}, "variants": {"paper": {}}}}
    toy = similarity(methods=methods, gap=True, sizes={"epochs": 40})
    table = toy.make_all()
    assert "MAP" not in set(table.measure)
    for _, curves in table.groupby(["sweep", "trial"]):
        gap, bound = (pick(curves, measure=name) for name in ("duality_gap", "gap_bound"))
        assert list(gap.epoch) == list(range(1, 41)) and list(gap.triplets)[-1] == 6000
        assert (gap.value.to_numpy() <= bound.value.to_numpy()).all()
        over = pick(curves, measure="over_gap_bound").value
        assert over.iloc[-1] == np.max(gap.value.to_numpy() / bound.value.to_numpy())
        assert over.is_monotonic_increasing
        descent, over = (pick(curves, measure=m) for m in ("descent_gap", "over_descent_gap"))
        assert (descent.value > 0).all() and descent.value.iloc[-1] < descent.value.iloc[0]
        np.testing.assert_allclose(over.value.to_numpy() * descent.value, gap.value)
        assert gap.value.iloc[-1] < 1e-3 * gap.value.iloc[0]
