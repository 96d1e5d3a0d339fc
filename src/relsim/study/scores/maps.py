"""Scores of maps: how well they keep distances, neighbors, the true shape, classes and likeness."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform
from scipy.stats import pearsonr, spearmanr
from sklearn.manifold import trustworthiness
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from relsim.scores import normalized_stress, procrustes_distance
from relsim.study.data import read_data
from relsim.study.fits.maps import KEYS, TrialObjects
from relsim.study.objects import columns, true_map
from relsim.study.scores.tidy import read_fits, words, write_scores

_NEIGHBORS = 12  # of which trustworthiness tells
_FOLDS = 10
_CLOSE = 1.01  # how near to the least error counts as having reached it


def make_scores(spec, experiment, dataset, data, objects, folder):
    """Score every fit of an experiment on a data set; see `relsim.study.scores.make_scores`."""
    curves = {name: _read_curves(spec, experiment, dataset, name) for name in experiment.methods}
    targets = _CLOSE * least_errors(curves.values())
    maps = _score_maps(spec, experiment, dataset, read_data(data), pd.read_parquet(objects))
    timed = []
    for name, method in experiment.methods.items():
        names = {**words(experiment, dataset, method), "loss": "none"}
        rows = [table for of_method, table in maps if of_method == name]
        if not method.control:
            rows.append(score_curves(curves[name], targets))
            timed.append(score_seconds(curves[name], targets).assign(**names))
        rows = pd.concat(rows, ignore_index=True)
        write_scores(Path(folder, f"{name}.parquet"), rows.assign(**names))
    if timed:
        write_scores(Path(folder, "seconds.parquet"), pd.concat(timed, ignore_index=True))


def _read_curves(spec, experiment, dataset, method):
    curves, seconds = (
        read_fits(spec, experiment, dataset, method, suffix)
        for suffix in ("parquet", "seconds.parquet")
    )
    return curves.assign(seconds=seconds.seconds)


def least_errors(curves):
    """Return the least mean squared error that any method has found, by noise and trial."""
    return pd.concat(curves).groupby(["noise", "trial"]).mse.min()


def score_curves(curves, targets):
    """Return the error by epoch, when it was reached, when the method stopped and if it failed."""
    last = curves.groupby(KEYS, dropna=False).last().reset_index()
    last["failed"] = (last.reason != "").astype(float)
    rows = [tidy(curves, "mse"), tidy(last, "failed")]
    last = last[last.mse.notna()]
    rows.append(tidy(last.assign(epochs=last.epoch), "epochs"))
    rows.append(when_reached(curves, targets, "epoch"))
    return pd.concat(rows, ignore_index=True)


def score_seconds(curves, targets):
    """Return the seconds by epoch, those of all epochs, and when the target was reached."""
    of_epochs = curves[curves.epoch > 0].groupby(KEYS, dropna=False)
    ends = of_epochs.agg(epoch=("epoch", "last"), stop=("seconds", "last"))
    starts = curves[curves.epoch == 0].groupby(KEYS, dropna=False).seconds.first()
    ends["search_seconds"] = ends.stop - starts  # missing where only the end is known
    rows = [tidy(curves, "seconds"), tidy(ends.reset_index(), "search_seconds")]
    return pd.concat([*rows, when_reached(curves, targets, "seconds")])


def when_reached(curves, targets, column):
    """Return the first epoch or second at which each curve's error is within the target."""
    curves = curves[curves.mse.notna()]
    bounds = curves.join(targets.rename("target"), on=["noise", "trial"]).target
    reached = curves.assign(value=curves[column].where(curves.mse <= bounds))
    groups = reached.groupby(KEYS, dropna=False)
    table = groups.agg(value=("value", "min"), epoch=("epoch", "max")).reset_index()
    measure = {"epoch": "epochs_to_error", "seconds": "seconds_to_error"}[column]
    return table.assign(measure=measure)


def tidy(table, measure):
    """Return the values of a measure that are not missing, a row each."""
    table = table[[*KEYS, "epoch", measure]].rename(columns={measure: "value"})
    return table.dropna(subset="value").assign(measure=measure)


