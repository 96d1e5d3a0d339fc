"""Remove the lock of a killed run from this folder, after all its processes have ended.

Run `python workflow/unlock.py [options of Snakemake]` in the folder. It waits for other runs in the
folder, and for jobs that a killed run has left on this machine or in the queue of a cluster.
"""

import shutil
import subprocess
import sys
import time
from contextlib import suppress
from getpass import getuser
from pathlib import Path

import closerthan_study  # noqa: F401, because it refuses the environment of another clone


def running(folder):
    """Return the ids of Snakemake's processes in a folder, and of its jobs in SLURM."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or belongs to somebody else
            program, *words = (process / "cmdline").read_text(errors="replace").split("\0")
            ours = "python" in program and "snakemake" in " ".join(words)
            if ours and (process / "cwd").samefile(folder):
                found.append(process.name)
    if shutil.which("squeue"):
        command = ["squeue", "--user", getuser(), "--noheader", "--format", "%A %Z"]
        queue = subprocess.run(command, capture_output=True, text=True).stdout
        jobs = (line.partition(" ") for line in queue.splitlines())
        found += [f"job:{job}" for job, _, place in jobs if place == str(Path(folder).resolve())]
    return found


def main():
    """Wait until no run is alive, then unlock."""

    def locked():
        return any(Path(".snakemake/locks").glob("*"))

    if locked() and (found := running(".")):
        words = "waiting for a run in this folder to end; its processes and jobs are:"
        print("closerthan:", words, *found, flush=True)
        while locked() and running("."):
            time.sleep(2)
    if locked():
        command = [sys.executable, "-m", "snakemake", "--unlock", *sys.argv[1:]]
        sys.exit(subprocess.call(command))


if __name__ == "__main__":
    main()
