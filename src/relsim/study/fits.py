"""The fits station: the embedding that each method learns, and its learning curve."""

import warnings
from itertools import product

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.manifold import ClassicalMDS
from threadpoolctl import threadpool_limits
from tqdm import tqdm

import relsim.losses
import relsim.optimize
from relsim import BatchKernel, OrdinalEmbedding
from relsim.scores import triplet_error
from relsim.study.comparisons import read_comparisons
from relsim.study.data import read_data
from relsim.study.files import replacing
from relsim.study.spec import seed_sequence

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
    settings = list(product(method.variants, losses, method.batch_sizes, experiment.noises))
    station = Fitting(spec, experiment, dataset, method, inputs)
    compile_kernels()  # outside the clock
    curves, embeddings = [], []
    with threadpool_limits(1):
        for variant, loss, batch_size, noise in tqdm(settings, desc=method.name, mininterval=5):
            solver = station.settings(variant, loss, batch_size, noise)
            for trial in trials:
                keys = dict(zip(KEYS, (variant, loss, batch_size, noise, trial), strict=True))
                points, curve = station.fit(solver, **keys)
                curves.append(curve.assign(**keys))
                axes = [f"x{d}" for d in range(points.shape[1])]
                embedding = pd.DataFrame(points, columns=axes)
                embeddings.append(embedding.assign(object=range(len(points)), **keys))
    curves = pd.concat(curves, ignore_index=True)
    seconds = curves[[*KEYS, "epoch", "seconds"]]
    tables = curves.drop(columns="seconds"), pd.concat(embeddings, ignore_index=True), seconds
    for path, table in zip(outputs, tables, strict=True):
        with replacing(path) as temporary:
            table.to_parquet(temporary, index=False)


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
        """Fit one trial; return the points and the learning curve."""
        experiment, method = self.experiment, self.method
        train, test = read_comparisons(self.comparisons, trial, noise)
        objects = self.objects[self.objects.trial == trial]
        words = (self.spec.seed, *self.words)
        start = random_start(words, len(objects), experiment.n_components, trial)
        if method.control:
            points = _control(method.control, self.data, objects, start)
            return points, _start_row(points, triplet_error(points, test))
        loss_settings = self.spec.losses(experiment.study)[loss]
        loss_object = make_loss(loss_settings, experiment.n_components)
        names = (method.name, variant, loss, batch_size, noise, trial)
        random_state = seed_sequence(*words, *names)
        return fit(method, settings, loss_object, start, train, test, random_state)


def mean_error(curve, epochs):
    """Mean test error over a budget of epochs; a solver that stops keeps its last error."""
    at = np.append(curve.epoch, max(epochs, curve.epoch.iloc[-1]))
    errors = np.append(curve.test_error, curve.test_error.iloc[-1])
    return np.trapezoid(errors, at) / at[-1]


def make_loss(settings, n_components):
    """Build a loss from its entry in a study file: a class name and its parameters."""
    parameters = {key: value for key, value in settings.items() if key != "class"}
    loss = getattr(relsim.losses, settings["class"])(**parameters)
    if loss.get_params().get("alpha", 1.0) is None:
        # Points and kernels shall minimize the same t-STE, but a kernel has no dimension.
        loss.set_params(alpha=loss._parameter(n_components))
    return loss


def fit(method, settings, loss, start, train, test, random_state):
    """Fit one model from given points and record its test error.

    Parameters
    ----------
    method : Method
    settings : dict
        Parameters of its solver, or of its model.
    loss : Loss
    start : ndarray of shape (n_objects, n_components)
    train, test : ndarray of shape (n, 3)
    random_state : SeedSequence

    Returns
    -------
    points : ndarray of shape (n_objects, n_components)
    curve : DataFrame
        A row an epoch, the starting points first.
    """
    errors = []
    n_objects, n_components = start.shape
    common = {"loss": loss, "n_objects": n_objects, "max_iter": method.epochs, "tol": 0.0}
    if method.model == "BatchKernel":
        model = BatchKernel(
            init=start @ start.T,
            callback=lambda kernel, row: errors.append(kernel_error(kernel, test)),
            **common,
            **settings,
        )
        first = kernel_error(start @ start.T, test)
    else:
        model = OrdinalEmbedding(
            n_components,
            solver=getattr(relsim.optimize, method.solver)(**settings),
            init=start,
            callback=lambda points, row: errors.append(triplet_error(points, test)),
            random_state=random_state,
            **common,
        )
        first = triplet_error(start, test)
    with warnings.catch_warnings():
        # Divergence is a result here, and an object may be missing from the training part.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message=".*occur in no comparison")
        model.fit(train)
    points = model.embedding_ if method.solver else _points_of(model, n_components)
    curve = model.history_.rename(columns={"loss": "mean_loss"}).assign(test_error=errors)
    curve["epoch"] = curve.evaluations / len(train)
    return points, pd.concat([_start_row(start, first), curve], ignore_index=True)


def kernel_error(kernel, comparisons):
    """Fraction of triplets that a kernel does not satisfy; ties count as errors."""
    i, j, k = comparisons.T
    diagonal = np.diag(kernel)
    near = diagonal[j] - 2 * kernel[i, j]
    far = diagonal[k] - 2 * kernel[i, k]
    return float(np.mean(~(near < far)))  # also where one is NaN


def random_start(words, n_objects, n_components, trial):
    """Points that all methods of a trial start from: uniform on [0, 1], as in the released code."""
    rng = np.random.default_rng(seed_sequence(*words, "start", trial))
    return rng.uniform(size=(n_objects, n_components))


def _points_of(model, n_components):
    if not np.isfinite(model.kernel_).all():
        return np.full((len(model.kernel_), n_components), np.nan)
    return model.embedding(n_components)


def _start_row(points, error):
    norm = np.linalg.norm(points)
    row = {"epoch": 0.0, "evaluations": 0, "seconds": 0.0, "norm": norm, "test_error": error}
    return pd.DataFrame([{**row, "mean_loss": np.nan, "step_size": np.nan}])


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


def compile_kernels():
    """Run every compiled function once, so that later jobs find it in numba's cache."""
    line = [[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]]
    for solver in ("batch", "l-bfgs", "sgd", "svrg"):
        OrdinalEmbedding(1, solver=solver, max_iter=3, random_state=0).fit(line)
    BatchKernel(max_iter=1).fit(line)
    triplet_error(np.zeros((4, 1)), np.array(line))
