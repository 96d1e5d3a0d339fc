"""Fits of similarity learning: bilinear similarities and metrics."""

from time import perf_counter

import numpy as np
import pandas as pd

from closerthan.similarity.bilinear import BilinearModel
from closerthan_study.baselines.descent import objectives_of_descent
from closerthan_study.reading import tabulate
from closerthan_study.tasks import base
from closerthan_study.tasks.features import compile_models, learn
from closerthan_study.tasks.similarity.ranking import average_precision_by, is_bilinear
from closerthan_study.tasks.similarity.trials import Collection


class Fitting(base.Fitting):
    """Fits of similarities: a matrix, M of x'My or L of a metric, and the curve of its learning."""

    def __init__(self, setup):
        super().__init__(setup)
        self.collection = Collection(setup)

    def error(self, run, parameters, trial):
        """Return the negated MAP of the validation part, which searches the other items."""
        items, queries = (self.collection.of_trial(trial, part) for part in ("item", "validation"))
        (triplets,) = self.comparisons(trial, parts=("tuning",))
        model, _ = self._learn(run.method, parameters, items, triplets, trial)
        return -average_precision_by(is_bilinear(run.method), matrix_of(model), queries, items)

    def fit(self, run, parameters, trial):
        """Learn from all items of a trial; return the curve, and the matrix if rankings count."""
        if run.method.control:
            return pd.DataFrame([{"triplets": np.nan, "epoch": np.nan, "seconds": np.nan}]), None
        items = self.collection.of_trial(trial, "item", "validation")
        (triplets,) = self.comparisons(trial, parts=("train",))
        model, seconds = self._learn(run.method, parameters, items, triplets, trial)
        curve = curve_of(model, self.experiment, items.features, triplets)
        if self.experiment.gap:
            rng = np.random.default_rng(self.setup.seed("descent", trial))
            made = objectives_of_descent(items.features, triplets, model.reg, len(curve), rng)
            curve["descent_gap"] = made - curve.dual.max()
        curve["seconds"] = np.where(curve.index == curve.index[-1], seconds, np.nan)
        return curve, tabulate(matrix_of(model)) if self.experiment.ranks else None

    def _learn(self, method, parameters, items, triplets, trial):
        """Fit a model; return the model and the seconds."""
        if is_bilinear(method):
            parameters = {"n_epochs": method.epochs, **parameters}
        seed = self.setup.seed(method.name, trial)
        model = method.learner(**parameters)
        began = perf_counter()
        learn(model, items.features, items.labels, triplets, seed)
        return model, perf_counter() - began


def matrix_of(model):
    """Return the learned matrix: M of a similarity x'My, or L of a metric."""
    return model.similarity_ if isinstance(model, BilinearModel) else model.components_


def curve_of(model, experiment, features, triplets):
    """Return the learning curve of a model, or only its last row."""
    if not isinstance(model, BilinearModel):
        return pd.DataFrame([{"triplets": np.nan, "epoch": getattr(model, "n_iter_", np.nan)}])
    curve = model.progress_ if experiment.progress else model.history_
    curve = curve.rename(columns={"iterations": "triplets", "gap": "duality_gap"})
    curve["epoch"] = curve.triplets / len(triplets)
    if experiment.gap:
        curve["gap_bound"] = bound_on_gap(curve.triplets, features, triplets, model.reg)
    return curve if experiment.progress or experiment.gap else curve.tail(1)


def bound_on_gap(steps, features, triplets, reg):
    """Return the bound on the expected duality gap in Theorem 1 of Wu et al. (2014).

    The bound is s * exp(-steps / s), from (16) and (18). Here s = n + 1 / (reg * gamma),
    gamma = 1 / (2 max ||X_i||^2), and n is the number of triplets.
    """
    i, j, k = triplets.T
    squared_norms = (features[i] ** 2).sum(1) * ((features[j] - features[k]) ** 2).sum(1)
    scale = len(triplets) + 2.0 * squared_norms.max() / reg
    return scale * np.exp(-np.asarray(steps) / scale)


def compile_kernels():
    """Run every compiled function once, so that later jobs find it in the numba cache."""
    compile_models()
    objectives_of_descent(np.eye(3), np.array([[0, 1, 2]]), 1.0, 1, np.random.default_rng(0))
