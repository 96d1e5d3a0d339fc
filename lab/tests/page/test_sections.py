"""The content of sections of a page."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan_lab.page import Bars, Figures, Line, Section, Table

WHOLE = st.lists(st.integers(0, 10**6), min_size=1)
REAL = st.lists(st.floats(-1e6, 1e6), min_size=1)


@given(WHOLE, st.integers(1, 20))
def test_a_histogram_of_whole_numbers_counts_each_within_its_label(values, n_bins):
    bars = Bars.of_counts(values, xlabel="answers", n_bins=n_bins)
    ends = [label.partition("–") for label in bars.labels]
    ranges = [(float(low), float(high or low)) for low, _, high in ends]
    counted = [sum(low <= value <= high for value in values) for low, high in ranges]
    assert counted == bars.values
    assert sum(bars.values) == len(values) and len(bars.values) <= n_bins + 2


@given(REAL, st.integers(1, 20))
def test_a_histogram_of_others_counts_all(values, n_bins):
    bars = Bars.of_counts(np.array(values), xlabel="share", n_bins=n_bins)
    assert sum(bars.values) == len(values) and 0 < len(bars.values) <= n_bins + 2


def test_shares_have_round_bins():
    bars = Bars.of_counts(np.array([0.61, 0.7, 0.99, 1.0]), xlabel="share", n_bins=4)
    assert bars.labels == ["0.6–0.7", "0.7–0.8", "0.8–0.9", "0.9–1.0"]
    assert bars.values == [1, 1, 0, 2]


def test_of_no_values_there_are_no_bars():
    assert Bars.of_counts(np.array([]), xlabel="share").content()["y"] == []


def test_every_part_is_ready_for_json_without_nan():
    columns = {"a": [np.nan, np.inf], "b": pd.array([1, None], "Int64")}
    frame = pd.DataFrame(columns | {"c": [pd.NaT, "x"], "d": [True, 0]})
    parts = [
        Figures({"n": np.int64(3), "error": np.nan}),
        Table(frame),
        Bars(["a"], [np.float32(1)]),
        Line([1, np.float64(2)], [np.nan, 0.5]),
    ]
    content = Section("title", "meaning", parts).content()
    found = json.loads(json.dumps(content, allow_nan=False))["blocks"]
    assert found[1]["rows"] == [[None, 1, None, "yes"], [None, None, "x", 0]]
    assert found[2]["y"] == [1] and found[3]["y"] == [None, 0.5]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Bars(["a", "b"], [1]), "bars: 1 values for 2 places"),
        (Line([1], [1, 2]), "curve: 2 values for 1 places"),
    ],
)
def test_parts_of_different_lengths_are_refused(part, words):
    with pytest.raises(ValueError, match=words):
        part.content()
