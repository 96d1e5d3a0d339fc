"""Check maps: names stay at their places in every run, and a failed map says so."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from closerthan_study.figures.maps import (
    counted,
    draw_aligned_map,
    draw_places,
    middle_trial,
    write_names,
)
from closerthan_study.figures.save import save_figure
from closerthan_study.figures.style import Curve, style

NAMES = ["Amsterdam", "Rotterdam", "Utrecht", "The Hague", "Antwerp", "Brussels", "Paris", "Rome"]


def crowded():
    """Return names; six of them have places that lie close together."""
    style()
    places = np.array([[0, 0], [0.1, 0], [0, 0.1], [0.1, 0.1], [0.05, -0.1], [0.15, 0.05]])
    places = np.concatenate([places, [[-2.0, -1.0], [2.0, 1.5]]])
    figure, ax = plt.subplots(figsize=(3.6, 3.3))
    draw_places(ax, places, places + 0.02)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    write_names(ax, places, NAMES)
    return figure, ax


def test_names_do_not_overlap():
    _, ax = crowded()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert [text.get_text() for text in ax.texts] == NAMES
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_names_are_placed_the_same_way_each_time(tmp_path):
    for name in "ab":
        save_figure(crowded()[0], tmp_path / name, title="T", caption="C")
    for suffix in ("png", "pdf"):
        first, second = ((tmp_path / f"{name}.{suffix}").read_bytes() for name in "ab")
        assert first == second


def test_a_map_is_turned_towards_its_target():
    rng = np.random.default_rng(0)
    target = rng.normal(size=(30, 2))
    turned = 3 * target @ np.array([[0.0, 1.0], [-1.0, 0.0]]) + 5
    _, ax = plt.subplots()
    draw_aligned_map(ax, turned, "", np.arange(30.0), target)
    (dots,) = ax.collections
    np.testing.assert_allclose(dots.get_offsets(), target, atol=1e-9)
    plt.close("all")


def test_a_map_that_failed_says_so_and_not_in_the_words_of_the_solver():
    _, ax = plt.subplots()
    draw_aligned_map(ax, None, "Error in determining null-space with ARPACK.", None, None)
    assert [words.get_text() for words in ax.texts] == ["failed"] and not ax.collections
    plt.close("all")


def test_a_method_shows_its_trial_in_the_middle_and_how_many_failed():
    values = {0: 0.4, 1: 0.01, 2: 0.03, 3: None, 4: None}
    rows = [
        {"trial": trial, "measure": measure, "value": value}
        for trial, distortion in values.items()
        for measure, value in (("distortion", distortion), ("failed", float(distortion is None)))
        if value is not None
    ]
    scores = pd.DataFrame(rows).assign(method="lle", variant="paper")
    (trial, found), curve = middle_trial(scores, Curve("lle", "paper")), Curve("lle", "paper")
    assert trial == 0 and counted(found) == ["2 of 5 failed", "1 of 5 far"], (
        "a failure is the worst"
    )
    clusters = scores.assign(measure=scores.measure.replace("distortion", "f1"))
    trial, found = middle_trial(clusters, curve)
    assert trial == 1 and counted(found) == ["2 of 5 failed"], "more is better, and nothing is far"
    _, found = middle_trial(scores[scores.trial == 0], curve)
    assert counted(found) == ["far"], "of a single trial no number is said"
    _, found = middle_trial(scores[scores.value == 1], curve)
    assert found.isna().all(), "a method may fail in every trial"
