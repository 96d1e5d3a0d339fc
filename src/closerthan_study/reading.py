"""What earlier stations have made, read again; apart from what makes it, which readers need not."""

import json
from pathlib import Path

import numpy as np
import pandas as pd


def read_data(npz):
    """Return the arrays of a data set by name."""
    with np.load(npz, allow_pickle=False) as arrays:
        return dict(arrays)


def read_records(paths):
    """Return what is known of several data sets."""
    records = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            records.append(json.load(file))
    return records


def read_comparisons(trials, trial, noise=0.0, parts=("train", "test")):
    """Return the triplets of one trial, an array of shape (n, 3) for each of its `parts`."""
    filters = [("trial", "==", trial), ("noise", "==", noise)]
    table = pd.read_parquet(Path(trials, "comparisons.parquet"), filters=filters)
    tables = (table[table.part == part] for part in parts)
    return tuple(part[["i", "j", "k"]].to_numpy(np.int64) for part in tables)
