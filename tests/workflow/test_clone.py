"""Check that a clone refuses code that is not its own, and a path that jobs cannot have."""

import os
import shutil
import subprocess
import sys

import pytest

from workflow.conftest import ROOT, Checkout

PLAN = ["-m", "snakemake", "--dry-run", "--config", "scale=smoke"]
# An environment without the study, such as one that `pip install '.[study]'` makes.
WHEEL = 'import sys\nsys.path[:] = [path for path in sys.path if not path.endswith("src")]\n'


def run(folder, *command, code):
    """Run a command in a folder with the packages in `code`; return what it says as it fails."""
    environment = {**os.environ, "PYTHONPATH": str(code)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and "Traceback" not in said, said
    assert not (folder / "results").exists()
    return said


@pytest.mark.parametrize(
    "command",
    [
        PLAN,
        ["workflow/unlock.py"],
        ["-m", "closerthan_study.publish", "--judge"],
    ],
)
def test_the_environment_of_another_clone_is_refused(tiny, command):
    said = run(tiny.folder, sys.executable, *command, code=ROOT / "src")
    assert f"this folder is {tiny.folder}, and the environment has the study of {ROOT}" in said
    assert "rm -rf .venv && make set-up" in said


def test_an_environment_without_the_study_is_told_how_to_get_it(tiny, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(WHEEL)
    said = run(tiny.folder, sys.executable, *PLAN, code=tmp_path)
    assert "without its study" in said and "pip install --editable '.[study]'" in said


@pytest.mark.parametrize("name", ["two words", "o'clock"])
def test_a_path_with_a_blank_or_a_quote_is_refused(tiny, tmp_path, name):
    folder = Checkout(tmp_path / name, tiny.folder).folder
    for file in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / file, folder)
    for command in ([sys.executable, *PLAN], ["make", "set-up"]):
        assert "has a blank or a quote" in run(folder, *command, code=folder / "src")
