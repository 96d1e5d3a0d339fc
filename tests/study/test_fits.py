"""The fits station: fair starts, honest budgets, and the same bytes however trials are sharded."""

from threading import Event, Thread

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relsim.scores import triplet_error
from relsim.study.comparisons import read_comparisons
from relsim.study.fits.common import kernel_error, make_loss, one_at_a_time
from relsim.study.fits.ordinal import mean_error

LEARNED = ["batch", "svrg-sbb", "convex"]
TUNED = {"tuned": {"tune": {"step_size": [1e-6, 0.1, 1e4]}, "parameters": {"decay": 0.01}}}


def tables(fitted):
    return [pd.read_parquet(path) for path in (fitted.curves, fitted.embeddings)]


def points_of(embeddings, **keys):
    for key, value in keys.items():
        embeddings = embeddings[embeddings[key] == value]
    return embeddings.sort_values("object").filter(regex=r"^x\d+$").to_numpy()


@pytest.mark.parametrize("method", LEARNED)
def test_runs_and_shards_make_no_difference(study, tmp_path, method):
    toy = study(trials=3)
    toy.make_comparisons()
    fitted = toy.make_fits(method)
    again = toy.make_fits(method, folder=tmp_path / "again")
    assert fitted.curves.read_bytes() == again.curves.read_bytes()
    assert fitted.embeddings.read_bytes() == again.embeddings.read_bytes()
    shards = [tables(toy.make_fits(method, [t], folder=tmp_path / str(t))) for t in (2, 0, 1)]
    for whole, parts in zip(tables(fitted), zip(*shards, strict=True), strict=True):
        keys = list(whole.columns)
        whole, parts = (t.sort_values(keys, ignore_index=True) for t in (whole, pd.concat(parts)))
        pd.testing.assert_frame_equal(whole, parts, check_exact=True)


@pytest.mark.parametrize("method", LEARNED)
def test_a_fit_is_recorded_epoch_by_epoch_within_its_budget(study, method):
    toy = study(epochs=10)
    toy.make_comparisons()
    fitted = toy.make_fits(method)
    curves, embeddings = tables(fitted)
    seconds = pd.read_parquet(fitted.seconds)
    assert "seconds" not in curves and len(seconds) == len(curves)
    sizes = toy.experiment.methods[method].batch_sizes
    keys = ["loss", "batch_size", "trial"]
    assert len(curves.groupby(keys)) == 2 * 2 * len(sizes)
    for (loss, batch_size, trial), curve in curves.groupby(keys):
        assert curve.evaluations.iloc[0] == 0 and curve.evaluations.is_monotonic_increasing
        # The last epoch may overrun: an outer iteration of SVRG has three.
        assert 10 * 300 <= curve.evaluations.iloc[-1] < (10 + 3) * 300
        np.testing.assert_allclose(curve.epoch, curve.evaluations / 300)
        assert curve.test_error.between(0, 1).all()
        assert curve.mean_loss.iloc[-1] < curve.mean_loss.iloc[1] and np.isfinite(curve.norm).all()
        assert curve.test_error.iloc[-1] < curve.test_error.iloc[0]
        points = points_of(embeddings, loss=loss, batch_size=batch_size, trial=trial)
        assert points.shape == (15, 2)
        if method != "convex":  # of a kernel only the leading components are kept
            _, test = read_comparisons(toy.inputs[1], trial, 0.0)
            assert triplet_error(points, test) == curve.test_error.iloc[-1]
            assert np.linalg.norm(points) == pytest.approx(curve.norm.iloc[-1])


def test_all_methods_of_a_trial_start_from_the_random_points(study):
    toy = study()
    toy.make_comparisons()
    control, points = tables(toy.make_fits("random"))
    assert set(control.loss) == {"none"} and list(control.evaluations) == [0, 0]
    starts = [points_of(points, trial=trial) for trial in (0, 1)]
    assert starts[0].min() >= 0 and starts[0].max() <= 1 and not np.isin(*starts).any()
    for method in LEARNED:
        first = tables(toy.make_fits(method))[0].query("evaluations == 0")
        for trial, start in enumerate(starts):
            rows = first[first.trial == trial]
            assert set(rows.test_error) == set(control.test_error[control.trial == trial])
            kernel_or_points = start @ start.T if method == "convex" else start
            norms = {np.linalg.norm(kernel_or_points), np.linalg.norm(start)}
            assert set(rows.norm) <= norms


def test_controls_are_what_they_say(study, classes):
    toy = study()
    toy.make_comparisons()
    curves, embeddings = tables(toy.make_fits("truth"))
    assert list(curves.test_error) == [0.0, 0.0]
    np.testing.assert_array_equal(points_of(embeddings, trial=1), np.load(toy.npz)["points"])

    truth = np.load(toy.npz)["points"]
    distances = np.linalg.norm(truth[:, None] - truth, axis=-1)
    toy = study(
        {"distances": distances},
        methods={"mds": {"control": "mds"}},
        comparisons={"source": "distances", "n_train": 300},
    )
    toy.make_comparisons()
    curves, embeddings = tables(toy.make_fits("mds"))
    found = points_of(embeddings, trial=0)
    np.testing.assert_allclose(np.linalg.norm(found[:, None] - found, axis=-1), distances)
    assert list(curves.test_error) == [0.0, 0.0]

    settings = {"source": "labels", "n_classes": 3, "n_items": 6, "n_queries": 2}
    toy = study(
        classes,
        methods={"features": {"control": "features"}},
        comparisons={**settings, "n_train": 50, "n_test": 20},
    )
    _, objects = toy.make_comparisons()
    _, embeddings = tables(toy.make_fits("features"))
    items = objects[(objects.part == "item") & (objects.trial == 1)]
    np.testing.assert_array_equal(
        points_of(embeddings, trial=1), classes["features"][items.sort_values("object").row]
    )


