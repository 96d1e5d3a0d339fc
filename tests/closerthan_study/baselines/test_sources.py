"""Check the sources of the baselines: names, docstrings, annotations, and compiled functions."""

import inspect

import pytest

import closerthan_study
from annotations import lacking, methods
from closerthan.discovery import class_names, find_class
from closerthan_study import baselines
from compiled_sources import check_digests, with_own_cache
from docstring_sections import faults_of, wrong_attributes, wrong_parameters

NAMES = ["ITML", "LEGO", "LMNN", "RCA"]


def test_studies_find_the_baselines_by_name():
    assert class_names("closerthan_study.baselines") == NAMES
    assert class_names("closerthan.similarity", "closerthan_study.baselines")[-4:] == NAMES
    for name in NAMES:
        found = find_class(name, "closerthan.similarity", "closerthan_study.baselines")
        assert found is getattr(baselines, name)


def test_their_base_is_no_baseline():
    with pytest.raises(ValueError, match=f"there are {', '.join(NAMES)}$"):
        find_class("MahalanobisMetric", "closerthan_study.baselines")


@pytest.mark.parametrize("wrong", [wrong_parameters, wrong_attributes])
def test_sections_of_docstrings_agree_with_the_code(wrong):
    faults = faults_of(wrong, baselines)
    assert len(faults) > 30
    assert {name: found for name, found in faults.items() if found} == {}


def test_what_is_public_has_annotations():
    public = [getattr(baselines, name) for name in baselines.__all__]
    functions = {found.__name__: found for found in public if inspect.isfunction(found)}
    for found in filter(inspect.isclass, public):
        functions.update(methods(found))
    assert "closerthan_study.baselines.lmnn.LMNN.fit" in functions
    assert "pairs_from_triplets" in functions
    assert {name: lacking(found) for name, found in functions.items() if lacking(found)} == {}


def test_the_digest_of_compiled_functions_is_of_all_that_they_import(monkeypatch):
    compiling = {name.rpartition(".")[2] for name in check_digests(monkeypatch, closerthan_study)}
    assert compiling == {"descent", "itml", "lego", "lmnn", "mahalanobis"}


def test_no_function_is_compiled_with_a_cache_of_numba_alone():
    assert with_own_cache(closerthan_study) == set()
