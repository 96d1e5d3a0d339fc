"""Check the scores of maps against other computations from the same points."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import pearsonr, spearmanr
from sklearn.manifold import trustworthiness

from closerthan.mds.geodesic import geodesic_distances
from closerthan.scores.procrustes import procrustes_distance
from closerthan_study.reading import coordinates
from closerthan_study.tasks.base import KEYS
from closerthan_study.tasks.mds.scores import (
    RESAMPLES,
    distortion,
    least_errors,
    mean_of_resamples,
    misplaced,
    outer,
    recovery,
    rises,
    when_error_reached,
)
from closerthan_study.tasks.mds.trials import with_noise
from closerthan_study.tasks.stress import scaled_stress
from toy_study import pick, points_of

PAPER = {"variants": {"paper": {}}}


def test_scores_of_a_shape_are_those_of_its_points(of_shape):
    toy = of_shape(noise=[0.0, 0.2])
    made = {name: toy.make_fits(name) for name in toy.experiment.methods}
    table = toy.make_scores()
    objects = pick(toy.objects, trial=1)
    clean, places = coordinates(objects), coordinates(objects, "p")
    features = with_noise(toy.setup, clean, 0.2, 1)
    given = geodesic_distances(features, 5, bridge=True)
    keys = {"variant": "monotone", "noise": 0.2, "trial": 1}
    points = points_of(made["search"].learned, **keys)
    values = pick(table, method="search", **keys).set_index("measure").value
    assert values["trustworthiness"] == trustworthiness(clean, points, n_neighbors=12)
    distances = cdist(points, points)
    distances *= (distances * given).sum() / (distances**2).sum()
    stress = np.sqrt(((distances - given) ** 2).sum() / (distances**2).sum())
    assert values["stress"] == pytest.approx(stress)
    fitted = zip(places.T, affine(places, points), strict=True)
    explained = [np.corrcoef(place, fit)[0, 1] ** 2 for place, fit in fitted]
    assert values["distortion"] == pytest.approx(1 - np.mean(explained))
    assert {"epochs", "epochs_to_error", "mse", "failed", "procrustes"} < set(values.index)
    assert set(pick(table, method="svd").measure) == set(values.index) - {
        *("epochs", "epochs_to_error", "mse", "rises", "recovery")
    }


def test_the_edge_is_judged_apart_by_its_residuals():
    rng = np.random.default_rng(4)
    places = rng.uniform(size=(400, 2)) * [30.0, 2.0]
    points = places @ [[1.0, 0.5], [0.0, 1.0]] + rng.normal(scale=0.3, size=(400, 2))
    to_side = np.minimum(places - places.min(axis=0), places.max(axis=0) - places)
    edge = np.argsort((to_side / np.ptp(places, axis=0)).min(axis=1))[:20]
    assert set(np.flatnonzero(outer(places))) == set(edge)
    fitted = np.transpose(list(affine(places, points)))
    shares = ((places - fitted)[edge] ** 2).mean(axis=0) / places.var(axis=0)
    assert distortion(places, points, outer(places)) == pytest.approx(shares.mean())
    moved = 3 * places @ [[0.6, 0.8], [-0.8, 0.6]] + 7
    assert distortion(places, moved, outer(places)) < 1e-20
    assert misplaced(places, moved, outer(places)) < 1e-20
    thicker = np.column_stack([points, rng.normal(size=(400, 3))])
    for more in (points, thicker):
        everywhere = misplaced(places, more, slice(None))
        assert everywhere == pytest.approx(procrustes_distance(places, more))
    everywhere = misplaced(places, points, slice(None))
    sizes = misplaced(places, points, edge), misplaced(places, points, ~outer(places))
    assert np.average(sizes, weights=[20, 380]) == pytest.approx(everywhere)


def test_an_error_rises_and_its_convergence_recovers():
    errors = np.exp(-np.cumsum([2.0, 2.0, 0.5, -1.0, 1.5, 0.25]))
    assert rises(errors) == 1 and recovery(errors) == pytest.approx(3.0)
    slowing = 1 + 1 / np.arange(1.0, 9.0)
    assert rises(slowing) == 0 and recovery(slowing) == 1
    assert np.isnan(rises([1.0])) and np.isnan(recovery([1.0]))


def test_the_seconds_of_an_epoch_are_a_curve_over_the_swept_sizes(of_shape):
    sizes = {**PAPER, "sweep": {"n_objects": [40, 80, 150]}}
    toy = of_shape(methods={"search": {"model": "PatternSearchMDS", "label": "search", **sizes}})
    toy.make_all()
    rows = pick(toy.seconds, trial=0).set_index("measure")
    found, spent = rows.loc["epoch_seconds"], rows.loc["search_seconds"]
    assert list(found.epoch) == [40, 80, 150] and set(found["sweep"]) == {40}
    np.testing.assert_allclose(found.value, spent.value / spent.epoch)


def affine(places, points):
    """Yield each coordinate of the places, fitted best by an affine map of the points."""
    design = np.column_stack([np.ones(len(points)), points])
    for place in places.T:
        yield design @ np.linalg.solve(design.T @ design, design.T @ place)


def test_scores_of_words_are_correlations_of_cosines(of_words, mds_methods):
    methods = {**mds_methods, "original": {"control": "features"}}
    for n_objects in (40, 12):
        toy, arrays = of_words(n_objects, methods=methods, sizes={"trials": 1})
        made = {name: toy.make_fits(name) for name in methods}
        assert points_of(made["original"].learned).size == 0
        table = toy.make_scores()
        objects = toy.objects
        clean = arrays["features"][objects.row]
        features = with_noise(toy.setup, clean, 0.5, 0)
        found = points_of(made["svd"].learned, noise=0.5)
        for method, points in (("original", features), ("svd", found)):
            vectors = dict(zip(objects.row, points, strict=True))
            likeness = []
            for left, right, score in arrays["ratings_men"]:
                if left in vectors and right in vectors:
                    a, b = vectors[left], vectors[right]
                    likeness.append((a @ b / np.sqrt(a @ a * (b @ b)), score))
            values = pick(table, method=method, noise=0.5).set_index("measure").value
            assert values["spearman"] == pytest.approx(spearmanr(*np.transpose(likeness)).statistic)
            assert values["pearson"] == pytest.approx(pearsonr(*np.transpose(likeness)).statistic)
            drawn = pick(table, method=method, noise=0.5, measure="spearman_resampled")
            assert sorted(drawn.trial) == list(range(RESAMPLES))
            if n_objects == 40:
                check_resamples(drawn.value, np.array(likeness))
        assert "trustworthiness" not in set(table.measure)


def check_resamples(values, likeness):
    """Their quantiles equal the quantiles of a bootstrap of the pairs with other draws."""
    rng = np.random.default_rng(0)
    draws = rng.integers(len(likeness), size=(1000, len(likeness)))
    wanted = [spearmanr(*likeness[drawn].T).statistic for drawn in draws]
    quantiles = [0.1, 0.5, 0.9]
    apart = np.quantile(values, quantiles) - np.quantile(wanted, quantiles)
    assert np.abs(apart).max() < 0.3 * np.std(wanted)  # four standard errors


def test_resamples_are_averaged_over_trials_and_keep_their_number():
    row = {"variant": "paper", "loss": "none", "batch_size": np.nan, "noise": 0.0, "sweep": np.nan}
    row |= {"measure": "resampled", "epoch": np.nan}
    tables = [
        pd.DataFrame({**row, "trial": trial, "resample": [0, 1], "value": [trial, 10.0 * trial]})
        for trial in (1, 3)
    ]
    found = mean_of_resamples(tables)
    assert found[["trial", "value"]].to_numpy().tolist() == [[0, 2.0], [1, 20.0]]
    assert set(found.measure) == {"spearman_resampled"}


def test_classes_that_are_apart_have_the_best_f1_and_random_points_none(of_classes):
    f1 = pick(of_classes.make_all(), measure="f1").groupby("method").value.max()
    assert f1["search"] == f1["svd"] == 1.0 and f1["random"] < 0.4


def test_every_row_says_what_it_is_of(of_shape, mds_methods, tidy_scores):
    sweep = {**mds_methods["search"], "sweep": {"tol": [1e-4, 1e-2]}}
    toy = of_shape(methods={**mds_methods, "search": sweep}, noise=[0.0, 0.1])
    table = tidy_scores(toy)
    assert table[["batch_size", "k", "triplets"]].isna().all(axis=None)
    assert set(table.loss) == {"none"} and set(table.noise) == {0.0, 0.1}
    assert table.sweep.notna().equals(table.method == "search")
    of_curves = ["mse", "epochs", "epochs_to_error", "failed", "rises", "recovery"]
    of_curves = table.measure.isin(of_curves)
    assert table.epoch.notna().equals(of_curves)
    seconds = toy.seconds
    assert set(seconds.measure) == {"seconds", "search_seconds", "seconds_to_error", "cores"}
    assert set(pick(seconds, method="svd").measure) == {"seconds"}
    keys = ["method", *KEYS]
    last = pick(seconds, measure="seconds").groupby(keys, dropna=False).value.agg(np.ptp)
    alone = pick(seconds, measure="search_seconds").set_index(keys).value
    np.testing.assert_allclose(last[alone.index], alone)


def test_an_error_is_reached_within_a_hundredth_of_the_least_that_any_method_found():
    def curve(variant, *errors, noise=0.0):
        keys = {"loss": "none", "batch_size": np.nan, "sweep": np.nan}
        table = {"mse": errors, "epoch": range(len(errors)), "seconds": 10.0, "reason": ""}
        return pd.DataFrame({**keys, **table, "variant": variant, "noise": noise, "trial": 0})

    curves = [curve("a", 9.0, 4.0, 2.01, 2.0), curve("b", 9.0, 3.0, 2.1), curve("c", np.nan)]
    curves.append(curve("a", 9.0, 5.0, noise=0.5))
    least = least_errors(curves)
    assert least.to_dict() == {(0.0, 0): 2.0, (0.5, 0): 5.0}
    found = when_error_reached(pd.concat(curves), 1.01 * least, "epoch")
    found = found.set_index(["variant", "noise"])
    assert found.value["a", 0.0] == 2 and found.value["a", 0.5] == 1
    assert np.isnan(found.value["b", 0.0]) and "c" not in found.index
    assert set(found.measure) == {"epochs_to_error"} and found.epoch["b", 0.0] == 2
    seconds = when_error_reached(curves[0], 1.01 * least, "seconds")
    assert list(seconds.value) == [10.0] and set(seconds.measure) == {"seconds_to_error"}


def test_distortion_and_stress_do_not_depend_on_the_axes():
    rng = np.random.default_rng(2)
    places = rng.normal(size=(60, 2)) * [9.0, 1.0]
    sheared = places @ rng.normal(size=(2, 2)) + 5.0
    assert distortion(places, sheared) < 1e-12
    assert distortion(places, sheared[:, :0]) == pytest.approx(1.0)
    assert distortion(places, places[:, :1]) == pytest.approx(0.5, abs=0.1), "axes count alike"
    given = squareform(pdist(places))
    assert scaled_stress(0.01 * places @ [[0.0, 1.0], [1.0, 0.0]], given) < 1e-12
    assert scaled_stress(places * [1.0, 9.0], given) > 0.1
