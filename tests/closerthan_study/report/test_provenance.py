"""Provenance is JSON, names the commit, and keeps no path of the machine."""

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd

from closerthan_study.origin import commit, origin
from closerthan_study.report.provenance import (
    provenance,
    read_claims_files,
    read_origins,
)


def test_provenance_is_json_and_keeps_no_absolute_path(tmp_path):
    config = {"results": tmp_path / "results", "data": {"cache": ["/var/x/cache"], "n": 3}}
    record = provenance(config, {"music": {"sha256": "ab"}}, {}, [], root=tmp_path)
    text = json.dumps(record, ensure_ascii=False)
    assert str(tmp_path) not in text and "/var" not in text
    assert record["config"] == {"results": "…/results", "data": {"cache": ["…/cache"], "n": 3}}
    assert record["datasets"]["music"]["sha256"] == "ab"
    assert record["commit"] is None


def test_what_made_the_fits_is_read_from_them_each_combination_once(tmp_path):
    here = origin(tmp_path)
    assert here["numpy"] == np.__version__ and here["cores"] >= 1 and here["commit"] is None
    rows = [here, {**here, "commit": "ab12", "cores": 8}, here, {"seconds": 1.0}]
    paths = [tmp_path / f"{number}.parquet" for number in range(len(rows))]
    for path, row in zip(paths, rows, strict=True):
        pd.DataFrame([row]).to_parquet(path)
    spec = SimpleNamespace(clone=tmp_path, fits=lambda e, d, method, suffix: [paths[method]])
    experiment = SimpleNamespace(methods=range(len(rows)))
    found = read_origins(spec, [(experiment, "music")])
    assert found == [{**here, "commit": "ab12", "cores": 8}, here, dict.fromkeys(here)]
    json.dumps(found, allow_nan=False)


def test_a_folder_inside_another_repository_has_no_commit(tmp_path, git):
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "another's")
    (tmp_path / "unpacked").mkdir()
    assert commit(tmp_path / "unpacked") is None and commit(tmp_path)


def test_provenance_names_the_commit_and_uncommitted_changes(tmp_path, git):
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    commit = git("rev-parse", "--short=12", "HEAD")
    assert provenance({}, {}, {}, [], root=tmp_path)["commit"] == commit
    Path(tmp_path, "new.py").touch()
    changed = f"{commit} with uncommitted changes"
    assert provenance({}, {}, {}, [], root=tmp_path)["commit"] == changed


def test_the_claims_of_a_study_have_a_digest_and_the_commit_that_changed_them_last(tmp_path, git):
    git("init", "-q")
    path = tmp_path / "config" / "studies" / "ma" / "claims.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("a: 1")
    git("add", ".")
    git("commit", "-q", "-m", "claims")
    changed = git("rev-parse", "--short", "HEAD")
    git("commit", "-q", "--allow-empty", "-m", "something else")
    folder_of = (tmp_path / "config" / "studies").joinpath
    spec = SimpleNamespace(clone=tmp_path, folder_of=folder_of)
    (record,) = read_claims_files(["ma", "wu"], spec).values()
    assert record["changed by"].split(", ")[0] == changed
    assert record["sha256"] == hashlib.sha256(b"a: 1").hexdigest()
