"""Run a user's own project, as `closerthan init` writes it, on the cluster."""

import json
import os
import sys
from pathlib import Path

import yaml

from closerthan_lab.commands.init import init


def test_two_sets_are_checked_embedded_and_compared(cluster, snakemake, tmp_path, monkeypatch):
    path = Path(sys.executable).parent, cluster.environment["PATH"]  # closerthan is here
    monkeypatch.setitem(cluster.environment, "PATH", os.pathsep.join(map(str, path)))
    folder = init(tmp_path / "mine")
    path = folder / "config" / "config.yaml"
    config = yaml.safe_load(path.read_text())
    config["answers"]["line"] = {"file": config["answers"]["example"], "dimension": 1}
    path.write_text(yaml.safe_dump({**config, "refits": 20, "most_dimensions": 3}))
    process = snakemake(folder=folder)
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    results = folder / "results"
    assert (results / "example" / "map" / "index.html").exists()
    found = json.loads((results / "overview" / "overview.json").read_text())
    assert [one["set"] for one in found["sets"]] == ["example", "line"]
    assert found["compared"][0]["correlation"] > 0.5
