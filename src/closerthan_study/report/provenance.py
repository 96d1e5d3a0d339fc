"""What made the results: versions, commit, machine, configuration, data and what was drawn.

No record names a path of the machine.
"""

import json
import os
import platform
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any

# A requirement in the metadata of a package, as in "snakemake>=9.6; extra == 'study'".
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)[^;]*(?:;(?:.*extra == ['\"](?P<extra>[\w-]+))?.*)?")
# A path from the root, also in the middle of a sentence or after file://; not the rest of a URL.
_LOCAL_PATH = re.compile(r"(?:file://|(?<![^\s'\"`(\[{=,:]))/(?:[\w.+@~-]+/)*([\w.+@~-]+)/?")


def provenance(config, datasets, drawn, *, root="."):
    """Collect what somebody else needs to know to get the same results."""
    record = {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "closerthan": version("closerthan"),
        "commit": commit(root),
        "versions": {
            "Python": platform.python_version(),
            **{name: version(name) for name in _libraries()},
        },
        "machine": {
            "platform": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
        },
        "config": config,
        "datasets": datasets,
        "drawn": drawn,
    }
    return without_local_paths(record)


def read_drawn(spec, places):
    """Read how much each experiment drew of each of its data sets."""
    drawn: dict[str, Any] = {}
    for experiment, dataset in places:
        path = spec.folder("trials", experiment, dataset) / "drawn.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        drawn.setdefault(experiment.study, {}).setdefault(experiment.name, {})[dataset] = record
    return drawn


def without_local_paths(value):
    """Shorten every absolute path in nested mappings and sequences of text to its last part."""
    if isinstance(value, Mapping):
        return {key: without_local_paths(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_local_paths(item) for item in value]
    if isinstance(value, str | os.PathLike):
        return _LOCAL_PATH.sub(r"…/\1", os.fspath(value))
    return value


def _libraries():
    """What closerthan requires, and what its extra `study` does, other extras left out."""
    found = map(_REQUIREMENT.fullmatch, requires("closerthan"))
    return [line["name"] for line in found if line["extra"] in (None, "study")]


def commit(root):
    """The commit checked out at `root`, and whether the files differ from it."""

    def git(*words):
        command = ["git", "-C", os.fspath(root), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    try:
        changed = " with uncommitted changes" if git("status", "--porcelain") else ""
        return git("rev-parse", "--short=12", "HEAD") + changed
    except (OSError, subprocess.CalledProcessError):
        return None


def _processor():
    """The name of the processor, which the standard library does not know on Linux."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
