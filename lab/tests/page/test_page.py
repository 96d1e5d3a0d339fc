"""The page of a map: its content, its errors and its size."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import planted_page
from closerthan_lab.page import Ellipses, Section, Table, write_page
from closerthan_lab.page import page as module
from closerthan_lab.page.templates import to_script
from planted_page import EVIL, NAMES, read_content

OTHER_OBJECTS = Table(pd.DataFrame({"x": [1]}), objects="y")
TWO = {"title": "map", "names": ["a", "b"], "points": [[0.0, 0.0], [1.0, 2.0]]}


@pytest.fixture
def target(tmp_path):
    return tmp_path / "map.html"


@pytest.mark.parametrize("p", [1, 2, 3])
def test_a_page_carries_all_that_it_was_given(target, p):
    assert planted_page.write_example(target, p) == []
    found = read_content(target)
    assert found["names"] == NAMES and found["n_components"] == p
    assert np.shape(found["points"]) == (len(NAMES), p)
    assert np.shape(found["ellipses"]["shapes"]) == (len(NAMES), p * (p + 1) // 2)
    assert [column["name"] for column in found["columns"]][:2] == ["country", "size"]
    assert len(found["sections"]) == 4 and found["figures"]["values"][0] == ["objects", 9]


def test_a_page_has_the_scripts_of_those_widgets_alone_that_it_needs(target):
    write_page(target, **TWO)
    bare = target.read_text(encoding="utf-8")
    planted_page.write_example(target, 1)
    whole = target.read_text(encoding="utf-8")
    for widget in ("blockOf", "ellipseOf", "namesOnLine"):
        defined = f"function {widget}("
        assert defined in whole and defined not in bare


def test_a_page_loads_nothing_and_no_text_of_its_content_is_html(target):
    planted_page.write_example(target)
    text = target.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", text)
    assert "default-src 'none'" in text and EVIL not in text and "<!-- <script>" not in text
    assert text.count("</script>") == 2 and "\u2028" not in text


@given(st.text())
def test_no_text_ends_the_element_around_it(text):
    found = to_script([text, {text: 1}])
    assert "<" not in found and not set("\u2028\u2029\n") & set(found)
    assert json.loads(found) == [text, {text: 1}]


def test_a_title_is_escaped_and_a_lone_surrogate_does_no_harm(target):
    write_page(target, title=EVIL, names=["\ud800", "b"], points=[[0.0], [1.0]])
    text = target.read_text(encoding="utf-8")
    assert "<title>&lt;/script&gt;" in text and read_content(target)["names"][1] == "b"


def test_points_of_three_dimensions_are_turned_with_their_ellipses(target):
    """Distances stay; spread and half axes along each axis decrease."""
    planted_page.write_example(target, 3)
    found = read_content(target)
    places, given = np.array(found["points"]), planted_page.points(3)
    gaps = [np.linalg.norm(x[:, None] - x, axis=2) for x in (places, given)]
    assert np.allclose(*gaps, atol=1e-3)
    assert (np.diff(found["shares"]) < 0).all()
    assert sum(found["shares"]) == pytest.approx(1, abs=1e-3)
    triangle = np.array(found["ellipses"]["shapes"][0])
    trace = triangle[[0, 3, 5]].sum()
    assert trace == pytest.approx(np.trace(planted_page.shapes(3)[0]), rel=0.01)


def test_points_that_are_alike_have_a_page(target):
    write_page(target, title="map", names=["a", "b"], points=np.zeros((2, 3)))
    assert read_content(target)["points"] == [[0.0] * 3] * 2


@pytest.mark.parametrize("scale", [1e-200, 1e-3, 1e6, 1e150])
def test_coordinates_have_digits_enough(target, scale):
    points = scale * np.random.default_rng(0).normal(size=(20, 2))
    write_page(target, title="map", names=range(20), points=points)
    assert np.allclose(read_content(target)["points"], points, rtol=0, atol=2e-5 * np.ptp(points))


def test_attributes_go_by_name_whatever_their_order(target):
    frame = pd.DataFrame(
        {
            "year": [1.5, np.inf, 3.0],
            "kind": ["x", "y", "x"],
            "known": pd.array([True, None, False], dtype="boolean"),
            "grade": pd.Categorical(["low", "high", "low"], categories=["low", "mid", "high"]),
            "count": pd.array([2, None, 3], dtype="Int64"),
            "when": pd.to_datetime(["2020-01-01", None, "2021-01-01"]),
        },
        index=["b", "a", "elsewhere"],
    )
    notes = write_page(target, attributes=frame, **TWO)
    found = {column["name"]: column for column in read_content(target)["columns"]}
    assert notes == ["Attribute rows without an object in the map: 1 (elsewhere)."]
    assert found["year"]["values"] == [None, 1.5]
    assert found["count"]["values"] == [None, 2]
    words = {
        key: [None if v is None else column["levels"][v] for v in column["values"]]
        for key, column in found.items()
        if "levels" in column
    }
    assert words["kind"] == ["y", "x"] and words["grade"] == ["high", "low"]
    assert words["known"] == [None, "True"] and words["when"][0] is None
    assert found["grade"]["levels"] == ["low", "high"], "in the order of the categories"


def test_a_second_name_is_no_color(target):
    names = [f"object {i}" for i in range(100)]
    points = np.random.default_rng(0).normal(size=(100, 2))
    frame = pd.DataFrame({"id": names, "half": [n[:8] for n in names]}, index=names)
    write_page(target, title="map", names=names, points=points, attributes=frame)
    columns = read_content(target)["columns"]
    assert [column["colors"] for column in columns] == [False, True]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"names": ["a"]}, "1 names and 2 points"),
        ({"names": ["a", "a"]}, "names, row 1: 'a' is also in row 0"),
        ({"names": ["a", " "]}, "names, row 1: ' ' is empty"),
        ({"points": [[0, 0], [1, np.nan]]}, "points, row 1, column 1: nan"),
        ({"points": [0, 1]}, "points: the shape is"),
        ({"ellipses": Ellipses(np.zeros((2, 3, 3)), 0.9)}, "ellipses: the shapes are"),
        ({"ellipses": Ellipses(np.zeros((2, 2, 2)), 90)}, "ellipses, level=90"),
        ({"ellipses": Ellipses(-np.array([np.eye(2)] * 2), 0.9)}, "object 0: the shape is not"),
        ({"ellipses": Ellipses(np.full((2, 2, 2), np.nan), 0.9)}, "object 0: the shape must be"),
        ({"attributes": pd.DataFrame({"x": [1, 2]}, ["a", "a"])}, "row 1: 'a' is there twice"),
        ({"attributes": pd.DataFrame({"x": [1]}, index=["c"])}, "no row has the name of an object"),
        ({"attributes": pd.DataFrame([[1, 2]], ["a"], ["x", "x"])}, "two columns are called 'x'"),
        ({"thumbnails": "nowhere"}, "nowhere: not a folder"),
        ({"sections": [Section("t", "m", [OTHER_OBJECTS])]}, "objects='y'; the columns are x"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(target, changes, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        write_page(target, **{**TWO, **changes})
    assert not list(target.parent.iterdir())


def test_a_page_that_is_too_large_is_refused_and_the_old_one_stays(target, monkeypatch):
    target.write_text("old")
    monkeypatch.setattr(module, "MOST_BYTES", 50_000)
    with pytest.raises(ValueError, match=r"would take 0\.1 MB; at most"):
        write_page(target, **TWO)
    assert target.read_text() == "old" and len(list(target.parent.iterdir())) == 1


def test_thousands_of_objects_fit(target):
    names = [f"object {i}" for i in range(3000)]
    rng = np.random.default_rng(0)
    ellipses = Ellipses(np.eye(10) * rng.uniform(0.1, 1, (3000, 1, 1)), 0.9)
    points = rng.normal(size=(3000, 10))
    write_page(target, title="map", names=names, points=points, ellipses=ellipses)
    assert target.stat().st_size < module.MOST_BYTES


def test_the_same_input_gives_the_same_bytes(target):
    planted_page.write_example(target)
    first = target.read_bytes()
    planted_page.write_example(target)
    assert target.read_bytes() == first
