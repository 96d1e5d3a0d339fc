"""What makes a result: the commit of this folder, the machine, and the versions of libraries."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

# Their arithmetic is in every fit, so fits with other versions are other fits.
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn")


def origin(root):
    """Return the commit at `root`, the machine and the versions that compute in this process."""
    from joblib import cpu_count  # takes 0.15 s; jobs that fit have it

    return {
        "commit": commit(root),
        "cores": cpu_count(),
        "processor": _processor(),
        "platform": platform.platform(),
        "Python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


def commit(root):
    """Return the commit checked out at `root`, and say whether files differ from it."""
    head = git(root, "rev-parse", "--short=12", "HEAD")
    if head is None:
        return None
    return head + (" with uncommitted changes" if git(root, "status", "--porcelain") else "")


def git(root, *words):
    """Return what git prints; None if `root` is not the top folder of a repository."""
    root = Path(root).resolve()
    command = ["git", "-C", os.fspath(root), *words]
    inside = {**os.environ, "GIT_CEILING_DIRECTORIES": os.fspath(root.parent)}
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=inside)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _processor():
    """Return the name of the processor. On Linux the standard library does not know it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
