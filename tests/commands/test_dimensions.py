"""The number of dimensions: the planted one is found, said, and written."""

import json

import pandas as pd

from commands.planted import write_answers
from relsim.commands.dimensions import dimensions


def test_the_planted_dimension_is_found_and_written(tmp_path):
    found = dimensions(write_answers(tmp_path / "answers.csv"), [1, 2, 3], cv=5)
    assert found.chosen == 2
    assert "2  0." in found.text() and "<- chosen" in found.text()
    found.write(tmp_path / "out")
    table = pd.read_csv(tmp_path / "out" / "dimensions.csv")
    assert table["dimension"][table["chosen"]].tolist() == [2]
    assert table["error"].to_list() == list(found.search.errors_.mean(axis=1))
    facts = json.loads((tmp_path / "out" / "dimensions.json").read_text())
    assert facts == found.facts()
    assert facts["answers"] == 1000 and facts["objects"] == 20
    for name in ("dimensions.png", "dimensions.pdf"):
        assert (tmp_path / "out" / name).stat().st_size > 1000


def test_more_dimensions_than_objects_are_left_out(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("anchor,near,far\n" + "a,b,c\nb,a,c\nc,b,a\n" * 10)
    found = dimensions(path, range(1, 11), cv=2)
    assert found.frame()["dimension"].to_list() == [1, 2, 3]
