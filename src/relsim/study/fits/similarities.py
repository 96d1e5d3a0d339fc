"""Fits of similarities: the bilinear form or the metric that each method learns from features.

OASIS and SDCA learn from triplets, ITML and LEGO from the pairs in these, RCA and LMNN from labels.
"""

import warnings
from itertools import product
from time import perf_counter

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from relsim.bilinear import OASIS, SDCA
from relsim.mahalanobis import ITML, LEGO, LMNN, RCA, distance_bounds, pairs_from_triplets
from relsim.study.comparisons import read_comparisons
from relsim.study.fits.common import one_at_a_time, write_tables
from relsim.study.models import find_model
from relsim.study.retrieval import BILINEAR, Collection, mean_average_precision
from relsim.study.seeds import seed_sequence

KEYS = ["variant", "sweep", "trial"]
_SPARSE = 0.25  # share of features that are not zero, below which only these are stored


def make_fits(spec, experiment, dataset, method, trials, inputs, outputs):
    """Fit one method for every variant and swept value; see `relsim.study.fits.make_fits`.

    The curves have a row for what a fit ends with, or more where the experiment says so: triplets
    (steps so far) and epoch (steps over the number of triplets); of OASIS and SDCA the mean losses
    and the share of mistakes so far; the duality gap; and the parameters that were tuned. The
    embeddings are the matrices, a row of the table a row: M of x'My, L of a metric.
    """
    method = experiment.methods[method]
    station = Fitting(spec, experiment, dataset, method, inputs)
    settings = list(product(method.variants, method.sweeps or [None]))
    compile_kernels()  # outside the clock
    curves, matrices = [], []
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the scale may cut a fit short
        for variant, sweep in tqdm(settings, desc=method.name, mininterval=5):
            value = float(sweep[1]) if sweep else np.nan
            for trial in trials:
                keys = dict(zip(KEYS, (variant, value, trial), strict=True))
                curve, matrix = station.fit(variant, sweep, trial)
                curves.append(curve.assign(**keys))
                if matrix is not None and experiment.ranks:
                    axes = [f"x{axis}" for axis in range(matrix.shape[1])]
                    matrices.append(pd.DataFrame(matrix, columns=axes).assign(**keys))
    curves = pd.concat(curves, ignore_index=True)
    seconds = curves[[*KEYS, "triplets", "epoch", "seconds"]].dropna(subset="seconds")
    matrices = pd.concat(matrices, ignore_index=True) if matrices else pd.DataFrame()
    write_tables(outputs, curves.drop(columns="seconds"), matrices, seconds)


class Fitting:
    """Everything that the fits of one method on one data set share."""

    def __init__(self, spec, experiment, dataset, method, inputs):
        self.spec = spec
        self.experiment = experiment
        self.method = method
        self.words = (experiment.study, experiment.name, dataset, method.name)
        data, self.comparisons, objects = inputs
        self.collection = Collection(spec, experiment, dataset, data, objects)

    def fit(self, variant, sweep, trial):
        """Learn from all items of one trial; return the curve and the matrix, None of a control."""
        if self.method.control:
            return pd.DataFrame([{"triplets": np.nan, "epoch": np.nan, "seconds": np.nan}]), None
        settings, tuned = self.settings(variant, sweep, trial)
        items = self.collection.of_trial(trial, "item", "validation")
        (triplets,) = read_comparisons(self.comparisons, trial, parts=("train",))
        model, seconds = self._learn(settings, items, triplets, trial)
        curve = curve_of(model, self.experiment, items.features, triplets)
        curve["seconds"] = np.where(curve.index == curve.index[-1], seconds, np.nan)
        return curve.assign(**tuned), matrix_of(model)

    def settings(self, variant, sweep, trial):
        """Return the parameters of the model, and those of them that were tuned.

        A tuned parameter is the value with the highest mean average precision when the part of the
        items that validates searches the others, and only these are learned from.
        """
        chosen = self.method.variant(variant)
        settings = {**chosen.parameters, **dict([sweep] if sweep else [])}
        if not chosen.tune:
            return settings, {}
        items, queries = (self.collection.of_trial(trial, part) for part in ("item", "validation"))
        (triplets,) = read_comparisons(self.comparisons, trial, parts=("tuning",))
        for name, values in chosen.tune.items():
            found = []
            for value in values:
                settings[name] = value
                model, _ = self._learn(settings, items, triplets, trial)
                words = self.method.model, matrix_of(model)
                found.append(mean_average_precision(*words, queries, items))
            settings[name] = values[int(np.argmax(found))]
        return settings, {name: settings[name] for name in chosen.tune}

    def _learn(self, settings, items, triplets, trial):
        """Fit the model; return it and its seconds."""
        if self.method.model in BILINEAR:
            settings = {"n_epochs": self.method.epochs, **settings}
        seed = seed_sequence(self.spec.seed, *self.words, trial)
        model = find_model(self.method.model)(**settings)
        began = perf_counter()
        learn(model, items.features, items.labels, triplets, seed)
        return model, perf_counter() - began


