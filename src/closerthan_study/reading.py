"""Read the results of stations, and put points, objects and triplets into tables for them."""

import json
import re
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import pandas as pd

# The folder that a job makes as a whole: of an experiment on a data set, or of a batch of fits.
_FOLDER = re.compile("(.*/)?((trials|scores)(/[^/]+){3}|fits(/[^/]+){4})(?=/)")

_SCORES = re.compile(".*scores/([^/]+)/([^/]+)/")


def how_to_make(path):
    """Say how a file of a run is made again."""
    folder = _FOLDER.match(str(path))
    return (
        "To make it again, run snakemake with the same --config "
        f"and --forcerun {folder[0] if folder else path}"
    )


def read_made(read, path, **options):
    """Return what `read` makes of a file of a run, or say how a missing or broken one is made."""
    try:
        return read(path, **options)
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        why = "is missing" if isinstance(error, FileNotFoundError) else f"is broken ({error})"
        raise OSError(f"{path} {why}. {how_to_make(path)}") from None


def read_table(path, **options):
    """Return a table of a station."""
    return read_made(pd.read_parquet, path, **options)


def read_scores(path, **options):
    """Return a table of scores; each row must name the study and the experiment of its folder."""
    table = read_table(path, **options)
    wanted = "/".join(_SCORES.search(str(path)).groups())
    for found in (table.study + "/" + table.experiment).unique():
        if found != wanted:
            raise OSError(f"{path} has scores of {found}, not of {wanted}. {how_to_make(path)}")
    return table


def read_data(npz):
    """Return the arrays of a data set by name."""
    return read_made(_read_arrays, npz)


def _read_arrays(npz):
    with np.load(npz, allow_pickle=False) as arrays:
        return dict(arrays)


def read_json(path):
    """Return the content of a JSON file."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def read_records(paths):
    """Return the records of several data sets."""
    return [read_json(path) for path in paths]


def coordinates(table, letter="x"):
    """Return the columns x0, x1, ... of a table, or those with another letter, as an array.

    >>> coordinates(pd.DataFrame({"object": [0], "x0": [1.0], "x1": [2.0]}))
    array([[1., 2.]])
    """
    return table.filter(regex=rf"^{letter}\d+$").to_numpy(np.float64)


def tabulate(points, letter="x", dtype=None):
    """Return a table of points, one row for each: the inverse of `coordinates`."""
    columns = [f"{letter}{axis}" for axis in range(points.shape[1])]
    return pd.DataFrame(points, columns=columns, dtype=dtype)


def tabulate_objects(rows, label=-1, part="item"):
    """Return a table of objects: a part of the trial, a number, a row of the data, a label."""
    return pd.DataFrame({"part": part, "object": range(len(rows)), "row": rows, "label": label})


def tabulate_triplets(triplets, part, noise=0.0):
    """Return a table of triplets, one row for each."""
    table = pd.DataFrame(triplets.astype(np.int32), columns=["i", "j", "k"])
    return table.assign(noise=noise, part=part)
