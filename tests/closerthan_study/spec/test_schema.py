"""Check that the editors' schemas are current, accept the shipped files and refuse slips."""

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from closerthan_study.schema import schemas
from closerthan_study.spec import ROOT

HINT = "# yaml-language-server: $schema="
FILES = sorted(ROOT.glob("config/**/*.yaml"))


def test_the_written_schemas_are_those_of_the_models():
    folder = ROOT / "workflow" / "schemas"
    written = {path.name: json.loads(path.read_text()) for path in folder.iterdir()}
    current = {f"{name}.schema.json": content for name, content in schemas().items()}
    assert written == current, "python -m closerthan_study.schema writes them"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "config")))
def test_each_shipped_file_names_its_schema_and_is_as_it_says(path):
    text = path.read_text()
    schema = Path(path.parent, text.partition("\n")[0].removeprefix(HINT)).resolve()
    assert schema == ROOT / "workflow" / "schemas" / f"{path.stem}.schema.json"
    content = json.loads(json.dumps(yaml.safe_load(text)))  # keys of JSON are words
    Draft202012Validator.check_schema(schemas()[path.stem])
    assert list(Draft202012Validator(schemas()[path.stem]).iter_errors(content)) == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("config", {"scale": "small"}),
        ("config", {"data": {"mirrors": "here"}}),
        ("court", {"contenders": {"toy": {"lable": "STE"}}}),
        ("claims", {"defaults": {"experimnt": "music"}}),
        ("claims", {"faster": {"parts": [{"part": "sooner", "who": {"papr": "sgd"}}]}}),
        ("claims", {"faster": {"parts": [{"part": "sooner", "mesure": "error"}]}}),
        ("study", {"titel": "ERKLE"}),
        ("study", {"losses": {"ste": {"clas": "STE"}}}),
        ("study", {"defaults": {"tusk": "online"}}),
        ("study", {"methods": {"batch": {"lable": "batch"}}}),
        ("study", {"experiments": {"music": {"trails": 3}}}),
        ("study", {"experiments": {"music": {"task": "mds", "rank": True}}}),
    ],
)
def test_a_slip_in_a_file_is_refused(kind, change):
    path = next(path for path in FILES if path.stem == kind)
    content = yaml.safe_load(path.read_text())
    validator = Draft202012Validator(schemas()[kind])
    assert validator.is_valid(content) and not validator.is_valid(content | change)
