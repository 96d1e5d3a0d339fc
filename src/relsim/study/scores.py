"""The scores station: one tidy row a value, for every method of an experiment.

Columns: study, experiment, dataset, method, variant, loss, batch_size, noise, trial, epoch
(gradient evaluations over the number of training comparisons), measure, k and value.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.kernel_ridge import KernelRidge
from sklearn.manifold import ClassicalMDS
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.preprocessing import StandardScaler

from relsim.scores import procrustes_distance, retrieval_scores
from relsim.study.data import read_data
from relsim.study.files import replacing
from relsim.study.fits import KEYS

COLUMNS = [
    *("study", "experiment", "dataset", "method", "variant", "loss", "batch_size"),
    *("noise", "trial", "epoch", "measure", "k", "value"),
]
MEASURES = {
    "test_error": "share of test comparisons that do not hold, ties included",
    "norm": "Frobenius norm of the points, or of the kernel",
    "step_size": "step size of the solver",
    "final_error": "test error at the end of the budget",
    "epochs_to_error": "epochs until the target error; missing where it is not reached",
    "seconds_to_error": "the same in seconds, in a file of its own",
    "peak_rise": "largest rise of the test error above what it had been",
    "step_spread": "decimal logarithm of the largest over the smallest step size",
    "procrustes": "Procrustes distance to metric MDS of all distances",
    "MAP": "mean average precision over the whole ranking",
    "precision": "mean precision among the first k",
    "recall": "mean recall among the first k",
}
_GRID = 60  # points at which a learning curve is read off


def make_scores(spec, experiment, dataset, data, objects, folder):
    """Score every fit of an experiment on a data set: a Parquet file a method, and the seconds.

    Parameters
    ----------
    spec : Spec
    experiment : Experiment
    dataset : str
    data, objects : path-like
        What the stations before have made.
    folder : path-like
        Where the files go: {method}.parquet, and seconds.parquet, which never repeats.
    """
    data = read_data(data)
    objects = pd.read_parquet(objects)
    timed = []
    for method in experiment.methods.values():
        curves, embeddings, seconds = (
            pd.concat(
                map(pd.read_parquet, spec.fits(experiment, dataset, method.name, suffix)),
                ignore_index=True,
            )
            for suffix in ("parquet", "embedding.parquet", "seconds.parquet")
        )
        words = {"study": experiment.study, "experiment": experiment.name, "dataset": dataset}
        words["method"] = method.name
        table = score(experiment, method, data, objects, curves, embeddings)
        _write(Path(folder, f"{method.name}.parquet"), table.assign(**words))
        if experiment.target_error is not None and not method.control:
            curves["seconds"] = seconds.seconds
            table = when_reached(curves, "seconds", experiment.target_error)
            timed.append(table.assign(**words))
    if timed:
        _write(Path(folder, "seconds.parquet"), pd.concat(timed))


def _write(path, table):
    table = table.reindex(columns=COLUMNS).sort_values(COLUMNS, ignore_index=True)
    table = table.astype({"batch_size": "Int64", "k": "Int64", "epoch": float})
    with replacing(path) as temporary:
        table.to_parquet(temporary, index=False)


def score(experiment, method, data, objects, curves, embeddings):
    """Return the scores of one method as tidy rows."""
    rows = [
        read_off(curves, measure, method.epochs) for measure in ("test_error", "norm", "step_size")
    ]
    rows.append(summarize(curves))
    if experiment.target_error is not None:
        rows.append(when_reached(curves, "epoch", experiment.target_error))
    for keys, embedding in embeddings.groupby(KEYS):
        points = embedding.sort_values("object").filter(regex=r"^x\d+$").to_numpy()
        keys = dict(zip(KEYS, keys, strict=True))
        if experiment.retrieval:
            of_trial = objects[objects.trial == keys["trial"]]
            table = _retrieval(experiment.retrieval, data, of_trial, points, method)
        elif "distances" in data:
            table = _map_quality(data["distances"], points)
        else:
            break
        rows.append(table.assign(**keys, epoch=method.epochs))
    return pd.concat(rows, ignore_index=True)


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


def _retrieval(settings, data, objects, points, method):
    """Score the search for queries among the items, by the protocol `held-out`.

    Queries are mapped into the embedding by regularized least squares with an RBF kernel of the
    features, and the items are ranked by their distance; MAP is over the whole ranking.
    """
    items, queries = (objects[objects.part == part] for part in ("item", "query"))
    scaler = StandardScaler().fit(data["features"][items.row])
    features = [scaler.transform(data["features"][part.row]) for part in (items, queries)]
    if method.control == "features":
        points, places = features
    elif np.isfinite(points).all():
        places = map_features(features[0], points, features[1], settings["ridge"])
    else:
        return pd.DataFrame([{"measure": "MAP", "value": np.nan}])
    scores = retrieval_scores(
        places, points, queries.label.to_numpy(), items.label.to_numpy(), k=settings["k"]
    )
    return scores.assign(k=scores.k.where(scores.measure != "MAP"))


def map_features(features, points, new_features, ridge):
    """Map new features to where they belong among points, by kernel ridge regression.

    Parameters
    ----------
    features : ndarray of shape (n, d)
    points : ndarray of shape (n, p)
        Where the objects with these features lie.
    new_features : ndarray of shape (m, d)
    ridge : float
        Weight of the penalty.

    Returns
    -------
    ndarray of shape (m, p)

    Notes
    -----
    The kernel is exp(-||x - y||^2 / (2 s^2)), s^2 the mean squared distance of the features.
    """
    variance = (euclidean_distances(features) ** 2).mean()
    center = points.mean(axis=0)
    model = KernelRidge(kernel="rbf", gamma=1 / (2 * variance), alpha=ridge)
    return model.fit(features, points - center).predict(new_features) + center
