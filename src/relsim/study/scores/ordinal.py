"""Scores of points: their learning curves, the retrieval and the maps that they give."""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy import linalg
from sklearn.manifold import ClassicalMDS
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.preprocessing import StandardScaler

from relsim.scores import procrustes_distance, retrieval_scores
from relsim.study.data import read_data
from relsim.study.fits.ordinal import KEYS
from relsim.study.scores.tidy import read_fits, words, write_scores

RATES = ("mean_squared_gradient", "suboptimality")
_GRID = 60  # points at which a learning curve is read off


def make_scores(spec, experiment, dataset, data, objects, folder):
    """Score every fit of an experiment on a data set; see `relsim.study.scores.make_scores`."""
    data = read_data(data)
    objects = pd.read_parquet(objects)
    timed = []
    least = least_losses(spec, experiment, dataset) if experiment.gradients else None
    for method in experiment.methods.values():
        curves, embeddings, seconds = (
            read_fits(spec, experiment, dataset, method.name, suffix)
            for suffix in ("parquet", "embedding.parquet", "seconds.parquet")
        )
        if least is not None:
            curves = with_rates(curves, least)
        table = score(experiment, method, data, objects, curves, embeddings)
        names = words(experiment, dataset, method)
        write_scores(Path(folder, f"{method.name}.parquet"), table.assign(**names))
        if experiment.target_error is not None and not method.control:
            curves["seconds"] = seconds.seconds
            table = when_reached(curves, "seconds", experiment.target_error)
            timed.append(table.assign(**names))
    if timed:
        write_scores(Path(folder, "seconds.parquet"), pd.concat(timed))


def score(experiment, method, data, objects, curves, embeddings):
    """Return the scores of one method as tidy rows."""
    measures = ["test_error", "norm", "step_size"]
    measures += [name for name in ("squared_gradient", *RATES) if name in curves]
    rows = [read_off(curves, measure, method.epochs) for measure in measures]
    rows.append(summarize(curves))
    if experiment.target_error is not None:
        rows.append(when_reached(curves, "epoch", experiment.target_error))
    score_points = _scorer(experiment, method, data, objects)
    if score_points is not None:
        for keys, embedding in embeddings.groupby([*KEYS, "epoch"]):
            points = embedding.sort_values("object").filter(regex=r"^x\d+$").to_numpy()
            keys = dict(zip([*KEYS, "epoch"], keys, strict=True))
            rows.append(score_points(points, keys["trial"]).assign(**keys))
    return pd.concat(rows, ignore_index=True).assign(method=method.name)


def _scorer(experiment, method, data, objects):
    """Return what scores the points of a trial beyond their test error, or None."""
    if experiment.retrieval:
        return Retrieval(experiment.retrieval, data, objects, method.control == "features").score
    if "distances" in data:
        return lambda points, trial: _map_quality(data["distances"], points)
    return None


def read_off(curves, measure, epochs):
    """Read learning curves off at common epochs, the last value before each.

    A solver that has stopped keeps its last value.
    """
    grid = np.unique(np.linspace(0, epochs, min(epochs, _GRID) + 1).round())
    tables = []
    for keys, curve in curves.groupby(KEYS):
        at = np.searchsorted(curve.epoch, grid, side="right") - 1
        table = pd.DataFrame({"epoch": grid, "value": curve[measure].to_numpy()[at]})
        tables.append(table.assign(measure=measure, **dict(zip(KEYS, keys, strict=True))))
    return pd.concat(tables, ignore_index=True)


def least_losses(spec, experiment, dataset):
    """Return the least loss that any method has found, by loss, noise and trial."""
    files = [file for name in experiment.methods for file in spec.fits(experiment, dataset, name)]
    columns = ["loss", "noise", "trial", "mean_loss"]
    curves = pd.concat(pd.read_parquet(file, columns=columns) for file in files)
    return curves.groupby(["loss", "noise", "trial"]).mean_loss.min().rename("least")


def with_rates(curves, least):
    """Add the running mean of the squared gradient, and the loss above the least one known."""
    curves = curves.join(least, on=["loss", "noise", "trial"])
    means = curves.groupby(KEYS).squared_gradient.expanding().mean()
    curves["mean_squared_gradient"] = means.droplevel(list(range(len(KEYS))))
    curves["suboptimality"] = curves.mean_loss - curves.least
    return curves


def summarize(curves):
    """Return what a learning curve ends at, how far it rises, and how far its steps vary."""
    rows = []
    for keys, curve in curves.groupby(KEYS):
        errors = curve.test_error
        steps = curve.step_size[np.isfinite(curve.step_size) & (curve.step_size > 0)]
        values = {
            "final_error": errors.iloc[-1],
            "peak_rise": (errors - errors.cummin()).max(),
            "step_spread": np.log10(steps.max() / steps.min()) if len(steps) else np.nan,
        }
        keys = dict(zip(KEYS, keys, strict=True))
        epoch = curve.epoch.iloc[-1]
        rows += [
            {**keys, "epoch": epoch, "measure": name, "value": value}
            for name, value in values.items()
        ]
    return pd.DataFrame(rows)


