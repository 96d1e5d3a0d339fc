"""Start the processes that fit: one per package and environment.

Each package has its own environment, made from the lock file with hashes in its folder. closerthan
uses the environment of this process. A process runs with no variable for threads set (stock), as
users run it, or with one thread.
"""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from closerthan_survey.programs import python_of

HERE = Path(__file__).parent
PEERS = HERE / "peers"
OURS = PEERS / "closerthan"
_THREADS = re.compile(r"(OPENBLAS|OMP|GOTO|MKL|BLIS|VECLIB|NUMBA|NUMEXPR)_|PYTHON(PATH|HOME)$")
_KEPT = {"NUMBA_CACHE_DIR"}
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMBA")}
ENVIRONMENTS = {"stock": {}, "one thread": ONE_THREAD}


class Failed(Exception):
    """A package could not do what it was asked for."""


def environment(kind, ours=False):
    """Return the variables of a process for a kind of environment."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or not _THREADS.match(name) or (ours and name == "PYTHONPATH")
    }
    return kept | ENVIRONMENTS[kind]


class Worker:
    """A process of a package that answers requests; it ends with its context.

    `imported` has the seconds of the import: import_cpu and import_wall.
    """

    def __init__(self, folder, kind="one thread", **variables):
        command = [python_of(folder, HERE / ".peers"), HERE / "worker.py", folder / "fit.py"]
        self.name, self.kind = folder.name, kind
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (it goes with us)
        self._process = subprocess.Popen(
            command,
            env=environment(kind, folder == OURS) | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self.imported = self._read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()

    def ask(self, method, **arguments):
        """Call a method of `fits.Fits`; raise `Failed` with the reason if it fails."""
        try:
            print(json.dumps([method, arguments]), file=self._process.stdin, flush=True)
            answer = self._read()
        except BrokenPipeError:
            raise Failed(f"{self.name}: the process has ended") from None
        if "failed" in answer:
            raise Failed(f"{self.name}: {answer['failed']}")
        return answer["answer"]

    def _read(self):
        line = self._process.stdout.readline()
        if not line:
            code = self._process.wait()
            self._log.seek(0)
            last = self._log.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise Failed(f"{self.name}: the process has ended with {code}: {last}")
        return json.loads(line)
