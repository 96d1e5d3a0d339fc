"""Fits of streams: the kernel that each method learns while triplets come one at a time.

An `OnlineKernel` goes on with every triplet, a `BatchKernel` is fitted again on all triplets so
far. Both are scored after given numbers of triplets, outside the clock and at once, for kernels are
too large to keep.
"""

import warnings
from itertools import pairwise, product
from time import process_time

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from relsim.kernels import BatchKernel, OnlineKernel
from relsim.scores import triplet_error
from relsim.study.comparisons import draw_points, read_comparisons
from relsim.study.fits.common import kernel_error, make_loss, one_at_a_time, write_tables
from relsim.study.seeds import seed_sequence

KEYS = ["variant", "loss", "sweep", "trial"]
_RANK = 1e-6  # of the largest eigenvalue; what is below counts as none
_ROUNDING = 1e-9  # of the largest; what is above counts as negative


def make_fits(spec, experiment, dataset, method, trials, inputs, outputs):
    """Fit one method for every variant, loss and swept value; see `relsim.study.fits.make_fits`.

    The curves have a row a checkpoint: triplets so far, epoch (gradient evaluations so far over the
    number of training triplets), errors on the test triplets and on the training triplets so far,
    trace, eigenpairs so far, and the parameters that were tuned.
    """
    method = experiment.methods[method]
    losses = ["none"] if method.control else method.losses or list(spec.losses(experiment.study))
    settings = list(product(method.variants, losses, method.sweeps or [None]))
    station = Fitting(spec, experiment, dataset, method, inputs)
    compile_kernels()  # outside the clock
    curves = []
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # divergence is a result here
        for variant, loss, sweep in tqdm(settings, desc=method.name, mininterval=5):
            parameters, tuned = station.settings(variant, loss, sweep)
            value = float(sweep[1]) if sweep else np.nan
            for trial in trials:
                curve = station.fit(parameters, variant, loss, trial)
                keys = dict(zip(KEYS, (variant, loss, value, trial), strict=True))
                curves.append(curve.assign(**keys, **tuned))
    curves = pd.concat(curves, ignore_index=True)
    seconds = curves[[*KEYS, "triplets", "epoch", "seconds"]]
    write_tables(outputs, curves.drop(columns="seconds"), pd.DataFrame(), seconds)


class Fitting:
    """Everything that the fits of one method on one data set share."""

    def __init__(self, spec, experiment, dataset, method, inputs):
        self.spec = spec
        self.experiment = experiment
        self.method = method
        self.words = (experiment.study, experiment.name, dataset, method.name)
        self.comparisons = inputs[1]
        self.n_objects = pd.read_parquet(inputs[2], columns=["object"]).object.nunique()

    def settings(self, variant, loss, sweep):
        """Return the parameters of the model, and those of them that were tuned.

        One parameter is tuned after another, each over all training triplets of the first trials:
        the value with the lowest mean error on the part of the triplets that the variant names.
        """
        chosen = self.method.variant(variant)
        settings = chosen.settings(loss) | dict([sweep] if sweep else [])
        for name, values in chosen.tune.items():
            errors = []
            for value in values:
                settings[name] = value
                errors.append(self._tuning_error(settings, variant, loss, chosen.tune_on))
            settings[name] = values[int(np.argmin(errors))]
            if settings[name] in (min(values), max(values)):
                print(f"{variant}, {loss}, {sweep}: {name} {settings[name]} is at an end")
        return settings, {name: settings[name] for name in chosen.tune}

    def _tuning_error(self, settings, variant, loss, part):
        errors = []
        for trial in self.experiment.tuned_on:
            train, others = read_comparisons(self.comparisons, trial, parts=("train", part))
            model = self._model(settings, variant, loss, trial)
            errors.append(kernel_error(model.fit(train).kernel_, others))
        return np.mean(errors)

    def fit(self, settings, variant, loss, trial):
        """Learn from the stream of one trial; return the curve."""
        train, test = read_comparisons(self.comparisons, trial)
        marks = self.experiment.marks(self.method.name)
        if self.method.control:
            return self._control(trial, train, test)
        rows = []
        model = self._model(settings, variant, loss, trial)
        for row in learn(model, train, marks):
            kernel = model.kernel_
            row["test_error"] = kernel_error(kernel, test)
            row["train_error"] = kernel_error(kernel, train[: row["triplets"]])
            row["trace"] = np.trace(kernel)
            if self.experiment.rank:
                row["rank"] = rank(kernel)
            rows.append(row)
        curve = pd.DataFrame(rows)
        if self.experiment.projection:
            model = self._model(settings, variant, loss, trial)
            curve = curve.join(compare_projections(model, train).loc[marks], on="triplets")
        return curve

    def _model(self, settings, variant, loss, trial):
        if self.method.model == "OnlineKernel":  # which has losses of its own, by these names
            words = (self.spec.seed, *self.words, variant, loss, trial)
            common = {"loss": loss, "random_state": seed_sequence(*words)}
            return OnlineKernel(n_objects=self.n_objects, **common, **settings)
        common = {"loss": make_loss(self.spec.losses(self.experiment.study)[loss])}
        common["max_iter"] = self.method.epochs
        return BatchKernel(n_objects=self.n_objects, **{**common, **settings})

    def _control(self, trial, train, test):
        """Return what no learning gives: random points, or the true ones."""
        if self.method.control == "truth":
            points = draw_points(self.spec, self.experiment, trial)
        else:
            rng = np.random.default_rng(seed_sequence(self.spec.seed, *self.words, trial))
            points = rng.normal(size=(self.n_objects, 2))
        row = {"triplets": len(train), "epoch": 0.0, "seconds": 0.0}
        row["test_error"] = triplet_error(points, test)
        return pd.DataFrame([row | {"train_error": triplet_error(points, train)}])