def when_reached(curves, column, target):
    """Return the first epoch or second at which each curve's test error is within the target."""
    first = curves[curves.test_error <= target].groupby(KEYS)[column].first()
    everyone = pd.MultiIndex.from_frame(curves[KEYS].drop_duplicates())
    measure = {"epoch": "epochs_to_error", "seconds": "seconds_to_error"}[column]
    values = first.reindex(everyone).rename("value").reset_index()
    return values.assign(measure=measure)


def _map_quality(distances, points):
    """Procrustes distance of a map to the one that metric MDS makes of all distances."""
    mds = ClassicalMDS(n_components=points.shape[1], metric="precomputed").fit_transform(distances)
    value = procrustes_distance(mds, points) if np.isfinite(points).all() else np.nan
    return pd.DataFrame([{"measure": "procrustes", "value": value}])


class Retrieval:
    """Image retrieval by learned points, scored by two protocols.

    *Held-out*: queries that were not embedded are mapped into the embedding by regularized least
    squares with an RBF kernel of the features; the items are ranked by their distance, and MAP is
    over the whole ranking. *Printed*, the one that the numbers of Ma et al. (2019) fit: the items
    search among themselves, each its own first hit, and average precision is summed over the first
    ranks, as many as a class has items, and divided by their number.

    Parameters
    ----------
    settings : dict
        k (ranks at which precision and recall are taken) and ridge.
    data : dict
        features and labels of the data set.
    objects : DataFrame
        The items and queries of every trial.
    raw : bool
        Whether the features themselves are ranked, a control.
    """

    def __init__(self, settings, data, objects, raw):
        self.settings = settings
        self.features = data["features"]
        self.objects = dict(list(objects.groupby("trial")))
        self.raw = raw
        self._maps = {}

    def score(self, points, trial):
        """Return the scores of the points of a trial as tidy rows."""
        objects = self.objects[trial]
        labels = [objects.label[objects.part == part].to_numpy() for part in ("query", "item")]
        n_items = int(np.bincount(labels[1]).max())
        if not np.isfinite(points).all():
            return pd.DataFrame([{"measure": "MAP", "value": np.nan}])
        items, queries, smoother = self._of_trial(trial)
        if self.raw:
            points, places = items, queries
        else:
            center = points.mean(axis=0)
            places = smoother @ (points - center) + center
        held_out = retrieval_scores(places, points, *labels, k=self.settings["k"])
        held_out["k"] = held_out.k.where(held_out.measure != "MAP")
        printed = retrieval_scores(
            points, points, labels[1], labels[1], k=(n_items,), ap_k=n_items, n_relevant=n_items
        )
        names = {"MAP": "AP@60", "precision": "P@60"}
        printed = printed[printed.measure.isin(names)].replace({"measure": names})
        return pd.concat([held_out, printed.assign(k=pd.NA)])

    def map_of_trial(self, trial):
        """Return the matrix that maps centered points of a trial's items to its queries' places."""
        return self._of_trial(trial)[2]

    def _of_trial(self, trial):
        """Return standardized features of items and queries, and the map between them."""
        if trial not in self._maps:
            objects = self.objects[trial]
            rows = [objects.row[objects.part == part] for part in ("item", "query")]
            scaler = StandardScaler().fit(self.features[rows[0]])
            items, queries = (scaler.transform(self.features[part]) for part in rows)
            smoother = None if self.raw else ridge_map(items, queries, self.settings["ridge"])
            self._maps[trial] = items, queries, smoother
        return self._maps[trial]


def ridge_map(features, new_features, ridge):
    """Matrix that maps points to places for new features, by kernel ridge regression.

    Parameters
    ----------
    features : ndarray of shape (n, d)
        Features of objects whose (centered) points are known.
    new_features : ndarray of shape (m, d)
    ridge : float
        Weight of the penalty.

    Returns
    -------
    ndarray of shape (m, n)

    Notes
    -----
    The kernel is exp(-||x - y||^2 / (2 s^2)), s^2 the mean squared distance of the features.
    """
    variance = (euclidean_distances(features) ** 2).mean()
    gamma = 1 / (2 * variance)
    kernel = rbf_kernel(features, gamma=gamma)
    kernel[np.diag_indices_from(kernel)] += ridge
    return linalg.solve(kernel, rbf_kernel(features, new_features, gamma=gamma), assume_a="pos").T
