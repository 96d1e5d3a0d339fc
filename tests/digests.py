"""Find the results whose digests an edit would change."""

from itertools import product

import pytest

from closerthan.datasets.registry import modules
from closerthan_study import dependencies, folders
from closerthan_study.dependencies import digest, modules_behind

STATIONS = {
    "trials": dependencies.code_of_trials,
    "fits": dependencies.code_of_fits,
    "scores": dependencies.code_of_scores,
}


def of(station, *names):
    """Return the results of a station for some tasks."""
    return set(product([station], names))


def of_all(*names):
    """Return the results of all stations for some tasks."""
    return set(product(STATIONS, names))


def datasets():
    """Return all data sets with the modules that load them."""
    return modules(folders.DATASETS)


def loaded_by(module):
    """Return the data sets that a module loads."""
    return {name for name, found in datasets().items() if found.endswith(f".{module}")}


def digests(tasks):
    """Return the digests of all results: stations with tasks, and data sets."""
    digest.cache_clear()
    found = {(name, task): STATIONS[name](task) for name, task in of_all(*tasks)}
    return found | {name: dependencies.code_of_data(name) for name in datasets()}


def changes(tasks):
    """Return a function that gives the results whose digests an edit of a module would change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dependencies, "digest", lambda *names: " ".join(modules_behind(*names)))
        behind = {(name, task): STATIONS[name](task).split() for name, task in of_all(*tasks)}
        behind |= {name: dependencies.code_of_data(name)[0].split() for name in datasets()}
    return lambda module: {key for key, found in behind.items() if module in found}
