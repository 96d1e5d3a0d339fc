"""Emulate a SLURM cluster of two nodes on this machine, with Debian's slurm-wlm and munge.

It needs no root, systemd, cgroups or database to run, and keeps everything in one folder. It starts
a munged, a slurmctld, and a slurmd for each node with its own port and spool folder.
"""

import os
import random
import shlex
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from getpass import getuser
from pathlib import Path

NODES = ("n1", "n2")
DAEMONS = ("munged", "slurmctld", "slurmd")
_SYSTEM = "/usr/local/sbin:/usr/sbin:/sbin"  # the daemons are here, often not on a user's PATH

# SLURM checks the memory of a job's processes every second, which needs no cgroup. A node that is
# silent for ten seconds counts as down, and its jobs are queued again.
_CONF = (Path(__file__).parent / "slurm.conf").read_text()
_NODE = "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory={mb}"

# Inside a job, the executor drops SLURM_CONF. Our file is not where SLURM looks by default.
_SRUN = """\
#!/bin/sh
SLURM_CONF={conf} exec {srun} "$@"
"""


class Cluster:
    """A cluster in a folder; `start` and `stop` act on the cluster or on one node."""

    def __init__(self, folder):
        self.folder = Path(folder)
        path = os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"], _SYSTEM])
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": path}

    def start(self):
        """Configure and start everything; return when both nodes are idle."""
        for name in DAEMONS:
            if not shutil.which(name, path=self.environment["PATH"]):
                raise FileNotFoundError(f"{name} is missing: apt-get install slurm-wlm munge")
        self._configure()
        self._run(
            *("munged", "--force", f"--key-file={self.folder}/munge.key"),
            *(f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid"),
            *(f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munge.seed"),
        )
        self._run("slurmctld")
        self.wait_for(lambda: self.states(), 30)
        for name in NODES:
            self.start_node(name)
        self.wait_for(lambda: set(self.states().values()) == {"idle"}, 120)

    def stop(self):
        """Cancel all jobs and stop all daemons."""
        if self._pid("slurmctld"):
            self._run("scancel", "--user", getuser(), check=False)
            self.wait_for(lambda: not self.jobs(), 30)
        for name in (*NODES, "slurmctld", "munged"):
            self._end(name)

    def start_node(self, name):
        """Start the slurmd of a node."""
        (self.folder / name).mkdir(exist_ok=True)
        self._run("slurmd", "-N", name)

    def kill_node(self, name):
        """Stop a node at once, as in a power failure: its slurmd and the processes it started."""
        processes = self._processes()
        jobs = {pid for pid, (_, node) in processes.items() if node == name}
        steps = {processes[pid][0] for pid in jobs} & set(processes)
        for pid in {self._pid(name)} | steps | jobs:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def hurry(self):
        """Run requeued jobs now instead of after SLURM's two minutes."""
        for job in self.jobs("pending"):
            self._run("scontrol", "update", f"JobId={job}", "StartTime=now")

    def states(self):
        """Return the state of each node by name, or nothing if the controller is silent."""
        said = self._run("sinfo", "-hN", "-o", "%N %T", check=False)
        return dict(line.split() for line in said.splitlines())

    def jobs(self, *states, columns="%i"):
        """Return one line per job, or per job in some states: its id or other columns."""
        wanted = ["-t", ",".join(states)] if states else []
        return self._run("squeue", "-h", "-o", columns, *wanted, check=False).splitlines()

    def wait_for(self, condition, seconds):
        """Wait until a condition holds; fail after the time limit."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, self._said()
            time.sleep(0.1)

    def _said(self):
        """Return the states, the jobs, and the last lines of each log."""
        logs = "\n".join(
            f"{path.name}:\n{path.read_text()[-1000:]}" for path in self.folder.glob("*.log")
        )
        return f"{self.states()} {self.jobs('all')}\n{logs}"

    def _configure(self):
        for name in ("bin", "state"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))
        host, ports = socket.gethostname().partition(".")[0], _free_ports(1 + len(NODES))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
        share = {"host": host, "mb": memory // len(NODES)}
        named = dict(zip(NODES, ports[1:], strict=True))
        nodes = "\n".join(_NODE.format(name=n, port=p, **share) for n, p in named.items())
        words = {"user": getuser(), "folder": self.folder, "nodes": nodes}
        conf = Path(self.environment["SLURM_CONF"])
        conf.write_text(_CONF.format(host=host, port=ports[0], **words))
        paths = {"conf": shlex.quote(str(conf)), "srun": shlex.quote(shutil.which("srun"))}
        srun = self.folder / "bin" / "srun"
        srun.write_text(_SRUN.format(**paths))
        srun.chmod(0o755)

    def _run(self, *command, check=True):
        done = subprocess.run(
            command,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert not check or done.returncode == 0, f"{shlex.join(command)}: {done.stderr}"
        return done.stdout

    def _pid(self, name):
        """Return the process id of a daemon, or None if it does not run."""
        try:
            pid = int((self.folder / f"{name}.pid").read_text())
            alive = Path(f"/proc/{pid}/cmdline").read_bytes()  # empty for a zombie
        except FileNotFoundError:
            return None
        return pid if alive else None

    def _end(self, name):
        if pid := self._pid(name):
            os.kill(pid, signal.SIGTERM)
            self.wait_for(lambda: not self._pid(name), 30)

    def _processes(self):
        """Return the parent of each process of this cluster, and the node if a job started it."""
        found = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "environ").read_text(errors="replace").split("\0")
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, PermissionError, ProcessLookupError):
                continue
            environment = dict(word.partition("=")[::2] for word in words)
            if environment.get("SLURM_CONF") == self.environment["SLURM_CONF"]:
                found[int(path.name)] = parent, environment.get("SLURMD_NODENAME")
        return found


def _free_ports(count):
    """Return free ports that the system gives to nobody who asks for any port."""
    found = []
    for port in random.SystemRandom().sample(range(10_000, 30_000), 100):
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            found.append(port)
    return found[:count]
