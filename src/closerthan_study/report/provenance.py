"""The provenance of results: commit, data, and what made the fits, without paths."""

import hashlib
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import pandas as pd

from closerthan_study.origin import commit, git, origin
from closerthan_study.reading import read_json, read_made, read_table

# An absolute path, also within a sentence or after file://, but not a part of a URL.
_LOCAL_PATH = re.compile(r"(?:file://|(?<![^\s'\"`(\[{=,:]))/(?:[\w.+@~-]+/)*([\w.+@~-]+)/?")


def provenance(config, datasets, drawn, fits, *, root="."):
    """Return all that somebody else must know to get the same results."""
    record = {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "closerthan": version("closerthan"),
        "commit": commit(root),
        "fits": fits,
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


def read_origins(spec, places):
    """Read what made the fits: commits, machines and versions, each combination once."""
    columns = list(origin(spec.clone))
    tables = [
        read_table(path).reindex(columns=columns)
        for experiment, dataset in places
        for method in experiment.methods
        for path in spec.fits(experiment, dataset, method, "seconds.parquet")
    ]
    found = pd.concat(tables, ignore_index=True).drop_duplicates().sort_values("commit")
    return found.astype(object).where(found.notna(), None).to_dict("records")


def read_claims_files(studies, spec):
    """Return the digest of each study's claims, and the commit that changed them last."""
    found = {}
    for study in studies:
        path = spec.folder_of(study) / "claims.yaml"
        if path.exists():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            changed = git(spec.clone, "log", "-1", "--format=%h, %cs", "--", str(path.resolve()))
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
