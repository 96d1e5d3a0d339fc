"""The registry is complete."""

import sys
from pathlib import Path

import pytest

import closerthan.datasets
from closerthan.datasets import list_datasets, load_eurodist, registry
from closerthan.datasets.registry import _read, modules
from registries import check_entries, check_folder


def test_every_entry_is_whole():
    check_entries(registry())


def test_every_name_stands_once_in_the_file_beside_its_module():
    check_folder(Path(closerthan.datasets.__file__).parent, "closerthan.datasets", modules())
    assert modules().keys() == registry().keys()


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


def test_what_a_caller_does_to_the_registry_stays_with_the_caller():
    registry()["music"]["files"].clear()
    assert registry()["music"]["files"]


def test_without_yaml_the_embedded_data_still_load(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    _read.cache_clear()
    assert load_eurodist().info["n_objects"] == 21
    assert "license" not in load_eurodist().info
    with pytest.raises(ImportError, match=r"yaml is not installed; run: pip install '\.\[data\]'"):
        registry()
