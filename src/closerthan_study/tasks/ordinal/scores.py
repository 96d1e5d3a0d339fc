"""Score ordinal embeddings: learning curves, retrieval, quality of maps."""

from functools import cached_property

import numpy as np
import pandas as pd

from closerthan.scores.procrustes import procrustes_distance
from closerthan_study.reading import coordinates
from closerthan_study.tasks import scoring
from closerthan_study.tasks.base import KEYS
from closerthan_study.tasks.ordinal import theory
from closerthan_study.tasks.scoring import by_run, when_reached
from closerthan_study.tasks.stress import scaled_stress

MEASURES = {
    "norm": "Frobenius norm of the points, or of the kernel",
    "peak_rise": "largest rise of the test error above what it had been",
    "step_spread": "decimal logarithm of the largest over the smallest step size",
    "late_step_spread": "the same after the first tenth of the curve",
    "largest_step": "largest step size",
    "share_of_inverse": "median step of SVRG-SBBε over the inverse curvature along the last move, "
    "after the first tenth of the curve",
    "pass_seconds": "seconds of an epoch, in a file of its own",
    "procrustes_places": "Procrustes distance to metric MDS of the distances over the globe",
    "precision": "mean precision among the first k",
    "recall": "mean recall among the first k",
    "MAP@R": "the protocol `printed`: mean average precision of the first R, as many as a "
    "class has items, the query included",
    "P@R": "the protocol `printed`: mean precision among the first R, the query included",
    "R@K": "the protocol `printed`: mean recall among the first k, the query included",
    "squared_gradient": "squared norm of the gradient of the mean loss",
    "mean_squared_gradient": "squared norm of the gradient, averaged over the iterates so far",
    "suboptimality": "objective less the least one known",
    "reached": "1 if the target error was reached, else 0",
    "largest_batch": "bound (24) on a mini-batch, with L estimated where a solver ends",
    "bound_25": "the bound (25) on the mean squared gradient so far",
    "over_bound_25": "largest ratio of the mean squared gradient so far to the bound (25)",
    "left_22": "largest left side of (22), with L estimated where a solver ends and beta_s of (23)",
    "over_bound_22": "largest ratio of the mean squared gradient so far to the bound of Theorem 1",
    "module_factor": "what Theorem 3 asks to exceed one: lambda m S b eta / 2, lambda as found",
    "over_bound_28": "largest ratio of the suboptimality after a module to the bound (28)",
}

RATES = ("mean_squared_gradient", "suboptimality")
_LATE = 0.1  # share of a curve that counts as early
_GRID = 60  # number of epochs kept of a learning curve, besides the first
_FIRST = np.arange(5, 31, 5)  # the first epochs that claims speak of


class Scoring(scoring.Scoring):
    """Scores of points; see `closerthan_study.tasks.scoring.Scoring`."""

    @cached_property
    def least(self):
        """Least mean loss of all methods, by loss, noise and trial."""
        curves = pd.concat(self.setup.fits(name) for name in self.experiment.methods)
        return curves.groupby(["loss", "noise", "trial"]).mean_loss.min().rename("least")

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        experiment, curves = self.experiment, self.setup.fits(method.name)
        if experiment.gradients:
            curves = _with_rates(curves, self.least)
        measures = ["test_error", "norm", "step_size"]
        measures += [name for name in ("squared_gradient", *RATES) if name in curves]
        rows = [
            read_off(of_loss, measure, method.epochs_of(loss))
            for measure in measures
            for loss, of_loss in curves.groupby("loss", sort=False)
        ]
        rows.append(_summarize(method, curves))
        if experiment.target_error is not None:
            within = curves.test_error <= experiment.target_error
            reached = when_reached(curves, "epoch", within)
            rows += [reached, reached.assign(measure="reached", value=1.0 * reached.value.notna())]
        if experiment.gradients:
            rows += self._theory(method, curves)
        score_points = self._scorer(method)
        if score_points is not None:
            for keys, table in by_run(self.setup.fits(method.name, "embedding.parquet"), "epoch"):
                points = coordinates(table.sort_values("object"))
                rows.append(score_points(points, keys["trial"]).assign(**keys))
        return pd.concat(rows, ignore_index=True)

    def seconds(self, method):
        """Return the seconds in all, of an epoch, and to the target error if there is one."""
        curves = self.setup.fits(method.name)
        curves["seconds"] = self.setup.fits(method.name, "seconds.parquet").seconds
        ends = curves.groupby(KEYS, dropna=False)[["seconds", "epoch"]].last().reset_index()
        tables = [
            ends.assign(measure="search_seconds", value=ends.seconds),
            ends.assign(measure="pass_seconds", value=ends.seconds / ends.epoch),
        ]
        if self.experiment.target_error is not None:
            within = curves.test_error <= self.experiment.target_error
            tables.append(when_reached(curves, "seconds", within))
        columns = [*KEYS, "measure", "value"]
        return pd.concat([table[columns] for table in tables], ignore_index=True)

    def _theory(self, method, curves):
        """Return tables that compare the curves with the bounds of the theorems."""
        rows, tables = [], []
        points = self.setup.fits(method.name, "embedding.parquet")
        for keys, curve in by_run(curves):
            settings = method.variant(keys["variant"]).settings(keys["loss"])
            if "epsilon" not in settings:
                continue
            of_run = (points[list(keys)] == pd.Series(keys)).drop(columns="sweep").all(axis=1)
            last = coordinates(points[of_run].sort_values("object"))
            n_modules = settings.get("restarts", 0) + 1
            least = curve.least.iloc[0]
            smoothness, n_comparisons = self._smoothness(keys, last)
            epsilon = settings["epsilon"]
            left, ratio = theory.over_bound_22(curve, least, smoothness)
            values = {
                "largest_batch": theory.largest_batch(epsilon, smoothness, n_comparisons),
                "left_22": left,
                "over_bound_22": ratio,
                "over_bound_25": theory.over_bound_25(curve, least),
                "module_factor": theory.module_factor(curve, least, n_modules),
                "over_bound_28": theory.over_bound_28(curve, least, n_modules),
            }
            rows += [{**keys, "measure": name, "value": value} for name, value in values.items()]
            bounds = curve.assign(bound_25=theory.bound_25(curve, least)).dropna(subset="bound_25")
            tables.append(read_off(bounds, "bound_25", method.epochs_of(keys["loss"])))
        return [*tables, pd.DataFrame(rows)] if rows else []

    def _smoothness(self, keys, last):
        """Return the largest smoothness of a training comparison, and their number."""
        from closerthan_study.tasks.losses import build_loss  # slow to import; few scores need it

        experiment = self.experiment
        train, _ = self.setup.comparisons(keys["trial"], keys["noise"])
        loss = build_loss(self.setup.losses[keys["loss"]], experiment.n_components)
        return theory.smoothness(loss, last, train), len(train)

    def _scorer(self, method):
        """Return the function that scores points beyond their test error, or None."""
        if self.experiment.retrieval:
            from closerthan_study.tasks.ordinal.retrieval import Retrieval  # slow to import

            return Retrieval(self.setup, raw=method.control == "features").score
        if "distances" in self.setup.data:
            return lambda points, trial: _map_quality(self.setup.data, points)
        return None


