"""The registry is complete, and a wrong one is refused with the place of the fault."""

import copy
import sys
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from closerthan.datasets import list_datasets, load, load_eurodist, registry
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


@pytest.fixture
def checked(tmp_path):
    """Write an entry as a registry, and read it back."""

    def check(entry):
        path = tmp_path / "registry.yaml"
        path.write_text(yaml.safe_dump({"letters": entry}), encoding="utf-8")
        return registry(path)["letters"]

    return check


def test_a_right_entry_is_returned_as_it_is(checked):
    assert checked(ENTRY) == ENTRY


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


def test_the_number_of_objects_may_be_no_fact(checked):
    assert checked(ENTRY | {"n_objects": None})["n_objects"] is None


def test_files_and_features_may_be_left_out(checked):
    optional = ("files", "derived", "n_features")
    entry = {key: value for key, value in ENTRY.items() if key not in optional}
    assert checked(entry) == entry | {"files": {}, "derived": {}}


@pytest.mark.parametrize(
    "key", ["title", "citation", "license", "open_license", "homepage", "n_objects"]
)
def test_a_missing_fact_is_named(checked, key):
    entry = {name: value for name, value in ENTRY.items() if name != key}
    with pytest.raises(ValueError, match=f"registry.yaml, letters: the key '{key}' is missing"):
        checked(entry)


LISTED = {"url": FILE["url"], "max_bytes": 9, "git_blob": "a" * 40}


def test_a_file_may_be_named_by_its_object_id_in_git(checked):
    entry = ENTRY | {"files": {"a.csv": LISTED}}
    assert checked(entry) == entry


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"git_blob": "a" * 64}, "git_blob is 'a+', expected 40 lower-case hex digits"),
        ({"git_blob": 3}, "git_blob is 3, expected str"),
        ({"max_bytes": 0}, "max_bytes is 0, expected a positive number"),
        ({"bytes": 3}, "unknown key 'bytes', expected url, max_bytes, git_blob"),
        ({"sha256": "0" * 64}, "unknown key 'sha256', expected url, max_bytes, git_blob"),
    ],
)
def test_a_wrong_listed_file_is_refused(checked, change, message):
    with pytest.raises(ValueError, match=f"registry.yaml, letters, a.csv: .*{message}"):
        checked(ENTRY | {"files": {"a.csv": LISTED | change}})


def test_an_object_id_needs_a_limit(checked):
    entry = {key: value for key, value in LISTED.items() if key != "max_bytes"}
    with pytest.raises(ValueError, match=r"letters, a\.csv: the key 'max_bytes' is missing"):
        checked(ENTRY | {"files": {"a.csv": entry}})


def test_a_derived_file_needs_a_sha256(checked):
    derived = {"derived_from": ["a.csv"], "bytes": 3, "git_blob": "a" * 40}
    with pytest.raises(ValueError, match=r"letters, b\.csv: unknown key 'git_blob'"):
        checked(ENTRY | {"derived": {"b.csv": derived}})


@pytest.mark.parametrize("key", ["url", "bytes", "sha256"])
def test_a_file_without_checksum_size_or_url_is_refused(checked, key):
    entry = copy.deepcopy(ENTRY)
    del entry["files"]["a.csv"][key]
    with pytest.raises(ValueError, match=f"letters, a.csv: the key '{key}' is missing"):
        checked(entry)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("sha256", "0" * 63, "64 lower-case hex digits"),
        ("sha256", "G" * 64, "64 lower-case hex digits"),
        ("bytes", 0, "bytes is 0, expected a positive number"),
        ("bytes", "3", "bytes is '3', expected int"),
        ("bytes", True, "bytes is True, expected int"),
        ("path", 3, "path is 3, expected str"),
        ("url", "http://example.org/a.csv", "expected one with https"),
        ("md5", "0", "unknown key 'md5', expected url, bytes, sha256"),
    ],
)
def test_a_wrong_fact_of_a_file_is_named(checked, key, value, message):
    entry = copy.deepcopy(ENTRY)
    entry["files"]["a.csv"][key] = value
    with pytest.raises(ValueError, match=f"registry.yaml, letters, a.csv: .*{message}"):
        checked(entry)


@pytest.mark.parametrize("file", ["../a.csv", "/a.csv", "b/a.csv", ".a", "", 1])
def test_a_file_name_cannot_leave_its_folder(checked, file):
    with pytest.raises(ValueError, match="expected the name of a file, without a folder"):
        checked(ENTRY | {"files": {file: FILE}, "derived": {}})


@pytest.mark.parametrize("facts", [FILE, LISTED])
def test_a_file_may_have_a_path_of_its_own(checked, facts):
    entry = ENTRY | {"files": {"a.csv": facts | {"path": "alphabet/b.2/a.csv"}}}
    assert checked(entry) == entry


def test_a_derived_file_may_have_a_path_of_its_own(checked):
    derived = ENTRY["derived"]["b.csv"] | {"path": "alphabet/b.csv"}
    entry = ENTRY | {"derived": {"b.csv": derived}}
    assert checked(entry) == entry


@pytest.mark.parametrize("path", ["../a.csv", "/a.csv", "a/../../b.csv", "a//b.csv", "a/", "", "."])
def test_a_path_cannot_leave_the_mirror(checked, path):
    with pytest.raises(ValueError, match=r"letters, a\.csv: path is .*, expected one inside a f"):
        checked(ENTRY | {"files": {"a.csv": FILE | {"path": path}}})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"open_licence": True}, "unknown key 'open_licence'"),
        ({"open_license": "yes"}, "open_license is 'yes', expected bool"),
        ({"files": ["a.csv"]}, r"files is \['a.csv'\], expected a mapping"),
        ({"files": {}}, "derived_from names 'a.csv'"),
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


def test_the_registry_names_what_can_be_loaded():
    with pytest.raises(ValueError, match="unknown data set") as error:
        load("nothing")
    assert str(error.value).endswith(f"expected one of {', '.join(sorted(registry()))}")


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