def test_divergence_is_recorded_and_nothing_else_suffers(study):
    methods = {
        "svrg-sbb0": {
            "solver": "SVRG",
            "batch_sizes": [1],
            "variants": {"paper": {"parameters": {"step": "bb0", "step_size": 1e3}}},
        }
    }
    toy = study(methods=methods, losses={"gnmds": {"class": "GNMDS"}, "ste": {"class": "STE"}})
    toy.make_comparisons()
    curves, embeddings = tables(toy.make_fits("svrg-sbb0"))
    last = curves.groupby(["loss", "trial"]).tail(1)
    assert (~(last.norm < 1e12)).any(), "the steps are as bold as the test needs them"
    assert curves.test_error.between(0, 1).all()
    assert len(last) == 4 and len(embeddings) == 4 * 15


def test_too_many_components_are_refused_before_any_fit(study):
    toy = study(n_components=16)
    toy.make_comparisons()
    for method in toy.experiment.methods:
        with pytest.raises(ValueError, match=r"papers\.yaml.*toy\.n_components: 16 .* 15 objects"):
            toy.make_fits(method)
    assert not (toy.folder / "fits").exists()


@pytest.mark.parametrize("method", LEARNED)
def test_points_are_kept_at_every_checkpoint(study, method):
    plain = study(epochs=30)
    plain.make_comparisons()
    _, expected = tables(plain.make_fits(method))
    toy = study(epochs=30, checkpoints=3)
    curves, embeddings = tables(toy.make_fits(method))
    budgets = toy.experiment.budgets(method)
    assert len(budgets) == 3 and budgets[-1] == 30
    keys = {"loss": "ste", "trial": 1, "batch_size": embeddings.batch_size.max()}
    kept = [points_of(embeddings, epoch=epoch, **keys) for epoch in budgets]
    np.testing.assert_array_equal(kept[-1], points_of(expected, **keys))
    if method != "convex":
        _, test = read_comparisons(toy.inputs[1], 1, 0.0)
        curve = curves.query("loss == 'ste' and trial == 1 and batch_size == @keys['batch_size']")
        for epoch, points in zip(budgets, kept, strict=True):
            first = curve[curve.evaluations >= 300 * epoch].iloc[0]
            assert triplet_error(points, test) == first.test_error
            assert np.linalg.norm(points) == pytest.approx(first.norm)


def test_tuning_takes_the_best_step_of_trials_of_its_own(study):
    toy = study(methods={"sgd": {"solver": "SGD", "variants": TUNED}}, tuning_trials=2)
    toy.make_comparisons()
    curves, _ = tables(toy.make_fits("sgd"))
    assert set(curves.trial) == {0, 1}, "what tuning has learned is not shown"
    first_steps = curves[curves.evaluations == 300].step_size
    np.testing.assert_allclose(first_steps, 0.1)
    alone, _ = tables(toy.make_fits("sgd", [1]))
    expected = curves[curves.trial == 1].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, expected, check_exact=True)


def test_an_object_without_comparisons_has_no_place_and_crashes_nothing(study):
    rng = np.random.default_rng(0)
    triplets = [rng.choice(14, 3, replace=False) for _ in range(60)]  # of 15 objects
    toy = study(
        {"triplets": np.array(triplets), "labels": np.zeros(15, int)},
        comparisons={"source": "people", "n_train": 0.8},
    )
    toy.make_comparisons()
    _, embeddings = tables(toy.make_fits("batch"))
    points = points_of(embeddings, loss="ste", trial=0)
    assert np.isnan(points[14]).all() and np.isfinite(points[:10]).any()


@given(st.integers(0, 10**6), st.integers(3, 12), st.integers(1, 4))
def test_a_kernel_is_judged_like_its_points(seed, n, p):
    rng = np.random.default_rng(seed)
    points = rng.integers(-4, 5, size=(n, p)).astype(float)  # with ties, without rounding
    triplets = np.array([rng.choice(n, 3, replace=False) for _ in range(30)])
    assert kernel_error(points @ points.T, triplets) == triplet_error(points, triplets)
    assert kernel_error(np.full((n, n), np.nan), triplets) == 1.0


def test_the_default_of_t_ste_is_settled_by_the_dimension():
    assert make_loss({"class": "TSTE"}, 10).alpha == 9.0
    assert make_loss({"class": "TSTE", "alpha": 3.0}, 10).alpha == 3.0
    assert make_loss({"class": "CKL", "mu": 0.2}, 10).mu == 0.2


def test_mean_error_is_the_area_under_the_curve():
    curve = pd.DataFrame({"epoch": [0.0, 1.0, 3.0], "test_error": [0.5, 0.3, 0.1]})
    assert mean_error(curve, 3) == pytest.approx((0.4 + 2 * 0.2) / 3)
    assert mean_error(curve, 7) == pytest.approx((0.4 + 2 * 0.2 + 4 * 0.1) / 7)


def test_where_a_node_has_a_cache_of_its_own_one_job_compiles_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "of" / "node"))
    entered = Event()

    def compile_too():
        with one_at_a_time():
            entered.set()

    with one_at_a_time():
        other = Thread(target=compile_too)
        other.start()
        assert not entered.wait(0.2)
    assert entered.wait(10)
    other.join()
