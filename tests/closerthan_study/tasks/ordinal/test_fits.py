"""Check fits of points: fair starts, honest budgets, and the same bytes for any sharding."""

import numpy as np
import pandas as pd
import pytest

from closerthan.scores.error import triplet_error
from closerthan_study.tasks.ordinal.fits import mean_error
from toy_study import points_of

LEARNED = ["batch", "svrg-sbb", "convex"]
TUNED = {"tuned": {"tune": {"step_size": [1e-6, 0.1, 1e4]}, "parameters": {"decay": 0.01}}}


@pytest.mark.parametrize("method", LEARNED)
def test_a_fit_is_recorded_epoch_by_epoch_within_its_budget(ordinal, method):
    toy = ordinal(sizes={"epochs": 10})
    curves, embeddings, seconds = toy.make_fits(method)
    assert "seconds" not in curves and len(seconds) == len(curves)
    sizes = toy.experiment.methods[method].batch_sizes
    keys = ["loss", "batch_size", "trial"]
    assert len(curves.groupby(keys)) == 2 * 2 * len(sizes)
    for (loss, batch_size, trial), curve in curves.groupby(keys):
        assert curve.evaluations.iloc[0] == 0 and curve.evaluations.is_monotonic_increasing
        # The last epoch may overrun, because an outer iteration of SVRG has three.
        assert 10 * 300 <= curve.evaluations.iloc[-1] < (10 + 3) * 300
        np.testing.assert_allclose(curve.epoch, curve.evaluations / 300)
        assert curve.test_error.between(0, 1).all()
        assert curve.mean_loss.iloc[-1] < curve.mean_loss.iloc[1] and np.isfinite(curve.norm).all()
        assert curve.test_error.iloc[-1] < curve.test_error.iloc[0]
        points = points_of(embeddings, loss=loss, batch_size=batch_size, trial=trial)
        assert points.shape == (15, 2)
        if method != "convex":  # a kernel keeps only its leading components
            _, test = toy.setup.comparisons(trial)
            assert triplet_error(points, test) == curve.test_error.iloc[-1]
            assert np.linalg.norm(points) == pytest.approx(curve.norm.iloc[-1])


def test_all_methods_of_a_trial_start_from_the_random_points(ordinal):
    toy = ordinal()
    control, points, _ = toy.make_fits("random")
    assert set(control.loss) == {"none"} and list(control.evaluations) == [0, 0]
    starts = [points_of(points, trial=trial) for trial in (0, 1)]
    assert starts[0].min() >= 0 and starts[0].max() <= 1 and not np.isin(*starts).any()
    for method in LEARNED:
        first = toy.make_fits(method).curves.query("evaluations == 0")
        for trial, start in enumerate(starts):
            rows = first[first.trial == trial]
            assert set(rows.test_error) == set(control.test_error[control.trial == trial])
            kernel_or_points = start @ start.T if method == "convex" else start
            norms = [np.linalg.norm(kernel_or_points), np.linalg.norm(start)]
            # The last digit of a norm depends on where the array lies in memory.
            same = np.isclose(rows.norm.to_numpy()[:, None], norms, rtol=1e-12)
            assert same.any(axis=1).all()


def test_controls_are_what_they_say(ordinal, study, classes):
    toy = ordinal()
    curves, embeddings, _ = toy.make_fits("truth")
    assert list(curves.test_error) == [0.0, 0.0]
    np.testing.assert_array_equal(points_of(embeddings, trial=1), np.load(toy.npz)["points"])

    settings = {"source": "labels", "n_classes": 3, "n_items": 6, "n_queries": 2}
    toy = study(
        classes,
        methods={"features": {"control": "features"}},
        comparisons={**settings, "n_train": 50, "n_test": 20},
    )
    _, objects = toy.make_trials()
    embeddings = toy.make_fits("features").learned
    items = objects[(objects.part == "item") & (objects.trial == 1)]
    np.testing.assert_array_equal(
        points_of(embeddings, trial=1), classes["features"][items.sort_values("object").row]
    )


def test_too_many_components_are_refused_before_any_fit(ordinal):
    toy = ordinal(n_components=16)
    for method in toy.experiment.methods:
        with pytest.raises(
            ValueError,
            match=r"papers/study\.yaml: experiments\.toy\.n_components: 16 .* 15 objects",
        ):
            toy.make_fits(method)
    assert not toy.folder("fits").exists()


@pytest.mark.parametrize("method", LEARNED)
def test_points_are_kept_at_every_checkpoint(ordinal, study, method):
    plain = ordinal(sizes={"epochs": 30})
    expected = plain.make_fits(method).learned
    toy = study(sizes={"epochs": 30, "checkpoints": 3})
    curves, embeddings, _ = toy.make_fits(method)
    budgets = toy.experiment.budgets(method, "ste")
    assert len(budgets) == 3 and budgets[-1] == 30
    keys = {"loss": "ste", "trial": 1, "batch_size": embeddings.batch_size.max()}
    kept = [points_of(embeddings, epoch=epoch, **keys) for epoch in budgets]
    np.testing.assert_array_equal(kept[-1], points_of(expected, **keys))
    if method != "convex":
        _, test = toy.setup.comparisons(1)
        curve = curves.query("loss == 'ste' and trial == 1 and batch_size == @keys['batch_size']")
        for epoch, points in zip(budgets, kept, strict=True):
            first = curve[curve.evaluations >= 300 * epoch].iloc[0]
            assert triplet_error(points, test) == first.test_error
            assert np.linalg.norm(points) == pytest.approx(first.norm)


def test_tuning_takes_the_best_step_of_trials_of_its_own(ordinal):
    toy = ordinal(methods={"sgd": {"solver": "SGD", "variants": TUNED}}, tuning_trials=2)
    curves = toy.make_fits("sgd").curves
    assert set(curves.trial) == {0, 1}, "what tuning has learned is not shown"
    first_steps = curves[curves.evaluations == 300].step_size
    np.testing.assert_allclose(first_steps, 0.1)
    alone = toy.make_fits("sgd", [1]).curves
    expected = curves[curves.trial == 1].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, expected, check_exact=True)


def test_mean_error_is_the_area_under_the_curve():
    curve = pd.DataFrame({"epoch": [0.0, 1.0, 3.0], "test_error": [0.5, 0.3, 0.1]})
    assert mean_error(curve, 3) == pytest.approx((0.4 + 2 * 0.2) / 3)
    assert mean_error(curve, 7) == pytest.approx((0.4 + 2 * 0.2 + 4 * 0.1) / 7)
