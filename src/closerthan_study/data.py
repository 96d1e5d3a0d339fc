"""The data station: each data set fetched, verified, parsed and checked, as .npz and .json."""

import inspect

import numpy as np

from closerthan.datasets.fetch import DataUnavailable
from closerthan.datasets.loader import find_files, find_loader, load
from closerthan.files.writing import replacing
from closerthan_study.files import write_json
from closerthan_study.seeds import seed_sequence


def find_missing(spec):
    """Return for each data set that can't be had, by name, what was tried and what to do."""
    missing = {}
    for name in spec.unmade():
        try:
            find_files(name, **_places(spec), **options_of(spec, name))
        except DataUnavailable as error:
            missing[name] = str(error)
    return missing


def make_data(spec, name, npz, record):
    """Load one data set; write its arrays (.npz) and what is known of it (.json)."""
    dataset = load(name, **_places(spec), **options_of(spec, name))
    with replacing(npz) as temporary:
        np.savez(temporary, **dataset.arrays())
    write_json(record, {"name": name, **dataset.info})


def options_of(spec, name):
    """Return what the loader of a data set is told, of that which it asks for."""
    takes = inspect.signature(find_loader(name).load).parameters
    options = {
        "random_state": seed_sequence(spec.seed, name),  # of those that are generated
        "vectors": spec.config.words.vectors,
    }
    return {key: value for key, value in options.items() if key in takes}


def _places(spec):
    return {"mirror": spec.config.data.mirror, "cache": spec.config.data.cache}
