"""Check that `make reproduce` resumes a killed run, and waits for live processes in its folder."""

import os
import runpy
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SNAKEFILE = """
rule made:
    output: "made"
    script: "job.py"
"""
JOB = """
import time
from pathlib import Path

with open("diary", "a", buffering=1) as diary:
    print("begin", file=diary)
    while not Path("go").exists():
        time.sleep(0.1)
    Path("made").touch()
    print("end", file=diary)
"""
# A make around the tests may hold back the output of this one.
MAKE = ["env", "-u", "MAKEFLAGS", "make", "reproduce", "CORES=1"]


@pytest.fixture
def running():
    return runpy.run_path(str(ROOT / "workflow/unlock.py"))["running"]


@pytest.fixture
def start():
    """Start a command in its own process group, and kill it after the test.

    Its output goes to the file `said` in its folder.
    """
    processes = []

    def start(folder, *command):
        with (folder / "said").open("a") as said:
            pipes = {"stdout": said, "stderr": subprocess.STDOUT}
            processes.append(subprocess.Popen(command, cwd=folder, start_new_session=True, **pipes))
        return processes[-1]

    yield start
    for process in processes:
        with suppress(ProcessLookupError):  # the processes may have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def folder(tmp_path):
    """Make a folder with the Makefile and a workflow of one job, which waits for a file `go`."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "profiles", tmp_path / "profiles")
    (tmp_path / "workflow").mkdir()
    shutil.copy(ROOT / "workflow/unlock.py", tmp_path / "workflow")
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    for name in ("pyproject.toml", "requirements.lock"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))  # keeps .venv up to date
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    (tmp_path / "job.py").write_text(JOB)
    return tmp_path


def read(path):
    return path.read_text() if path.exists() else ""


def wait_until(condition):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.1)
    raise TimeoutError


def end(process):
    assert process.wait(600) == 0


def test_processes_of_snakemake_in_the_folder_are_found(running, start, tmp_path):
    (tmp_path / "other").mkdir()
    sleep = [sys.executable, "-c", "import time; time.sleep(6000)"]
    ours = start(tmp_path, *sleep, ".snakemake/scripts/fits.py")
    start(tmp_path, *sleep)
    theirs = start(tmp_path / "other", *sleep, "snakemake")
    start(tmp_path, "tail", "-F", ".snakemake/log/today.log")
    assert running(tmp_path) == [str(ours.pid)]
    assert running(tmp_path / "other") == [str(theirs.pid)]


def test_jobs_of_the_folder_in_the_queue_of_slurm_are_found(running, tmp_path, monkeypatch):
    squeue = tmp_path / "bin" / "squeue"
    squeue.parent.mkdir()
    squeue.write_text(f'#!/bin/sh\necho "12 {tmp_path}"\necho "13 {tmp_path}/bin"\n')
    squeue.chmod(0o755)
    monkeypatch.setenv("PATH", str(squeue.parent), prepend=os.pathsep)
    assert running(tmp_path) == ["job:12"]
    squeue.write_text("#!/bin/sh\necho slurm is down >&2\nexit 1\n")
    assert running(tmp_path) == []


@pytest.mark.parametrize("killed", [False, True], ids=["a run by hand", "a job of a dead run"])
def test_reproduce_waits_for_what_is_alive_and_goes_on(folder, start, killed):
    run = start(folder, sys.executable, "-m", "snakemake", "--cores", "1")
    wait_until(lambda: read(folder / "diary"))
    if killed:
        os.kill(run.pid, signal.SIGKILL)  # the run alone: its job goes on
    again = start(folder, *MAKE)
    words = "closerthan: waiting for a run in this folder to end; its processes"
    wait_until(lambda: words in read(folder / "said"))
    (folder / "go").touch()
    end(again)
    assert (folder / "made").exists()
    diary = read(folder / "diary").split()
    assert diary == ["begin", "end"] * (2 if killed else 1), "never two at once"
    assert not list((folder / ".snakemake/locks").glob("*"))


def test_reproduce_goes_on_at_once_when_all_of_a_run_was_killed(folder, start):
    run = start(folder, *MAKE)
    wait_until(lambda: read(folder / "diary"))
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert list((folder / ".snakemake/locks").glob("*"))
    (folder / "go").touch()
    end(start(folder, *MAKE))
    assert read(folder / "diary").split() == ["begin", "begin", "end"]


def test_reproduce_waits_for_another_one(folder, start):
    first = start(folder, *MAKE)
    wait_until(lambda: read(folder / "diary"))
    second = start(folder, *MAKE)
    words = "closerthan: waiting for another make reproduce to end."
    wait_until(lambda: words in read(folder / "said"))
    (folder / "go").touch()
    for process in (first, second):
        end(process)
    assert read(folder / "diary").split() == ["begin", "end"]
