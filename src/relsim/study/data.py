"""The data station: each data set fetched, verified, parsed and checked, as .npz and .json."""

import json

import numpy as np

from relsim import datasets
from relsim.datasets.shapes import SHAPES
from relsim.study.files import replacing, write_json
from relsim.study.seeds import seed_sequence


def find_missing(spec):
    """Try to load every data set that the study uses.

    Parameters
    ----------
    spec : Spec

    Returns
    -------
    dict of str to str
        For each data set that can't be had, what was tried and what to do about it. Files that
        are fetched stay in the cache, so this costs a download once.
    """
    wanted = dict.fromkeys(
        name for experiment in spec.experiments.values() for name in experiment.datasets
    )
    missing = {}
    for name in wanted:
        try:
            datasets.load(name, **_places(spec), **_options(spec, name))
        except datasets.DataUnavailable as error:
            missing[name] = str(error)
    return missing


def pairs(spec, missing):
    """Return the experiments that run, each with a data set, and the data sets left out.

    Parameters
    ----------
    spec : Spec
    missing : collection of str
        Data sets that can't be had; an experiment's fallback stands in for all.

    Returns
    -------
    list of (Experiment, str)
    """
    found = []
    for experiment in spec.experiments.values():
        names = [name for name in experiment.datasets if name not in missing]
        names = names or experiment.fallbacks
        found += [(experiment, name) for name in names]
    return found


def make_data(spec, name, npz, record):
    """Load one data set and write its arrays and what is known of it.

    Parameters
    ----------
    spec : Spec
    name : str
        A data set of `relsim.datasets`.
    npz, record : path-like
        Where the arrays and the JSON go.
    """
    dataset = datasets.load(name, **_places(spec), **_options(spec, name))
    with replacing(npz) as temporary:
        np.savez(temporary, **dataset.arrays())
    write_json(record, {"name": name, **dataset.info})


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


def _options(spec, name):
    if name == "words":
        return {"vectors": spec.config["words"]["vectors"]}
    if name == "synthetic" or name in SHAPES:
        return {"random_state": seed_sequence(spec.seed, name)}
    return {}


def _places(spec):
    return {key: spec.config["data"][key] for key in ("mirror", "cache")}
