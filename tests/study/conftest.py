"""A small study of one experiment, whose stations a test runs by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from relsim.study.comparisons import make_comparisons
from relsim.study.fits import SUFFIXES, make_fits
from relsim.study.scores import make_scores
from relsim.study.spec import Experiment, Method, Spec

LOSSES = {"ste": {"class": "STE"}, "t-ste": {"class": "TSTE"}}
METHODS = {
    "batch": {"solver": "Batch", "variants": {"default": {}}},
    "svrg-sbb": {"solver": "SVRG", "variants": {"default": {}}, "batch_sizes": [1, 5]},
    "convex": {"model": "BatchKernel", "variants": {"default": {}}},
    "random": {"control": "random"},
    "truth": {"control": "truth"},
}


class Study:
    """One experiment with generated data in a folder; `changes` are fields of `Experiment`."""

    def __init__(self, folder, arrays, methods=METHODS, losses=LOSSES, **changes):
        self.folder = folder
        self.dataset = changes.pop("dataset", "synthetic")
        trials, epochs = changes.pop("trials", 2), changes.pop("epochs", 8)
        sizes = {"trials": trials, "epochs": epochs}
        of_method = {**sizes, "checkpoints": changes.pop("checkpoints", 1)}
        methods = {
            name: Method(name, **{"label": name, **of_method, **fields})
            for name, fields in methods.items()
        }
        defaults = {
            "comparisons": {"source": "points", "n_train": 300, "n_test": 100},
            "n_components": 2,
            "trials_per_job": trials,
        }
        names = "papers", "toy", "Fig. 0", [self.dataset]
        self.experiment = Experiment(*names, methods=methods, **sizes, **defaults | changes)
        self.spec = Spec(
            {"seed": 7, "results": str(folder)},
            "tiny",
            {"papers": {"losses": losses}},
            {("papers", "toy"): self.experiment},
        )
        self.npz = folder / "data.npz"
        np.savez(self.npz, **arrays)
        self.inputs = self.npz, folder / "comparisons.parquet", folder / "objects.parquet"

    def make_comparisons(self):
        """Run the comparisons station; return its two tables."""
        make_comparisons(self.spec, self.experiment, self.dataset, *self.inputs)
        return tuple(pd.read_parquet(path) for path in self.inputs[1:])

    def make_fits(self, method, trials=None, folder=None):
        """Fit the given trials of a method, all by default; return where the tables are."""
        folder = folder or self.folder / f"fits/papers/toy/{self.dataset}/{method}.0"
        trials = range(self.experiment.trials) if trials is None else trials
        parts = {method: list(trials)}
        make_fits(self.spec, self.experiment, self.dataset, parts, self.inputs, folder)
        curves, embeddings, seconds = (folder / f"{method}.{suffix}" for suffix in SUFFIXES)
        return SimpleNamespace(curves=curves, embeddings=embeddings, seconds=seconds)

    def make_scores(self):
        """Score every method, all of which must have been fitted; return one table."""
        folder = self.folder / "scores"
        data, _, objects = self.inputs
        make_scores(self.spec, self.experiment, self.dataset, data, objects, folder)
        files = [folder / f"{method}.parquet" for method in self.experiment.methods]
        return pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)


@pytest.fixture
def study(tmp_path):
    """Make studies in a temporary folder; by default of 15 points in two dimensions."""

    def make(arrays=None, **changes):
        points = np.random.default_rng(0).normal(size=(15, 2))
        return Study(tmp_path, {"points": points} if arrays is None else arrays, **changes)

    return make


@pytest.fixture
def classes():
    """Features of five well separated classes of 20 objects, with their labels."""
    rng = np.random.default_rng(1)
    labels = rng.permutation(np.repeat(np.arange(5), 20))
    centers = 10 * rng.normal(size=(5, 6))
    return {"features": centers[labels] + 0.1 * rng.normal(size=(100, 6)), "labels": labels}
