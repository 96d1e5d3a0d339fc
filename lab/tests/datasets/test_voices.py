"""Check the voices: the odd one by its position, names by group, and what listeners agree on."""

import numpy as np
import pandas as pd

from closerthan.comparisons import to_odd_one_out
from closerthan_lab.datasets.voices import parse_speakers


def test_speakers_are_named_by_group():
    content = "\ufeff,l1,group\n7,dutch,dutch\n3,polish,polish\n9,dutch,dutch\n".encode()
    names = parse_speakers(content)
    assert names.to_dict() == {3: "polish 1", 7: "dutch 1", 9: "dutch 2"}


def test_the_odd_ones(data, mirror):
    raw = pd.read_csv(f"{mirror}/voices/triplets3ab_triplets.csv")
    speakers = pd.read_csv(f"{mirror}/voices/triplets3ab_speakers.csv", index_col=0)
    objects, odd = to_odd_one_out(data.answers)
    numbers = np.sort(speakers.index)
    shown = np.sort(raw[["stim_0", "stim_1", "stim_2"]].to_numpy(), axis=1)
    np.testing.assert_array_equal(np.sort(numbers[objects], axis=1), shown)
    chosen = [raw[f"stim_{place}"][row] for row, place in enumerate(raw["selected"])]
    np.testing.assert_array_equal(numbers[odd], chosen)
    np.testing.assert_array_equal(data.answers.participant, raw["rater"])
    groups = [name.rpartition(" ")[0] for name in data.object_names]
    assert groups == speakers.sort_index()["group"].tolist()
