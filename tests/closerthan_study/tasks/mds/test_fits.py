"""Check fits of maps: every method gets the same objects, noise and start."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import TruncatedSVD
from threadpoolctl import threadpool_limits

from closerthan.mds.geodesic import geodesic_distances
from closerthan.mds.pattern_search import PatternSearchMDS
from closerthan.mds.smacof import SMACOF
from closerthan_study.baselines.fixed_directions import FixedDirections
from closerthan_study.reading import coordinates
from closerthan_study.seeds import seed_sequence
from closerthan_study.tasks.mds.trials import true_map, with_noise
from toy_study import pick, points_of

PAPER = {"variants": {"paper": {}}}


def test_methods_of_mds_get_geodesics_and_start_alike(of_shape):
    toy = of_shape(noise=[0.0, 0.2])
    objects = pick(toy.objects, trial=1)
    features = with_noise(toy.setup, coordinates(objects), 0.2, 1)
    given = geodesic_distances(features, 5, bridge=True)
    words = ("papers", "toy", "swissroll", "start", 0.2, 1)
    number = int(seed_sequence(7, *words).generate_state(1)[0])
    common = {"metric": "precomputed", "random_state": number}
    expected = {
        ("search", "paper"): PatternSearchMDS(2, radius=2, min_radius=0.01, **common),
        ("search", "monotone"): PatternSearchMDS(2, bad_moves=False, **common),
        ("smacof", "paper"): SMACOF(2, max_iter=30, **common),
    }
    for (name, variant), model in expected.items():
        made = toy.make_fits(name)
        keys = {"variant": variant, "noise": 0.2, "trial": 1}
        with threadpool_limits(1):  # like the station
            points = model.fit_transform(given)
        np.testing.assert_array_equal(points_of(made.learned, **keys), np.float32(points))
        curve = pick(made.curves, **keys)
        np.testing.assert_array_equal(curve.epoch, range(model.n_iter_ + 1))
        distances = squareform(pdist(points))
        assert curve.mse.iloc[-1] == pytest.approx(np.mean((distances - given) ** 2))
        assert set(curve.reason) == {""}
        seconds = pick(made.seconds, **keys).seconds
        assert seconds.is_monotonic_increasing and seconds.iloc[0] > 0
    starts = [toy.make_fits(m).curves for m in ("search", "smacof")]
    starts = [pick(table, variant="paper", epoch=0).mse.to_numpy() for table in starts]
    np.testing.assert_allclose(*starts)


def test_a_sweep_of_sizes_takes_the_first_objects_and_as_many_dimensions(of_shape):
    search = {"model": "PatternSearchMDS", **PAPER}
    methods = {
        "objects": {**search, "sweep": {"n_objects": [60, 150]}},
        "dimensions": {**search, "sweep": {"n_components": [2, 3]}},
    }
    toy = of_shape(methods=methods)
    given = geodesic_distances(coordinates(pick(toy.objects, trial=0)), 5, bridge=True)
    number = int(toy.setup.seed("start", 0.0, 0).generate_state(1)[0])
    for name, n, p in (("objects", 60, 2), ("dimensions", 150, 3)):
        search = PatternSearchMDS(p, metric="precomputed", random_state=number)
        wanted = np.float32(search.fit_transform(given[:n, :n]))
        value = {"objects": n, "dimensions": p}[name]
        found = points_of(toy.make_fits(name).learned, trial=0, sweep=value)
        np.testing.assert_array_equal(found[:n, :p], wanted)
        assert np.isnan(found[n:]).all() and len(found) == 150


def test_fixed_directions_move_the_same_coordinates_in_all_epochs():
    rng = np.random.default_rng(3)
    given = squareform(pdist(rng.normal(size=(40, 4))))
    start = rng.normal(size=(40, 4))
    settings = {"metric": "precomputed", "directions": 0.5, "random_state": 0}
    points = FixedDirections(4, **settings).fit_transform(given, init=start)
    still = np.isclose(points - points[0], start - start[0]).all(axis=0)
    assert still.sum() == 2
    anew = PatternSearchMDS(4, **settings).fit_transform(given, init=start)
    assert not np.isclose(anew - anew[0], start - start[0]).all(axis=0).any()


def test_other_methods_get_the_features(of_shape):
    toy = of_shape(noise=[0.3])
    objects = pick(toy.objects, trial=0)
    features = with_noise(toy.setup, coordinates(objects), 0.3, 0)
    found = points_of(toy.make_fits("svd").learned, trial=0)
    expected = TruncatedSVD(2, random_state=0).fit_transform(features)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), rtol=1e-4, atol=1e-4)


def test_a_method_that_fails_has_a_reason_and_no_points(of_shape):
    hessian = {"parameters": {"method": "hessian", "n_neighbors": 4}}
    methods = {
        "hessian": {"model": "LocallyLinearEmbedding", "variants": {"paper": hessian}},
        "smacof": {"model": "SMACOF", **PAPER},
    }
    toy = of_shape(methods=methods)
    made = toy.make_fits("hessian")
    curves = made.curves
    assert curves.reason.str.contains("n_neighbors must be greater than").all()
    assert np.isnan(points_of(made.learned, trial=0)).all()
    toy.make_fits("smacof")
    table = toy.make_scores()
    failed = pick(table, measure="failed").set_index("method").value
    assert set(failed["hessian"]) == {1.0} and set(failed["smacof"]) == {0.0}
    values = pick(table, method="hessian")
    assert set(values.measure) == {
        "failed",
        "stress",
        "trustworthiness",
        *("procrustes", "edge_procrustes"),
        *("distortion", "edge_distortion"),
    }
    assert values[values.measure != "failed"].value.isna().all()
    assert pick(table, method="smacof").value[table.measure == "stress"].notna().all()


def test_controls_are_what_they_say(of_shape):
    methods = {"random": {"control": "random"}, "truth": {"control": "truth"}}
    toy = of_shape("toroid_helix", methods=methods)
    objects = pick(toy.objects, trial=1)
    truth = points_of(toy.make_fits("truth").learned, trial=1)
    np.testing.assert_array_equal(truth, np.float32(true_map("toroid_helix", objects)))
    random = [points_of(toy.make_fits("random").learned, trial=trial) for trial in (0, 1)]
    assert random[0].shape == (150, 2) and not np.isclose(*random).any()
    table = toy.make_scores()
    assert (pick(table, method="truth", measure="procrustes").value < 1e-12).all()
    assert (pick(table, method="random", measure="distortion").value > 0.9).all()
    assert "failed" not in set(table.measure)
