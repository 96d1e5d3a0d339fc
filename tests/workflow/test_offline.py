"""Run the default plan without internet, mirror and cache."""

import json
import subprocess
import sys

from workflow.conftest import ROOT, offline


def test_the_default_plan_ends_without_any_data_that_must_be_fetched(tmp_path):
    """What `make smoke` left is used again, apart from fetched data and what depends on them."""
    results = ROOT / ".smoke" / "results"
    for path in results.glob("data/*.json"):
        if path.stem != "missing" and json.loads(path.read_text())["files"]:
            path.with_suffix(".npz").unlink(missing_ok=True)
    reports = results / "reports"
    (reports / "index.html").unlink(missing_ok=True)
    settings = ["scale=smoke", f"data={{cache: {tmp_path}/cache}}"]
    command = [sys.executable, "-m", "snakemake", "--directory", ".smoke", "--cores", "2"]
    command += ["--config", *settings]
    run = subprocess.run(command, cwd=ROOT, env=offline(), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert (reports / "index.html").exists()
    missing = json.loads((results / "data" / "missing.json").read_text())
    assert "music" in missing and f"Missing: {', '.join(missing)}." in run.stderr
