"""Check that the study uses only public names of the package."""

from pathlib import Path

import pytest

from closerthan.datasets.registry import modules
from closerthan.discovery import class_names
from closerthan_study import tasks
from private_imports import codes_in, private_imports, words_in

ROOT = Path(__file__).parents[2]
BASELINES = ROOT / "src/closerthan_study/baselines"  # they may use `closerthan._core`
OUTSIDE = ("src/closerthan_study", "workflow", "docs", "notebooks")  # of the package


def test_nothing_outside_the_package_uses_what_is_private():
    found = {
        str(path.relative_to(ROOT)): list(private_imports(text))
        for path, text in codes_in(*(ROOT / name for name in OUTSIDE))
        if BASELINES not in path.parents
    }
    assert len(found) > 80
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("from closerthan._core.threads import Team", True),
        ("from closerthan import _core", True),
        ("import closerthan._core.vectors", True),
        ("from closerthan._core.writing import replacing", False),
        ("def f():\n    from closerthan.losses import _slope", True),
        ("from closerthan.optimize import make_solver", False),
        ("from __future__ import annotations", False),
        ("from closerthan import __version__", False),
    ],
)
def test_private_imports_are_found(text, private):
    assert bool(list(private_imports(text))) is private


# Stations and tasks know no data set and no model by name.

STATIONS = ("data", "trials", "fits", "scores", "configuration", "folders")


def names_of_things():
    """Return the names of all data sets, and of all classes that an experiment may ask for."""
    methods = [tasks.module(task, "settings").Method for task in tasks.names()]
    packages = {name for method in methods for name in (*method.packages, *method.solvers)}
    return {*modules(), *class_names(*packages, "closerthan.losses", "closerthan.penalties")}


def test_stations_and_tasks_name_no_data_set_and_no_model():
    folder = ROOT / "src" / "closerthan_study"
    paths = [folder / f"{name}.py" for name in STATIONS]
    paths += folder.glob("tasks/**/*.py")
    names = names_of_things()
    assert {"music", "toroid_helix", "SVRG", "BatchKernel", "TSNE"} <= names
    found = {path.name: names & set(words_in(path.read_text())) for path in paths}
    assert {name: words for name, words in found.items() if words} == {}
