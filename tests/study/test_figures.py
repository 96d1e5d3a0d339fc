"""What the notebooks share, on small hand-made scores."""

import numpy as np
import pandas as pd
import pytest

from relsim.study.figures import draw_curves, find_divergences
from relsim.study.reports import palette
from relsim.study.spec import Experiment, Method

METHODS = {
    "svrg": Method("svrg", "SVRG", {"paper": {}}, solver="SVRG", batch_sizes=[1]),
    "random": Method("random", "random points", control="random"),
}


@pytest.fixture
def scores():
    rows = []
    for trial, norms in enumerate(([1.0, 2.0, 3.0], [1.0, 1e13, np.nan])):
        for epoch, norm in enumerate(norms):
            words = {"method": "svrg", "variant": "paper", "batch_size": 1, "loss": "ste"}
            words |= {"noise": 0.0, "trial": trial, "epoch": float(epoch)}
            rows.append({**words, "measure": "norm", "value": norm})
            rows.append({**words, "measure": "test_error", "value": 0.5 - 0.1 * epoch})
    words = {"method": "random", "variant": "control", "batch_size": 0, "loss": "none"}
    rows.append({**words, "noise": 0.0, "trial": 0, "epoch": 0.0, "measure": "test_error"})
    return pd.DataFrame(rows).fillna({"value": 0.5})


def test_a_divergence_is_found_where_the_norm_first_overflows(scores):
    found = find_divergences(scores.assign(value=scores.value.replace(0.5, np.nan)))
    assert found[["trial", "epoch"]].to_numpy().tolist() == [[1, 1.0]]


def test_curves_show_medians_controls_and_divergences(scores):
    experiment = Experiment("s", "e", "Fig. 1", ["d"], {}, 2, METHODS, 2, 2, 2)
    curves = [("svrg", "paper", 1), ("random", "control", 0)]
    figure = draw_curves(experiment, scores, curves, {"ste": "STE"}, palette(METHODS))
    (ax,) = figure.axes
    median, cross, control = ax.lines
    assert median.get_ydata().tolist() == pytest.approx([0.5, 0.4, 0.3])
    assert cross.get_xdata().tolist() == [1.0] and cross.get_marker() == "x"
    assert set(control.get_ydata()) == {0.5}
    assert [text.get_text() for text in figure.legends[0].texts] == ["SVRG", "random points"]
