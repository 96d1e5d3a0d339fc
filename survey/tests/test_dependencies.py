"""Check that an edit changes the digests of the survey's results that depend on it, no others."""

import copy
from itertools import product
from types import SimpleNamespace

import pytest

from closerthan_study import dependencies, folders, tasks
from closerthan_study.dependencies import REGISTRIES, modules_behind
from closerthan_study.origin import LIBRARIES
from closerthan_survey.contenders.pair_votes import PairVotes
from digests import changes, datasets, digests, loaded_by, of, of_all
from import_faces import hidden_imports

OWN = ("answers", "odd_ones")
EVERY = of_all(*OWN)
HOUSES = ("closerthan", "closerthan_lab")
PLACE = "closerthan_survey.tasks"
LAB = {name for name, module in datasets().items() if module.startswith("closerthan_lab.")}


def test_the_tasks_of_the_survey_stand_beside_those_of_the_study():
    assert set(tasks.names()) == {*OWN, "mds", "online", "ordinal", "similarity"}
    assert set(dependencies.roots()) == {*HOUSES, "closerthan_study", "closerthan_survey"}


@pytest.fixture(scope="module")
def changed_by():
    """Return the results whose digests an edit of a module would change."""
    return changes(tasks.names())


def own(results):
    """Return the results of the survey's tasks, and its data sets."""
    return {found for found in results if isinstance(found, str) or found[1] in OWN}


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("closerthan_lab.spose.spose", of("fits", "odd_ones")),
        ("closerthan.similarity.sdca", of("fits", "odd_ones")),
        ("closerthan_study.baselines.lmnn", of("fits", "odd_ones")),
        ("closerthan_study.baselines.pairs", of("fits", "odd_ones")),
        ("closerthan.optimize.svrg", of("fits", "answers")),
        ("closerthan.ordinal.embedding", of("fits", *OWN)),
        ("closerthan.losses", of("fits", *OWN)),
        ("closerthan.scores.error", of("fits", *OWN)),
        ("closerthan.scores.procrustes", of("fits", "answers") | of("scores", "answers")),
        ("closerthan.optimize.trace", of("fits", *OWN)),
        ("closerthan.comparisons.noise", of("trials", "answers") | loaded_by("simulated")),
        ("closerthan_study.tasks.comparisons", set()),
        ("closerthan_study.tasks.scoring", of("scores", *OWN)),
        ("closerthan_study.trials", of("trials", *OWN)),
        ("closerthan_study.fits", of("fits", *OWN)),
        ("closerthan_study.tasks.base", EVERY - of("trials", *OWN)),
        ("closerthan_study.spec.experiment", EVERY),
        ("closerthan_study.tasks.setup", EVERY),
        ("closerthan.datasets.loader", {*datasets()}),
        ("closerthan.discovery", set()),
        ("closerthan_survey.figures.ranks", set()),
        ("closerthan_survey.court", set()),
        ("closerthan_survey.programs", set()),
    ],
)
def test_an_edit_makes_again_what_depends_on_it_and_nothing_else(changed_by, module, expected):
    assert own(changed_by(module)) == expected


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        *((f"{PLACE}.{task}.{n}", of(n, task)) for task, n in product(OWN, ("fits", "scores"))),
        *((f"{PLACE}.{task}.settings", of_all(task)) for task in OWN),
    ],
)
def test_an_edit_of_the_survey_makes_nothing_of_the_study_again(changed_by, module, expected):
    assert changed_by(module) == expected


def test_a_class_that_a_study_names_in_full_is_behind_its_fits(monkeypatch):
    monkeypatch.setattr(dependencies, "digest", lambda *names: " ".join(modules_behind(*names)))
    method, place = SimpleNamespace(learner=PairVotes, by_name={}), PairVotes.__module__
    assert place in dependencies.code_of_fits("answers", [method]).split()
    assert place not in dependencies.code_of_fits("answers", []).split()


def test_the_lab_is_behind_no_result_of_the_study(changed_by):
    ours = of_all(*{*tasks.names()} - {*OWN}) | {*datasets()} - LAB
    modules = modules_behind(*(name for name in dependencies.roots() if name != "closerthan"))
    lab = [name for name in modules if name.startswith(("closerthan_lab", "closerthan_survey"))]
    assert len(lab) > 30
    assert {name: changed_by(name) & ours for name in lab if changed_by(name) & ours} == {}


def test_the_loader_of_one_data_set_is_not_behind_another(changed_by):
    assert changed_by("closerthan_lab.datasets.cfd36") == {"cfd36"}
    of_mlds = loaded_by("mlds")
    assert len(of_mlds) > 1 and changed_by("closerthan_lab.datasets.mlds") == of_mlds
    assert changed_by("closerthan_study.data") >= LAB


def test_nor_is_its_entry_in_the_registry(monkeypatch):
    before = digests(tasks.names())
    entries = copy.deepcopy(dependencies.facts())
    entries["mlds_kk1"]["license"] = "another"
    monkeypatch.setattr(dependencies, "facts", lambda: entries)
    found = digests(tasks.names())
    assert {key for key in found if found[key] != before[key]} == {"mlds_kk1"}


@pytest.mark.parametrize("library", LIBRARIES)
def test_fits_of_other_versions_of_a_library_are_other_fits(monkeypatch, library):
    monkeypatch.setattr(dependencies, "version", lambda name: "1.0")
    before = digests(OWN)
    monkeypatch.setattr(dependencies, "version", lambda name: "1.1" if name == library else "1.0")
    after = digests(OWN)
    assert {key for key in after if after[key] != before[key]} == of("fits", *OWN)


def test_the_walk_stops_at_registries_and_data_sets():
    for task, part in product(OWN, ("settings", "trials", "fits", "scores")):
        behind = modules_behind(f"{PLACE}.{task}.{part}")
        assert not behind & REGISTRIES
        assert not behind & {"closerthan_study.data", "closerthan_lab.datasets.cfd36"}
        others = {*tasks.names()} - {task}
        assert not any(
            name.startswith(f"{tasks.package(other)}.") for other in others for name in behind
        )


@pytest.mark.parametrize("package", ["closerthan_lab", "closerthan_survey.contenders"])
def test_every_module_imports_a_name_from_where_it_is_defined(package):
    assert hidden_imports(package, HOUSES) == []


def test_a_folder_that_is_known_is_not_added_again():
    before = list(folders.TASKS), list(folders.DATASETS)
    folders.add(*before)
    assert before == (folders.TASKS, folders.DATASETS)
