"""Fits of seriation: a place on a line for each object."""

from time import process_time

import numpy as np
import pandas as pd

from closerthan_study.reading import read_data
from closerthan_study.seeds import seed_sequence
from closerthan_study.tasks import base


class Fitting(base.Fitting):
    """Fits of places; see `closerthan_study.tasks.base.Fitting`."""

    def __init__(self, *args):
        super().__init__(*args)
        self.features = read_data(self.data)["features"]
        self.objects = pd.read_parquet(self.trials / "objects.parquet")

    def fit(self, run, parameters, trial):
        """Return the one row of the curve, and the places."""
        features = self.features[self.objects.row[self.objects.trial == trial]]
        began = process_time()
        if run.method.control:
            words = (self.spec.seed, self.experiment.study, self.experiment.name, trial)
            places = np.random.default_rng(seed_sequence(*words)).normal(size=(len(features), 1))
        else:
            places = run.method.learner(1, **parameters).fit_transform(features)
        curve = pd.DataFrame([{"epoch": 0.0, "seconds": process_time() - began}])
        return curve, pd.DataFrame({"object": range(len(places)), "x0": places[:, 0]})


def compile_kernels():
    """Compile nothing: this task has no compiled functions."""
