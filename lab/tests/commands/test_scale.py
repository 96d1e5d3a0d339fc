"""`closerthan scale` scales stimuli along their order, and says what it took for the order."""

import json

import numpy as np
import pandas as pd
import pytest

from closerthan.comparisons import Answers
from closerthan_lab.commands.scale import scale
from closerthan_lab.datasets import load_mlds
from commands.line import refused, said

NAMES = np.array(["low", "b", "c", "middle", "e", "f", "high"])
HEADER = ["near_1", "near_2", "far_1", "far_2"]


def comparisons(n_answers=400):
    """Return answers about a line of seven stimuli, with noise."""
    rng = np.random.default_rng(0)
    asked = np.sort([rng.permutation(7)[:4] for _ in range(n_answers)])
    values = np.linspace(0, 1, 7) ** 2
    far = values[asked] @ [1, -1, -1, 1] + 0.15 * rng.normal(size=n_answers) > 0
    return np.where(far[:, None], asked, asked[:, [2, 3, 0, 1]])


@pytest.fixture
def named(tmp_path):
    path = tmp_path / "answers.csv"
    pd.DataFrame(NAMES[comparisons()], columns=HEADER).to_csv(path, index=False)
    return path


def test_a_scale_is_written_in_its_order(named, tmp_path):
    (tmp_path / "levels.csv").write_text("name\n" + "\n".join(NAMES))
    text = said("scale", named, "--order", tmp_path / "levels.csv", "-o", tmp_path / "out")
    assert "in the given order: from low to high." in text
    table = pd.read_csv(tmp_path / "out" / "scale.csv")
    assert table["name"].tolist() == NAMES.tolist()
    assert table["scale"].is_monotonic_increasing and (table["low"] <= table["high"]).all()
    facts = json.loads((tmp_path / "out" / "scale.json").read_text())
    assert facts["answers"] == 400 and facts["error_held_out"] < 0.3
    for name in ("scale.png", "scale.pdf"):
        assert (tmp_path / "out" / name).stat().st_size > 1000
    assert json.loads(said("scale", named, "--order", ",".join(NAMES), "--json")) == facts


def test_names_that_are_numbers_are_sorted(tmp_path):
    levels = np.array(["1", "3", "20", "50", "100", "300", "1000"])
    path = tmp_path / "answers.csv"
    pd.DataFrame(levels[comparisons()], columns=HEADER).to_csv(path, index=False)
    found = scale(path)
    assert found.frame()["name"].tolist() == levels.tolist()
    assert "in the order of their numbers: from 1 to 1000." in found.text()
    assert found.plot().axes[0].lines[0].get_xdata().tolist() == levels.astype(float).tolist()


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (None, "--order: 'b' is no number; name the stimuli from the lowest to the highest"),
        ("low,high", "--order: 2 stimuli; a scale needs three or more"),
        ("low,b,c,middle,e,f", "--order: only the answers have stimulus high; name those"),
        ("low,b,c,middle,e,f,top,high", "--order: only it has stimulus top; name those"),
        ("low,b,b,c,middle,e,f,high", "--order: it has stimulus b twice; name each once"),
        ("levels.csv", "levels.csv: this file does not exist; check the path"),
    ],
)
def test_an_order_that_does_not_fit_is_one_sentence(named, order, sentence):
    assert sentence in refused("scale", named, *([] if order is None else ["--order", order]))


def test_too_few_questions_are_not_held_out():
    triplets = [[0, 1, 2]] * 9 + [[0, 2, 1]] + [[2, 1, 0]] * 6 + [[2, 0, 1]] * 4
    assert "too few questions to hold some out" in scale(Answers(triplets)).text()


def test_a_scale_that_no_answer_contradicts_has_no_intervals():
    rows = comparisons()
    values = np.linspace(0, 1, 7)[rows] ** 2
    rows = rows[np.abs(values @ [1, -1, -1, 1]) > 0.1]
    clear = np.linspace(0, 1, 7)[rows] ** 2 @ [1, -1, -1, 1] > 0
    with pytest.warns(match="no answer contradicts"):
        found = scale(Answers(rows[clear]))
    assert found.facts()["stimuli"][1]["low"] is None and "confidence" not in found.text()


@pytest.mark.parametrize("name", ["transparency", "kktriad"])
def test_answers_of_people_are_scaled(name, mirror):
    found = scale(load_mlds(f"mlds_{name}", mirror=mirror).answers)
    assert found.misfit > 0.001 and found.held_out[0] < 0.25
    assert ("They hold for these 6 participants only" in found.text()) == (name == "transparency")
