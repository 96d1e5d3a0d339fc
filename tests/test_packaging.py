"""The lists of dependencies agree, and the bare wheel holds what it needs and no more."""

import ast
import hashlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from check_notebooks import faults

ROOT = Path(__file__).resolve().parents[1]

# Packages that conda-forge or bioconda name in another way; these builds bring no more than pip's.
CONDA_NAMES = {
    "matplotlib": "matplotlib-base",
    "seaborn": "seaborn-base",
    "snakemake": "snakemake-minimal",
}


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def required(project):
    """Every dependency of pyproject.toml, extras too, as a list of Requirement."""
    lines = chain(project["dependencies"], *project["optional-dependencies"].values())
    return [r for r in map(Requirement, lines) if r.name != "relsim"]


@pytest.fixture(scope="module")
def locked():
    """requirements.lock, as its text for each entry: {name: [the entry's lines, joined]}."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8").replace("\\\n", " ")
    entries = {}
    for line in text.splitlines():
        entries.setdefault(canonicalize_name(re.match(r"[\w.-]+", line)[0]), []).append(line)
    return entries


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [path] = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_each_dependency_is_named_once(required):
    names = [canonicalize_name(requirement.name) for requirement in required]
    assert sorted(names) == sorted(set(names))


def test_each_import_is_of_a_declared_dependency(required):
    owners = metadata.packages_distributions()
    declared = {canonicalize_name(requirement.name) for requirement in required}
    # numba itself pins the one llvmlite that it works with, and pydantic its core.
    declared |= {"relsim", "llvmlite", "pydantic-core"}
    for path in chain((ROOT / "src").rglob("*.py"), (ROOT / "workflow").rglob("*.py")):
        for name in set(_imports(path)) - sys.stdlib_module_names:
            names = {canonicalize_name(owner) for owner in owners.get(name, [name])}
            assert declared & names, f"{path}: {name}"


def _imports(path):
    """The top-level modules that a source file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def test_lock_has_every_dependency_within_its_bound(required, locked):
    for requirement in required:
        for entry in locked[canonicalize_name(requirement.name)]:
            version = re.match(r"[\w.-]+==([\w.!+]+)", entry)[1]
            assert version in requirement.specifier, (entry.split()[0], str(requirement))


def test_lock_has_hashes_and_names_no_place(locked):
    pin, marker = r"[\w.-]+==[\w.!+]+", r"( ; ((?!--|://).)+)?"
    for entry in chain(*locked.values()):
        assert re.fullmatch(pin + marker + r"(\s+--hash=sha256:[0-9a-f]{64})+", entry), entry


def test_conda_environment_is_that_of_pyproject(project, required):
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    lines = [line for line in environment["dependencies"] if isinstance(line, str)]
    conda = {r.name: r.specifier for r in map(Requirement, lines)}
    python = conda.pop("python")
    del conda["pip"]
    assert conda == {CONDA_NAMES.get(r.name, r.name): r.specifier for r in required}
    named = {line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line}
    minors = [f"3.{minor}" for minor in range(30)]
    assert named == {v for v in minors if v in python}
    assert all(v in Requirement(f"python{project['requires-python']}").specifier for v in named)


def test_wheel_holds_the_package_and_no_data_set(wheel):
    names = [name for name in wheel.namelist() if ".dist-info/" not in name]
    sources = (ROOT / "src/relsim").rglob("*.py")
    assert {str(path.relative_to(ROOT / "src")) for path in sources} <= set(names)
    entries = [name for name in names if re.fullmatch(r"relsim/datasets/\w+\.yaml", name)]
    registry = "".join(wheel.read(name).decode() for name in entries)
    checksums = set(re.findall(r"\b[0-9a-f]{64}\b", registry))
    assert checksums
    for name in names:
        assert hashlib.sha256(wheel.read(name)).hexdigest() not in checksums, name
        kinds = {".py", ".yaml", ".yml", ".csv", ".j2", ".css", ".js", ".md"}
        assert Path(name).suffix in kinds or Path(name).name == "Snakefile", name
        assert wheel.getinfo(name).file_size < 50_000, name


IMPORT_ALL = """
import importlib, importlib.abc, json, sys

folder, modules, allowed = json.loads(sys.stdin.read())


class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Blocked())
sys.path.insert(0, folder)
for module in modules:
    assert importlib.import_module(module).__file__.startswith(folder), module
"""


def test_bare_wheel_imports_with_the_base_dependencies_alone(wheel, project, tmp_path):
    wheel.extractall(tmp_path)
    paths = [Path(name) for name in wheel.namelist() if name.endswith(".py")]
    public = [path for path in paths if path.parts[:2] != ("relsim", "study")]
    modules = sorted(
        {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in public}
    )
    modules.remove("relsim.cli")  # the one that needs an extra; relsim.__main__ says so
    assert {"relsim", "relsim.losses", "relsim.commands.embed"} <= set(modules)
    allowed = sorted({"relsim", *sys.stdlib_module_names, *_import_names(project["dependencies"])})
    assert not {"yaml", "pooch", "h5py", "rdata", "pyarrow", "snakemake", "papermill"} & set(
        allowed
    )
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL],
        input=json.dumps([str(tmp_path), modules, allowed]),
        text=True,
        capture_output=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr


def _import_names(lines):
    """The top-level modules of some requirements and of all that they need, extras left out."""
    waiting, seen = [Requirement(line) for line in lines], set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        waiting += [Requirement(line) for line in metadata.requires(name) or []]
    return {
        module
        for module, owners in metadata.packages_distributions().items()
        if seen & {canonicalize_name(owner) for owner in owners}
    }


def test_notebooks_with_outputs_and_functions_are_found(tmp_path):
    path = tmp_path / "notebook.ipynb"
    clean = {"cell_type": "code", "outputs": [], "execution_count": None, "source": ["1 + 1"]}
    text = {"cell_type": "markdown", "source": ["def it is not."]}
    counted = {**clean, "execution_count": 1}
    shown = {**clean, "outputs": [{"output_type": "stream", "text": "1"}]}
    defined = {**clean, "source": ["def draw():\n", "    pass"]}
    cells = [clean, text, counted, shown, defined]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert [number for number, _ in faults(path)] == [2, 3, 4]
    assert "defines draw" in list(faults(path))[2][1]
