"""Check packaging: lists agree, distributions are complete, and workflows call make."""

import ast
import json
import os
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

from distributions import build, check_lock, check_source, check_wheel
from requirement_closure import closure, locked

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"

# What the source distribution has besides the code. The rest is in a clone.
HANDED_OUT = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md"}

# Packages with other names on conda-forge or bioconda; these builds bring no more than pip's.
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
    """Return every dependency of pyproject.toml, extras too, as a list of Requirement."""
    lines = chain(project["dependencies"], *project["optional-dependencies"].values())
    return [r for r in map(Requirement, lines) if r.name != "closerthan"]


@pytest.fixture(scope="module")
def wheel_path(tmp_path_factory):
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel(wheel_path):
    return zipfile.ZipFile(wheel_path)


def test_each_dependency_is_named_once(required):
    names = [canonicalize_name(requirement.name) for requirement in required]
    assert sorted(names) == sorted(set(names))


def test_each_import_is_of_a_declared_dependency(required):
    owners = metadata.packages_distributions()
    declared = {canonicalize_name(requirement.name) for requirement in required}
    # numba pins llvmlite itself, and pydantic pins its core.
    declared |= {"closerthan", "closerthan-study", "llvmlite", "pydantic-core"}
    for path in chain((ROOT / "src").rglob("*.py"), (ROOT / "workflow").rglob("*.py")):
        for name in set(_imports(path)) - sys.stdlib_module_names:
            names = {canonicalize_name(owner) for owner in owners.get(name, [name])}
            assert declared & names, f"{path}: {name}"


def _imports(path):
    """Return the top-level modules that a source file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def test_lock_has_every_dependency_within_its_bound(required):
    entries = locked(LOCK)
    for requirement in required:
        for entry in entries[canonicalize_name(requirement.name)]:
            version = re.match(r"[\w.-]+==([\w.!+]+)", entry)[1]
            assert version in requirement.specifier, (entry.split()[0], str(requirement))


def test_the_lock_has_hashes_and_names_no_place():
    check_lock(LOCK)


def test_conda_environment_is_that_of_pyproject(project, required):
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *lines, ours = environment["dependencies"]
    assert ours == {"pip": ["--editable ."]}, "relative to the file, as conda installs it"
    conda = {r.name: r.specifier for r in map(Requirement, lines)}
    python = conda.pop("python")
    del conda["pip"]
    assert conda == {CONDA_NAMES.get(r.name, r.name): r.specifier for r in required}
    named = {line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line}
    minors = [f"3.{minor}" for minor in range(30)]
    assert named == {v for v in minors if v in python}
    assert all(v in Requirement(f"python{project['requires-python']}").specifier for v in named)


def test_wheel_holds_the_package_and_no_data_set(wheel):
    check_wheel(wheel, ROOT / "src" / "closerthan")


def test_source_distribution_builds_the_same_wheel(wheel_path, tmp_path):
    check_source(ROOT, wheel_path, tmp_path, HANDED_OUT, "closerthan")


def test_versions_and_dates_agree(project):
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\[\d.*)$", changelog, flags=re.MULTILINE)[1]
    version, date = citation["version"], citation["date-released"]
    assert newest == f"[{version}] - {date}", "CHANGELOG.md and CITATION.cff differ"
    assert project["version"] == version, "pyproject.toml and CITATION.cff differ"
    assert citation["title"].partition(":")[0] == project["name"]
    assert citation["license"] == project["license"]


@pytest.mark.parametrize(("answer", "wrong"), [("true", ""), ("false", "build docs check-readme")])
def test_the_release_check_names_every_part_that_fails(answer, wrong):
    """`true` and `false` stand in for the make that runs the parts."""
    done = subprocess.run(
        ["make", "release-check", f"MAKE={answer}"], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode == 0) == (not wrong), done.stderr
    assert wrong in done.stderr


def test_workflows_run_targets_of_make_alone():
    targets = set(re.findall(r"^([\w-]+):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE))
    sudo = 'sudo --preserve-env=PATH env PYTHON="$(which python)" '
    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    assert {path.stem for path in workflows} == {"docs", "release", "test"}
    for path in workflows:
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        steps = list(chain.from_iterable(job["steps"] for job in jobs.values()))
        for command in (step["run"] for step in steps if "run" in step):
            call = re.fullmatch(r'make ([\w-]+)( [A-Z]+="[^"`]*")*', command.removeprefix(sudo))
            assert call, (path.name, command)
            assert call[1] in targets, (path.name, command)
        for action in (step["uses"] for step in steps if "uses" in step):
            assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", action), action


def test_workflows_ask_for_what_they_need_and_know_no_secret():
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        workflow = yaml.safe_load(text)
        assert "secrets" not in text and "write-all" not in text, path.name
        assert "permissions" in workflow, path.name  # without it, all of them are granted
        if path.stem != "test":
            assert workflow["permissions"] == {}
    granted = {name: job["permissions"] for name, job in jobs_of("release").items()}
    assert granted == {
        "build": {"contents": "read"},
        "index": {"id-token": "write"},
        "page": {"contents": "write"},
    }
    granted = {name: job["permissions"] for name, job in jobs_of("docs").items()}
    assert granted == {
        "build": {"contents": "read"},
        "pages": {"pages": "write", "id-token": "write"},
    }


def jobs_of(workflow):
    path = ROOT / ".github/workflows" / f"{workflow}.yml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def test_what_may_write_runs_nothing_of_the_checkout():
    for job in chain.from_iterable(jobs_of(name).values() for name in ("release", "docs")):
        if "write" in job["permissions"].values():
            assert not [step for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("by", ["environment", "argument"])
def test_a_tag_is_compared_and_never_run(project, tmp_path, by):
    def check(tag):
        given = [f"TAG={tag}"] if by == "argument" else []
        return subprocess.run(
            ["make", "--no-print-directory", "check-tag", *given],
            cwd=ROOT,
            env=os.environ | {"TAG": tag},
            capture_output=True,
            text=True,
        )

    assert check(f"v{project['version']}").returncode == 0
    ran = tmp_path / "ran"
    for tag in ("v0.0.1", f'v1"||>{ran};"', f"v1`>{ran}`", ""):
        done = check(tag)
        assert done.returncode != 0 and "the tag is" in done.stderr
    assert not ran.exists()


def test_matrix_has_every_python_that_is_supported(project):
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    classified = [line for line in project["classifiers"] if "Python :: 3." in line]
    named = [line.rpartition(" ")[2] for line in classified]
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == named
    assert f"({named[0]} to {named[-1]})" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_issue_templates_are_forms():
    templates = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
    assert [path.stem for path in templates] == ["bug", "data-set", "method", "paper"]
    for path in templates:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert {"name", "description", "labels", "body"} == set(form), path.name
        for part in form["body"]:
            assert part["type"] in {"checkboxes", "dropdown", "input", "textarea"}, path.name
            assert part["attributes"]["label"], path.name
            assert set(part) <= {"type", "attributes", "validations"}, path.name


IMPORT_ALL = """
import importlib, importlib.abc, json, sys

