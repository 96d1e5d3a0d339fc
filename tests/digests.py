"""Find the results whose digests an edit would change."""

from itertools import product
from types import SimpleNamespace

import pytest

from closerthan.datasets.registry import modules
from closerthan.discovery import class_names, find_class
from closerthan_study import dependencies, folders, tasks
from closerthan_study.dependencies import digest, modules_behind


def code_of_all_fits(task):
    """Return the code of fits with every class that a method of the task can name."""
    method = tasks.module(task, "settings").Method
    places = [*method.packages, *method.solvers]
    named = [find_class(name, *places) for name in class_names(*places)]
    found = [SimpleNamespace(learner=cls, by_name=method.by_name) for cls in named]
    return dependencies.code_of_fits(task, found)


STATIONS = {
    "trials": dependencies.code_of_trials,
    "fits": code_of_all_fits,
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


def digests(names):
    """Return the digests of all results: stations with tasks, and data sets."""
    digest.cache_clear()
    dependencies._versions.cache_clear()
    found = {(name, task): STATIONS[name](task) for name, task in of_all(*names)}
    return found | {name: dependencies.code_of_data(name) for name in datasets()}


def list_remade(spec):
    """Return by module, in words, what its edit makes again in a run of all studies."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dependencies, "digest", lambda *names: " ".join(modules_behind(*names)))
        behind = {("data", name): dependencies.code_of_data(name)[0] for name in datasets()}
        for e in spec.experiments.values():
            behind["trials", e.words] = dependencies.code_of_trials(e.task)
            behind["fits", e.words] = dependencies.code_of_fits(e.task, e.methods.values())
            behind["scores", e.words] = dependencies.code_of_scores(e.task)
    behind = {key: set(code.split()) for key, code in behind.items()}
    modules = sorted(dependencies._graph(("closerthan", "closerthan_study")).modules)
    remade = {module: [key for key in behind if module in behind[key]] for module in modules}
    return {module: _in_words(found, behind) for module, found in remade.items()}


def _in_words(remade, known):
    """Name data sets, and studies by station; "some of" if not all their experiments are remade."""
    said = []
    for station in ("data", *STATIONS):
        found = [of for name, of in remade if name == station]
        every = [of for name, of in known if name == station]
        if found and found == every:
            said.append(f"{station}: all")
        elif station == "data" and found:
            said.append(f"data: {', '.join(found)}")
        elif found:
            names = dict.fromkeys(study for study, _ in found)
            whole = {n for n in names if all(of in found for of in every if of[0] == n)}
            some = [name if name in whole else f"some of {name}" for name in names]
            said.append(f"{station}: {', '.join(some)}")
    return "; ".join(said) or "nothing"


def changes(names):
    """Return a function that gives the results whose digests an edit of a module would change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dependencies, "digest", lambda *names: " ".join(modules_behind(*names)))
        behind = {(name, task): STATIONS[name](task).split() for name, task in of_all(*names)}
        behind |= {name: dependencies.code_of_data(name)[0].split() for name in datasets()}
    return lambda module: {key for key, found in behind.items() if module in found}
