"""Check difference scaling: R files are parsed, checked, turned to comparisons and counted."""

import bz2
import gzip
import io
import struct
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from closerthan.datasets import load, mlds
from closerthan.datasets.fetch import reader
from closerthan.datasets.mlds import SETS, load_mlds, parse_frame, read_frame

# R saves objects in format version 2: an item is its flags and its content. Numbers are big endian,
# and attributes are a list of names with items. See R Internals, section 1.8.
SYMBOL, PAIRS, CHARS, INTEGERS, REALS, TEXTS, LIST, END = 1, 2, 9, 13, 14, 16, 19, 254
IS_OBJECT, HAS_ATTRIBUTES, HAS_NAME, IS_ASCII = 1 << 8, 1 << 9, 1 << 10, 64 << 12
MISSING = -(2**31)


def integers(*numbers):
    return struct.pack(f">{len(numbers)}i", *numbers)


def text(content):
    return integers(CHARS | IS_ASCII, len(content)) + content.encode()


def pairs(content):
    items = (
        integers(PAIRS | HAS_NAME, SYMBOL) + text(name) + item for name, item in content.items()
    )
    return b"".join(items) + integers(END)


def item(values, attributes=None):
    flags = IS_OBJECT | HAS_ATTRIBUTES if attributes else 0
    end = pairs(attributes) if attributes else b""
    if isinstance(values[0], bytes):
        return integers(LIST | flags, len(values)) + b"".join(values) + end
    if isinstance(values[0], str):
        return integers(TEXTS | flags, len(values)) + b"".join(map(text, values)) + end
    if isinstance(values[0], float):
        return integers(REALS | flags, len(values)) + struct.pack(f">{len(values)}d", *values) + end
    return integers(INTEGERS | flags, len(values), *values) + end


def factor(values):
    levels = sorted(set(values) - {None})
    codes = [MISSING if value is None else levels.index(value) + 1 for value in values]
    return item(codes, {"levels": item(levels), "class": item(["factor"])})


def rda(columns, name="kk", r_class=("mlds.df", "data.frame"), **attributes):
    frame = item(
        [column if isinstance(column, bytes) else item(column) for column in columns.values()],
        {"names": item(list(columns)), "class": item(list(r_class))}
        | {key: item(value) for key, value in attributes.items()},
    )
    return b"RDX2\nX\n" + integers(2, 0x030500, 0x020300) + pairs({name: frame})


COLUMNS = {"resp": [1, 0, 1], "S1": [1, 2, 1], "S2": [2, 3, 4], "S3": [3, 1, 2], "S4": [4, 2, 3]}
LEVELS = [0.0, 0.5, 0.7, 0.98]


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
def test_a_frame_is_read_with_its_attributes(compress):
    content = compress(rda({"a": [1, MISSING], "b": [0.5, 2.0], "c": factor(["x", None])}, k=[3]))
    columns, attributes = read_frame(content, "kk")
    np.testing.assert_array_equal(columns["a"], [1, np.nan])
    np.testing.assert_array_equal(columns["b"], [0.5, 2])
    assert columns["c"].tolist() == ["x", "nan"]
    assert attributes["k"].tolist() == [3]


@pytest.mark.parametrize("kind", [int, float])
def test_ranks_and_responses_may_be_of_either_type(kind):
    ranks, responses, observers, levels = parse_frame(
        rda(COLUMNS | {"resp": [kind(r) for r in [1, 0, 1]]}, stimulus=LEVELS), "kk"
    )
    assert ranks.tolist() == [[0, 1, 2, 3], [1, 2, 0, 1], [0, 3, 1, 2]]
    assert responses.tolist() == [1, 0, 1] and ranks.dtype == responses.dtype == np.int64
    assert observers.tolist() == ["O1"] * 3 and levels.tolist() == LEVELS


def test_several_observers_are_a_factor():
    observers = parse_frame(
        rda(COLUMNS | {"Obs": factor(["O2", "O1", "O2"])}, stimulus=LEVELS), "kk"
    )[2]
    assert observers.tolist() == ["O2", "O1", "O2"]


@pytest.fixture
def loaded(monkeypatch):
    """Load generated content as one of the sets."""

    def load_as(name, content):
        monkeypatch.setitem(SETS, name, "kk")
        monkeypatch.setattr(mlds, "reader", lambda *where: {"kk.rda": content}.get)
        return load_mlds(name)

    return load_as


def test_the_pair_that_differs_less_is_the_closer_one(loaded):
    data = loaded("mlds_kk1", rda(COLUMNS, stimulus=LEVELS))
    assert data.answers.comparisons.tolist() == [[0, 1, 2, 3], [0, 1, 1, 2], [0, 3, 1, 2]]
    assert data.features.tolist() == [[level] for level in LEVELS]


def test_a_triad_is_a_triplet_of_the_middle_stimulus(loaded):
    columns = {"resp": [1, 0, 0], "S1": [1, 1, 4], "S2": [2, 3, 3], "S3": [4, 4, 2]}
    data = loaded("mlds_kktriad", rda(columns, stimulus=LEVELS))
    assert data.answers.comparisons.tolist() == [[1, 0, 3], [2, 3, 0], [2, 1, 3]]


# The real files


@pytest.fixture
def frames(mirror):
    """Return the frames of the real files by name: ranks, responses, observers, levels."""
    return {
        frame: parse_frame((Path(mirror) / "mlds" / f"{frame}.rda").read_bytes(), frame)
        for frame in SETS.values()
    }


@pytest.mark.parametrize("name", SETS)
def test_levels_rise_and_every_stimulus_is_asked_about(places, name):
    data = load(name, **places)
    comparisons = data.answers.comparisons
    assert comparisons.shape[1] == (3 if name == "mlds_kktriad" else 4)
    assert len(comparisons) == data.answers.n_screens and data.info["dropped"] == []
    assert (np.diff(data.features.ravel()) > 0).all()
    np.testing.assert_array_equal(np.unique(comparisons), np.arange(len(data.features)))


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


def test_observers_of_transparency_agree_with_themselves(places):
    answers = load("mlds_transparency", **places).answers
    agreeing = []
    for observer in ("O1", "O2", "O3", "O4", "O5", "O6"):
        own = answers.take(answers.participant == observer)
        np.testing.assert_array_equal(np.bincount(own.repeat), [210, 210])
        agreeing.append(2 - len(np.unique(own.comparisons, axis=0)) / 210)
    assert (round(min(agreeing), 2), round(max(agreeing), 2)) == (0.70, 0.87)
