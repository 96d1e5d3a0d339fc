"""Check a registry of data sets: its form is checked here and not whenever it is read."""

import re
from typing import Annotated

from pydantic import BaseModel, Field, PositiveInt, TypeAdapter

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


def check_entries(registry):
    """Assert that every entry is whole."""
    TypeAdapter(dict[Name, Entry]).validate_python(registry)
    for facts in registry.values():
        for file in facts["derived"].values():
            assert set(file["derived_from"]) <= facts["files"].keys()


def check_folder(folder, package, modules):
    """Assert that every name of a folder stands once, in the file beside its module."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")}
    names = [
        (name, f"{package}.{module}")
        for module, text in texts.items()
        for name in re.findall(r"^([^\s#][^:]*):", text, re.MULTILINE)
    ]
    assert len(dict(names)) == len(names)
    own = {name: place for name, place in modules.items() if place.rpartition(".")[0] == package}
    assert dict(names) == own
    assert all((folder / f"{module}.py").exists() for module in texts)
