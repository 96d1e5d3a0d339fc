"""Fits of online learning: kernels learned from one triplet at a time.

A model with `partial_fit` is updated with every triplet. Other models are fitted again to all
triplets so far. Kernels are too large to keep, so both are scored at each checkpoint.
"""

from itertools import combinations_with_replacement, pairwise
from time import process_time

import numpy as np
import pandas as pd

from closerthan.comparisons.convert import to_quadruplets
from closerthan.comparisons.sample import sample_from_points
from closerthan.kernels.batch import BatchKernel, KernelObjective
from closerthan.kernels.online import OnlineKernel
from closerthan.kernels.projection import GRADIENTS
from closerthan.losses import make_loss
from closerthan.scores.error import kernel_error, triplet_error
from closerthan_study.tasks import base
from closerthan_study.tasks.losses import build_loss
from closerthan_study.tasks.online.points import draw_points

_RANK = 1e-6  # relative to the largest eigenvalue: smaller ones do not count for the rank
_ROUNDING = 1e-9  # relative to the largest eigenvalue: negative ones below this are rounding


class Fitting(base.Fitting):
    """Fits of kernels to a stream, with one row of the curve per checkpoint."""

    @property
    def n_objects(self):
        """Number of objects in the triplets."""
        return self.setup.objects.object.nunique()

    def parameters(self, run, trial, n_train=None):
        """Return the parameters of a run, tuned after so many triplets or after all."""
        return super().parameters(run, trial, n_train or self.experiment.comparisons.n_train)

    def error(self, run, parameters, trial, n_train):
        """Return the mean error on the tuning part of the first trials, after so many triplets."""
        errors = []
        for of_tuning in self.experiment.tuned_on:
            parts = ("train", run.settings.tune_on)
            train, others = self.comparisons(of_tuning, parts=parts)
            model = self._model(run, parameters, of_tuning)
            errors.append(kernel_error(model.fit(train[:n_train]).kernel_, others))
        return np.mean(errors)

    def fit(self, run, parameters, trial):
        """Learn from the stream of one trial; return the learning curve and None."""
        train, test = self.comparisons(trial)
        marks = self.experiment.marks(run.method.name)
        if run.method.control:
            return self._control(run.method, trial, train, test), None
        if self.experiment.sizes:
            return self._costs(run, parameters, trial), None
        if self.experiment.gradients:
            return self._gradients(run, trial, train), None

        def tuned(n_train):
            return self.parameters(run, trial, n_train)[1] if run.settings.tune_each else {}

        rows = []
        model = self._model(run, parameters, trial)
        for row in _learn(model, train, marks, tuned):
            kernel = model.kernel_
            row["test_error"] = kernel_error(kernel, test)
            if self.experiment.ties:
                turned = kernel_error(kernel, test[:, [0, 2, 1]])
                row["half_tied_error"] = 0.5 * (row["test_error"] + 1.0 - turned)
            row["train_error"] = kernel_error(kernel, train[: row["triplets"]])
            row["trace"] = np.trace(kernel)
            if self.experiment.rank:
                row["rank"] = rank(kernel)
            rows.append(row)
        curve = pd.DataFrame(rows)
        if self.experiment.projection:
            model = self._model(run, parameters, trial)
            curve = curve.join(compare_projections(model, train).loc[marks], on="triplets")
        return curve, None

    def _model(self, run, parameters, trial):
        if run.method.goes_on:  # an online kernel takes its loss by name
            seed = self.setup.seed(run.method.name, run.variant, run.loss, trial)
            common = {"loss": run.loss, "random_state": seed}
            return run.method.learner(n_objects=self.n_objects, **common, **parameters)
        common = {"loss": build_loss(self.setup.losses[run.loss])}
        common["max_iter"] = run.method.epochs
        return run.method.learner(n_objects=self.n_objects, **{**common, **parameters})

    def _control(self, method, trial, train, test):
        """Return the errors of random points or of the true points."""
        if method.control == "truth":
            points = draw_points(self.setup, trial)
        else:
            rng = np.random.default_rng(self.setup.seed(method.name, trial))
            points = rng.normal(size=(self.n_objects, 2))
        row = {"triplets": len(train), "epoch": 0.0, "seconds": 0.0}
        row["test_error"] = triplet_error(points, test)
        return pd.DataFrame([row | {"train_error": triplet_error(points, train)}])

    def _costs(self, run, parameters, trial):
        """Return the seconds of learning from n triplets over n objects, for each size n."""
        points, rows = draw_points(self.setup, trial), []
        for n in self.experiment.sizes:
            train = sample_from_points(points[:n], n, random_state=trial)
            model = self._model(run, parameters, trial).set_params(n_objects=n)
            rows += _learn(model, train, [n])
        return pd.DataFrame(rows)

    def _gradients(self, run, trial, train):
        """Return the largest errors of the gradient over triplets, at the kernel of the points."""
        points = draw_points(self.setup, trial)
        errors = [gradient_errors(run.loss, points @ points.T, triplet) for triplet in train]
        row = {"triplets": len(train), "epoch": 0.0, "seconds": 0.0}
        return pd.DataFrame([row | pd.DataFrame(errors).max().to_dict()])