def learn(model, train, marks):
    """Let a model see a stream of triplets, and stop for a look at it now and then.

    Parameters
    ----------
    model : OnlineKernel or BatchKernel
        The one goes on where it was, the other is fitted again.
    train : ndarray of shape (n, 3)
        The triplets in the order in which they come.
    marks : list of int
        After how many triplets to stop.

    Yields
    ------
    dict
        triplets, epoch, seconds (of the processor, with one thread: what else runs hardly matters)
        and, of an online kernel, eigenpairs, all counted from the start.
    """
    evaluations, seconds = 0, 0.0
    for start, stop in pairwise([0, *marks]):
        row = {"triplets": stop}
        began = process_time()
        if isinstance(model, OnlineKernel):
            model.partial_fit(train[start:stop])
            seconds += process_time() - began
            evaluations = model.n_updates_
            row["eigenpairs"] = model.n_eigenpairs_
        else:
            model.fit(train[:stop])
            seconds += process_time() - began
            evaluations += model.history_.evaluations.iloc[-1]
        yield row | {"epoch": evaluations / len(train), "seconds": seconds}


def rank(kernel):
    """Number of eigenvalues above 1e-6 of the largest; NaN of a kernel that is not finite.

    Examples
    --------
    >>> rank(np.diag([2.0, 1.0, 1e-9]))
    2
    """
    if not np.isfinite(kernel).all():
        return np.nan
    values = np.linalg.eigvalsh(kernel)
    return int((values > _RANK * values[-1]).sum())


def compare_projections(model, train):
    """Set every projection of passive-aggressive steps beside that by all eigenvalues.

    Theorem 4.1 of Heim et al. (2015) says that a step leaves one negative eigenvalue at most, and
    that the positive semidefinite matrix nearest to its result is that without it.

    Parameters
    ----------
    model : OnlineKernel
        Not yet fitted, without revisits.
    train : ndarray of shape (n, 3)

    Returns
    -------
    DataFrame
        For each number of triplets from 1 the largest so far of `negative_eigenvalues`, counted
        before the projection, and `projection_distance`, between the kernel and the nearest matrix,
        over the norm of the latter.
    """
    kernel = model.initial_scale * np.eye(model.n_objects)
    rows = []
    for triplet in train:
        values, vectors = np.linalg.eigh(passive_aggressive(kernel, triplet, model))
        nearest = (vectors * np.maximum(values, 0.0)) @ vectors.T
        kernel = model.partial_fit(triplet[None]).kernel_.copy()
        distance = np.linalg.norm(kernel - nearest) / np.linalg.norm(nearest)
        rows.append(((values < -_ROUNDING * values[-1]).sum(), distance))
    columns = ["negative_eigenvalues", "projection_distance"]
    return pd.DataFrame(rows, columns=columns, index=range(1, len(train) + 1)).cummax()


def passive_aggressive(kernel, triplet, model):
    """Return a kernel after the step (4.17) for one triplet, before any projection."""
    a, b, c = triplet
    slope = np.zeros_like(kernel)  # of d^2(a, b) - d^2(a, c)
    slope[b, b], slope[c, c] = 1.0, -1.0
    slope[a, b] = slope[b, a] = -1.0
    slope[a, c] = slope[c, a] = 1.0
    direction = slope.copy()
    if model.gradient == "paper":  # (4.10)
        direction[a, [b, c]] *= 2.0
        direction[[b, c], a] *= 2.0
    short = max(0.0, model.margin + np.vdot(slope, kernel))
    return kernel - short / np.vdot(slope, direction) * direction


@one_at_a_time()
def compile_kernels():
    """Run every compiled function once, so that later jobs find it in numba's cache."""
    line = np.array([[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]])
    for loss in ("gnmds", "ste", "ckl"):
        BatchKernel(loss, max_iter=1).fit(line)
    for loss, step in (("gnmds", "passive-aggressive"), ("ste", "constant")):
        OnlineKernel(loss, step=step, revisits=1, random_state=0).fit(np.tile(line, (20, 1)))
    triplet_error(np.zeros((4, 1)), line)
