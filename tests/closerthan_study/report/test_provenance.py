"""Provenance is JSON, names the commit, and keeps no path of the machine."""

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from closerthan_study.report.provenance import provenance, read_claims_files, read_drawn


def test_provenance_is_json_and_keeps_no_absolute_path(tmp_path):
    config = {"results": tmp_path / "results", "data": {"cache": ["/var/x/cache"], "n": 3}}
    record = provenance(config, {"music": {"sha256": "ab"}}, {}, root=tmp_path)
    text = json.dumps(record, ensure_ascii=False)
    assert str(tmp_path) not in text and "/var" not in text
    assert record["config"] == {"results": "…/results", "data": {"cache": ["…/cache"], "n": 3}}
    assert record["datasets"]["music"]["sha256"] == "ab"
    assert record["versions"]["numpy"] == np.__version__
    assert record["machine"]["cores"] >= 1
    assert record["commit"] is None


def test_the_versions_are_those_of_all_that_the_study_requires(monkeypatch):
    versions = provenance({}, {}, {})["versions"]
    assert {"Python", "numpy", "scikit-learn", "seaborn", "pydantic", "pyyaml"} <= versions.keys()
    assert not {"pytest", "ruff", "snakemake-executor-plugin-slurm"} & versions.keys()
    required = ["numpy", "pandas>=2 ; python_version > '3'", "pytest; extra == 'dev'"]
    required += ["scipy<9; python_version > '3' and extra == 'study'", 'ruff; extra == "dev"']
    monkeypatch.setattr("closerthan_study.report.provenance.requires", lambda _: required)
    assert list(provenance({}, {}, {})["versions"]) == ["Python", "numpy", "pandas", "scipy"]


def test_provenance_names_the_commit_and_uncommitted_changes(tmp_path, git):
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    commit = git("rev-parse", "--short=12", "HEAD")
    assert provenance({}, {}, {}, root=tmp_path)["commit"] == commit
    Path(tmp_path, "new.py").touch()
    assert provenance({}, {}, {}, root=tmp_path)["commit"] == f"{commit} with uncommitted changes"


def test_the_claims_of_a_study_have_a_digest_and_the_commit_that_changed_them_last(tmp_path, git):
    git("init", "-q")
    path = tmp_path / "config" / "studies" / "ma" / "claims.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("a: 1")
    git("add", ".")
    git("commit", "-q", "-m", "claims")
    changed = git("rev-parse", "--short", "HEAD")
    git("commit", "-q", "--allow-empty", "-m", "something else")
    (record,) = read_claims_files(["ma", "survey"], tmp_path).values()
    assert record["changed by"].split(", ")[0] == changed
    assert record["sha256"] == hashlib.sha256(b"a: 1").hexdigest()


def test_what_was_drawn_is_kept_by_study_experiment_and_data_set(tmp_path):
    words = ["erkle large synthetic", "erkle music music", "sdca large synthetic"]
    places = [(SimpleNamespace(study=s, name=n), d) for s, n, d in map(str.split, words)]
    spec = SimpleNamespace(folder=lambda station, e, d: tmp_path / station / e.study / e.name / d)
    for number, place in enumerate(places):
        path = spec.folder("trials", *place) / "drawn.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"trials": number}))
    assert provenance({}, {}, read_drawn(spec, places), root=tmp_path)["drawn"] == {
        "erkle": {"large": {"synthetic": {"trials": 0}}, "music": {"music": {"trials": 1}}},
        "sdca": {"large": {"synthetic": {"trials": 2}}},
    }
