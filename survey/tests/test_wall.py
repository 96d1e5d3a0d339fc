"""Check that the survey and the benchmarks use only public names of the packages."""

from pathlib import Path

import pytest

from closerthan.datasets.registry import modules
from closerthan.discovery import class_names
from closerthan_study import folders, tasks
from private_imports import codes_in, private_imports, words_in

SURVEY = Path(__file__).resolve().parents[1]
CLONE = SURVEY.parent
HOUSES = ("closerthan", "closerthan_lab")


OWN = ("Snakefile", "src", "benchmarks", "notebooks")
STATIONS = ("data", "trials", "fits", "scores", "configuration", "folders")


def test_nothing_of_the_survey_uses_what_is_private():
    found = {
        path.relative_to(SURVEY): list(private_imports(text, HOUSES))
        for path, text in codes_in(*(SURVEY / name for name in OWN))
        if ".peers" not in path.parts  # which has the environments of others
    }
    assert len(found) > 40 and Path("Snakefile") in found
    assert {path: names for path, names in found.items() if names} == {}


def test_nothing_of_the_study_uses_what_is_private_in_the_lab():
    places = [CLONE / name for name in ("src/closerthan_study", "workflow", "docs", "notebooks")]
    found = {path: list(private_imports(text, HOUSES[1:])) for path, text in codes_in(*places)}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("def f():\n    from closerthan_lab.uncertainty import _align", True),
        ("from closerthan_lab.uncertainty import align", False),
    ],
)
def test_private_imports_from_the_lab_are_found(text, private):
    assert bool(list(private_imports(text, HOUSES))) is private


def names_of_things():
    """Return the names of all data sets, and of all classes that an experiment may ask for."""
    methods = [tasks.module(task, "settings").Method for task in tasks.names()]
    packages = {name for method in methods for name in (*method.packages, *method.solvers)}
    found = class_names(*packages, "closerthan.losses", "closerthan.penalties")
    return {*modules(folders.DATASETS), *found}


@pytest.mark.parametrize(
    "place", ["src/closerthan_study", "survey/src/closerthan_survey"], ids=["study", "survey"]
)
def test_stations_and_tasks_name_no_data_set_and_no_model(place):
    names = names_of_things()
    assert {"music", "things_ooo", "simulated_dimensions", "SPoSE", "SDCA"} <= names
    stations = (CLONE / place / f"{name}.py" for name in STATIONS)
    paths = [path for path in stations if path.exists()]
    paths += (CLONE / place).glob("tasks/**/*.py")
    found = {path.name: names & set(words_in(path.read_text())) for path in paths}
    assert {name: words for name, words in found.items() if words} == {}
