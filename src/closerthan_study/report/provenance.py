"""The provenance of results: versions, commit, machine and data, without paths."""

import hashlib
import os
import platform
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any

from closerthan_study.commits import commit, git
from closerthan_study.reading import read_json, read_made

# A requirement in the metadata of a package, as in "snakemake>=9.6; extra == 'study'".
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)[^;]*(?:;(?:.*extra == ['\"](?P<extra>[\w-]+))?.*)?")
# An absolute path, also within a sentence or after file://, but not a part of a URL.
_LOCAL_PATH = re.compile(r"(?:file://|(?<![^\s'\"`(\[{=,:]))/(?:[\w.+@~-]+/)*([\w.+@~-]+)/?")


def provenance(config, datasets, drawn, *, root="."):
    """Return all that somebody else must know to get the same results."""
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
        record = read_made(read_json, spec.folder("trials", experiment, dataset) / "drawn.json")
        drawn.setdefault(experiment.study, {}).setdefault(experiment.name, {})[dataset] = record
    return drawn


def read_claims_files(studies, root="."):
    """Return the digest of each study's claims, and the commit that changed them last."""
    found = {}
    for study in studies:
        path = Path(root, "config", "studies", study, "claims.yaml")
        if path.exists():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            changed = git(root, "log", "-1", "--format=%h, %cs", "--", str(path.resolve()))
            found[study] = {"sha256": digest, "changed by": changed}
    return found


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
    """Return the packages that closerthan and its extra `study` require."""
    found = map(_REQUIREMENT.fullmatch, requires("closerthan"))
    return [line["name"] for line in found if line["extra"] in (None, "study")]


def _processor():
    """Return the name of the processor. On Linux the standard library does not know it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
