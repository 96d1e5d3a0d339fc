"""Fits of seriation: a place on a line for each object."""

from time import process_time

import numpy as np
import pandas as pd

from closerthan_study.tasks import base
from closerthan_study.tasks.base import tabulate_map


class Fitting(base.Fitting):
    """Fits of places; see `closerthan_study.tasks.base.Fitting`."""

    def fit(self, run, parameters, trial):
        """Return the one row of the curve, and the places."""
        features = self.setup.data["features"][self.setup.objects_of(trial).row]
        began = process_time()
        if run.method.control:
            rng = np.random.default_rng(self.setup.seed(trial))
            places = rng.normal(size=(len(features), 1))
        else:
            places = run.method.learner(1, **parameters).fit_transform(features)
        curve = pd.DataFrame([{"epoch": 0.0, "seconds": process_time() - began}])
        return curve, tabulate_map(places)


def compile_kernels():
    """Compile nothing: this task has no compiled functions."""