def _learn(model, train, marks, tuned=lambda n_train: {}):
    """Train a model on a stream of triplets; yield a row after each number in `marks`.

    A model that is fitted again takes the parameters that `tuned` returns for this number.
    """
    evaluations, seconds = 0, 0.0
    for start, stop in pairwise([0, *marks]):
        row = {"triplets": stop, **tuned(stop)}
        began = process_time()
        if hasattr(model, "partial_fit"):
            model.partial_fit(train[start:stop])
            seconds += process_time() - began
            evaluations = model.n_updates_
            row["eigenpairs"] = model.n_eigenpairs_
            steps = model.history_.query("step_size > 0")
            row["removed"] = (steps.eigenvalue < 0.0).sum()
            row["removed_share"] = row["removed"] / max(1, len(steps))
        else:
            model.set_params(**tuned(stop)).fit(train[:stop])
            seconds += process_time() - began
            evaluations += model.history_.evaluations.iloc[-1]
        yield row | {"epoch": evaluations / len(train), "seconds": seconds}


def rank(kernel):
    """Return the number of eigenvalues above 1e-6 of the largest, or NaN for infinite kernels.

    >>> rank(np.diag([2.0, 1.0, 1e-9]))
    2
    """
    if not np.isfinite(kernel).all():
        return np.nan
    values = np.linalg.eigvalsh(kernel)
    return int((values > _RANK * values[-1]).sum())


def compare_projections(model, train):
    """Compare each projection of passive-aggressive steps with a full eigendecomposition.

    Theorem 4.1 of Heim et al. (2015) says that a step leaves at most one negative eigenvalue. The
    nearest positive semidefinite matrix then lacks this eigenvalue alone.

    The table has one row per number of triplets, with two running maxima. `negative_eigenvalues`
    counts them before the projection. `projection_distance` is the distance of the projection from
    the nearest matrix, relative to the norm of the nearest matrix.
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
    slope = np.zeros_like(kernel)  # gradient of d^2(a, b) - d^2(a, c)
    slope[b, b], slope[c, c] = 1.0, -1.0
    slope[a, b] = slope[b, a] = -1.0
    slope[a, c] = slope[c, a] = 1.0
    direction = slope.copy()
    if model.gradient == "paper":  # (4.10)
        direction[a, [b, c]] *= 2.0
        direction[[b, c], a] *= 2.0
    short = max(0.0, model.margin + np.vdot(slope, kernel))
    return kernel - short / np.vdot(slope, direction) * direction


def gradient_errors(loss, kernel, triplet):
    """Return the largest errors of the entries of (4.11), the gradient of a loss, by measure.

    Central differences are the truth. They change K_ij together with K_ji, or for the last measure
    half as much. `gradient_error` is as printed. The others have the inequality of (4.13) turned
    round.
    """
    objective = KernelObjective(make_loss(loss), to_quadruplets(triplet[None]), kernel.shape)
    truth, step = np.zeros_like(kernel), 1e-5
    for i, j in combinations_with_replacement(range(len(kernel)), 2):
        change = np.zeros_like(kernel)
        change[i, j] = change[j, i] = step
        rise = objective.value(kernel + change) - objective.value(kernel - change)
        truth[i, j] = truth[j, i] = rise / (2.0 * step)
    a, b, c = triplet
    held = kernel[c, c] - 2.0 * kernel[a, c] - kernel[b, b] + 2.0 * kernel[a, b]
    share = 1.0 / (1.0 + np.exp(held))  # 1 - p, (4.12)
    printed, mended = {"ste": (share, share), "gnmds": (held > 1.0, held < 1.0)}[loss]
    matrix = np.zeros_like(kernel)
    matrix[np.ix_(triplet, triplet)] = GRADIENTS["paper"].matrix  # (4.10)
    alone = np.where(np.eye(len(kernel), dtype=bool), truth, 0.5 * truth)
    found = {"": printed * matrix - truth, "mended_": mended * matrix - truth}
    found["entrywise_"] = mended * matrix - alone
    return {f"{name}gradient_error": abs(error).max() for name, error in found.items()}


def compile_kernels():
    """Run every compiled function once, so that later jobs find it in the numba cache."""
    line = np.array([[0, 1, 2], [2, 1, 0], [1, 0, 3], [3, 2, 0]])
    for loss in ("gnmds", "ste", "ckl"):
        BatchKernel(loss, max_iter=1).fit(line)
    for loss, step in (("gnmds", "passive-aggressive"), ("ste", "constant")):
        OnlineKernel(loss, step=step, revisits=1, random_state=0).fit(np.tile(line, (20, 1)))
    triplet_error(np.zeros((4, 1)), line)
