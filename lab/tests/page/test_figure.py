"""The figure of a map: equal axes, names without overlap, reproducible files."""

import re

import numpy as np
import pandas as pd
import pytest

import planted_page
from closerthan_lab.page import Ellipses, draw_map, save_map
from closerthan_lab.page import figure as module
from planted_page import NAMES


def names_of(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def boxes_of(figure):
    renderer = figure.canvas.get_renderer()
    return [text.get_window_extent(renderer) for text in figure.axes[0].texts]


@pytest.mark.parametrize("adjusted", [True, False])
@pytest.mark.parametrize("p", [1, 2, 3])
def test_a_map_of_hostile_names_is_drawn(p, adjusted, monkeypatch):
    if not adjusted:
        monkeypatch.setattr(module, "_MOVED", 0)
    names = [*NAMES[:-1], "$x^$"]
    ellipses = Ellipses(planted_page.shapes(p), 0.9)
    figure = draw_map(names, planted_page.points(p), ellipses=ellipses, title="$1 & $2")
    assert {"Athens", "Bern"} <= set(names_of(figure))
    ax = figure.axes[0]
    assert len(ax.get_xticks()) == len(ax.get_yticks()) == 0
    assert p == 1 or ax.get_aspect() == 1


def test_names_hide_neither_each_other_nor_points():
    points = np.random.default_rng(0).normal(size=(300, 2))
    figure = draw_map([f"object {i}" for i in range(300)], points)
    boxes = boxes_of(figure)
    assert 20 < len(boxes) < 300
    [note] = figure.texts
    assert note.get_text().startswith(f"{300 - len(boxes)} of 300 names are left out")
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    dots = figure.axes[0].transData.transform(points)
    assert not any(box.contains(*dot) for box in boxes for dot in dots)
    frame = figure.bbox
    assert all(frame.contains(box.x0, box.y0) and frame.contains(box.x1, box.y1) for box in boxes)


def test_an_ellipse_is_where_its_shape_says():
    """The border of the drawn ellipse is the image of the unit circle."""
    shape = np.array([[2.0, 0.9], [0.9, 0.7]])
    points = np.array([[0.0, 0.0], [9.0, 5.0]])
    figure = draw_map(["a", "b"], points, ellipses=Ellipses(np.array([shape, shape]), 0.9))
    (rings,) = [c for c in figure.axes[0].collections if hasattr(c, "set_widths")]
    figure.draw_without_rendering()
    half = rings.get_widths()[0] / 2, rings.get_heights()[0] / 2
    turn = np.radians(rings.get_angles()[0])
    for angle in np.linspace(0, 6, 7):
        u = np.array([half[0] * np.cos(angle), half[1] * np.sin(angle)])
        x = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ u
        assert x @ np.linalg.solve(shape, x) == pytest.approx(1)


def test_words_have_a_legend_and_numbers_a_scale():
    attributes = planted_page.attributes()
    points = planted_page.points(2)
    words = draw_map(NAMES, points, color=attributes["country"])
    legend = words.axes[0].get_legend()
    assert [t.get_text() for t in legend.get_texts()] == ["Greece", "Ireland", "Swiss", "other"]
    numbers = draw_map(NAMES, points, color=attributes["answers"].where(lambda n: n > 1))
    assert numbers.axes[1].get_ylabel() == "answers" and numbers.axes[1].get_yscale() == "log"


@pytest.mark.parametrize(("n_levels", "n_lines"), [(2, 1), (5, 1), (9, 9)])
def test_a_short_legend_is_a_line_and_none_leaves_the_figure(n_levels, n_lines):
    points = np.random.default_rng(0).normal(size=(30, 2))
    names = [str(i) for i in range(30)]
    words = pd.Series([f"the word {i % n_levels}" for i in range(30)], index=names)
    figure = draw_map(names, points, color=words)
    legend = figure.axes[0].get_legend()
    boxes = [text.get_window_extent() for text in legend.get_texts()]
    assert len({round(box.y0) for box in boxes}) == n_lines
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 for box in boxes)
    assert all(box.y1 <= figure.bbox.y1 for box in boxes)


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_a_figure_is_written_whole_and_again_the_same(tmp_path, suffix):
    paths = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for path in paths:
        save_map(path, NAMES[:3], planted_page.points(2)[:3])
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"axes": (0, 0)}, "axes=(0, 0); give two different axes from 0 to 1"),
        ({"axes": (0, 2)}, "axes=(0, 2)"),
        ({"color": pd.Series([1, 2], index=["a", "a"])}, "color: 'a' has two values"),
    ],
)
def test_what_cannot_be_drawn_is_said(options, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        draw_map(["a", "b"], [[0, 0], [1, 1]], **options)


@pytest.mark.parametrize("points", [[[0.0, 0.0]], [[1.0], [1.0]], [[0.0, 0.0], [0.0, 1.0]]])
def test_few_points_and_points_that_are_alike_are_drawn(points):
    draw_map([str(i) for i in range(len(points))], points)


def test_an_ellipse_across_a_flat_map_is_seen_whole():
    points = np.array([[0.0, 0.0], [1.0, 0.05], [2.0, 0.0]])
    shapes = np.tile(np.diag([0.01, 0.25]), (3, 1, 1))  # 0.5 high, and the map 0.05
    (ax,) = draw_map("abc", points, ellipses=Ellipses(shapes, 0.9)).axes
    low, high = ax.get_ylim()
    assert low < -0.5 and high > 0.55
