"""Score maps: how well they keep distances, neighbors, true shapes, classes and similarity."""

from functools import cached_property, partial
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import pearsonr, rankdata, spearmanr
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from closerthan.scores.procrustes import procrustes_align, procrustes_distance
from closerthan_study.reading import coordinates
from closerthan_study.tasks import scoring
from closerthan_study.tasks.base import KEYS
from closerthan_study.tasks.mds.trials import TrialObjects, true_map
from closerthan_study.tasks.stress import scaled_stress

NEIGHBORS = 12  # for trustworthiness
RESAMPLES = 1000  # bootstrap samples of the word pairs that people have scored
FOLDS = 10  # for cross-validation of the nearest neighbor
EDGE = 0.05  # share of the points that are the edge of a map

MEASURES = {
    "mse": "mean squared error of the distances in a map",
    "failed": "1 if the method failed, else 0",
    "cores": "number of cores of the machine, in the file of seconds",
    "rises": "number of epochs in which the mean squared error rises",
    "recovery": "largest ratio of an epoch's relative decrease of the error to an earlier one's",
    "epoch_seconds": "seconds of an epoch, with the swept size as `epoch`, in the file of seconds",
    "distortion": "share of the true coordinates' variance that no affine map of the map explains",
    "edge_distortion": f"the same of the outer {EDGE:.0%} of the points, per point",
    "edge_procrustes": "the same if only a similarity of the map may explain it",
    "trustworthiness": f"trustworthiness of {NEIGHBORS} neighbors in the map, compared with the "
    "features without noise",
    "spearman": "rank correlation of the cosines of words with people's scores",
    "spearman_resampled": f"the same with resampled pairs, {RESAMPLES} times; `trial` counts these",
    "pearson": "correlation of the cosines of words with people's scores",
    "f1": f"macro F1 of the labels by the nearest neighbor, in {FOLDS} folds",
}

_OF_TRIAL = "resampled"  # scores of one trial; only their mean over trials is kept
_CLOSE = 1.01  # an error of up to this times the least one has reached the target


class Scoring(scoring.Scoring):
    """Scores of maps; see `closerthan_study.tasks.scoring.Scoring`."""

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        rows = [table for name, table in self.maps if name == method.name]
        if self.experiment.objects.pairs:
            rows.append(mean_of_resamples(rows))
            rows = [table[~table.measure.eq(_OF_TRIAL)] for table in rows]
        if not method.control:
            rows.append(_score_curves(self.curves[method.name], self.targets))
        return pd.concat(rows, ignore_index=True)

    def seconds(self, method):
        """Return the seconds by epoch, and the seconds until the target was reached."""
        table = _score_seconds(self.curves[method.name], self.targets)
        return pd.concat([table, epoch_seconds(table)]) if method.sizes else table

    @cached_property
    def curves(self):
        """Learning curves of each method, with their seconds."""
        return {
            name: self.setup.fits(name).join(
                self.setup.fits(name, "seconds.parquet")[["seconds", "cores"]]
            )
            for name in self.experiment.methods
        }

    @cached_property
    def targets(self):
        """Target error, by noise and trial."""
        return _CLOSE * least_errors(self.curves.values())

    @cached_property
    def maps(self):
        """Pairs of a method and the scores of its maps, trial by trial."""
        experiment, setup = self.experiment, self.setup
        fitted = {name: setup.fits(name, "embedding.parquet") for name in experiment.methods}
        rows = []
        for trial, noise in product(range(experiment.trials), experiment.noises):
            truth = Truth(setup, noise, trial)
            for name, table in fitted.items():
                of_trial = table[(table.trial == trial) & (table.noise == noise)]
                for keys, map_ in scoring.by_run(of_trial):
                    points = coordinates(map_.sort_values("object"))
                    if experiment.methods[name].control == "features":
                        points = truth.features
                    scores = truth.score(points).items()
                    scores = pd.DataFrame(scores, columns=["measure", "value"])
                    if truth.pairs is not None:
                        scores = pd.concat([scores, truth.resample(points)], ignore_index=True)
                    rows.append((name, scores.assign(epoch=np.nan, **keys)))
        return rows


def mean_of_resamples(tables):
    """Return the mean over trials of each resample of word pairs; its number is the `trial`."""
    rows = pd.concat(tables)
    rows = rows[rows.measure.eq(_OF_TRIAL)]
    keys = [name for name in KEYS if name != "trial"]
    means = rows.groupby([*keys, "resample"], dropna=False).value.agg(["mean", "count", "size"])
    means["value"] = means["mean"].where(means["count"] == means["size"])  # NaN: a trial failed
    means = means.drop(columns=["mean", "count", "size"]).reset_index()
    means = means.rename(columns={"resample": "trial"})
    return means.assign(measure="spearman_resampled", epoch=np.nan)


