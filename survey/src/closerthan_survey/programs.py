"""Programs of others, each in an environment of its own; CONTRIBUTING says what they are given."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass

import numpy as np

OK, LATE, FULL = "ok", "out of time", "out of memory"
_FULL = re.compile(r"MemoryError|bad_alloc|annot allocate memory|can.t allocate|out of memory")
_THREADS = ("OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM", "TF_NUM_INTRAOP", "TF_NUM_INTEROP")
_ONE_THREAD = {f"{name}_THREADS": "1" for name in _THREADS}
_PATIENCE = 4
_LONGEST = 120  # letters of a message


class Unusable(ValueError):
    """The files that a program left hold no result. The message says why."""


@dataclass(frozen=True)
class Ended:
    """How a program ended: `OK`, or why not; and its CPU seconds."""

    outcome: str
    seconds: float


def python_of(folder, environments):
    """Return the Python of a program's environment; make it from the lock file if needed."""
    lock = folder / "requirements.lock"
    if not lock.exists():
        return sys.executable
    stamp = hashlib.sha256(lock.read_bytes()).hexdigest()
    made = environments / folder.name
    if not (made / stamp).exists():
        shutil.rmtree(made, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", made], check=True)
        # The lock is complete, so nothing has to be resolved.
        install = "-m pip install --quiet --no-input --disable-pip-version-check --no-deps"
        command = [made / "bin/python", *install.split(), "--require-hashes", "-r", lock]
        subprocess.run(command, check=True)
        (made / stamp).touch()
    return str(made / "bin/python")


def command_of(folder, environments):
    """Return the command that starts the program of a folder."""
    script = folder / "contend.py"
    return [python_of(folder, environments), script] if script.exists() else [folder / "contend"]


def run_program(command, folder, *, seconds, megabytes):
    """Run a program in a folder until it ends or a limit ends it, and all that it started.

    The limit of time is in CPU seconds, because other work on the machine must not decide.
    """
    limits = f"ulimit -d {1024 * megabytes}; ulimit -S -t {seconds}"
    limited = ["sh", "-c", f'{limits}; exec "$@"', "sh", *command]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    here = {"HOME": str(folder), "CUDA_VISIBLE_DEVICES": "", **_ONE_THREAD}
    with open(folder / "log.txt", "wb") as log:
        process = subprocess.Popen(
            limited,
            cwd=folder,
            env=kept | here,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        late = threading.Event()
        timer = threading.Timer(_PATIENCE * seconds, lambda: (late.set(), _kill(process.pid)))
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        _kill(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    spent = used.ru_utime + used.ru_stime
    ended = process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU)
    if late.is_set() or ended or (process.returncode and spent > 0.9 * seconds):
        return Ended(LATE, spent)
    return Ended(_outcome(process.returncode, folder), spent)


def _kill(group):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _outcome(code, folder):
    if code == 0:
        return OK
    said = (folder / "log.txt").read_text(encoding="utf-8", errors="replace").strip()
    last = said.rpartition("\n")[2].replace(str(folder), ".")
    if code == -signal.SIGKILL or _FULL.search(last):
        return FULL
    return crash(last or f"exit status {code}")


def crash(why):
    """Return the outcome of a program that gave no result, with the reason on one line."""
    return f"crashed: {' '.join(str(why).split())[:_LONGEST]}"


def give(folder, train, questions, settings):
    """Write the files that a program starts with."""
    train.to_csv(folder / "train.csv", index=False)
    questions.to_csv(folder / "questions.csv", index=False)
    (folder / "settings.json").write_text(json.dumps(settings, indent=0))


def take(folder, placed, n_components, n_questions):
    """Return the points, NaN for objects without answers, and probabilities of a program."""
    points = _numbers(folder / "points.csv", (len(placed), n_components), placed)
    shares = _numbers(folder / "probabilities.csv", (n_questions, 1), slice(None))
    if points is None and shares is None:
        raise Unusable("it left neither points.csv nor probabilities.csv")
    if points is not None:
        points[~placed] = np.nan
    if shares is not None and ((shares < 0) | (shares > 1)).any():
        raise Unusable("probabilities.csv has numbers outside 0 to 1")
    return points, None if shares is None else shares[:, 0]


def _numbers(path, shape, needed):
    """Return the numbers in a file, or None if there is none; the needed rows must be finite."""
    if not path.exists():
        return None
    try:
        found = np.loadtxt(path, delimiter=",", ndmin=2)
    except ValueError as error:
        raise Unusable(f"{path.name}: {error}") from None
    if found.shape != shape:
        sizes = (" x ".join(map(str, each)) for each in (found.shape, shape))
        raise Unusable(f"{path.name} has {' numbers, not '.join(sizes)}")
    if not np.isfinite(found[needed]).all():
        raise Unusable(f"{path.name} has numbers that are not finite")
    return found
