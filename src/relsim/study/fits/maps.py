"""Fits of maps: the points that each method makes of what objects are like.

The methods of MDS are given dissimilarities, all others the features themselves. A method that
fails has no points, and the reason is kept.
"""

import inspect
import warnings
from itertools import product
from time import perf_counter

import numpy as np
import pandas as pd
from sklearn.manifold import MDS
from sklearn.metrics import euclidean_distances
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from relsim.mds import SMACOF, PatternSearchMDS, geodesic_distances
from relsim.study.data import read_data
from relsim.study.fits.common import one_at_a_time, write_tables
from relsim.study.models import find_model
from relsim.study.objects import columns, features_of, true_map, with_noise
from relsim.study.seeds import seed_sequence

KEYS = ["variant", "noise", "sweep", "trial"]
# What scikit-learn and ARPACK raise where numbers let them down, or neighbors are too few.
_FAILURES = (ValueError, RuntimeError)


def make_fits(spec, experiment, dataset, method, trials, inputs, outputs):
    """Fit one method for every variant, noise level and swept value of a shard's trials.

    See `relsim.study.fits.make_fits`. The curves have a row an epoch, the start first: mean squared
    error of the distances, eq. (17) (missing but for MDS), and why the method failed, if it did.
    The embeddings have a row an object, x0, x1, ...
    """
    method = experiment.methods[method]
    data = read_data(inputs[0])
    objects = dict(list(pd.read_parquet(inputs[2]).groupby("trial")))
    if method.model in ("PatternSearchMDS", "SMACOF"):
        compile_kernels()  # outside the clock
    curves, embeddings = [], []
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of graphs that fall apart and matrices near singular
        for trial, noise in tqdm(list(product(trials, experiment.noises)), desc=method.name):
            of_trial = TrialObjects(spec, experiment, dataset, data, objects[trial], noise, trial)
            for variant, sweep in product(method.variants, method.sweeps or [None]):
                value = float(sweep[1]) if sweep else np.nan
                keys = dict(zip(KEYS, (variant, noise, value, trial), strict=True))
                points, curve = of_trial.fit(method, variant, sweep)
                curves.append(curve.assign(**keys))
                embeddings.append(_tabulate(points).assign(**keys))
    curves = pd.concat(curves, ignore_index=True)
    seconds = curves[[*KEYS, "epoch", "seconds"]]
    embeddings = pd.concat(embeddings, ignore_index=True)
    write_tables(outputs, curves.drop(columns="seconds"), embeddings, seconds)


def _tabulate(points):
    axes = [f"x{axis}" for axis in range(points.shape[1])]
    return pd.DataFrame(points, columns=axes, dtype=np.float32).assign(object=range(len(points)))


class TrialObjects:
    """The objects of a trial at a noise level, and their dissimilarities, computed once."""

    def __init__(self, spec, experiment, dataset, data, objects, noise, trial):
        self.experiment = experiment
        self.truth = true_map(dataset, objects)
        if self.truth is None:
            self.truth = columns(objects, "p")
        self.clean = features_of(data, objects)
        self.features = with_noise(spec, experiment, dataset, self.clean, noise, trial)
        words = (experiment.study, experiment.name, dataset, "start", noise, trial)
        self.seed = seed_sequence(spec.seed, *words)  # so that all methods of MDS start alike
        self._dissimilarities = {}

    def dissimilarities(self, n_neighbors):
        """Return the matrix, and the seconds that it took."""
        if n_neighbors not in self._dissimilarities:
            began = perf_counter()
            if self.experiment.dissimilarity == "geodesic":
                matrix = geodesic_distances(self.features, n_neighbors, bridge=True)
            else:
                matrix = euclidean_distances(self.features)
            self._dissimilarities[n_neighbors] = matrix, perf_counter() - began
        return self._dissimilarities[n_neighbors]

    def fit(self, method, variant, sweep):
        """Return the points that a method makes of the objects, and the curve."""
        if method.control:
            row = {"epoch": 0.0, "mse": np.nan, "seconds": 0.0, "reason": ""}
            return self._control(method.control), pd.DataFrame([row])
        parameters = method.variant(variant).settings("none") | dict([sweep] if sweep else [])
        n_neighbors = parameters.get("n_neighbors", self.experiment.n_neighbors)
        model, of_pairs = self._model(method, parameters, n_neighbors)
        given, spent = self.dissimilarities(n_neighbors) if of_pairs else (self.features, 0.0)
        began = perf_counter()
        points, reason = _points_of(model, given, self.experiment.n_components)
        curve = _curve(model, len(points), spent + perf_counter() - began)
        return points, curve.assign(reason=reason)

    def _model(self, method, parameters, n_neighbors):
        """Return a model, and whether it is given dissimilarities."""
        cls = find_model(method.model)
        of_pairs = cls in (PatternSearchMDS, SMACOF, MDS)
        number = int(self.seed.generate_state(1)[0])
        common = {"n_components": self.experiment.n_components, "random_state": number}
        common |= {"dissimilarity": "precomputed"} if cls is not MDS else {}
        common |= {"max_iter": method.epochs} if of_pairs else {}
        takes = inspect.signature(cls).parameters
        settings = {**common, **parameters, "n_neighbors": n_neighbors}
        np.random.seed(number)  # noqa: NPY002  (scikit-learn's Isomap takes no random_state)
        return cls(**{name: settings[name] for name in takes if name in settings}), of_pairs

    def _control(self, name):
        """Return what no method, or the truth, gives; the features as they are need no table."""
        match name:
            case "random":
                rng = np.random.default_rng(self.seed)
                return rng.uniform(size=(len(self.features), self.experiment.n_components))
            case "truth":
                return self.truth
            case "features":
                return np.empty((len(self.features), 0))


def _points_of(model, given, n_components):
    """Fit a model; return its points and no reason, or missing points and why there are none."""
    try:
        points, reason = model.fit_transform(given), "the coordinates are not finite"
    except _FAILURES as error:
        points, reason = np.full((len(given), n_components), np.nan), str(error)
    if np.isfinite(points).all():
        return points, ""
    return np.full_like(points, np.nan), reason


def _curve(model, n, seconds):
    """Return a row an epoch: what a model says of its way, and the seconds in which it got there.

    What comes before the first epoch, such as the dissimilarities, is part of its seconds.
    """
    history = getattr(model, "history_", None)
    if history is None:
        last = {"epoch": getattr(model, "n_iter_", 0), "stress": getattr(model, "stress_", np.nan)}
        history = pd.DataFrame([{**last, "seconds": 0.0}], dtype=float)
    else:
        history = history.assign(epoch=np.arange(len(history), dtype=float))
    before = seconds - history.seconds.iloc[-1]
    mse = 2 * history.stress / n**2
    return pd.DataFrame({"epoch": history.epoch, "mse": mse, "seconds": before + history.seconds})


@one_at_a_time()
def compile_kernels():
    """Run every compiled function once, so that later jobs find it in numba's cache."""
    points = np.random.default_rng(0).normal(size=(600, 3))
    settings = {"tol": 1.0, "min_radius": 1.0, "random_state": 0}
    PatternSearchMDS(2, **settings).fit(points[:10])
    PatternSearchMDS(2, n_jobs=2, **settings).fit(points)  # fewer are not worth two threads
    SMACOF(2, max_iter=2, random_state=0).fit(points[:10])
