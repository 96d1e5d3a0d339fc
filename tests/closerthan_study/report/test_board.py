"""Check that the board has all data of a run's files, and nothing that could act or call."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import planted_board
from closerthan_study.report.board.curves import curves_of, summarize
from closerthan_study.report.board.maps import describe_objects, encode, fitting, maps_of
from closerthan_study.report.board.page import make_board, write_board
from closerthan_study.spec import ROOT
from planted_page import EVIL, read_content


@pytest.fixture
def write(tmp_path):
    """Return a function that writes the board of planted curves and maps to a folder."""

    def write():
        words = {"title": EVIL, "studies": planted_board.STUDIES, "source": None}
        drawn = {"curves": planted_board.curves(), "maps": planted_board.maps()}
        write_board(tmp_path / "board.html", **words, **drawn)
        return tmp_path / "board.html"

    return write


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Return the page of a planted run."""
    return planted_board.plant_run(tmp_path_factory.mktemp("run"))


# The page


def test_the_board_has_every_cell_of_every_table_that_is_there_and_links_figures(write, tmp_path):
    assert read_content(write())["tables"] == []
    planted_board.write_tables(tmp_path)
    content = read_content(write())
    tables = {table["name"]: table for table in content["tables"]}
    for name in ("scoreboard", "parts", "printed"):
        planted = getattr(planted_board, name)()
        assert tables[name]["columns"] == list(planted)
        assert len(tables[name]["rows"]) == len(planted)
    assert EVIL in {cell for row in tables["scoreboard"]["rows"] for cell in row}
    assert content["artefacts"] == {"figures/svrg_sbb/faster": ["figures/svrg_sbb/faster.png"]}
    assert (ROOT / content["judging"]).is_dir(), "what judges is where the board says"


def test_no_text_becomes_an_element_and_nothing_comes_from_elsewhere(write, tmp_path):
    planted_board.write_tables(tmp_path)
    text = write().read_text(encoding="utf-8")
    assert text.count("<script") == text.count("</script>") == 2
    assert "<b onmouseover" not in text
    assert "&lt;/script&gt;" in text, "in the title"
    code = text.split("<style>")[1]
    assert not re.search(r"\ssrc=|url\((?!#)|@import|\bfetch\(|XMLHttpRequest|import\(", code)
    assert set(re.findall(r"https?://[^\s\"'`]+", code)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text


def test_a_run_has_a_board_without_any_path_of_the_machine(page):
    path = page.reports / "board.html"
    make_board(page.spec, path)
    content = read_content(path)
    assert str(page.spec.root) not in path.read_text(encoding="utf-8")
    assert content["studies"]["papers"]["settings"][0] == "config/studies/papers/claims.yaml"
    assert [chart["experiment"] for chart in content["curves"]] == ["cities"]
    assert [group["dataset"] for group in content["maps"]] == ["eurodist"]
    assert content["source"] is None, "of a folder that is no repository"


# Curves


def test_a_curve_is_the_median_over_trials_and_a_trial_that_stops_keeps_its_last_value(page):
    (chart,) = curves_of(page)
    assert list(chart["measures"]) == ["test_error"], "for a final error has one place"
    line = next(
        x for x in chart["lines"] if chart["curves"][x["curve"]]["label"].startswith("batch")
    )
    assert line["mid"] == [0.5, 0.5, 0.4]
    assert line["low"][-1] == 0.3 and line["high"][-1] == 0.45
    assert line["trials"] == 3
    assert chart["places"][line["x"]["epoch"]] == (0, 1, 2)
    assert chart["places"][line["x"]["seconds"]] == (0, 1, 2), "the median over trials"


def test_a_curve_says_whose_it_is_and_a_control_takes_no_seconds_and_has_no_color(page):
    (chart,) = curves_of(page)
    found = [(c["method"], c["variant"], c["batch_size"]) for c in chart["curves"]]
    assert found == [("batch", "default", 0), ("svrg", "default", 5), ("random", "control", 0)]
    looks = {(c["color"], tuple(c["dashes"])) for c in chart["curves"]}
    assert len(looks) == len(chart["curves"]), "which can be told apart"
    (line,) = [x for x in chart["lines"] if chart["curves"][x["curve"]]["control"]]
    assert set(line["x"]) == {"epoch"} and not chart["curves"][line["curve"]]["color"]
    assert list(chart["axes"]) == ["epoch", "seconds"]
    assert "Seconds" in chart["timing"] and "9" in chart["data"]


def test_streams_are_read_off_at_numbers_of_triplets():
    rows = {"trial": 0, "triplets": [10.0, 20.0], "epoch": [3.0, 9.0], "value": [0.4, np.inf]}
    seconds = pd.DataFrame({0: [1.0, 4.0]}, index=[10.0, 20.0])
    line = summarize(pd.DataFrame(rows), "triplets", seconds)
    assert line["x"] == {"triplets": [10, 20], "epoch": [3, 9], "seconds": [1, 4]}
    assert line["mid"] == [0.4, None] and "low" not in line
    json.dumps(line, allow_nan=False)


def test_a_long_curve_is_thinned_and_keeps_its_ends():
    rows = pd.DataFrame({"trial": 0, "epoch": np.arange(5000.0), "value": np.arange(5000.0)})
    line = summarize(rows, "epoch")
    assert len(line["mid"]) <= 61 and line["mid"][0] == 0 and line["mid"][-1] == 4999


# Maps


def test_maps_are_those_of_the_last_epoch_moved_onto_the_first(page):
    (group,) = maps_of(page)
    assert group["names"] == ["Athens", "Bern", "Cork", "Dover", "Essen", "Faro"]
    batch, svrg, random = (np.reshape(one["xy"], (-1, 2)) for one in group["maps"])
    assert [one["label"][:4] for one in group["maps"]] == ["batc", "SVRG", "rand"]
    assert (svrg[4:] == -1).all(), "what has no place"
    assert np.abs(batch[:4] - svrg[:4]).max() <= 1, "but for the rounding"
    assert np.abs(batch - random).max() > 1000
    assert np.ptp(batch, axis=0)[0] > np.ptp(batch, axis=0)[1]


def test_of_objects_without_name_class_and_color_there_is_no_map():
    objects = pd.DataFrame({"object": range(3), "part": "item", "row": -1, "label": -1})
    assert describe_objects(objects, {"object_names": np.array(["a", "b"])}) is None


def test_objects_come_by_class_with_the_words_of_the_data():
    objects = pd.DataFrame({"object": range(3), "part": "item", "row": [2, 0, 1], "label": -1})
    arrays = {"labels": np.array([1, 0, 1]), "class_names": np.array(["jazz", "rock"])}
    known = describe_objects(objects, arrays)
    assert known["order"] == [2, 0, 1] and known["classes"] == [0, 1, 1]
    assert known["class_names"] == ["jazz", "rock"] and "names" not in known


def test_a_point_far_off_is_drawn_at_the_border():
    frame = np.array([[0.0, 0.0], [2.0, 1.0]])
    assert encode(np.array([[1e9, 0.5]]), frame) == [9999, 5000]


def test_many_maps_have_fewer_objects_each():
    xy = np.arange(2000).tolist()
    groups = [{"objects": 1000, "classes": [0] * 1000, "maps": [{"xy": xy}] * 10}]
    (group,) = fitting(groups, points=500)
    assert len(group["classes"]) == len(group["maps"][0]["xy"]) // 2 == 50
    (group,) = fitting(groups, points=10**9)
    assert len(group["classes"]) == 400
