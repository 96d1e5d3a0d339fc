"""Maps: every method gets the same objects, noise and start, and scores are those of its points."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import pearsonr, spearmanr
from sklearn.decomposition import TruncatedSVD
from sklearn.manifold import trustworthiness
from threadpoolctl import threadpool_limits

from relsim.datasets import make_shape
from relsim.mds import SMACOF, PatternSearchMDS, geodesic_distances
from relsim.study.fits.maps import KEYS, TrialObjects
from relsim.study.objects import columns, draw_objects, features_of, true_map, with_noise
from relsim.study.scores import COLUMNS
from relsim.study.scores.maps import distortion, least_errors, scaled_stress, when_reached
from relsim.study.seeds import seed_sequence

PAPER = {"variants": {"paper": {}}}
METHODS = {
    "search": {
        "model": "PatternSearchMDS",
        "variants": {
            "paper": {"parameters": {"radius": 2, "min_radius": 0.01}},
            "monotone": {"parameters": {"bad_moves": False}},
        },
    },
    "smacof": {"model": "SMACOF", **PAPER},
    "svd": {"model": "TruncatedSVD", **PAPER},
    "random": {"control": "random"},
}
MAP = {"learns": "map", "losses": {}, "dissimilarity": "euclidean", "n_neighbors": 5}


@pytest.fixture
def of_shape(study):
    """A study of maps of a shape, with its comparisons made."""

    def make(name="swissroll", methods=METHODS, **changes):
        arrays = make_shape(name, 100, random_state=0).arrays()
        comparisons = {"n_objects": 150, "noise": changes.pop("noise", [0.0])}
        settings = {**MAP, "dissimilarity": "geodesic", "comparisons": comparisons, "epochs": 30}
        toy = study(arrays, methods=methods, dataset=name, **settings | changes)
        toy.make_comparisons()
        return toy

    return make


@pytest.fixture
def of_words(study):
    """A study of 40 words, 30 of them in the pairs of `men`, with comparisons made."""
    rng = np.random.default_rng(0)
    pairs = np.column_stack([np.arange(29), np.arange(1, 30), rng.uniform(0, 50, 29)])
    arrays = {"vectors": rng.normal(size=(40, 8)), "men": pairs, "simlex": pairs[:5]}

    def make(n_objects=40, methods=METHODS, **changes):
        comparisons = {"n_objects": n_objects, "pairs": "men", "noise": [0.0, 0.5]}
        toy = study(arrays, methods=methods, **{**MAP, "comparisons": comparisons, **changes})
        toy.make_comparisons()
        return toy, arrays

    return make


def pick(table, **keys):
    for key, value in keys.items():
        table = table[table[key] == value]
    return table


def points_of(path, **keys):
    return columns(pick(pd.read_parquet(path), **keys).sort_values("object"), "x")


def test_a_shape_is_drawn_anew_in_every_trial_with_its_true_coordinates(of_shape):
    toy = of_shape("clusters", noise=[0.0, 0.3])
    comparisons, objects = (pd.read_parquet(path) for path in toy.inputs[1:])
    assert comparisons.empty and list(objects.groupby("trial").size()) == [150, 150]
    assert set(objects.part) == {"item"} and set(objects.row) == {-1}
    first, second = (pick(objects, trial=trial) for trial in (0, 1))
    assert not np.isclose(columns(first, "x"), columns(second, "x")).any()
    words = ("papers", "toy", "clusters", "comparisons", 1)
    rng = np.random.default_rng(seed_sequence(7, *words))
    shape = make_shape("clusters", 150, random_state=rng)
    np.testing.assert_array_equal(columns(second, "x"), shape.points)
    np.testing.assert_array_equal(second.color, shape.color)
    place = columns(second, "p")[:, 0]
    assert set(second.label) == {-1, *range(10)}
    np.testing.assert_array_equal(second.label == -1, place != np.round(place))
    assert (second.label[second.label >= 0] == place[second.label >= 0]).all()


def test_words_of_the_pairs_alone_take_part(of_words):
    toy, arrays = of_words()
    objects = pick(pd.read_parquet(toy.inputs[2]), trial=0)
    assert list(objects.row) == list(range(30)) and set(objects.label) == {-1}
    np.testing.assert_array_equal(features_of(arrays, objects), arrays["vectors"][:30])
    few = pd.read_parquet(of_words(12)[0].inputs[2])
    assert list(few.groupby("trial").row.nunique()) == [12, 12] and few.row.max() < 30
    assert set(pick(few, trial=0).row) != set(pick(few, trial=1).row)


def test_objects_keep_the_labels_of_their_rows(study, classes):
    toy = study(classes, **MAP, comparisons={"n_objects": 60}, methods=METHODS)
    objects = toy.make_comparisons()[1]
    assert (classes["labels"][objects.row] == objects.label).all()
    assert objects.groupby("trial").row.nunique().tolist() == [60, 60]


def test_noise_is_normal_and_at_all_levels_a_multiple_of_the_same(study):
    toy = study(**MAP, comparisons={})
    clean = np.ones((400, 5))
    args = toy.spec, toy.experiment, "synthetic", clean
    half, fifth = (with_noise(*args, noise, 3) - clean for noise in (0.5, 0.2))
    np.testing.assert_allclose(half / 0.5, fifth / 0.2)
    assert abs(half.std() / 0.5 - 1) < 0.05 and abs(half.mean()) < 0.05
    assert not np.isclose(with_noise(*args, 0.5, 4) - clean, half).any()
    np.testing.assert_array_equal(with_noise(*args, 0.0, 3), clean)


def test_the_true_map_of_a_helix_is_a_circle_and_clusters_have_none():
    def drawn(name):
        shape = make_shape(name, 120, random_state=0)
        table = {f"p{axis}": values for axis, values in enumerate(shape.parameters.T)}
        return pd.DataFrame(table), shape.parameters

    helix, angle = drawn("toroid_helix")
    circle = true_map("toroid_helix", helix)
    np.testing.assert_allclose(np.arctan2(*circle.T[::-1]) % (2 * np.pi), angle[:, 0])
    roll, parameters = drawn("swissroll")
    np.testing.assert_array_equal(true_map("swissroll", roll), parameters)
    assert true_map("clusters", drawn("clusters")[0]) is None
    assert true_map("words", pd.DataFrame({"row": [0, 1]})) is None


def test_methods_of_mds_get_geodesics_and_start_alike(of_shape):
    toy = of_shape(noise=[0.0, 0.2])
    objects = pick(pd.read_parquet(toy.inputs[2]), trial=1)
    args = toy.spec, toy.experiment, "swissroll"
    features = with_noise(*args, columns(objects, "x"), 0.2, 1)
    given = geodesic_distances(features, 5, bridge=True)
    words = ("papers", "toy", "swissroll", "start", 0.2, 1)
    number = int(seed_sequence(7, *words).generate_state(1)[0])
    common = {"dissimilarity": "precomputed", "random_state": number}
    expected = {
        ("search", "paper"): PatternSearchMDS(2, radius=2, min_radius=0.01, **common),
        ("search", "monotone"): PatternSearchMDS(2, bad_moves=False, **common),
        ("smacof", "paper"): SMACOF(2, max_iter=30, **common),
    }
    for (name, variant), model in expected.items():
        made = toy.make_fits(name)
        keys = {"variant": variant, "noise": 0.2, "trial": 1}
        with threadpool_limits(1):  # as the station does
            points = model.fit_transform(given)
        np.testing.assert_array_equal(points_of(made.embeddings, **keys), np.float32(points))
        curve = pick(pd.read_parquet(made.curves), **keys)
        np.testing.assert_array_equal(curve.epoch, range(model.n_iter_ + 1))
        distances = squareform(pdist(points))
        assert curve.mse.iloc[-1] == pytest.approx(np.mean((distances - given) ** 2))
        assert set(curve.reason) == {""}
        seconds = pick(pd.read_parquet(made.seconds), **keys).seconds
        assert seconds.is_monotonic_increasing and seconds.iloc[0] > 0
    starts = [pd.read_parquet(toy.make_fits(m).curves) for m in ("search", "smacof")]
    starts = [pick(table, variant="paper", epoch=0).mse.to_numpy() for table in starts]
    np.testing.assert_allclose(*starts)


def test_other_methods_get_the_features(of_shape):
    toy = of_shape(noise=[0.3])
    objects = pick(pd.read_parquet(toy.inputs[2]), trial=0)
    features = with_noise(toy.spec, toy.experiment, "swissroll", columns(objects, "x"), 0.3, 0)
    found = points_of(toy.make_fits("svd").embeddings, trial=0)
    expected = TruncatedSVD(2, random_state=0).fit_transform(features)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), rtol=1e-4, atol=1e-4)


def test_neighbors_are_those_of_the_experiment_unless_a_method_says_others(of_shape):
    lle = {"model": "LocallyLinearEmbedding", "variants": {"paper": {}}}
    search = {"model": "PatternSearchMDS", **PAPER, "sweep": {"n_neighbors": [5, 30]}}
    swept = {"search": search, "lle": lle, "lle-20": {**lle}}
    swept["lle-20"]["variants"] = {"paper": {"parameters": {"n_neighbors": 20}}}
    toy = of_shape(methods=swept, trials=1)
    objects = pd.read_parquet(toy.inputs[2])
    of_trial = TrialObjects(toy.spec, toy.experiment, "swissroll", {}, objects, 0.0, 0)
    for n_neighbors in (5, 30):
        expected = geodesic_distances(columns(objects, "x"), n_neighbors, bridge=True)
        np.testing.assert_array_equal(of_trial.dissimilarities(n_neighbors)[0], expected)
    curves = pd.read_parquet(toy.make_fits("search").curves)
    starts = pick(curves, epoch=0).set_index("sweep").mse
    assert starts[5.0] != starts[30.0]
    few, many = (points_of(toy.make_fits(name).embeddings) for name in ("lle", "lle-20"))
    assert not np.allclose(few, many)


def test_a_method_that_fails_has_a_reason_and_no_points(of_shape):
    hessian = {"parameters": {"method": "hessian", "n_neighbors": 4}}
    methods = {
        "hessian": {"model": "LocallyLinearEmbedding", "variants": {"paper": hessian}},
        "smacof": METHODS["smacof"],
    }
    toy = of_shape(methods=methods)
    made = toy.make_fits("hessian")
    curves = pd.read_parquet(made.curves)
    assert curves.reason.str.contains("n_neighbors must be greater than").all()
    assert np.isnan(points_of(made.embeddings, trial=0)).all()
    toy.make_fits("smacof")
    table = toy.make_scores()
    failed = pick(table, measure="failed").set_index("method").value
    assert set(failed["hessian"]) == {1.0} and set(failed["smacof"]) == {0.0}
    values = pick(table, method="hessian")
    assert set(values.measure) == {
        "failed",
        "stress",
        "trustworthiness",
        "procrustes",
        "distortion",
    }
    assert values[values.measure != "failed"].value.isna().all()
    assert pick(table, method="smacof").value[table.measure == "stress"].notna().all()


@pytest.mark.parametrize("method", ["search", "smacof", "svd", "isomap", "lle"])
def test_runs_and_shards_make_no_difference(of_shape, tmp_path, method):
    methods = {
        **METHODS,
        "isomap": {"model": "Isomap", **PAPER},
        "lle": {"model": "LocallyLinearEmbedding", **PAPER},
    }
    toy = of_shape(methods=methods, noise=[0.0, 0.1])
    fitted = toy.make_fits(method)
    again = toy.make_fits(method, folder=tmp_path / "again")
    for first, second in ((fitted.curves, again.curves), (fitted.embeddings, again.embeddings)):
        assert first.read_bytes() == second.read_bytes()
    order = [*KEYS, "object"]
    whole = pd.read_parquet(fitted.embeddings).sort_values(order, ignore_index=True)
    shards = [
        pd.read_parquet(toy.make_fits(method, [trial], folder=tmp_path / str(trial)).embeddings)
        for trial in (0, 1)
    ]
    parts = pd.concat(shards).sort_values(order, ignore_index=True)
    pd.testing.assert_frame_equal(whole, parts, check_exact=True)


def test_controls_are_what_they_say(of_shape, of_words):
    methods = {"random": {"control": "random"}, "truth": {"control": "truth"}}
    toy = of_shape("toroid_helix", methods=methods)
    objects = pick(pd.read_parquet(toy.inputs[2]), trial=1)
    truth = points_of(toy.make_fits("truth").embeddings, trial=1)
    np.testing.assert_array_equal(truth, np.float32(true_map("toroid_helix", objects)))
    random = [points_of(toy.make_fits("random").embeddings, trial=trial) for trial in (0, 1)]
    assert random[0].shape == (150, 2) and not np.isclose(*random).any()
    table = toy.make_scores()
    assert (pick(table, method="truth", measure="procrustes").value < 1e-12).all()
    assert (pick(table, method="random", measure="distortion").value > 0.9).all()
    assert "failed" not in set(table.measure)


def test_scores_of_a_shape_are_those_of_its_points(of_shape):
    toy = of_shape(noise=[0.0, 0.2])
    made = {name: toy.make_fits(name) for name in toy.experiment.methods}
    table = toy.make_scores()
    objects = pick(pd.read_parquet(toy.inputs[2]), trial=1)
    clean, places = columns(objects, "x"), columns(objects, "p")
    features = with_noise(toy.spec, toy.experiment, "swissroll", clean, 0.2, 1)
    given = geodesic_distances(features, 5, bridge=True)
    keys = {"variant": "monotone", "noise": 0.2, "trial": 1}
    points = points_of(made["search"].embeddings, **keys)
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
        *("epochs", "epochs_to_error", "mse")
    }


def affine(places, points):
    """Yield each coordinate of the places as an affine map of the points fits it best."""
    design = np.column_stack([np.ones(len(points)), points])
    for place in places.T:
        yield design @ np.linalg.solve(design.T @ design, design.T @ place)


def test_scores_of_words_are_correlations_of_cosines(of_words):
    methods = {**METHODS, "original": {"control": "features"}}
    for n_objects in (40, 12):
        toy, arrays = of_words(n_objects, methods=methods, trials=1)
        made = {name: toy.make_fits(name) for name in methods}
        assert points_of(made["original"].embeddings).size == 0
        table = toy.make_scores()
        objects = pd.read_parquet(toy.inputs[2])
        clean = arrays["vectors"][objects.row]
        features = with_noise(toy.spec, toy.experiment, "synthetic", clean, 0.5, 0)
        found = points_of(made["svd"].embeddings, noise=0.5)
        for method, points in (("original", features), ("svd", found)):
            vectors = dict(zip(objects.row, points, strict=True))
            likeness = []
            for left, right, score in arrays["men"]:
                if left in vectors and right in vectors:
                    a, b = vectors[left], vectors[right]
                    likeness.append((a @ b / np.sqrt(a @ a * (b @ b)), score))
            values = pick(table, method=method, noise=0.5).set_index("measure").value
            assert values["spearman"] == pytest.approx(spearmanr(*np.transpose(likeness)).statistic)
            assert values["pearson"] == pytest.approx(pearsonr(*np.transpose(likeness)).statistic)
        assert "trustworthiness" not in set(table.measure)


def test_classes_that_are_apart_have_the_best_f1_and_random_points_none(study, classes):
    classes = {name: np.concatenate([array] * 2) for name, array in classes.items()}
    toy = study(classes, **MAP, comparisons={"n_objects": 150}, methods=METHODS)
    toy.make_comparisons()
    for name in METHODS:
        toy.make_fits(name)
    f1 = pick(toy.make_scores(), measure="f1").groupby("method").value.max()
    assert f1["search"] == f1["svd"] == 1.0 and f1["random"] < 0.4


def test_every_row_is_tidy_and_the_file_repeats(of_shape):
    sweep = {**METHODS["search"], "sweep": {"tol": [1e-4, 1e-2]}}
    toy = of_shape(methods={**METHODS, "search": sweep}, noise=[0.0, 0.1])
    for method in toy.experiment.methods:
        toy.make_fits(method)
    table = toy.make_scores()
    assert list(table.columns) == COLUMNS
    assert not table.duplicated([name for name in COLUMNS if name != "value"]).any()
    assert table[["batch_size", "k", "triplets"]].isna().all(axis=None)
    assert set(table.loss) == {"none"} and set(table.noise) == {0.0, 0.1}
    assert table.sweep.notna().equals(table.method == "search")
    of_curves = table.measure.isin(["mse", "epochs", "epochs_to_error", "failed"])
    assert table.epoch.notna().equals(of_curves)
    folder = toy.folder / "scores"
    seconds = pd.read_parquet(folder / "seconds.parquet")
    assert set(seconds.measure) == {"seconds", "search_seconds", "seconds_to_error"}
    assert set(pick(seconds, method="svd").measure) == {"seconds"}
    assert set(seconds.method) == {"search", "smacof", "svd"}
    keys = ["method", *KEYS]
    last = pick(seconds, measure="seconds").groupby(keys, dropna=False).value.agg(np.ptp)
    alone = pick(seconds, measure="search_seconds").set_index(keys).value
    np.testing.assert_allclose(last[alone.index], alone)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    toy.make_scores()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_error_is_reached_within_a_hundredth_of_the_least_that_any_method_found():
    def curve(variant, *errors, noise=0.0):
        table = {"mse": errors, "epoch": range(len(errors)), "seconds": 10.0, "reason": ""}
        return pd.DataFrame(
            {**table, "variant": variant, "noise": noise, "sweep": np.nan, "trial": 0}
        )

    curves = [curve("a", 9.0, 4.0, 2.01, 2.0), curve("b", 9.0, 3.0, 2.1), curve("c", np.nan)]
    curves.append(curve("a", 9.0, 5.0, noise=0.5))
    least = least_errors(curves)
    assert least.to_dict() == {(0.0, 0): 2.0, (0.5, 0): 5.0}
    found = when_reached(pd.concat(curves), 1.01 * least, "epoch").set_index(["variant", "noise"])
    assert found.value["a", 0.0] == 2 and found.value["a", 0.5] == 1
    assert np.isnan(found.value["b", 0.0]) and "c" not in found.index
    assert set(found.measure) == {"epochs_to_error"} and found.epoch["b", 0.0] == 2
    seconds = when_reached(curves[0], 1.01 * least, "seconds")
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


def test_a_study_file_says_how_many_objects_take_part():
    experiment = type("Experiment", (), {"comparisons": {"n_objects": 9}})
    shape = make_shape("sphere", 20, random_state=0).arrays()
    drawn = draw_objects(experiment, "sphere", shape, np.random.SeedSequence(1))
    assert columns(drawn, "x").shape == (9, 3) and columns(drawn, "p").shape == (9, 2)
