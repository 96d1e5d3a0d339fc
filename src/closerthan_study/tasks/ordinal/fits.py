"""Fits of ordinal embeddings: the points that each method learns, and its learning curve."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from closerthan.discovery import short_names
from closerthan.kernels.batch import BatchKernel
from closerthan.kernels.kernel_model import embed_kernel
from closerthan.optimize.objective import Objective
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan.scores.error import kernel_error, triplet_error
from closerthan_study.reading import tabulate
from closerthan_study.tasks import base
from closerthan_study.tasks.losses import build_loss


class Fitting(base.Fitting):
    """Fits of points to comparisons, with one row of the curve per epoch."""

    def __init__(self, setup):
        super().__init__(setup)
        experiment = self.experiment
        self.items = setup.objects[setup.objects.part == "item"]
        n_objects = self.items.object.nunique()
        if experiment.n_components > n_objects:
            raise ValueError(
                f"config/studies/{experiment.study}/study.yaml: experiments.{experiment.name}."
                f"n_components: {experiment.n_components} is more than the {n_objects} objects "
                f"of {setup.dataset}"
            )
        compile_kernels(experiment.n_components)

    def error(self, run, parameters, trial):
        """Return the mean error over the budget, on trials used for tuning alone."""
        errors = []
        for of_tuning in reversed(self.experiment.tuned_on):
            curve, _ = self.fit(run, parameters, of_tuning)
            errors.append(mean_error(curve, run.method.epochs_of(run.loss)))
        return np.mean(errors)

    def fit(self, run, parameters, trial):
        """Fit one trial; return the learning curve and the points by epoch."""
        experiment, method = self.experiment, run.method
        train, test = self.comparisons(trial, run.noise)
        items = self.items[self.items.trial == trial]
        # Of all methods of a trial: uniform on [0, 1], as in the released code.
        rng = np.random.default_rng(self.setup.seed("start", trial))
        start = rng.uniform(size=(len(items), experiment.n_components))
        if method.control:
            points = _control(method.control, self.setup.data, items, start)
            curve = _start_row(points).rename(columns={"loss": "mean_loss"})
            curve = curve.assign(test_error=triplet_error(points, test), epoch=0.0)
            return curve, _tabulate({method.epochs_of(run.loss): points})
        loss = build_loss(self.setup.losses[run.loss], experiment.n_components)
        problem = TrialProblem(loss, start, train, test, experiment.gradients)
        words = (method.name, run.variant, run.loss, run.batch_size, run.noise, trial)
        budgets, seed = experiment.budgets(method.name, run.loss), self.setup.seed(*words)
        kept, curve = fit(problem, method, parameters, budgets, seed)
        return curve, _tabulate(kept)


def _tabulate(kept):
    tables = []
    for epoch, points in kept.items():
        tables.append(tabulate(points).assign(epoch=epoch, object=range(len(points))))
    return pd.concat(tables, ignore_index=True)


def mean_error(curve, epochs):
    """Return the mean test error over a budget of epochs."""
    at = np.append(curve.epoch, max(epochs, curve.epoch.iloc[-1]))
    errors = np.append(curve.test_error, curve.test_error.iloc[-1])
    return np.trapezoid(errors, at) / at[-1]


@dataclass(frozen=True)
class TrialProblem:
    """Loss, start and comparisons, the same for all methods of a trial."""

    loss: object
    start: np.ndarray  # (n_objects, n_components)
    train: np.ndarray  # (n, 3)
    test: np.ndarray
    gradients: bool = False  # whether curves hold the squared gradient norm of the mean loss


def fit(problem, method, settings, budgets, random_state):
    """Fit one model; return its points at each epoch in `budgets`, and the learning curve."""
    loss, start, train, test = problem.loss, problem.start, problem.train, problem.test
    n_objects, n_components = start.shape
    common = {"loss": loss, "n_objects": n_objects, "max_iter": budgets[-1], "tol": 0.0}
    kernel = method.model is not None
    error_of = kernel_error if kernel else triplet_error
    start = start @ start.T if kernel else start
    objective = Objective(loss, train, (n_objects, n_components))
    errors, kept, slopes = [error_of(start, test)], {}, [np.nan]

    def record(points, row):
        errors.append(error_of(points, test))
        slopes.append(squared_gradient(objective, points) if problem.gradients else np.nan)
        for budget in budgets:
            if budget not in kept and row["evaluations"] >= budget * len(train):
                kept[budget] = _points_of(points, n_components) if kernel else points

    common |= {"init": start, "callback": record}
    if kernel:
        model = method.learner(**common, **settings)
    else:
        common |= {"solver": method.learner(**settings), "penalty": None}
        model = OrdinalEmbedding(n_components, random_state=random_state, **common)
    model.fit(train)
    last = _points_of(model.kernel_, n_components) if kernel else model.embedding_
    kept = {budget: kept.get(budget, last) for budget in budgets}
    curve = pd.concat([_start_row(start), model.history_], ignore_index=True)
    curve = curve.rename(columns={"loss": "mean_loss"}).assign(test_error=errors)
    if problem.gradients:
        curve["squared_gradient"] = slopes
    return kept, curve.assign(epoch=curve.evaluations / len(train))


def squared_gradient(objective, points):
    """Return the squared norm of the gradient of the mean loss."""
    padded = objective.pad(points)
    return float(np.sum(objective.gradient(padded, np.empty_like(padded)) ** 2))


def _points_of(kernel, n_components):
    """Return the points of a kernel, or NaN if the kernel has overflowed."""
    if not np.isfinite(kernel).all():
        return np.full((len(kernel), n_components), np.nan)
    return embed_kernel(kernel, n_components)


def _start_row(start):
    norm = np.linalg.norm(start)
    row = {"evaluations": 0, "seconds": 0.0, "loss": np.nan, "step_size": np.nan, "norm": norm}
    return pd.DataFrame([row])


def _control(name, data, objects, start):
    """Return the points of a control method, which uses no learning or no comparisons."""
    match name:
        case "random":
            return start
        case "truth":
            return data["points"]
        case "mds":
            from sklearn.manifold import ClassicalMDS  # takes 0.5 s; no other job needs it

            mds = ClassicalMDS(n_components=start.shape[1], metric="precomputed")
            return mds.fit_transform(data["distances"])
        case "features":
            return data["features"][objects.row]


def compile_kernels(n_components=1):
    """Run every compiled function once, so that later jobs find it in the numba cache."""
    chain = np.arange(n_components + 3)[:, None] + [0, 1, 2]
    for solver in short_names("closerthan.optimize"):
        settings = {"loss": "ste", "penalty": None, "init": "random", "max_iter": 3}
        model = OrdinalEmbedding(n_components, solver=solver, random_state=0, **settings)
        model.fit(chain)
        model.fit(np.tile(chain, (len(chain), 1)))  # dense
    BatchKernel(max_iter=1).fit(chain)
    triplet_error(np.zeros((n_components + 5, 1)), chain)
