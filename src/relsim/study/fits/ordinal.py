"""Fits of points: the embedding that each method learns, and its learning curve."""

import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.manifold import ClassicalMDS
from threadpoolctl import threadpool_limits
from tqdm import tqdm

import relsim.optimize
from relsim import BatchKernel, OrdinalEmbedding
from relsim._simd import pad
from relsim.comparisons import to_quadruplets
from relsim.kernels import embed_kernel
from relsim.optimize import Objective
from relsim.scores import triplet_error
from relsim.study.comparisons import read_comparisons
from relsim.study.data import read_data
from relsim.study.fits.common import kernel_error, make_loss, one_at_a_time, write_tables
from relsim.study.seeds import seed_sequence

KEYS = ["variant", "loss", "batch_size", "noise", "trial"]


def make_fits(spec, experiment, dataset, method, trials, inputs, outputs):
    """Fit one method for every variant, loss, mini-batch size, noise level and trial of a shard.

    Parameters
    ----------
    spec : Spec
    experiment : Experiment
    dataset, method : str
    trials : list of int
    inputs : tuple of path-like
        The data set's .npz, the comparisons and the objects.
    outputs : tuple of path-like
        Parquet files: the learning curves (a row an epoch: evaluations, mean loss, step size,
        norm of the points, error on the test comparisons), the embeddings (a row an object) and
        the seconds of the curves, apart because they never repeat.
    """
    method = experiment.methods[method]
    losses = ["none"] if method.control else list(spec.losses(experiment.study))
    settings = [
        (variant, loss, batch_size, noise)
        for variant in method.variants
        for loss in losses
        for batch_size in method.variant(variant).batch_sizes
        for noise in experiment.noises
    ]
    station = Fitting(spec, experiment, dataset, method, inputs)
    compile_kernels()  # outside the clock
    curves, embeddings = [], []
    with threadpool_limits(1):
        for variant, loss, batch_size, noise in tqdm(settings, desc=method.name, mininterval=5):
            solver = station.settings(variant, loss, batch_size, noise)
            for trial in trials:
                keys = dict(zip(KEYS, (variant, loss, batch_size, noise, trial), strict=True))
                kept, curve = station.fit(solver, **keys)
                curves.append(curve.assign(**keys))
                embeddings += [_tabulate(points, epoch, keys) for epoch, points in kept.items()]
    curves = pd.concat(curves, ignore_index=True)
    seconds = curves[[*KEYS, "epoch", "seconds"]]
    embeddings = pd.concat(embeddings, ignore_index=True)
    write_tables(outputs, curves.drop(columns="seconds"), embeddings, seconds)


def _tabulate(points, epoch, keys):
    axes = [f"x{d}" for d in range(points.shape[1])]
    table = pd.DataFrame(points, columns=axes)
    return table.assign(epoch=epoch, object=range(len(points)), **keys)


class Fitting:
    """Everything that the fits of one method on one data set share."""

    def __init__(self, spec, experiment, dataset, method, inputs):
        self.spec = spec
        self.experiment = experiment
        self.method = method
        self.words = (experiment.study, experiment.name, dataset)
        self.data = read_data(inputs[0])
        self.comparisons = inputs[1]
        self.objects = pd.read_parquet(inputs[2], filters=[("part", "==", "item")])
        n_objects = self.objects.object.nunique()
        if experiment.n_components > n_objects:
            raise ValueError(
                f"config/studies/{experiment.study}.yaml: experiments.{experiment.name}."
                f"n_components: {experiment.n_components} is more than the {n_objects} objects "
                f"of {dataset}"
            )

    def settings(self, variant, loss, batch_size, noise):
        """Return the parameters of the solver, after tuning where the variant asks for it.

        A tuned parameter is the value whose learning curves have the lowest mean over the budget,
        on trials that serve nothing else.
        """
        chosen = self.method.variant(variant)
        settings = chosen.settings(loss)
        if batch_size:
            settings["batch_size"] = batch_size
        for name, values in chosen.tune.items():
            errors = []
            for value in values:
                settings[name] = value
                curves = [
                    self.fit(settings, variant, loss, batch_size, noise, -1 - trial)[1]
                    for trial in range(self.experiment.tuning_trials)
                ]
                errors.append(np.mean([mean_error(curve, self.method.epochs) for curve in curves]))
            settings[name] = values[int(np.argmin(errors))]
        return settings

    def fit(self, settings, variant, loss, batch_size, noise, trial):
        """Fit one trial; return the points by epoch and the learning curve."""
        experiment, method = self.experiment, self.method
        train, test = read_comparisons(self.comparisons, trial, noise)
        objects = self.objects[self.objects.trial == trial]
        words = (self.spec.seed, *self.words)
        start = random_start(words, len(objects), experiment.n_components, trial)
        if method.control:
            points = _control(method.control, self.data, objects, start)
            curve = _start_row(points).rename(columns={"loss": "mean_loss"})
            return {method.epochs: points}, curve.assign(
                test_error=triplet_error(points, test), epoch=0.0
            )
        loss_settings = self.spec.losses(experiment.study)[loss]
        loss_object = make_loss(loss_settings, experiment.n_components)
        names = (method.name, variant, loss, batch_size, noise, trial)
        random_state = seed_sequence(*words, *names)
        budgets = experiment.budgets(method.name)
        args = settings, loss_object, start, train, test, budgets, random_state
        return fit(method, *args, gradients=experiment.gradients)


