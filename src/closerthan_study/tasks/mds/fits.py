"""Fits of multidimensional scaling: points from dissimilarities, or features for others."""

from functools import lru_cache, partial
from time import perf_counter

import numpy as np
import pandas as pd
from sklearn.manifold import MDS
from sklearn.metrics import euclidean_distances

from closerthan.mds.metric_mds import MetricMDS
from closerthan.mds.pattern_search import PatternSearchMDS
from closerthan.mds.smacof import SMACOF
from closerthan_study.tasks import base
from closerthan_study.tasks.base import build, tabulate_map
from closerthan_study.tasks.mds.trials import TrialObjects

# scikit-learn and ARPACK raise these for numerical failures and for too few neighbors.
_FAILURES = (ValueError, RuntimeError)


class Fitting(base.Fitting):
    """Fits of maps: a curve with the error, eq. (17), of MDS or the reason of a failure."""

    def __init__(self, setup):
        super().__init__(setup)
        self._of_trial = lru_cache(maxsize=1)(partial(TrialObjects, setup))

    def fit(self, run, parameters, trial):
        """Fit one trial; return the learning curve and the points."""
        of_trial = self._of_trial(run.noise, trial)
        method = run.method
        if method.control:
            row = {"epoch": 0.0, "mse": np.nan, "seconds": 0.0, "reason": ""}
            return pd.DataFrame([row]), tabulate_map(self._control(method.control, of_trial))
        n_neighbors = parameters.get("n_neighbors", self.experiment.n_neighbors)
        model, of_pairs = self._model(method, parameters, n_neighbors, of_trial.seed)
        given, spent = of_trial.features, 0.0
        if of_pairs:
            given, spent = of_trial.dissimilarities(n_neighbors)
        n_objects = len(given)
        if n := parameters.get("n_objects"):
            given = given[:n, :n] if of_pairs else given[:n]
        began = perf_counter()
        points, reason = _points_of(model, given, self.experiment.n_components)
        curve = _curve(model, len(points), spent + perf_counter() - began)
        points = np.pad(points, ((0, n_objects - len(points)), (0, 0)), constant_values=np.nan)
        return curve.assign(reason=reason), tabulate_map(points)

    def _model(self, method, parameters, n_neighbors, seed):
        """Return a model, and whether it takes dissimilarities."""
        cls = method.learner
        of_pairs = issubclass(cls, (MDS, MetricMDS))
        number = int(seed.generate_state(1)[0])
        common = {"n_components": self.experiment.n_components, "random_state": number}
        if of_pairs:
            common |= {"metric": "precomputed", "max_iter": method.epochs}
        settings = {**common, **parameters, "n_neighbors": n_neighbors}
        np.random.seed(number)  # noqa: NPY002  (scikit-learn's Isomap takes no random_state)
        return build(cls, settings), of_pairs

    def _control(self, name, of_trial):
        """Return the points of a control; the features themselves need no table."""
        match name:
            case "random":
                rng = np.random.default_rng(of_trial.seed)
                return rng.uniform(size=(len(of_trial.features), self.experiment.n_components))
            case "truth":
                return of_trial.truth
            case "features":
                return np.empty((len(of_trial.features), 0))


def _points_of(model, given, n_components):
    """Fit a model; return its points and "", or NaN and the reason of the failure."""
    try:
        points, reason = model.fit_transform(given), "the coordinates are not finite"
    except _FAILURES as error:
        points, reason = np.full((len(given), n_components), np.nan), str(error)
    if np.isfinite(points).all():
        return points, ""
    return np.full_like(points, np.nan), reason


def _curve(model, n, seconds):
    """Return the epoch, error and seconds of a model, one row per epoch."""
    history = getattr(model, "history_", None)
    if history is None:
        last = {"epoch": getattr(model, "n_iter_", 0), "stress": getattr(model, "stress_", np.nan)}
        history = pd.DataFrame([{**last, "seconds": 0.0}], dtype=float)
    else:
        history = history.assign(epoch=np.arange(len(history), dtype=float))
    before = seconds - history.seconds.iloc[-1]
    mse = 2 * history.stress / n**2
    return pd.DataFrame({"epoch": history.epoch, "mse": mse, "seconds": before + history.seconds})


def compile_kernels():
    """Run every compiled function once, so that later jobs find it in the numba cache."""
    points = np.random.default_rng(0).normal(size=(300, 3))  # fewer would not use Lanczos
    given = euclidean_distances(points)
    given = (given + given.T) / 2
    PatternSearchMDS(2, metric="precomputed", tol=1.0, min_radius=1.0).fit(given)
    SMACOF(2, metric="precomputed", max_iter=2).fit(given)
