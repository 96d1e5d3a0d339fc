"""Check that the editors' schema accepts the shipped studies and refuses slips."""

import json

import pytest
from jsonschema import Draft202012Validator

from closerthan_study.schema import schema


@pytest.fixture(scope="module")
def validator():
    """Return the validator of a study.yaml."""
    Draft202012Validator.check_schema(schema())
    return Draft202012Validator(schema())


def test_the_shipped_studies_are_as_the_schema_says(contents, validator):
    studies = [json.loads(text) for file, text in contents.items() if "/" in file]
    assert studies
    for study in studies:
        assert list(validator.iter_errors(study)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"titel": "ERKLE"},
        {"losses": {"ste": {"clas": "STE"}}},
        {"experiments": {"music": {"trails": 3}}},
        {"defaults": {"tusk": "online"}},
        {"methods": {"batch": {"lable": "batch"}}},
    ],
)
def test_a_slip_in_a_study_is_refused(contents, validator, change):
    study = json.loads(contents["studies/erkle/study.yaml"])
    assert not validator.is_valid(study | change)


@pytest.mark.parametrize(
    "change",
    [{"dataset": ["music"]}, {"n_components": 2}, {"epoch": 3}, {"task": "metric"}, {"scales": 3}],
)
def test_a_slip_in_an_experiment_is_refused(contents, validator, change):
    study = json.loads(contents["studies/erkle/study.yaml"])
    study["experiments"]["music"] |= change
    assert not validator.is_valid(study)
