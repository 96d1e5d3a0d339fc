"""Check that the cells of tables have the right medians, counts and words."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from closerthan_study.figures import map_tables, tables
from toy_page import errors, level


def ends(measure="final_error", values=(0.1, 0.2, 0.6), **keys):
    return [
        {"variant": "paper", "batch_size": 1, "trial": trial, "epoch": 8.0, **keys}
        | {"measure": measure, "value": value}
        for trial, value in enumerate(values)
    ]


@pytest.fixture
def page(toy):
    svrg = [row for loss in ("ckl", "ste") for row in ends(loss=loss)]
    svrg += [row for loss in ("ckl", "ste") for row in ends("norm", (5.0, 7.0, 1e13), loss=loss)]
    svrg += ends("epochs_to_error", (2.0, np.nan, 4.0), loss="ste")
    svrg += ends(values=(0.3, 0.3, 0.3), loss="ste", batch_size=20)
    random = ends(values=(0.5, 0.5, 0.5), variant="control", batch_size=0)
    seconds = ends("seconds_to_error", (1.0, np.nan, 3.0), loss="ste", method="svrg")
    seconds += ends("search_seconds", (4.0, 9.0, 5.0), loss="ste", method="svrg")
    seconds += ends("pass_seconds", (0.4, 0.9, 0.5), loss="ste", method="svrg")
    return toy({"points": {"svrg": svrg, "random": random, "seconds": seconds}})


def test_medians_have_their_interval_in_the_order_of_the_study(page):
    by = ("loss", "method", "variant", "batch_size")
    table = tables.medians(page, "points", {"final_error": "test error"}, by=by)
    assert table.method.tolist() == ["SVRG, b = 1", "SVRG, b = 20", "SVRG, b = 1", "random points"]
    assert table.loss.tolist()[:3] == ["STE", "STE", "CKL"] and pd.isna(table.loss[3])
    first = table.iloc[0]
    assert first["test error"] == 0.2
    assert (first["test error, from"], first["test error, to"]) == (0.1, 0.6)


def test_final_errors_say_what_diverged(page):
    table = tables.final_errors(page, "points")
    assert list(table) == ["STE error", "STE norm", "CKL error", "CKL norm", "diverged"]
    row = table.loc["SVRG, b = 1"]
    assert (row["STE error"], row["STE norm"]) == (0.2, 7.0)
    assert row.diverged == "2 fits, first at epoch 8"
    assert table.loc["SVRG, b = 20"].diverged == "none"


def test_levels_of_noise_have_a_row_each(toy):
    svrg = [*ends(loss="ste"), *ends(values=(0.4, 0.5, 0.6), loss="ste", noise=0.1)]
    svrg += ends("norm", (5.0, 7.0, 1e13), loss="ste", noise=0.1)
    table = tables.final_errors(toy({"points": {"svrg": svrg}}), "points")
    assert table.noise.tolist() == [0.0, 0.1] and table["STE error"].tolist() == [0.2, 0.5]
    assert table.diverged.tolist() == ["none", "1 fits, first at epoch 8"]


def test_costs_are_of_the_trials_that_reach_the_error(page):
    (row,) = tables.costs_to_error(page, "points").to_dict("records")
    assert row["reached"] == "2 of 3" and row["epochs"] == 3.0
    assert (row["s, min"], row["s, mean"], row["s, max"]) == (1.0, 2.0, 3.0)
    assert row["s, all epochs"] == 5.0


def test_seconds_of_a_pass_are_medians_beside_each_other(page):
    (row,) = tables.pass_seconds(page, {"points": "15 objects"}).to_dict("records")
    assert row == {"loss": "STE", "method": "SVRG", "15 objects": 0.5}


def test_variants_are_compared_by_their_mean_over_the_budget(toy):
    tuned = [row | {"value": row["value"] - 0.05} for row in errors("tuned")]
    page = toy({"points": {"svrg": errors() + tuned, "random": level(0.5)}})
    words = tables.variants_in_words(page, "points", [("svrg", "tuned")])
    assert words == "SVRG, well tuned: STE -0.050, CKL -0.050."


def test_chosen_values_stand_with_the_triplets_from_which_they_hold(toy):
    """The page `toy` tunes step sizes."""
    rows = [
        row | {"triplets": n}
        for n, value in ((10, 3.0), (20, 1.0), (30, 1.0))
        for row in ends("step_size", (value, value), loss="ste", sweep=9.0, batch_size=pd.NA)
    ]
    rows += [row | {"sweep": 0.0, "value": 3.0} for row in rows]
    said = tables.chosen_by_loss(toy({"stream": {"pa": rows}}), "stream", "pa")
    assert said == (
        "step size of STE (paper, revisits 0): 3; "
        "step size of STE (paper, revisits 9): 3 from 10, 1 from 20 triplets on"
    )


def test_the_largest_value_over_trials_stands_beside_each_method(toy):
    rows = ends("projection_distance", (0.1, 0.3, 0.2), loss="ste", batch_size=pd.NA)
    table = tables.largest(toy({"stream": {"pa": rows}}), "stream", {"projection_distance": "far"})
    (row,) = table.to_dict("records")
    assert (row["method"], row["loss"], row["far"]) == ("PA", "STE", 0.3)


@pytest.fixture
def maps(toy):
    rows = []
    for radius, values in ((1.0, (3.0, 4.0, 8.0)), (32.0, (1.0, 2.0, 2.0))):
        keys = {"sweep": radius, "batch_size": pd.NA}
        rows += ends("mse", values, **keys) + ends("failed", (0.0, 0.0, 1.0), **keys)
        rows += ends("epochs", (10.0, 20.0, 30.0), **keys)
        rows += ends("epochs_to_error", (5.0, np.nan, 7.0), **keys)
    return toy({"maps": {"search": rows}})


def test_a_sweep_has_a_row_a_value(maps):
    table = map_tables.sweep_in_numbers(maps, "maps", "radius", {"paper": "as printed"})
    assert table.radius.tolist() == ["1", "32"] and set(table.settings) == {"as printed"}
    assert table["final error"].tolist() == [4.0, 2.0]
    assert "F1" not in table
    named = map_tables.sweep_in_numbers(
        maps, "maps", "radius", {"paper": "as printed"}, {"search": "searched"}
    )
    assert named.radius.tolist() == ["searched"] and named["final error"].tolist() == [2.5]


def test_the_cost_of_an_epoch_has_a_slope_over_the_sizes(toy):
    rows = []
    for size in (100, 200, 400):
        of_size = {"epoch": float(size), "sweep": 100.0, "batch_size": pd.NA}
        rows += ends("epoch_seconds", np.array([1.0, 2.0, 9.0]) * size**2, **of_size)
    table = map_tables.epoch_costs(toy({"maps": {"search": rows}}), "maps")
    assert table.value.tolist() == [100, 200, 400]
    assert table["seconds of an epoch"].tolist() == [2e4, 8e4, 32e4]
    assert table.slope.tolist() == pytest.approx([2.0] * 3)


def test_an_error_that_the_median_trial_does_not_reach_is_a_dash(toy):
    rows = []
    for radius, values in ((1.0, (5.0, np.nan, 7.0)), (32.0, (5.0, np.nan, np.nan))):
        rows += ends("epochs_to_error", values, sweep=radius, batch_size=pd.NA)
    page = toy({"maps": {"search": rows}})
    table = map_tables.sweep_in_numbers(page, "maps", "radius", {"paper": "as printed"})
    reached, not_reached = table["epochs to within 1 %"]
    assert reached == 7.0 and np.isnan(not_reached)


def test_maps_say_how_many_failed(maps):
    table = map_tables.maps_in_numbers(maps, ["maps"])
    (row,) = table.to_dict("records")
    assert row == {"shape": "roll", "method": "search", "failed": "2 of 6"}
    assert map_tables.maps_in_numbers(maps, ["maps"], rows=["dense"])["shape"].tolist() == ["dense"]


def test_races_count_who_came_near_the_least_error(maps):
    (row,) = map_tables.race_table(maps, ["maps"]).to_dict("records")
    assert row["within 1 %"] == "4 of 6" and row["after epochs"] == 6.0
    assert row["final error"] == 2.5 and np.isnan(row["after seconds"])


def test_threads_are_compared_within_a_trial(toy):
    rows = []
    for n, seconds in ((1.0, (4.0, 6.0, 8.0)), (2.0, (2.0, 2.0, 2.0))):
        rows += ends("search_seconds", seconds, sweep=n)
        rows += ends("mse", (1.0, 2.0, n), sweep=n)
    table = map_tables.threads(toy({"maps": {"search": rows}}), "maps")
    assert table["times as fast"].tolist() == [1.0, 3.0]
    assert table["trials with the same error"].tolist() == ["3 of 3", "2 of 3"]


def test_ratios_divide_by_the_reference_of_the_same_loss():
    rows = [
        ("a", "svrg", 8.0, 3.0),
        ("a", "sbb", 2.0, 1.5),
        ("b", "sbb", 5.0, 10.0),
        ("b", "svrg", np.nan, 20.0),
    ]
    beside = pd.DataFrame(rows, columns=["our_loss", "method", "printed", "ours"])
    page = SimpleNamespace(
        printed_in=lambda artefact: beside.assign(statistic="mean", loss="theirs"),
        losses={"a": "A", "b": "B"},
    )
    table = tables.ratios(page, "table", "sbb")
    expected = [["A", "svrg", 4.0, 2.0], ["A", "sbb", 1.0, 1.0], ["B", "sbb", 1.0, 1.0]]
    assert table.to_numpy().tolist() == expected