def _score_maps(spec, experiment, dataset, data, objects):
    """Return pairs of a method and the scores of its maps, trial by trial.

    What all maps of a trial are compared with is large, so it is made once.
    """
    objects = dict(list(objects.groupby("trial")))
    fitted = {
        name: read_fits(spec, experiment, dataset, name, "embedding.parquet")
        for name in experiment.methods
    }
    rows = []
    for trial, noise in product(range(experiment.trials), experiment.noises):
        args = spec, experiment, dataset, data, objects[trial], noise, trial
        truth = Truth(*args)
        for name, table in fitted.items():
            of_trial = table[(table.trial == trial) & (table.noise == noise)]
            for keys, map_ in of_trial.groupby(KEYS, dropna=False):
                points = columns(map_.sort_values("object"), "x")
                if experiment.methods[name].control == "features":
                    points = truth.features
                scores = pd.DataFrame(truth.score(points).items(), columns=["measure", "value"])
                keys = dict(zip(KEYS, keys, strict=True))
                rows.append((name, scores.assign(epoch=np.nan, **keys)))
    return rows


class Truth:
    """What the maps of a trial are compared with: dissimilarities, true places, labels, scores."""

    def __init__(self, spec, experiment, dataset, data, objects, noise, trial):
        of_trial = TrialObjects(spec, experiment, dataset, data, objects, noise, trial)
        self.features, self.clean = of_trial.features, of_trial.clean
        self.dissimilarities = of_trial.dissimilarities(experiment.n_neighbors)[0]
        self.places = true_map(dataset, objects)
        self.labels = objects.label.to_numpy()
        pairs = experiment.comparisons.get("pairs")
        self.pairs = None if pairs is None else _by_object(data[pairs], objects.row)
        self.measures = {name: getattr(self, f"_{name}") for name in self._applying()}

    def score(self, points):
        """Return the values of the measures that apply; missing ones where a method has failed."""
        failed = not np.isfinite(points).all()
        return {name: np.nan if failed else f(points) for name, f in self.measures.items()}

    def _applying(self):
        yield "stress"
        if self.pairs is not None:
            yield from ("spearman", "pearson")
            return
        yield "trustworthiness"
        if self.places is not None:
            yield from ("procrustes", "distortion")
        if (self.labels >= 0).any():
            yield "f1"

    def _stress(self, points):
        return scaled_stress(points, self.dissimilarities)

    def _spearman(self, points):
        left, right, scores = self.pairs
        return spearmanr(cosines(points, left, right), scores).statistic

    def _pearson(self, points):
        left, right, scores = self.pairs
        return pearsonr(cosines(points, left, right), scores).statistic

    def _trustworthiness(self, points):
        return trustworthiness(self.clean, points, n_neighbors=_NEIGHBORS)

    def _procrustes(self, points):
        return procrustes_distance(self.places, points)

    def _distortion(self, points):
        return distortion(self.places, points)

    def _f1(self, points):
        labeled = self.labels >= 0
        model = KNeighborsClassifier(1)
        args = points[labeled], self.labels[labeled]
        return cross_val_score(model, *args, cv=_FOLDS, scoring="f1_macro").mean()


def _by_object(pairs, rows):
    """Return pairs of words that take part as numbers of objects, and their scores."""
    place = pd.Series(range(len(rows)), index=rows)
    pairs = pairs[np.isin(pairs[:, :2], rows).all(axis=1)]
    return place[pairs[:, 0]].to_numpy(), place[pairs[:, 1]].to_numpy(), pairs[:, 2]


def scaled_stress(points, dissimilarities):
    """Stress-1 of points after the scaling with the least sum of squared errors.

    Only some methods keep the scale of the dissimilarities.

    Examples
    --------
    >>> line = np.array([[0.0], [1.0], [3.0]])
    >>> scaled_stress(10 * line, squareform(pdist(line)))
    0.0
    """
    distances, wanted = pdist(points), squareform(dissimilarities, checks=False)
    scale = distances @ wanted / (distances @ distances)
    return normalized_stress(scale * points, dissimilarities)


def distortion(places, points):
    """Mean share of the variance of true coordinates that no affine map of the points explains.

    Methods that whiten their maps lose the lengths of the axes, which pictures do not show either.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> distortion(square, square * [5.0, 1.0] + 3.0) < 1e-12
    True
    >>> round(distortion(square, square[:, :1]), 12)
    0.5
    """
    centered = places - places.mean(axis=0)
    regressors = np.column_stack([points, np.ones(len(points))])
    residuals = centered - regressors @ np.linalg.lstsq(regressors, centered)[0]
    return float(np.mean((residuals**2).sum(axis=0) / (centered**2).sum(axis=0)))


def cosines(points, left, right):
    """Cosines of pairs of points.

    Examples
    --------
    >>> cosines(np.array([[1.0, 0.0], [3.0, 0.0], [0.0, 3.0]]), [0, 1], [1, 2])
    array([1., 0.])
    """
    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    return (units[left] * units[right]).sum(axis=1)