def learn(model, features, labels, triplets, seed):
    """Fit a model to what it learns from.

    Parameters
    ----------
    model : OASIS, SDCA, ITML, LEGO, RCA or LMNN
    features : ndarray of shape (n, d)
    labels : ndarray of shape (n,)
    triplets : ndarray of shape (m, 3)
    seed : SeedSequence
        For the order of the triplets, and for the rows that distances are estimated from.
    """
    if isinstance(model, (OASIS, SDCA)):
        sparse = np.count_nonzero(features) < _SPARSE * features.size
        model.set_params(random_state=np.random.default_rng(seed))
        model.fit(csr_array(features) if sparse else features, triplets)
    elif isinstance(model, (RCA, LMNN)):
        model.fit(features, labels)
    else:
        pairs, y = pairs_from_triplets(triplets)
        bounds = distance_bounds(features, random_state=np.random.default_rng(seed))
        if isinstance(model, ITML):
            model.set_params(bounds=bounds).fit(features, pairs, y)
        else:
            model.fit(features, pairs, np.where(y == 1, *bounds))


def matrix_of(model):
    """Return what a model has learned: M of a similarity x'My, L of a metric."""
    return model.similarity_ if isinstance(model, (OASIS, SDCA)) else model.components_


def curve_of(model, experiment, features, triplets):
    """Return what a model has gone through, or only what it has ended with."""
    if not isinstance(model, (OASIS, SDCA)):
        return pd.DataFrame([{"triplets": np.nan, "epoch": getattr(model, "n_iter_", np.nan)}])
    curve = model.progress_ if experiment.progress else model.history_
    curve = curve.rename(columns={"iterations": "triplets", "gap": "duality_gap"})
    curve["epoch"] = curve.triplets / len(triplets)
    if experiment.gap:
        curve["gap_bound"] = bound_on_gap(curve.triplets, features, triplets, model.reg)
    return curve if experiment.progress or experiment.gap else curve.tail(1)


def bound_on_gap(steps, features, triplets, reg):
    """What Theorem 1 of Wu et al. (2014) says that the expected duality gap is at most.

    With n triplets, s = n + 1 / (reg * gamma) and gamma = 1 / (2 max ||X_i||^2), that is
    s * exp(-steps / s), from (16) and (18).

    Parameters
    ----------
    steps : array_like
    features : ndarray of shape (n_objects, d)
    triplets : ndarray of shape (n, 3)
    reg : float

    Returns
    -------
    ndarray
    """
    i, j, k = triplets.T
    squared_norms = (features[i] ** 2).sum(1) * ((features[j] - features[k]) ** 2).sum(1)
    scale = len(triplets) + 2.0 * squared_norms.max() / reg
    return scale * np.exp(-np.asarray(steps) / scale)


@one_at_a_time()
def compile_kernels():
    """Run every compiled function once, so that later jobs find it in numba's cache."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 6)
    features = rng.normal(size=(12, 3)) + 3.0 * labels[:, None]
    triplets = np.array([[0, 1, 6], [6, 7, 0], [1, 2, 8], [8, 9, 2]])
    seed = np.random.SeedSequence(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for model in (OASIS(), ITML(max_iter=2), LEGO(), RCA(), LMNN(max_iter=2)):
            learn(model, features, labels, triplets, seed)
        mostly_zero = np.hstack([features, np.zeros((12, 10))])
        for kind in (features.astype(np.float32), mostly_zero):
            learn(SDCA(), kind, labels, triplets, seed)