def least_errors(curves):
    """Return the least mean squared error of all methods, by noise and trial."""
    return pd.concat(curves).groupby(["noise", "trial"]).mse.min()


def _score_curves(curves, targets):
    """Return the errors by epoch, and when each fit reached the target, stopped or failed."""
    last = curves.groupby(KEYS, dropna=False).last().reset_index()
    last["failed"] = (last.reason != "").astype(float)
    errors = curves.groupby(KEYS, dropna=False).mse
    last["rises"], last["recovery"] = errors.agg(rises).to_numpy(), errors.agg(recovery).to_numpy()
    rows = [scoring.tidy(curves, ["mse"]), scoring.tidy(last, ["failed"])]
    last = last[last.mse.notna()]
    last["epochs"] = last.epoch
    rows.append(scoring.tidy(last, ["epochs", "rises", "recovery"]))
    rows.append(when_error_reached(curves, targets, "epoch"))
    return pd.concat(rows, ignore_index=True)


def rises(errors):
    """Return in how many epochs an error rises; NaN if there is no curve.

    >>> rises([4.0, 2.0, 3.0, 1.0])
    1.0
    """
    return float((np.diff(errors) > 0).sum()) if len(errors) > 1 else np.nan


def recovery(errors):
    """Return the largest ratio of a relative decrease to an earlier one; 1 if it only slows down.

    >>> print(round(recovery([64.0, 32.0, 16.0, 2.0]), 12))
    3.0
    """
    rates = -np.diff(np.log(errors))
    falls = rates[rates > 0]
    return max(1.0, *(falls[1:] / np.minimum.accumulate(falls)[:-1])) if len(falls) > 1 else np.nan


def epoch_seconds(table):
    """Return the seconds of an epoch by the swept size, as curves over the sizes."""
    rows = table[table.measure == "search_seconds"]
    each, sizes = rows.value / rows.epoch, rows["sweep"]
    return rows.assign(measure="epoch_seconds", value=each, epoch=sizes, sweep=sizes.min())


def _score_seconds(curves, targets):
    """Return the seconds by epoch, of all epochs, and until the target was reached."""
    of_epochs = curves[curves.epoch > 0].groupby(KEYS, dropna=False)
    ends = of_epochs.agg(epoch=("epoch", "last"), stop=("seconds", "last"))
    starts = curves[curves.epoch == 0].groupby(KEYS, dropna=False).seconds.first()
    ends["search_seconds"] = ends.stop - starts  # missing if only the end is known
    ends["cores"] = of_epochs.cores.first()
    ends = scoring.tidy(ends.reset_index(), ["search_seconds", "cores"])
    rows = [scoring.tidy(curves, ["seconds"]), ends]
    return pd.concat([*rows, when_error_reached(curves, targets, "seconds")])


def when_error_reached(curves, targets, column):
    """Return the first epoch or second at which each curve's error is within the target."""
    curves = curves[curves.mse.notna()]
    bounds = curves.join(targets.rename("target"), on=["noise", "trial"]).target
    ends = curves.groupby(KEYS, dropna=False).epoch.max().to_numpy()
    return scoring.when_reached(curves, column, curves.mse <= bounds).assign(epoch=ends)


