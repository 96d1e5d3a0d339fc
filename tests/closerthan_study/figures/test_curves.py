"""Check curves: lines are medians, bands are order statistics, the legend has no duplicates."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from closerthan_study.figures import Curve
from closerthan_study.figures.curves import (
    completed,
    effective_passes,
    find_divergences,
    learning_curves,
    name_curve,
    over_epochs,
    over_sizes,
    over_sweep,
    prolonged,
    with_level,
    with_variant,
)
from closerthan_study.figures.panels import _label_short_log
from closerthan_study.figures.spread import median_interval
from toy_page import errors, level, tidy

ALL = [
    Curve("svrg"),
    Curve("svrg", batch_size=20),
    Curve("svrg", "tuned"),
    Curve("random"),
    Curve("truth"),
]
SCORES = {
    "svrg": errors() + errors("tuned"),
    "random": level(0.5),
    "truth": level(0.0),
}


def test_a_variant_with_sizes_of_its_own_names_them(page):
    sizes = {"paper": [1], "tuned": [1, 20]}
    method = SimpleNamespace(
        name="svrg", label="SVRG", batch_sizes=[1], batch_sizes_of=lambda variant: sizes[variant]
    )
    assert name_curve(page, method, "paper", 1) == "SVRG"
    names = [name_curve(page, method, "tuned", size) for size in sizes["tuned"]]
    assert names == ["SVRG, b = 1, well tuned", "SVRG, b = 20, well tuned"]


@pytest.fixture
def page(toy):
    return toy({"points": SCORES})


def curves_in(ax):
    """Return the lines of a panel that are curves, by their number of points."""
    return [line for line in ax.lines if len(line.get_xdata()) == 3]


def test_lines_are_medians_and_bands_are_order_statistics(page):
    figure = learning_curves(page, "points", [Curve("svrg")])
    for ax in figure.axes:
        (line,) = curves_in(ax)
        assert line.get_xdata().tolist() == [0.0, 1.0, 2.0]
        assert line.get_ydata() == pytest.approx([0.511, 0.411, 0.311])
        (band,) = ax.collections
        corners = band.get_paths()[0].vertices
        for epoch in range(3):
            at = corners[corners[:, 0] == epoch, 1]
            values = [0.501 - 0.1 * epoch + 0.01 * trial**2 for trial in range(3)]
            assert (at.min(), at.max()) == pytest.approx((min(values), max(values)))
    # A cross marks the place where a trial diverged.
    crosses = [[line for line in ax.lines if line.get_marker() == "x"] for ax in figure.axes]
    assert [len(found) for found in crosses] == [1, 0]
    assert crosses[0][0].get_xdata().tolist() == [2.0]


def test_a_logarithmic_axis_has_no_place_for_the_start_and_keeps_controls(page):
    figure = learning_curves(page, "points", [Curve("svrg"), Curve("random")], xscale="log")
    for ax in figure.axes:
        drawn = {tuple(line.get_xdata()) for line in ax.lines if line.get_marker() != "x"}
        assert drawn == {(1, 2), (0, 1)}, "the curve, and the control across the panel"


def test_there_is_a_panel_for_each_loss_and_one_legend_with_the_look_of_each_curve(page):
    figure = learning_curves(page, "points", ALL)
    assert [ax.get_title() for ax in figure.axes] == ["STE", "CKL"]
    scores = page.scores("points")
    one = learning_curves(page, "points", ALL, rows=scores[scores.loss != "ckl"])
    assert [ax.get_title() for ax in one.axes] == ["STE"]
    (legend,) = figure.legends
    labels = ["SVRG, b = 1", "SVRG, b = 20", "SVRG, b = 1, well tuned"]
    labels += ["random points", "true points", "a trial that diverged"]
    assert [text.get_text() for text in legend.texts] == labels
    assert not any(ax.get_legend() for ax in figure.axes)
    drawn = curves_in(figure.axes[0])
    for line, handle in zip(drawn, legend.legend_handles[:3], strict=True):
        assert handle.get_marker() == line.get_marker() != "None"
        assert handle.get_color() == line.get_color()
    assert len({line.get_marker() for line in drawn}) == 3
    assert len({str(line._unscaled_dash_pattern) for line in drawn}) == 3
    # Controls are lines across the panel at their median.
    levels = [line.get_ydata()[0] for line in figure.axes[0].lines if len(line.get_xdata()) == 2]
    assert levels == pytest.approx([0.51, 0.01])


def test_levels_of_noise_have_a_panel_each(toy):
    noisy = [row | {"noise": 0.1, "value": row["value"] + 0.2} for row in errors(losses=["ste"])]
    page = toy({"points": {"svrg": errors(losses=["ste"]) + noisy}})
    figure = learning_curves(page, "points", [Curve("svrg")])
    assert [ax.get_title() for ax in figure.axes] == ["STE, noise 0", "STE, noise 0.1"]
    for ax, more in zip(figure.axes, (0.0, 0.2), strict=True):
        (line,) = curves_in(ax)
        assert line.get_ydata() == pytest.approx([0.511 + more, 0.411 + more, 0.311 + more])


def test_a_control_counts_once_a_trial_however_many_epochs_it_has(toy):
    n_trials = 20
    rows = [row | {"epoch": float(epoch)} for epoch in range(61) for row in level(0.5, n_trials)]
    page = toy({"points": {"svrg": errors(), "random": rows}})
    ax = learning_curves(page, "points", [Curve("random")]).axes[0]
    (line,), (band,) = ax.lines, ax.patches
    low, high = median_interval([0.5 + 0.01 * trial for trial in range(n_trials)])
    assert line.get_ydata()[0] == pytest.approx(0.595)
    assert (band.get_y(), band.get_y() + band.get_height()) == pytest.approx((low, high))


def test_a_divergence_is_the_first_norm_that_overflows():
    keys = {"method": "svrg", "variant": "paper", "measure": "norm"}
    rows = [{**keys, "trial": 0, "epoch": e, "value": 1.0} for e in (0.0, 1.0)]
    rows += [{**keys, "trial": 1, "epoch": e, "value": v} for e, v in ((0, 1.0), (1, 1e13))]
    rows += [{**keys, "trial": 1, "epoch": 2, "value": np.nan}]
    assert find_divergences(tidy(rows))[["trial", "epoch"]].to_numpy().tolist() == [[1, 1.0]]


def test_an_axis_starts_at_zero_only_where_that_is_cheap(toy):
    far = [row | {"value": row["value"] + 5} for row in errors()]
    page = toy({"points": {"svrg": far, "truth": level(0.0)}})
    squeezed = learning_curves(page, "points", [Curve("svrg")]).axes[0]
    assert squeezed.get_ylim()[0] > 5
    at_zero = learning_curves(page, "points", [Curve("svrg"), Curve("truth")]).axes[0]
    assert -0.5 < at_zero.get_ylim()[0] < 0, "a line at zero is not hidden by the axis"


def test_a_curve_gets_the_first_variant_and_size_of_its_method(page):
    (curve, control) = completed(page, "points", [Curve("svrg"), Curve("random"), Curve("absent")])
    assert (curve.variant, curve.batch_size, curve.color) == ("paper", 1, "svrg")
    assert (control.variant, control.label) == ("control", "random points")


def test_a_study_may_name_a_method_and_variant_itself(page):
    page.study.labels["svrg tuned"] = "SVRG at its best"
    (curve,) = completed(page, "points", [Curve("svrg", "tuned")])
    assert curve.label == "SVRG at its best"


def test_another_variant_keeps_the_look():
    (curve,) = with_variant([Curve("batch", label="B", color=3, dashes=2)], "tuned", " (t)")
    assert (curve.variant, curve.label, curve.color, curve.dashes) == ("tuned", "B (t)", 3, 2)
    assert with_variant([curve], "paper", dashes=1)[0].dashes == 1


def stream(measure="final_error"):
    return [
        {"variant": "paper", "loss": "ste", "sweep": float(revisits), "trial": trial}
        | {"triplets": 60, "measure": measure, "value": 0.4 - 0.01 * revisits + 0.01 * trial}
        for revisits in (0, 9)
        for trial in range(3)
    ]


def test_a_stream_is_drawn_over_its_triplets(toy):
    page = toy({"points": SCORES, "stream": {"pa": stream("test_error")}})
    points, streamed = (
        learning_curves(page, "points", [Curve("svrg")]),
        learning_curves(page, "stream", [Curve("pa")]),
    )
    assert points.axes[0].get_xlabel() == "epoch"
    assert streamed.axes[0].get_xlabel() == "triplets observed"


def test_passes_are_one_more_than_the_revisits(toy):
    page = toy({"stream": {"pa": stream()}})
    rows = effective_passes(page, "stream")
    assert sorted(rows.passes.unique()) == [1.0, 10.0]
    figure = learning_curves(
        page,
        "stream",
        {"": [Curve("pa")]},
        rows=rows,
        measure="final_error",
        x="passes",
        xscale="log",
    )
    (ax,) = figure.axes
    assert ax.lines[0].get_ydata() == pytest.approx([0.41, 0.32])
    # Few places have ticks of their own.
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1", "10"]


def test_a_swept_parameter_has_a_panel_for_each_measure(toy):
    page = toy({"stream": {"pa": stream() + stream("eigenpairs")}})
    measures = {"eigenpairs": ("share", 60), "final_error": ("error", 1)}
    figure = over_sweep(page, {"stream": None}, [Curve("pa")], measures, xlabel="revisits")
    share, error = figure.axes
    assert error.lines[0].get_ydata() == pytest.approx([0.41, 0.32])
    assert share.lines[0].get_ydata() == pytest.approx([0.41 / 60, 0.32 / 60])
    assert share.get_ylim()[0] < 0 and error.get_ylim()[0] < 0, "marks at zero are shown whole"
    figure = over_sweep(page, {"stream": 3.0}, [Curve("pa")], measures, xlabel="revisits")
    (label,) = [text.get_text() for text in figure.legends[0].get_texts()]
    assert label.endswith(", other trials"), "a curve of its own, which joins no other"
    assert figure.axes[0].lines[0].get_xdata() == pytest.approx([3.0])


def searches(n_epochs=4):
    return [
        {"variant": "paper", "sweep": radius, "trial": trial, "epoch": float(epoch)}
        | {"measure": "mse", "value": radius / (epoch + 1) + trial}
        for radius in (32.0, 1.0)
        for trial in range(3)
        for epoch in range(n_epochs - trial)
    ]


def test_a_trial_that_has_stopped_keeps_its_last_error(toy):
    page = toy({"maps": {"search": searches()}})
    figure = over_epochs(page, "maps", "search", {"paper": "with bad moves"}, "radius")
    (ax,) = figure.axes
    assert ax.get_title() == "with bad moves"
    labels = [text.get_text() for text in figure.legends[0].texts]
    assert labels == ["radius 1", "radius 32"]
    first = next(line for line in ax.lines if len(line.get_xdata()))
    assert first.get_xdata().tolist() == [1.0, 2.0, 3.0]
    # The trials are 1 / (epoch + 1), 1 / 2 and so on. The second stops at epoch 2, the third at 1.
    assert first.get_ydata() == pytest.approx([1.5, 1 / 3 + 1, 1 / 3 + 1])
    beside = over_epochs(
        page, "maps", "search", {"paper": ""}, "radius", {"search": "radius searched"}
    )
    labels = [text.get_text() for text in beside.legends[0].texts]
    assert labels == ["radius 1", "radius 32", "radius searched"]


def test_long_curves_are_thinned_from_their_first_to_their_last_epoch():
    rows = tidy([{"dataset": "d", "method": "m", "variant": "v"} | r for r in searches(500)])
    epochs = prolonged(rows).epoch.unique()
    assert len(epochs) <= 60 and epochs.min() == 1 and epochs.max() == 499


@pytest.mark.parametrize(
    ("limits", "labels"),
    [
        ((300, 3_000), ["500", "1000", "2000"]),
        ((1_100, 1_900), ["1200", "1400", "1600", "1800"]),
        ((830, 2_100), ["1000", "1500", "2000"]),
        ((1.3, 6.3), ["2", "3", "4", "5", "6"]),
        ((0.15, 60), ["0.2", "0.5", "1", "2", "5", "10", "20", "50"]),
    ],
)
def test_a_short_logarithmic_axis_has_three_labels_at_least(limits, labels):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    ax.set(yscale="log", ylim=limits)
    _label_short_log(ax)
    shown = [
        label.get_text()
        for place, label in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)
        if limits[0] <= place <= limits[1]
    ]
    assert shown == labels
    assert ax.get_ylim() == limits


def test_seconds_over_sizes_are_in_units_of_a_single_comparison_ours_and_printed(toy, monkeypatch):
    keys = {"variant": "paper", "measure": "seconds_to_error", "loss": "ste", "method": "svrg"}
    seconds = [
        keys | {"batch_size": size, "trial": trial, "value": value * (1 + trial)}
        for size, value in ((1, 8.0), (20, 2.0))
        for trial in (0, 1, 2)
    ]
    page = toy({"points": {"svrg": errors(), "seconds": seconds}})
    printed = [
        {"statistic": "mean", "our_method": "svrg", "loss": loss, "our_loss": "ste"}
        | {"batch_size": size, "printed": value}
        for loss, size, value in (("ste", 1, 4.0), ("ste", 20, 3.0))
    ]
    monkeypatch.setattr(page, "printed_in", lambda artefact: pd.DataFrame(printed))
    (ax,) = with_level(over_sizes(page, "points", [Curve("svrg")], "table"), 0.3).axes
    found = {tuple(np.round(line.get_ydata(), 6)) for line in ax.lines}
    assert {(1.0, 0.25), (1.0, 0.75), (0.3, 0.3)} <= found
