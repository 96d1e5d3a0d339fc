"""Make small studies of one experiment, and data for them."""

import subprocess

import numpy as np
import pytest
import yaml

from closerthan_study.configuration import load_spec
from closerthan_study.spec import ROOT
from toy_study import ToyStudy

LOSSES = {"ste": {"class": "STE"}, "t-ste": {"class": "TSTE"}}
METHODS = {
    "batch": {"solver": "Batch", "variants": {"default": {}}},
    "svrg-sbb": {"solver": "SVRG", "variants": {"default": {}}, "batch_sizes": [1, 5]},
    "convex": {"model": "BatchKernel", "variants": {"default": {}}},
    "random": {"control": "random"},
    "truth": {"control": "truth"},
}


@pytest.fixture
def study(tmp_path):
    """Make studies in a temporary folder; the default embeds 15 points of a plane from answers."""

    def make(arrays=None, **changes):
        points = np.random.default_rng(0).normal(size=(15, 2))
        if changes.get("task", "ordinal") == "ordinal":
            comparisons = {"source": "points", "n_train": 300, "n_test": 100}
            changes = {
                **{"task": "ordinal", "comparisons": comparisons, "n_components": 2},
                **{"methods": METHODS, "losses": LOSSES},
                **changes,
            }
        return ToyStudy(tmp_path, {"points": points} if arrays is None else arrays, **changes)

    return make


@pytest.fixture
def classes():
    """Return features of five well separated classes of 20 objects, with their labels."""
    rng = np.random.default_rng(1)
    labels = rng.permutation(np.repeat(np.arange(5), 20))
    centers = 10 * rng.normal(size=(5, 6))
    return {"features": centers[labels] + 0.1 * rng.normal(size=(100, 6)), "labels": labels}


@pytest.fixture(scope="session")
def shipped():
    """Return every study by scale, in the run or not."""
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    studies = sorted(path.name for path in (ROOT / "config" / "studies").iterdir())
    config |= {"studies": studies}
    scales = ("smoke", "default", "paper")
    return {scale: load_spec({**config, "scale": scale}) for scale in scales}


@pytest.fixture
def git(tmp_path):
    """Run git in `tmp_path` as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]

    def run(*words):
        command = ["git", "-C", str(tmp_path), *who, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    return run
