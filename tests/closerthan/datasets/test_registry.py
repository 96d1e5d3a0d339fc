"""The registry is complete, and a wrong one is refused with the place of the fault."""

import sys
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from closerthan.datasets import list_datasets, load_eurodist, registry
from closerthan.datasets.registry import modules

REGISTRY = import_module(
    "closerthan.datasets.registry"
)  # its package has the function of that name
FILE = {"url": "https://example.org/a.csv", "bytes": 3, "sha256": "0" * 64}
ENTRY = {
    "title": "A",
    "description": "A data set.",
    "citation": "Someone, 2000.",
    "license": "none stated",
    "open_license": False,
    "homepage": "https://example.org",
    "n_objects": 26,
    "n_features": 2,
    "files": {"a.csv": FILE},
    "derived": {"b.csv": {"derived_from": ["a.csv"], "bytes": 3, "sha256": "1" * 64}},
}


def without(facts, key):
    return {name: value for name, value in facts.items() if name != key}


@pytest.fixture
def checked(tmp_path):
    """Write an entry as a registry, and read it back."""

    def check(entry):
        path = tmp_path / "registry.yaml"
        path.write_text(yaml.safe_dump({"letters": entry}), encoding="utf-8")
        return registry(path)["letters"]

    return check


def test_the_table_has_what_the_registry_says_and_answers_of_people_first():
    table, entries = list_datasets(), registry()
    assert set(table.index) == set(entries) and table.index.is_unique
    judged = ["form" in entries[name] for name in table.index]
    assert judged == sorted(judged, reverse=True) and 0 < sum(judged) < len(judged)
    for part in (table.index[: sum(judged)], table.index[sum(judged) :]):
        assert part.tolist() == sorted(part)
    facts = [column for column in table if column != "megabytes"]
    for name, entry in entries.items():
        known = table.loc[name, facts].dropna().to_dict()
        assert known == {key: entry[key] for key in facts if entry.get(key) is not None}
        assert (table.megabytes[name] > 0) == bool(entry["files"])
    assert all(str(kind) == "Int64" for kind in table.filter(regex="^n_").dtypes)


LISTED = {"url": FILE["url"], "max_bytes": 9, "git_blob": "a" * 40}
DERIVED = ENTRY["derived"]["b.csv"]
PLACED = {"path": "alphabet/b.2/a.csv"}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"n_objects": None},
        {"files": {"a.csv": LISTED}},
        {"files": {"a.csv": FILE | PLACED}},
        {"files": {"a.csv": LISTED | PLACED}},
        {"derived": {"b.csv": DERIVED | PLACED}},
    ],
)
def test_a_right_entry_is_returned_as_it_is(checked, change):
    assert checked(ENTRY | change) == ENTRY | change


def test_files_and_features_may_be_left_out(checked):
    entry = without(without(without(ENTRY, "files"), "derived"), "n_features")
    assert checked(entry) == entry | {"files": {}, "derived": {}}


@pytest.mark.parametrize(
    "key", ["title", "citation", "license", "open_license", "homepage", "n_objects"]
)
def test_a_missing_fact_is_named(checked, key):
    with pytest.raises(ValueError, match=f"registry.yaml, letters: the key '{key}' is missing"):
        checked(without(ENTRY, key))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (without(FILE, "url"), "the key 'url' is missing"),
        (without(FILE, "bytes"), "the key 'bytes' is missing"),
        (without(FILE, "sha256"), "the key 'sha256' is missing"),
        (without(LISTED, "max_bytes"), "the key 'max_bytes' is missing"),
        (FILE | {"sha256": "0" * 63}, "64 lower-case hex digits"),
        (FILE | {"sha256": "G" * 64}, "64 lower-case hex digits"),
        (FILE | {"bytes": 0}, "bytes is 0, expected a positive number"),
        (FILE | {"bytes": "3"}, "bytes is '3', expected int"),
        (FILE | {"bytes": True}, "bytes is True, expected int"),
        (FILE | {"path": 3}, "path is 3, expected str"),
        (FILE | {"url": "http://example.org/a.csv"}, "expected one with https"),
        (FILE | {"md5": "0"}, "unknown key 'md5', expected url, bytes, sha256"),
        (LISTED | {"git_blob": "a" * 64}, "git_blob is 'a+', expected 40 lower-case hex digits"),
        (LISTED | {"git_blob": 3}, "git_blob is 3, expected str"),
        (LISTED | {"max_bytes": 0}, "max_bytes is 0, expected a positive number"),
        (LISTED | {"bytes": 3}, "unknown key 'bytes', expected url, max_bytes, git_blob"),
        (LISTED | {"sha256": "0"}, "unknown key 'sha256', expected url, max_bytes, git_blob"),
        *(
            (FILE | {"path": path}, "path is .*, expected one inside a f")
            for path in ("../a.csv", "/a.csv", "a/../../b.csv", "a//b.csv", "a/", "", ".")
        ),
    ],
)
def test_a_wrong_fact_of_a_file_is_named(checked, facts, message):
    with pytest.raises(ValueError, match=rf"registry\.yaml, letters, a\.csv: .*{message}"):
        checked(ENTRY | {"files": {"a.csv": facts}})