folder, modules, allowed = json.loads(sys.stdin.read())


class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        # What sysconfig loads has a name of the platform's.
        if name.partition(".")[0] not in allowed and not name.startswith("_sysconfigdata_"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Blocked())
sys.path.insert(0, folder)
for module in modules:
    assert importlib.import_module(module).__file__.startswith(folder), module
"""


def test_bare_wheel_imports_with_the_base_dependencies_alone(wheel, project, tmp_path):
    wheel.extractall(tmp_path)
    paths = [Path(name) for name in wheel.namelist() if name.endswith(".py")]
    modules = sorted(
        {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths}
    )
    assert {"closerthan", "closerthan.losses"} <= set(modules)
    needed = _import_names(project["dependencies"])
    allowed = sorted({"closerthan", *sys.stdlib_module_names, *needed})
    others = {"yaml", "pooch", "h5py", "rdata", "pyarrow", "jinja2", "matplotlib", "typer"}
    assert not {*others, "snakemake", "papermill"} & set(allowed)
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL],
        input=json.dumps([str(tmp_path), modules, allowed]),
        text=True,
        capture_output=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr


def _import_names(lines):
    """Return the top-level modules of some requirements and of all their dependencies."""
    names = closure(lines)
    return {
        module
        for module, owners in metadata.packages_distributions().items()
        if names & {canonicalize_name(owner) for owner in owners}
    }


def test_the_workflow_is_as_the_catalog_of_snakemake_asks(required):
    """Its rules for a workflow with standardized usage, as its program checks them."""
    assert "workflow" in (ROOT / "README.md").read_text().lower()  # the catalog searches for it
    settings = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())
    assert set(settings["usage"]) <= {"mandatory-flags", "software-stack-deployment", "report"}
    kinds = settings["usage"]["software-stack-deployment"]
    assert set(kinds) <= {"conda", "apptainer", "apptainer+conda"}
    assert any(kinds.values()) and (ROOT / "config" / "README.md").read_text().strip()
    assert {path.suffix for path in (ROOT / "workflow" / "rules").iterdir()} == {".smk"}
    [bound] = [str(r.specifier) for r in required if r.name == "snakemake"]
    assert f'min_version("{bound.removeprefix(">=")}")' in (ROOT / "workflow/Snakefile").read_text()
