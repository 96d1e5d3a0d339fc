"""Compare a map with a rotated copy and another map; refuse unsuitable input."""

import json

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from closerthan_lab.commands.compare import Map, compare, read_map
from closerthan_lab.commands.writing import write_safe_csv
from commands.planted import NAMES, POINTS, write_answers, write_people


def write_map(path, names, points):
    axes = {f"x{axis + 1}": column for axis, column in enumerate(np.transpose(points))}
    frame = pd.DataFrame({"name": names, **axes})
    write_safe_csv(path, frame)
    return path


def named_map(points):
    return Map(np.array(NAMES), points)


def test_the_same_map_turned_and_reordered(tmp_path):
    first = write_map(tmp_path / "first.csv", NAMES, POINTS)
    turned = 3 * POINTS[::-1] @ [[0, 1], [-1, 0]] + 5
    second = write_map(tmp_path / "second.csv", NAMES[::-1], turned)
    found = compare(first, second, n_permutations=99)
    assert found.test.correlation == pytest.approx(1)
    assert found.test.p_value == 0.01
    assert found.moved["moved"].max() < 1e-6
    assert json.loads(json.dumps(found.facts()))["n_objects"] == len(NAMES)


def test_the_object_that_moved_is_named(tmp_path):
    moved = POINTS.copy()
    moved[7] += 4
    found = compare(named_map(POINTS), named_map(moved))
    assert found.moved["name"][0] == NAMES[7]
    assert NAMES[7] in found.text()


def test_what_chance_may_explain_is_not_called_chance():
    other = np.random.default_rng(1).normal(size=POINTS.shape)
    found = compare(named_map(POINTS), named_map(other), n_permutations=99)
    assert found.test.p_value > 0.05
    assert "not significantly more similar than expected by chance" in found.text()
    same = compare(named_map(POINTS), named_map(POINTS), n_permutations=99)
    assert "The maps are more similar than expected by chance" in same.text()


def test_two_files_of_answers_about_the_same_points(tmp_path):
    first = write_answers(tmp_path / "first.csv")
    second = write_answers(tmp_path / "second.csv", seed=1)
    found = compare(first, second, n_permutations=999)
    assert found.test.correlation > 0.95 and found.test.p_value == 0.001
    assert found.facts()["participants_in_both"] == 0


def test_people_of_both_files_are_counted(tmp_path):
    first = write_people(tmp_path / "first.csv")
    found = compare(first, first, n_permutations=99)
    assert "4 of the participants are in both files. The test of people counts each" in found.text()


def test_too_few_people_for_a_test_are_told(tmp_path):
    first = write_people(tmp_path / "first.csv")
    rows = [row for row in first.read_text().splitlines() if not row.endswith(("a", "b"))]
    (tmp_path / "two.csv").write_text("\n".join(rows))
    found = compare(first, tmp_path / "two.csv", n_permutations=99)
    assert found.people is None
    assert "The people are not compared: that needs 4 or more people in each file." in found.text()


def test_the_folder_of_a_map_does_as_well_as_its_table(tmp_path):
    (tmp_path / "map").mkdir()
    table = write_map(tmp_path / "map" / "embedding.csv", NAMES, POINTS)
    assert compare(tmp_path / "map", table, n_permutations=99).test.correlation > 0.999


def test_names_that_spreadsheets_take_for_formulas_come_back(tmp_path):
    names = ["=1+1", "@a", "-b", "'=c", "plain, with comma"]
    path = write_map(tmp_path / "map.csv", names, POINTS[:5])
    assert read_map(path).names.tolist() == names


def test_what_is_no_map_is_not_taken_for_one(tmp_path):
    assert read_map(write_answers(tmp_path / "answers.csv")) is None
    assert read_map(tmp_path / "nowhere.csv") is None
    (tmp_path / "map.csv").write_text("name,x1,x2\na,1,2\nb,one,2\n")
    with pytest.raises(ValueError, match=r"map\.csv, line 3, column x1: 'one' is not a number"):
        read_map(tmp_path / "map.csv")


def test_maps_without_three_common_objects_are_refused(tmp_path):
    first = Map(np.array(NAMES[:10]), POINTS[:10])
    second = Map(np.array(NAMES[8:]), POINTS[8:])
    message = r"2 objects have a position in both maps \(of 10 and 12\)"
    with pytest.raises(ValueError, match=message):
        compare(first, second)
    with pytest.raises(ValueError, match="'a' is twice in the first map"):
        compare(Map(np.array(["a", "a", "b"]), POINTS[:3]), first)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_what_moved_is_written_and_drawn(tmp_path, width):
    points = np.random.default_rng(0).normal(size=(len(NAMES), width))
    moved = points.copy()
    moved[7] += 3
    found = compare(named_map(points), named_map(moved), n_permutations=9)
    found.write(tmp_path / "out")
    table = pd.read_csv(tmp_path / "out" / "moved.csv")
    pd.testing.assert_frame_equal(table, found.moved)
    assert json.loads((tmp_path / "out" / "compare.json").read_text()) == found.facts()
    ax = found.plot()
    assert len(ax.lines) == len(NAMES) and NAMES[7] in [text.get_text() for text in ax.texts]
    assert (tmp_path / "out" / "compare.pdf").stat().st_size > 1000


def test_a_correlation_of_maps_that_answers_do_not_place_is_called_chance(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("anchor,near,far\na,b,c\n")
    found = compare(path, path)
    assert found.facts()["rare_objects"] == [3, 3]
    assert "With three objects no similarity is significant" in found.text()
    assert "too few answers to be placed: 3 of 3 and 3 of 3 (`closerthan check`" in found.text()


def test_the_figure_names_all_objects_and_the_files(tmp_path):
    for name in ("ann", "bo"):
        (tmp_path / name).mkdir()
        write_map(tmp_path / name / "map.csv", NAMES, POINTS)
    ax = compare(tmp_path / "ann/map.csv", tmp_path / "bo/map.csv", n_permutations=9).plot()
    assert [text.get_text() for text in ax.texts] == NAMES
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["ann/map.csv", "bo/map.csv, aligned to the first"]


@pytest.mark.parametrize("canvas", [FigureCanvasAgg, FigureCanvasSVG])
def test_the_figure_says_how_many_names_are_left_out(canvas):
    names = np.array([f"object {n}" for n in range(200)])
    points = np.random.default_rng(0).normal(size=(200, 2))
    figure = Figure()
    canvas(figure)
    ax = figure.add_subplot()
    compare(Map(names, points), Map(names, points), n_permutations=9).plot(ax)
    note = ax.get_legend().get_title().get_text()
    assert note.startswith(f"{200 - len(ax.texts)} of 200 names are left out")
