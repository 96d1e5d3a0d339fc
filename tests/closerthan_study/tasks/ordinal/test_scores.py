"""Check that scores of points are tidy rows equal to scores by hand."""

import numpy as np
import pandas as pd
import pytest

from closerthan.optimize.objective import secant_step
from closerthan.scores.error import triplet_error
from closerthan.scores.procrustes import procrustes_distance
from closerthan_study.scores import measures
from closerthan_study.tasks.base import KEYS
from closerthan_study.tasks.ordinal.scores import read_off, share_of_inverse
from toy_study import pick


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


def test_every_row_says_what_it_is_of(ordinal, tidy_scores):
    toy = ordinal(target_error=0.3)
    table = tidy_scores(toy)
    assert pick(table, method="truth", measure="test_error").value.eq(0).all()
    assert {*table.measure, *toy.seconds.measure} <= measures().keys()
    types = [str(table[name].dtype) for name in ("batch_size", "k", "epoch", "noise")]
    assert types == ["Int64", "Int64", "float64", "float64"]
    assert set(pick(toy.seconds, measure="seconds_to_error").trial) == {0, 1}

    last = pick(table, method="batch", measure="test_error", loss="ste", trial=1, epoch=8)
    embeddings = pd.read_parquet(toy.folder("fits") / "0" / "batch.embedding.parquet")
    points = pick(embeddings, loss="ste", trial=1).sort_values("object")[["x0", "x1"]].to_numpy()
    _, test = toy.setup.comparisons(1)
    assert last.value.item() == triplet_error(points, test)
    norm = pick(table, method="batch", measure="norm", loss="ste", trial=1, epoch=8)
    assert norm.value.item() == pytest.approx(np.linalg.norm(points))


def test_the_share_of_the_inverse_curvature_is_the_step_times_the_curvature():
    dx, dy, n = np.array([[2.0, 1.0]]), np.array([[-0.5, 0.3]]), 40
    curvature = abs((dx * dy).sum()) / (dx**2).sum()
    steps = np.array([secant_step(dx, dy, epsilon) / n for epsilon in (0.0, 0.1, 50.0)])
    for step, epsilon in zip(steps, (0.0, 0.1, 50.0), strict=True):
        curve = pd.DataFrame({"evaluations": [3.0 * n], "epoch": [3.0], "step_size": [step]})
        (found,) = share_of_inverse(curve, epsilon)
        assert found == pytest.approx(n * step * curvature)
    at_limit = curve.assign(step_size=1 / (n * 50.0))
    assert share_of_inverse(at_limit, 50.0).item() == pytest.approx(0.0)


def test_seconds_of_a_pass_are_those_of_the_whole_fit_shared_out(ordinal):
    toy = ordinal()
    toy.make_all()
    table = toy.seconds[toy.seconds.method == "batch"]
    ends = table.pivot_table(index=["loss", "trial"], columns="measure", values="value")
    assert set(ends) == {"pass_seconds", "search_seconds"}
    np.testing.assert_allclose(ends.search_seconds, 8 * ends.pass_seconds)


def test_maps_are_compared_with_metric_mds(ordinal):
    truth = np.random.default_rng(0).normal(size=(10, 2))
    toy = ordinal(
        {"distances": np.linalg.norm(truth[:, None] - truth, axis=-1)},
        comparisons={"source": "distances", "n_train": 200},
        methods={"mds": {"control": "mds"}, "random": {"control": "random"}},
    )
    for method in toy.experiment.methods:
        fitted = toy.make_fits(method)
    start = fitted.learned.query("trial == 0")[["x0", "x1"]].to_numpy()
    table = toy.make_scores()
    scores = pick(table, measure="procrustes")
    assert pick(scores, method="mds").value.abs().max() < 1e-12
    stress = pick(table, measure="stress")
    assert pick(stress, method="mds").value.max() < 1e-12
    assert pick(stress, method="random").value.min() > 0.1
    found = pick(scores, method="random", trial=0).value.item()
    assert found == pytest.approx(procrustes_distance(truth, start))
