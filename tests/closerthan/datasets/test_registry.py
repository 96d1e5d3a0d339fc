"""The registry is complete: its form is checked here and not whenever it is read."""

import re
import sys
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel, Field, PositiveInt, TypeAdapter

import closerthan.datasets
from closerthan.datasets import list_datasets, load_eurodist, registry
from closerthan.datasets.registry import _read, modules

# A file has a name that cannot leave its folder, and an address that names a commit.
NAME = r"\w[\w.-]*"
Name = Annotated[str, Field(pattern=f"^{NAME}$")]
Place = Annotated[str, Field(pattern=f"^{NAME}(/{NAME})*$")]
Pinned = Annotated[str, Field(pattern="^https://[^/]+/[^/]+/[^/]+/[0-9a-f]{40}/.")]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
GitBlob = Annotated[str, Field(pattern="^[0-9a-f]{40}$")]


class Strict(BaseModel, extra="forbid", strict=True):
    path: Place = ""


class File(Strict):
    url: Pinned
    bytes: PositiveInt
    sha256: Sha256


class ListedFile(Strict):
    url: Pinned
    max_bytes: PositiveInt
    git_blob: GitBlob


class UnseenFile(Strict):
    url: Annotated[str, Field(pattern="^https://.")]
    max_bytes: PositiveInt
    sha256: Sha256  # so that the address need not name a commit


class DerivedFile(Strict):
    derived_from: list[Name]
    bytes: PositiveInt
    sha256: Sha256
    instead: dict[str, str] = {}


class Entry(BaseModel, extra="forbid", strict=True):
    title: str
    description: str
    citation: str
    license: str
    open_license: bool
    homepage: str
    n_objects: PositiveInt | None
    n_features: PositiveInt = 1
    form: str = ""
    n_answers: PositiveInt | None = None
    n_people: PositiveInt = 1
    ratings: list[str] = []
    files: dict[Name, File | ListedFile | UnseenFile]
    derived: dict[Name, DerivedFile]


def test_every_entry_is_whole():
    TypeAdapter(dict[Name, Entry]).validate_python(registry())
    for facts in registry().values():
        for file in facts["derived"].values():
            assert set(file["derived_from"]) <= facts["files"].keys()


def test_every_name_stands_once_in_the_file_beside_its_module():
    folder = Path(closerthan.datasets.__file__).parent
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")}
    names = [
        (name, module)
        for module, text in texts.items()
        for name in re.findall(r"^([^\s#][^:]*):", text, re.MULTILINE)
    ]
    assert len(dict(names)) == len(names)
    assert dict(names) == modules() and modules().keys() == registry().keys()
    assert all((folder / f"{module}.py").exists() for module in texts)


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
