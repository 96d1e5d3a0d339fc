"""`closerthan people`: text, files and figures agree with the model; bad input is refused."""

import json

import numpy as np
import pandas as pd
import pytest

from closerthan_lab.commands.compare import compare
from closerthan_lab.commands.people import people
from closerthan_lab.commands.reading import read_groups
from closerthan_lab.people import PeopleEmbedding
from commands.line import refused, said
from people.simulated import simulate

NAMES = np.array([f"face {number}" for number in range(25)])


def write_answers(path, answers, people=None):
    who = answers.participant if people is None else np.array(people)[answers.participant]
    frame = pd.DataFrame(NAMES[answers.comparisons], columns=["anchor", "near", "far"])
    frame.assign(participant=who).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def answers():
    logs = np.repeat([[0, 0], [1.2, 0]], 10, axis=0)
    return simulate(0, n_people=20, n_answers=200, logs=logs)[2]


@pytest.fixture(scope="module")
def path(tmp_path_factory, answers):
    return write_answers(tmp_path_factory.mktemp("people") / "answers.csv", answers)


@pytest.fixture(scope="module")
def groups(path):
    frame = pd.DataFrame({"participant": range(20), "group": ["novice"] * 10 + ["expert"] * 10})
    frame.to_csv(path.parent / "groups.csv", index=False)
    return path.parent / "groups.csv"


def test_text_files_and_model_agree(path, groups, answers, tmp_path):
    text = said("people", path, "--groups", groups, "-o", tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "people.json").read_text())
    frame = pd.read_csv(tmp_path / "out" / "people.csv")
    model = PeopleEmbedding(random_state=0).fit(answers)
    np.testing.assert_allclose(frame["weight_1"], model.people_["weight_1"], rtol=1e-3)
    assert frame["group"].tolist() == ["novice"] * 10 + ["expert"] * 10
    assert facts["participants"] == facts["own_weights"] == 20
    assert f"predict {facts['accuracy']:.1%} of held-out comparisons" in text
    assert [test["groups"] for test in facts["tests"]] == [None, ["expert", "novice"]]
    assert all(test["p_value"] <= 0.05 for test in facts["tests"])
    assert "The people differ (p =" in text
    assert "The groups expert and novice differ (p =" in text
    made = {path.name for path in (tmp_path / "out").iterdir()}
    figures = {f"{name}.{end}" for name in ("map", "weights") for end in ("png", "pdf")}
    assert made == figures | {"embedding.csv", "people.csv", "people.json", "made.json"}


def test_people_who_do_not_differ_have_no_figure_of_weights(tmp_path):
    _, _, same = simulate(1, width=0.0, scale=0.0, n_people=10, n_answers=100)
    text = said("people", write_answers(tmp_path / "same.csv", same), "-o", tmp_path / "out")
    assert "so the map has none" in text
    assert "The people do not differ significantly" in text
    assert not (tmp_path / "out" / "weights.png").exists()


@pytest.fixture
def figure_of(tmp_path, monkeypatch):
    """Return a function that writes a result and returns the figure of weights."""
    shown = []
    monkeypatch.setattr("matplotlib.pyplot.close", shown.append)

    def figure_of(found):
        found.write(tmp_path / "out")
        [figure] = [one for one in shown if len(one.axes) == 3]
        return figure

    return figure_of


def test_the_figure_has_each_person_with_their_interval(path, figure_of):
    found = people(path)
    figure = figure_of(found)
    panel = figure.axes[1]
    assert panel.get_title() == "weight of dimension 1"
    rows = found.model.people_.sort_values("weight_1")
    np.testing.assert_allclose(panel.collections[1].get_offsets()[:, 0], rows["weight_1"])
    ends = [segment[:, 0] for segment in panel.collections[0].get_segments()]
    np.testing.assert_allclose(ends, rows[["weight_1_low", "weight_1_high"]])
    names = [label.get_text() for label in panel.get_yticklabels()]
    assert names == rows["participant"].astype(str).tolist()


def test_three_people_are_drawn_whole_and_their_intervals_explained(tmp_path, figure_of):
    logs = np.array([[1.0, 0], [0, 1.0], [0.2, 0]])
    answers = simulate(0, n_people=3, n_answers=400, logs=logs)[2]
    figure = figure_of(people(write_answers(tmp_path / "three.csv", answers), n_permutations=19))
    figure.draw_without_rendering()
    assert "for one person alone" in figure.get_supxlabel()
    for ax in figure.axes:
        x, y = ax.transData.transform(ax.collections[1].get_offsets()).T
        assert ax.bbox.padded(-5).containsx(x.min()) and ax.bbox.padded(-5).containsx(x.max())
        assert ax.bbox.padded(-5).containsy(y.min()) and ax.bbox.padded(-5).containsy(y.max())


def test_compare_tests_the_people_of_two_files(answers, tmp_path):
    halves = [answers.take(answers.participant < 10), answers.take(answers.participant >= 10)]
    paths = [write_answers(tmp_path / f"{n}.csv", half) for n, half in enumerate(halves)]
    found = compare(*paths, n_permutations=99)
    assert found.people.groups == ("first", "second")
    assert found.people.p_value <= 0.05
    assert "The groups first and second differ" in found.text()
    assert found.facts()["people"]["p_value"] == found.people.p_value
    assert compare(paths[0], found.first, n_permutations=9).people is None


def test_without_leaves_participants_out(path):
    assert "of 18 people" in said("people", path, "--without", "3", "--without", "17")
    message = refused("check", path, "--without", "3", "--without", "ann")
    assert "no row is of 'ann'; check --without" in message
    everybody = [part for name in range(20) for part in ("--without", name)]
    message = refused("people", path, *everybody)
    assert "no other participant is left; check --without" in message


def test_without_needs_a_column_of_participants(write):
    path = write("anchor,near,far\na,b,c\na,c,b\n")
    assert "no column of participants" in refused("people", path, "--without", "ann")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("participant,group\n0,a\n", "participant 1 has none"),
        ("name,group\n0,a\n", "no column is called `participant`"),
        ("participant,group\n0,a\n0,b\n", "line 3: '0' has a second row"),
        ("participant,group\n0,a\n1,\n", "line 3: no group"),
    ],
)
def test_refuses_groups(path, write, table, message):
    assert message in refused("people", path, "--groups", write(table, "groups.csv"))


def test_groups_are_read_as_text(write):
    assert read_groups(write("participant,group\n1,NA\n2,b\n", "g.csv"))["1"] == "NA"


def test_refuses_one_person(write):
    path = write("user,anchor,near,far\n" + "ann,a,b,c\nann,b,c,a\n" * 9)
    assert "all answers are of 'ann'; two participants or more" in refused("people", path)