class Truth:
    """References for the maps of a trial: dissimilarities, true coordinates, labels, ratings."""

    def __init__(self, setup, noise, trial):
        experiment, objects = setup.experiment, setup.objects_of(trial)
        of_trial = TrialObjects(setup, noise, trial)
        self.features, self.clean = of_trial.features, of_trial.clean
        self.dissimilarities = of_trial.dissimilarities(experiment.n_neighbors)[0]
        self.places = true_map(setup.dataset, objects)
        self.labels = objects.label.to_numpy()
        pairs = experiment.objects.pairs
        self.pairs = pairs and _by_object(setup.data[f"ratings_{pairs}"], objects.row)
        self.seed = setup.seed_of_experiment("pairs")
        self.measures = dict(self._applying())

    def score(self, points):
        """Return the values of the measures that apply, or NaN if the method has failed."""
        failed = not np.isfinite(points).all()
        return {name: np.nan if failed else f(points) for name, f in self.measures.items()}

    def resample(self, points):
        """Return the rank correlation with people's scores in each resample of the pairs."""
        table = pd.DataFrame({"resample": np.arange(RESAMPLES), "measure": _OF_TRIAL})
        if not np.isfinite(points).all():
            return table.assign(value=np.nan)
        left, right, _ = self.pairs
        likeness = cosines(points, left, right)[self._drawn]
        return table.assign(value=_correlations(rankdata(likeness, axis=1), self._ranks))

    @cached_property
    def _drawn(self):
        n_pairs = len(self.pairs[0])
        rng = np.random.default_rng(self.seed)
        return rng.integers(n_pairs, size=(RESAMPLES, n_pairs))

    @cached_property
    def _ranks(self):
        return rankdata(self.pairs[2][self._drawn], axis=1)

    def _applying(self):
        """Yield the measures that apply, each with its function of the points."""
        yield "stress", partial(scaled_stress, dissimilarities=self.dissimilarities)
        if self.pairs is not None:
            yield "spearman", partial(self._agreement, spearmanr)
            yield "pearson", partial(self._agreement, pearsonr)
            return
        yield "trustworthiness", self._trustworthiness
        if self.places is not None:
            edge = outer(self.places)
            yield "procrustes", partial(procrustes_distance, self.places)
            yield "distortion", partial(distortion, self.places)
            yield "edge_distortion", partial(distortion, self.places, rows=edge)
            yield "edge_procrustes", partial(misplaced, self.places, rows=edge)
        if (self.labels >= 0).any():
            yield "f1", self._f1

    @cached_property
    def _places_in_order(self):
        """The rank of each object among the others of a row, by distance; the same for all maps."""
        distances = pairwise_distances(self.clean)
        np.fill_diagonal(distances, np.inf)
        ranks = np.empty(distances.shape, np.int32)
        order = np.argsort(distances, axis=1)
        np.put_along_axis(ranks, order, np.arange(1, len(ranks) + 1)[None], axis=1)
        return ranks

    def _trustworthiness(self, points):
        """Return what scikit-learn's function does, without ordering the features again."""
        nearest = NearestNeighbors(n_neighbors=NEIGHBORS).fit(points).kneighbors()[1]
        excess = np.take_along_axis(self._places_in_order, nearest, axis=1) - NEIGHBORS
        n, k = nearest.shape
        return 1 - excess[excess > 0].sum() * (2 / (n * k * (2 * n - 3 * k - 1)))

    def _agreement(self, correlate, points):
        left, right, scores = self.pairs
        return correlate(cosines(points, left, right), scores).statistic

    def _f1(self, points):
        labeled = self.labels >= 0
        model = KNeighborsClassifier(1)
        args = points[labeled], self.labels[labeled]
        return cross_val_score(model, *args, cv=FOLDS, scoring="f1_macro").mean()


def _correlations(left, right):
    """Return the correlation of each row of `left` with the same row of `right`."""
    left, right = (table - table.mean(axis=1, keepdims=True) for table in (left, right))
    squares = (left**2).sum(axis=1) * (right**2).sum(axis=1)
    with np.errstate(invalid="ignore"):  # NaN for constant rows
        return (left * right).sum(axis=1) / np.sqrt(squares)


def _by_object(pairs, rows):
    """Return the object numbers of word pairs in the trial, and their scores."""
    place = pd.Series(range(len(rows)), index=rows)
    pairs = pairs[np.isin(pairs[:, :2], rows).all(axis=1)]
    return place[pairs[:, 0]].to_numpy(), place[pairs[:, 1]].to_numpy(), pairs[:, 2]


def outer(places):
    """Return which points are the `EDGE` of a map: nearest to the sides of the box around it."""
    low, high = places.min(axis=0), places.max(axis=0)
    outward = np.abs(2 * (places - low) / (high - low) - 1).max(axis=1)
    return outward >= np.quantile(outward, 1 - EDGE)


def misplaced(places, points, rows):
    """Return the variance that a similarity of the map leaves in some rows, as a share of all."""
    residuals, spread = procrustes_align(places, points), places - places.mean(axis=0)
    residuals[:, : places.shape[1]] -= places  # a map may have more dimensions
    return float((residuals[rows] ** 2).sum(axis=1).mean() / (spread**2).sum(axis=1).mean())


def distortion(places, points, rows=slice(None)):
    """Return the mean share of the true coordinates' variance that no affine map explains.

    With `rows`, only their residuals count, per point.

    >>> square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> distortion(square, square * [5.0, 1.0] + 3.0) < 1e-12
    True
    >>> round(distortion(square, square[:, :1]), 12)
    0.5
    """
    centered = places - places.mean(axis=0)
    regressors = np.column_stack([points, np.ones(len(points))])
    residuals = centered - regressors @ np.linalg.lstsq(regressors, centered)[0]
    of_rows = residuals[rows]
    shares = (of_rows**2).sum(axis=0) / (centered**2).sum(axis=0)
    return float(np.mean(shares) * (len(places) / len(of_rows)))


def cosines(points, left, right):
    """Return the cosines of pairs of points.

    >>> cosines(np.array([[1.0, 0.0], [3.0, 0.0], [0.0, 3.0]]), [0, 1], [1, 2])
    array([1., 0.])
    """
    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    return (units[left] * units[right]).sum(axis=1)
