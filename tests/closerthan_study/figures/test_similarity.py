"""Check learned similarities beside printed numbers: dots, diamonds and the nearest row."""

import numpy as np
import pandas as pd
import pytest

from closerthan_study.figures.similarity import (
    compare_methods,
    in_numbers,
    methods_apart,
    methods_beside,
    progress,
    seconds_of_fits,
)
from closerthan_study.figures.style import Curve


@pytest.fixture
def page(toy):
    """Replace an experiment on similarities by the stream, whose method sweeps a parameter."""
    rows = [
        {"variant": "paper", "sweep": sweep, "trial": trial, "measure": "MAP"}
        | {"value": mean + 0.01 * trial}
        for sweep, mean in ((0.0, 0.2), (9.0, 0.5))
        for trial in range(3)
    ]
    page = toy({"stream": {"pa": rows}})
    printed = {"artefact": "table-2", "measure": "MAP", "our_dataset": "synthetic"}
    page.printed = pd.DataFrame([printed | {"our_method": "owner", "printed": 0.53}])
    return page


def test_of_a_grid_the_value_nearest_to_print_has_a_row(page):
    (row,) = compare_methods(page, "stream", "table-2", grid=("pa", "owner")).to_dict("records")
    assert row["method"] == "PA = 9" and row["printed"] == 0.53
    assert row["mAP"] == pytest.approx(0.51) and row["sd"] == pytest.approx(0.01)
    assert (row["median"], row["low"], row["high"]) == pytest.approx((0.51, 0.5, 0.52))


def test_printed_numbers_of_other_data_have_a_panel_of_their_own(page):
    rows = compare_methods(page, "stream", "table-2", grid=("pa", "owner"))
    assert "printed, elsewhere" in in_numbers(rows, printed_of="elsewhere")
    beside = methods_beside(page, rows)
    assert len(beside.axes) == 1
    here, printed = beside.axes[0].lines
    assert here.get_xdata() == pytest.approx([0.51]) and printed.get_xdata() == [0.53]
    (interval,) = beside.axes[0].collections[0].get_segments()
    assert interval[:, 0] == pytest.approx([0.5, 0.52])
    left, right = methods_apart(page, rows, "elsewhere").axes
    assert np.isnan(left.lines[1].get_xdata()).all() and np.isnan(right.lines[0].get_xdata()).all()
    assert right.get_title() == "printed:\nelsewhere"


def test_the_gray_line_is_what_the_features_reach_wherever_they_stand(page):
    rows = compare_methods(page, "stream", "table-2", grid=("pa", "owner"))
    features = rows.assign(control="features", curve="Euclidean", median=0.3, printed=0.2)
    rows = pd.concat([rows, features], ignore_index=True)
    (ax,) = methods_beside(page, rows).axes
    assert ax.lines[0].get_xdata() == [0.3, 0.3]
    here, printed = methods_apart(page, rows, "elsewhere").axes
    assert here.lines[0].get_xdata() == [0.3, 0.3]
    assert printed.lines[0].get_xdata() == [0.2, 0.2]


def test_printed_losses_are_marks_where_the_curves_end(toy):
    rows = [
        {"variant": "paper", "sweep": 0.0, "trial": trial, "measure": measure}
        | {"triplets": triplets, "value": 0.9 - triplets / 100}
        for measure in ("hinge", "squared_hinge")
        for trial in range(3)
        for triplets in (20, 60)
    ]
    page = toy({"stream": {"pa": rows}})
    printed = {"artefact": "figure-1", "measure": "hinge", "experiment": "stream"}
    page.printed = pd.DataFrame([printed | {"our_method": "pa", "printed": 0.1}])
    measures = ["hinge", "squared_hinge"]
    words = {"stream": "as they come"}
    figure = progress(
        page, words, [Curve("pa", "paper")], measures, ylabel="loss", artefact="figure-1"
    )
    assert [ax.get_title() for ax in figure.axes] == ["hinge", "squared hinge"]
    for ax in figure.axes:
        assert ax.lines[-1].get_xydata().tolist() == [[60, 0.1]] and ax.get_ylim()[0] < 0.1
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.texts] == ["PA", "PA, printed"]
    (ax,) = progress(page, words, [Curve("pa", "paper")], measures[:1], ylabel="loss").axes
    assert ax.get_title() == "as they come" and ax.get_yscale() == "linear"


def test_seconds_are_medians_of_a_method_by_data_and_triplets(toy):
    page = toy({"points": {"batch": []}})
    rows = [("svrg", "tuned", s) for s in (1, 2, 9)] + [("svrg", "paper", s) for s in (3, 4, 8)]
    table = pd.DataFrame(rows, columns=["method", "variant", "value"])
    table = table.assign(dataset="synthetic", loss="none", sweep=np.nan, batch_size=1)
    grid = table.iloc[[0]].assign(sweep=9.0, value=100.0)
    page.seconds = lambda name: pd.concat([table, grid])
    found = seconds_of_fits(page, ["points"])
    assert found.columns.tolist() == ["method", "synthetic, 60 triplets"]
    assert found.to_numpy().tolist() == [["SVRG, b = 1", 4], ["SVRG, b = 1, well tuned", 2]]
