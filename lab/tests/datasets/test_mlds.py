"""Check difference scaling: R files are parsed, checked, turned to comparisons and counted."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import rdata

from closerthan_lab.datasets import mlds
from closerthan_lab.datasets.mlds import SETS, _read_frame, load_mlds, parse_frame
from closerthan_lab.datasets.registered import reader

COLUMNS = {"resp": [1, 0, 1], "S1": [1, 2, 1], "S2": [2, 3, 4], "S3": [3, 1, 2], "S4": [4, 2, 3]}
LEVELS = [0.0, 0.5, 0.7, 0.98]


def test_a_frame_is_read_with_its_attributes(tmp_path):
    names = pd.Categorical(["x", "y", "x"])
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, np.nan, 2.0], "c": names}, [5, 7, 9])
    rdata.write_rda(tmp_path / "kk.rda", {"kk": frame})
    columns, attributes = _read_frame((tmp_path / "kk.rda").read_bytes(), "kk")
    np.testing.assert_array_equal(columns["a"], [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(columns["b"], [0.5, np.nan, 2.0])
    assert columns["c"].tolist() == ["x", "y", "x"]
    assert list(attributes["row.names"]) == [5, 7, 9]


@pytest.fixture
def loaded(monkeypatch):
    """Load the columns of a frame as one of the sets."""

    def load_as(name, columns):
        arrays = {key: np.array(values) for key, values in columns.items()}
        found = arrays, {"stimulus": np.array(LEVELS)}
        monkeypatch.setattr(mlds, "reader", lambda *where: lambda file: b"")
        monkeypatch.setattr(mlds, "_read_frame", lambda content, frame: found)
        return load_mlds(name)

    return load_as


def test_the_pair_that_differs_less_is_the_closer_one(loaded):
    data = loaded("mlds_kk1", COLUMNS)
    assert data.answers.comparisons.tolist() == [[0, 1, 2, 3], [0, 1, 1, 2], [0, 3, 1, 2]]
    assert data.answers.participant.tolist() == ["O1"] * 3
    assert data.features.tolist() == [[level] for level in LEVELS]


def test_there_may_be_several_observers(loaded):
    answers = loaded("mlds_kk1", COLUMNS | {"Obs": ["O2", "O1", "O1"]}).answers
    assert answers.participant.tolist() == ["O2", "O1", "O1"]


def test_a_triad_is_a_triplet_of_the_middle_stimulus(loaded):
    columns = {"resp": [1, 0, 0], "S1": [1, 1, 4], "S2": [2, 3, 3], "S3": [4, 4, 2]}
    data = loaded("mlds_kktriad", columns)
    assert data.answers.comparisons.tolist() == [[1, 0, 3], [2, 3, 0], [2, 1, 3]]


# The real files


@pytest.fixture
def frames(mirror):
    """Return the frames of the real files by name: ranks, responses, observers, levels."""
    return {
        frame: parse_frame((Path(mirror) / "mlds" / f"{frame}.rda").read_bytes(), frame)
        for frame in SETS.values()
    }


def test_frames_are_the_derived_tables_row_by_row(places, frames):
    rows, levels = [], []
    for name, (ranks, responses, observers, stimulus) in frames.items():
        table = (
            pd.DataFrame(ranks + 1)
            .reindex(columns=range(4))
            .set_axis(["s1", "s2", "s3", "s4"], axis=1)
        )
        table.insert(0, "resp", responses)
        table.insert(0, "row", np.arange(len(ranks)) + 1)
        table.insert(0, "observer", observers)
        table.insert(0, "set", name)
        rows.append(table)
        levels.append(
            pd.DataFrame({"set": name, "rank": np.arange(len(stimulus)) + 1, "level": stimulus})
        )
    assert sum(map(len, rows)) == 3885 and sum(map(len, levels)) == 64
    for file, parts in (("mlds.csv", rows), ("stimulus.csv", levels)):
        derived = pd.read_csv(io.BytesIO(reader("mlds_kk1", **places)(file)))
        pd.testing.assert_frame_equal(
            pd.concat(parts, ignore_index=True), derived, check_dtype=False
        )