@pytest.mark.parametrize("file", ["../a.csv", "/a.csv", "b/a.csv", ".a", "", 1])
def test_a_file_name_cannot_leave_its_folder(checked, file):
    with pytest.raises(ValueError, match="expected the name of a file, without a folder"):
        checked(ENTRY | {"files": {file: FILE}, "derived": {}})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"open_licence": True}, "unknown key 'open_licence'"),
        ({"open_license": "yes"}, "open_license is 'yes', expected bool"),
        ({"files": ["a.csv"]}, r"files is \['a.csv'\], expected a mapping"),
        ({"files": {}}, "derived_from names 'a.csv'"),
        ({"derived": {"b.csv": DERIVED | {"git_blob": "a"}}}, r"b\.csv: unknown key 'git_blob'"),
        ({"n_objects": 0}, "n_objects is 0, expected a positive number"),
        ({"n_objects": "26"}, "n_objects is '26', expected int or null"),
        ({"n_objects": True}, "n_objects is True, expected int or null"),
        ({"n_features": -2}, "n_features is -2, expected a positive number"),
        ({"n_features": None}, "n_features is None, expected int"),
    ],
)
def test_a_wrong_entry_is_refused(checked, change, message):
    with pytest.raises(ValueError, match=f"registry.yaml, letters.*{message}"):
        checked(ENTRY | change)


@pytest.mark.parametrize("entry", [None, "text", ["a"]])
def test_an_entry_is_a_mapping(checked, entry):
    with pytest.raises(ValueError, match="letters: expected a mapping with the keys title"):
        checked(entry)


@pytest.mark.parametrize("text", ["", "[]", "3"])
def test_a_registry_is_a_mapping(tmp_path, text):
    path = tmp_path / "registry.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="expected a mapping from data sets"):
        registry(path)


def test_an_entry_lies_beside_its_module():
    folder = Path(REGISTRY.__file__).parent
    for name, module in modules().items():
        assert name in registry(folder / f"{module}.yaml")
    assert modules().keys() == registry().keys()


def test_what_a_caller_does_to_the_registry_stays_with_the_caller():
    registry()["music"]["files"].clear()
    assert registry()["music"]["files"]


def test_a_name_in_two_files_is_refused(tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump({"letters": ENTRY}))
    monkeypatch.setattr(REGISTRY, "_FOLDER", tmp_path)
    REGISTRY._read_folder.cache_clear()
    with pytest.raises(ValueError, match=r"two\.yaml, letters: another file has it too"):
        registry()
    REGISTRY._read_folder.cache_clear()


def test_urls_are_pinned_to_a_commit():
    for entry in registry().values():
        for file in entry["files"].values():
            assert len(file["url"].split("/")[5]) == 40


def test_without_yaml_the_embedded_data_still_load(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert load_eurodist().info["n_objects"] == 21
    assert "license" not in load_eurodist().info
    with pytest.raises(ImportError, match=r"yaml is not installed; run: pip install '\.\[data\]'"):
        registry()
