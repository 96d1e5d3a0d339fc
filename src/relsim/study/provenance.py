"""What made the results: versions, commit, machine, configuration and data, without local paths."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = ["provenance", "without_local_paths"]

_LIBRARIES = (
    "numpy",
    "scipy",
    "numba",
    "pandas",
    "scikit-learn",
    "matplotlib",
    "seaborn",
    "snakemake",
    "papermill",
)
# A path from the root, also in the middle of a sentence or after file://; not the rest of a URL.
_LOCAL_PATH = re.compile(r"(?:file://|(?<![^\s'\"`(\[{=,:]))/(?:[\w.+@~-]+/)*([\w.+@~-]+)/?")


def provenance(
    config: Mapping[str, Any],
    data_infos: Mapping[str, Mapping[str, Any]],
    *,
    root: str | os.PathLike[str] = ".",
) -> dict[str, Any]:
    """Collect what somebody else needs to know to get the same results.

    Parameters
    ----------
    config : mapping
        The merged configuration of the run.
    data_infos : mapping of str to mapping
        For each data set what its `.json` says: checksums, source, license and the like.
    root : path-like, default "."
        A folder of the checkout, to ask git for the commit.

    Returns
    -------
    dict
        Ready for JSON: `date` (UTC), `relsim`, `commit` (None outside a checkout), `versions`,
        `machine`, `config` and `datasets`. Of an absolute path only the last part is kept.

    Examples
    --------
    >>> record = provenance({"scale": "smoke", "data": {"mirror": "/home/ann/data"}}, {})
    >>> record["config"]
    {'scale': 'smoke', 'data': {'mirror': '…/data'}}
    """
    record = {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "relsim": version("relsim"),
        "commit": _commit(root),
        "versions": {
            "Python": platform.python_version(),
            **{name: version(name) for name in _LIBRARIES},
        },
        "machine": {
            "platform": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
        },
        "config": config,
        "datasets": data_infos,
    }
    return without_local_paths(record)


def without_local_paths(value: Any) -> Any:
    """Shorten every absolute path in nested mappings and sequences of text to its last part.

    Examples
    --------
    >>> without_local_paths(["not in /srv/mirror/music", "https://example.org/a/b"])
    ['not in …/music', 'https://example.org/a/b']
    """
    if isinstance(value, Mapping):
        return {key: without_local_paths(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_local_paths(item) for item in value]
    if isinstance(value, str | os.PathLike):
        return _LOCAL_PATH.sub(r"…/\1", os.fspath(value))
    return value


def _commit(root: str | os.PathLike[str]) -> str | None:
    """The commit checked out at `root`, and whether the files differ from it."""

    def git(*words: str) -> str:
        command = ["git", "-C", os.fspath(root), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    try:
        changed = " with uncommitted changes" if git("status", "--porcelain") else ""
        return git("rev-parse", "--short=12", "HEAD") + changed
    except (OSError, subprocess.CalledProcessError):
        return None


def _processor() -> str:
    """The name of the processor, which the standard library does not know on Linux."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
