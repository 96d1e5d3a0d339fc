"""Read the results of stations, for the later stations."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from closerthan.comparisons.answers import Answers


def read_data(npz):
    """Return the arrays of a data set by name."""
    with np.load(npz, allow_pickle=False) as arrays:
        return dict(arrays)


def answers_of(data):
    """Return the answers in the arrays of a data set."""
    keys = ("comparisons", "screen", "participant", "time", "weight")
    return Answers(**{key: data[key] for key in keys if key in data})


def read_json(path):
    """Return the content of a JSON file."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def read_records(paths):
    """Return the records of several data sets."""
    return [read_json(path) for path in paths]


def coordinates(table, letter="x"):
    """Return the columns x0, x1, ... of a table, or those with another letter, as an array.

    Examples
    --------
    >>> coordinates(pd.DataFrame({"object": [0], "x0": [1.0], "x1": [2.0]}))
    array([[1., 2.]])
    """
    return table.filter(regex=rf"^{letter}\d+$").to_numpy(np.float64)


def tabulate(points, letter="x", dtype=None):
    """Return a table of points, one row for each: the inverse of `coordinates`."""
    columns = [f"{letter}{axis}" for axis in range(points.shape[1])]
    return pd.DataFrame(points, columns=columns, dtype=dtype)