def mean_error(curve, epochs):
    """Mean test error over a budget of epochs; a solver that stops keeps its last error."""
    at = np.append(curve.epoch, max(epochs, curve.epoch.iloc[-1]))
    errors = np.append(curve.test_error, curve.test_error.iloc[-1])
    return np.trapezoid(errors, at) / at[-1]


def fit(method, settings, loss, start, train, test, budgets, random_state, *, gradients=False):
    """Fit one model from given points and record its test error.

    Parameters
    ----------
    method : Method
    settings : dict
        Parameters of its solver, or of its model.
    loss : Loss
    start : ndarray of shape (n_objects, n_components)
    train, test : ndarray of shape (n, 3)
    budgets : list of int
        Epochs at which the points are kept; the last is the whole budget.
    random_state : SeedSequence
    gradients : bool, default False
        Whether the curve holds the squared norm of the gradient of the mean loss.

    Returns
    -------
    kept : dict of int to ndarray of shape (n_objects, n_components)
        The points by epoch.
    curve : DataFrame
        A row an epoch, the starting points first.
    """
    n_objects, n_components = start.shape
    common = {"loss": loss, "n_objects": n_objects, "max_iter": method.epochs, "tol": 0.0}
    kernel = method.model == "BatchKernel"
    error_of = kernel_error if kernel else triplet_error
    start = start @ start.T if kernel else start
    objective = Objective(loss, to_quadruplets(train), n_objects, n_components)
    errors, kept, slopes = [error_of(start, test)], {}, [np.nan]

    def record(points, row):
        errors.append(error_of(points, test))
        slopes.append(squared_gradient(objective, points) if gradients else np.nan)
        for budget in budgets:
            if budget not in kept and row["evaluations"] >= budget * len(train):
                kept[budget] = _points_of(points, n_components) if kernel else points

    if kernel:
        model = BatchKernel(init=start, callback=record, **common, **settings)
    else:
        solver = getattr(relsim.optimize, method.solver)(**settings)
        model = OrdinalEmbedding(
            n_components,
            solver=solver,
            init=start,
            callback=record,
            random_state=random_state,
            **common,
        )
    with warnings.catch_warnings():
        # Divergence is a result here, and an object may be missing from the training part.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message=".*occur in no comparison")
        model.fit(train)
    last = _points_of(model.kernel_, n_components) if kernel else model.embedding_
    kept = {budget: kept.get(budget, last) for budget in budgets}
    curve = pd.concat([_start_row(start), model.history_], ignore_index=True)
    curve = curve.rename(columns={"loss": "mean_loss"}).assign(test_error=errors)
    if gradients:
        curve["squared_gradient"] = slopes
    return kept, curve.assign(epoch=curve.evaluations / len(train))


def squared_gradient(objective, points):
    """Squared norm of the gradient of the mean loss; NaN where points have none."""
    padded = pad(points)
    return float(np.sum(objective.gradient(padded, np.empty_like(padded)) ** 2))


def random_start(words, n_objects, n_components, trial):
    """Points that all methods of a trial start from: uniform on [0, 1], as in the released code."""
    rng = np.random.default_rng(seed_sequence(*words, "start", trial))
    return rng.uniform(size=(n_objects, n_components))


def _points_of(kernel, n_components):
    """Points of a kernel; NaN where it has overflowed."""
    if not np.isfinite(kernel).all():
        return np.full((len(kernel), n_components), np.nan)
    return embed_kernel(kernel, n_components)


def _start_row(start):
    norm = np.linalg.norm(start)
    row = {"evaluations": 0, "seconds": 0.0, "loss": np.nan, "step_size": np.nan, "norm": norm}
    return pd.DataFrame([row])


def _control(name, data, objects, start):
    """Return the points of a control method: what no learning, or no comparison, gives."""
    match name:
        case "random":
            return start
        case "truth":
            return data["points"]
        case "mds":
            mds = ClassicalMDS(n_components=start.shape[1], metric="precomputed")
            return mds.fit_transform(data["distances"])
        case "features":
            return data["features"][objects.row]


@one_at_a_time()
def compile_kernels():
    """Run every compiled function once, so that later jobs find it in numba's cache."""
    line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    for solver in ("batch", "l-bfgs", "sgd", "svrg"):
        OrdinalEmbedding(1, solver=solver, max_iter=3, random_state=0).fit(line)
    BatchKernel(max_iter=1).fit(line)
    triplet_error(np.zeros((4, 1)), np.array(line))
