"""Cause faults on a cluster, and check that nothing is lost or left behind."""

import os
import shutil
import signal

import pytest

from cluster.conftest import ROOT

SNAKEFILE = ROOT / "tests" / "cluster" / "Snakefile"


@pytest.fixture
def folder(tmp_path):
    """Make a folder with a workflow of jobs that take a while or fail."""
    shutil.copy(SNAKEFILE, tmp_path)
    return tmp_path


def end(process, seconds=300):
    """Wait until a run succeeds; return its output."""
    said, _ = process.communicate(timeout=seconds)
    assert process.returncode == 0, said
    return said


def test_jobs_killed_for_memory_or_time_run_again_with_more_of_it(snakemake, folder):
    said = end(snakemake("memory", "time", folder=folder))
    assert (folder / "memory").read_text() == "1200\n"
    assert (folder / "time").read_text() == "2\n"
    assert "SLURM status is: 'TIMEOUT'" in said
    assert said.count("Trying to restart job") == 2


def test_a_job_of_a_node_that_goes_down_is_run_on_another(cluster, snakemake, folder):
    process = snakemake(folder=folder)
    cluster.wait_for((folder / "nodes").exists, 60)
    node = (folder / "nodes").read_text().strip()
    cluster.kill_node(node)
    try:
        cluster.wait_for(lambda: cluster.states()[node].startswith("down"), 60)
        cluster.wait_for(lambda: cluster.jobs("pending"), 10)
        cluster.hurry()
        said = end(process)
        assert sorted((folder / "nodes").read_text().split()) == ["n1", "n2"], said
        assert (folder / "moment").exists()
    finally:
        cluster.start_node(node)
        cluster.wait_for(lambda: set(cluster.states().values()) == {"idle"}, 60)


def test_an_interrupt_cancels_the_jobs(cluster, snakemake, folder):
    process = snakemake("eternity", folder=folder)
    cluster.wait_for(lambda: cluster.jobs("running"), 60)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode != 0, said
    cluster.wait_for(lambda: not cluster.jobs(), 30)
    assert not (folder / "eternity").exists()


def test_the_same_command_goes_on_after_a_kill(cluster, start, folder):
    (folder / "workflow").mkdir()
    shutil.copy(ROOT / "workflow/unlock.py", folder / "workflow")
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy2(ROOT / name, folder)  # with its time, which keeps .venv up to date
    (folder / ".venv").symlink_to(ROOT / ".venv")
    profile = (ROOT / "profiles/slurm/config.yaml").read_text()
    (folder / "profiles/slurm").mkdir(parents=True)
    quick = profile.replace("status-checks: 60", "status-checks: 2")
    (folder / "profiles/slurm/config.yaml").write_text(quick)

    process = start("make", "reproduce", "PROFILE=slurm", folder=folder)
    cluster.wait_for((folder / "nodes").exists, 60)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert cluster.jobs("running") and not (folder / "moment").exists()

    said = end(start("make", "reproduce", "PROFILE=slurm", folder=folder))
    assert "waiting for a run in this folder to end" in said
    assert (folder / "moment").exists()
    assert len((folder / "nodes").read_text().split()) == 1, said