def read_off(curves, measure, epochs):
    """Return learning curves at common epochs: the last value up to each of them."""
    grid = np.linspace(0, epochs, min(epochs, _GRID) + 1).round()
    grid = np.union1d(grid, _FIRST[epochs >= _FIRST])
    tables = []
    for keys, curve in by_run(curves):
        at = np.searchsorted(curve.epoch, grid, side="right") - 1
        table = pd.DataFrame({"epoch": grid, "value": curve[measure].to_numpy()[at]})
        tables.append(table.assign(measure=measure, **keys))
    return pd.concat(tables, ignore_index=True)


def _with_rates(curves, least):
    """Add the running mean of the squared gradient, and the loss above the least known loss."""
    curves = curves.join(least, on=["loss", "noise", "trial"])
    of_curve = curves.groupby(KEYS, dropna=False).ngroup()
    means = curves.groupby(of_curve).squared_gradient.expanding().mean()
    curves["mean_squared_gradient"] = means.droplevel(0)
    curves["suboptimality"] = curves.mean_loss - curves.least
    return curves


def _summarize(method, curves):
    """Return the final error of each curve, its largest rise, and what tells its steps apart."""
    rows = []
    for keys, curve in by_run(curves):
        epsilon = method.variant(keys["variant"]).settings(keys["loss"]).get("epsilon", np.nan)
        errors = curve.test_error
        steps = curve.step_size[np.isfinite(curve.step_size) & (curve.step_size > 0)]
        late = curve.epoch > _LATE * curve.epoch.max()
        values = {
            "final_error": errors.iloc[-1],
            "peak_rise": (errors - errors.cummin()).max(),
            "step_spread": _spread(steps),
            "late_step_spread": _spread(steps[late[steps.index]]),
            "largest_step": steps.max(),
            "share_of_inverse": share_of_inverse(curve[late], epsilon).median(),
        }
        epoch = values["epochs"] = curve.epoch.iloc[-1]
        rows += [
            {**keys, "epoch": epoch, "measure": name, "value": value}
            for name, value in values.items()
        ]
    return pd.DataFrame(rows)


def share_of_inverse(curve, epsilon):
    """Return each step over the inverse of the curvature along the last move.

    Eq. (14) makes a step 1 / (|Q| (curvature + epsilon)), so the share is 1 - |Q| epsilon step. It
    is near one if the curvature is far above epsilon, and near zero at the limit of the step.
    """
    n_comparisons = curve.evaluations / curve.epoch
    return 1 - n_comparisons * epsilon * curve.step_size


def _spread(steps):
    """Return the decimal logarithm of the largest over the smallest step.

    >>> float(_spread(pd.Series([0.1, 10.0, 1.0])))
    2.0
    """
    return np.log10(steps.max() / steps.min()) if len(steps) else np.nan


def _map_quality(data, points):
    """Return the stress of a map, and its Procrustes distances to metric MDS.

    One MDS is of all distances. The other is of those over the globe, and needs the latitude and
    longitude of the objects.
    """
    from sklearn.manifold import ClassicalMDS  # takes 0.5 s; few jobs need it
    from sklearn.metrics.pairwise import haversine_distances

    distances = {"procrustes": data["distances"]}
    if "parameters" in data:
        distances["procrustes_places"] = haversine_distances(np.radians(data["parameters"]))
    mds = ClassicalMDS(n_components=points.shape[1], metric="precomputed")
    values = dict.fromkeys((*distances, "stress"), np.nan)
    if np.isfinite(points).all():
        for measure, of_pairs in distances.items():
            values[measure] = procrustes_distance(mds.fit_transform(of_pairs), points)
        values["stress"] = scaled_stress(points, data["distances"])
    return pd.DataFrame({"measure": values.keys(), "value": values.values()})
