"""The board carries what the files of a run say, whole, and nothing that could act or call."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import planted_board
from closerthan_study import colors
from closerthan_study.figures.page import Page
from closerthan_study.report.board.curves import curves_of, summarize
from closerthan_study.report.board.maps import describe_objects, encode, fitting, maps_of
from closerthan_study.report.board.page import make_board, write_board
from closerthan_study.spec import ROOT


@pytest.fixture
def board(tmp_path):
    """Write the board of planted tables, curves and maps; return its text."""

    def write(tables=True, source=None):
        if tables:
            planted_board.write_tables(tmp_path)
        words = {"title": planted_board.EVIL, "studies": planted_board.STUDIES, "source": source}
        drawn = {"curves": planted_board.curves(), "maps": planted_board.maps()}
        write_board(tmp_path / "board.html", **words, **drawn)
        return (tmp_path / "board.html").read_text(encoding="utf-8")

    return write


@pytest.fixture
def page(tmp_path):
    """The page of a planted run."""
    spec = planted_board.plant_run(tmp_path)
    return Page("papers", spec.config.model_dump(), tmp_path)


# The page


def test_the_board_has_every_cell_of_every_table(board):
    content = planted_board.read_content(board())
    tables = {table["name"]: table for table in content["tables"]}
    for name, planted in (
        ("scoreboard", planted_board.scoreboard()),
        ("parts", planted_board.parts()),
        ("printed", planted_board.printed()),
    ):
        assert tables[name]["columns"] == list(planted)
        assert len(tables[name]["rows"]) == len(planted)
    cells = {cell for row in tables["scoreboard"]["rows"] for cell in row}
    assert planted_board.EVIL in cells


def test_a_table_that_is_not_there_is_left_out(board):
    assert planted_board.read_content(board(tables=False))["tables"] == []


def test_no_text_ends_its_element_or_becomes_one(board):
    text = board()
    assert text.count("<script") == text.count("</script>") == 2
    assert "<b onmouseover" not in text
    assert "&lt;/script&gt;" in text, "in the title"


def test_the_board_needs_nothing_from_elsewhere(board):
    text = board()
    code = text.split("<style>")[1]
    assert not re.search(r"\ssrc=|url\((?!#)|@import|\bfetch\(|XMLHttpRequest|import\(", code)
    assert set(re.findall(r"https?://[^\s\"'`]+", code)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text


def test_figures_are_linked_where_they_lie(board):
    found = planted_board.read_content(board())["artefacts"]
    assert found == {"figures/svrg_sbb/faster": ["figures/svrg_sbb/faster.png"]}


def test_every_verdict_and_outcome_has_a_color_of_its_own():
    board = planted_board.scoreboard()
    assert {*board.verdict} | {*board.verdict_fair} - {""} == {*colors.VERDICTS}
    assert {*planted_board.parts().outcome} == {*colors.OUTCOMES}
    assert len(set(colors.VERDICTS.values())) == len(colors.VERDICTS)


def test_what_judges_is_where_the_board_says(board):
    assert (ROOT / planted_board.read_content(board())["judging"]).is_dir()


def test_a_run_has_a_board_without_any_path_of_the_machine(tmp_path):
    spec = planted_board.plant_run(tmp_path)
    path = tmp_path / "results" / "reports" / "board.html"
    make_board(spec, path)
    text = path.read_text(encoding="utf-8")
    content = planted_board.read_content(text)
    assert str(tmp_path) not in text
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


def test_a_control_takes_no_seconds_and_has_no_color(page):
    (chart,) = curves_of(page)
    (line,) = [x for x in chart["lines"] if chart["curves"][x["curve"]]["control"]]
    assert set(line["x"]) == {"epoch"} and not chart["curves"][line["curve"]]["color"]
    assert list(chart["axes"]) == ["epoch", "seconds"]
    assert "Seconds" in chart["timing"] and "9" in chart["data"]


def test_contenders_have_looks_that_can_be_told_apart(page):
    (chart,) = curves_of(page)
    looks = [(c["color"], tuple(c["dashes"])) for c in chart["curves"]]
    assert len(set(looks)) == len(looks) == 3


def test_a_curve_says_whose_it_is(page):
    (chart,) = curves_of(page)
    found = [(c["method"], c["variant"], c["batch_size"]) for c in chart["curves"]]
    assert found == [("batch", "default", 0), ("svrg", "default", 5), ("random", "control", 0)]


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
