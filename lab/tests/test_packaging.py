"""Check that the distribution of the lab is whole, and that the lock has what it needs."""

import re
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from distributions import build, check_source, check_wheel
from requirement_closure import locked

LAB = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((LAB / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel_path(tmp_path_factory):
    return build(LAB, "wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_the_package_and_no_data_set(wheel_path):
    wheel = zipfile.ZipFile(wheel_path)
    check_wheel(wheel, LAB / "src" / "closerthan_lab")
    assert "closerthan_lab/commands/experiment_files/experiment.js" in wheel.namelist()


def test_the_source_distribution_builds_the_same_wheel(wheel_path, tmp_path):
    check_source(LAB, wheel_path, tmp_path, {"LICENSE", "README.md"}, "closerthan_lab")


def test_the_version_is_that_of_closerthan(project):
    root = tomllib.loads((LAB.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == root["version"]
    assert f"closerthan=={root['version']}" in project["dependencies"]
    assert (LAB / "LICENSE").read_bytes() == (LAB.parent / "LICENSE").read_bytes()


def test_the_lock_has_every_dependency_within_its_bound(project):
    entries = locked(LAB.parent / "requirements.lock")
    for requirement in map(Requirement, project["dependencies"]):
        if requirement.name != "closerthan":
            for entry in entries[canonicalize_name(requirement.name)]:
                version = re.match(r"[\w.-]+==([\w.!+]+)", entry)[1]
                assert version in requirement.specifier, entry
