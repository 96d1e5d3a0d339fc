"""Start the cluster, and Snakemake on it with the shipped profile."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cluster.slurm import Cluster

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Return a cluster of two running nodes, with SLURM's files in a folder of the tests."""
    cluster = Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def start(cluster):
    """Start a command that finds the cluster, in its own process group."""
    processes = []

    def start(*command, folder):
        processes.append(
            subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **cluster.environment},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
                preexec_fn=_mind_interrupts,
            )
        )
        return processes[-1]

    yield start
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def snakemake(start):
    """Start Snakemake with the profile, but let it look for ended jobs sooner."""

    def snakemake(*arguments, folder=ROOT):
        profile = ["--profile", str(ROOT / "profiles" / "slurm")]
        quick = ["--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "5"]
        command = [sys.executable, "-m", "snakemake", *profile, *quick, *arguments]
        return start(*command, folder=folder)

    return snakemake


def _mind_interrupts():
    """Restore the interrupt signal, which a shell ignores for background commands."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
