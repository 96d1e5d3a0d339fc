"""Retrieval by a learned similarity: who searches what, and how good the rankings are.

The objects of a trial are queries, and items to learn from and to search. Some of the items
validate: they are queries among the others while parameters are tuned.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from sklearn.preprocessing import minmax_scale, normalize

from relsim.comparisons import sample_from_labels
from relsim.scores import retrieval_scores
from relsim.study.data import read_data
from relsim.study.mixture import draw_mixture

BILINEAR = ("OASIS", "SDCA")  # which learn x'My; all others, x -> Lx


@dataclass(frozen=True)
class Objects:
    """Features, shape (n, d), and labels, shape (n,), of some objects."""

    features: np.ndarray
    labels: np.ndarray

    def __getitem__(self, rows):
        return Objects(self.features[rows], self.labels[rows])


def draw_retrieval(settings, labels, seed):
    """Part the objects of a trial, class by class, and sample triplets of the items.

    Parameters
    ----------
    settings : dict
        The `comparisons` of the experiment: n_train (triplets), and the shares `items` (of each
        class; the rest are queries), `validation` (of these items) and `queries` (that are used).
    labels : ndarray of shape (n,)
        Of all rows of the data set.
    seed : SeedSequence

    Returns
    -------
    comparisons : DataFrame
        part, i, j, k: as many triplets to learn from ("train"), and of the items that do not
        validate ("tuning").
    objects : DataFrame
        part ("item", "validation" or "query"), object (from 0; those that validate come after the
        other items, and queries are numbered by themselves), row, label.

    Raises
    ------
    ValueError
        If a class is so small that one of its parts would be empty, or there are too few triplets.
    """
    *sampling, parting = seed.spawn(3)
    rng = np.random.default_rng(parting)
    rows = {"item": [], "validation": [], "query": []}
    for label in np.unique(labels):
        of_class = rng.permutation(np.flatnonzero(labels == label))
        n_items = round(settings["items"] * len(of_class))
        n_learned = n_items - round(settings["validation"] * n_items)
        for part, some in zip(rows, np.split(of_class, [n_learned, n_items]), strict=True):
            if not len(some):
                raise ValueError(f"class {label}: with {len(of_class)} objects, no {part} is left")
            rows[part].append(some)
    rows = {part: np.concatenate(some) for part, some in rows.items()}
    n_queries = round(settings.get("queries", 1.0) * len(rows["query"]))
    rows["query"] = np.sort(rng.choice(rows["query"], max(1, n_queries), replace=False))
    n_learned, n_items = np.cumsum([len(rows["item"]), len(rows["validation"])])
    numbers = [np.arange(n_learned), np.arange(n_learned, n_items), np.arange(len(rows["query"]))]
    objects = pd.concat(
        pd.DataFrame({"part": part, "object": some, "row": rows[part], "label": labels[rows[part]]})
        for part, some in zip(rows, numbers, strict=True)
    )
    items = objects.label[objects.part != "query"].to_numpy()
    tables = []
    for part, n, source in zip(("train", "tuning"), (n_items, n_learned), sampling, strict=True):
        rng = np.random.default_rng(source)
        triplets = sample_from_labels(items[:n], settings["n_train"], random_state=rng)
        table = pd.DataFrame(triplets.astype(np.int32), columns=["i", "j", "k"])
        tables.append(table.assign(noise=0.0, part=part))
    return pd.concat(tables), objects


class Collection:
    """The objects of every trial of an experiment on a data set.

    Parameters
    ----------
    spec : Spec
    experiment : Experiment
    dataset : str
    data, objects : path-like
        What the stations before have made.
    """

    def __init__(self, spec, experiment, dataset, data, objects):
        self._mixture = partial(draw_mixture, spec, experiment)
        self.drawn = bool(experiment.points)
        self._objects = dict(list(pd.read_parquet(objects).groupby("trial")))
        if not self.drawn:
            arrays = read_data(data)
            how = (experiment.normalize or {}).get(dataset)
            self._all = Objects(scale(arrays["features"], how), arrays["labels"])

    def of_trial(self, trial, *parts):
        """Return the objects of some parts of a trial, in the order of their numbers."""
        chosen = self._objects[trial]
        chosen = chosen[chosen.part.isin(parts)].sort_values("object")
        if not self.drawn:
            return self._all[chosen.row.to_numpy()]
        mixture = self._mixture(trial)
        return Objects(mixture.features, mixture.labels)[chosen.row.to_numpy()]

    def background(self, trial):
        """Yield, chunk by chunk, features of objects that are searched too but have no label."""
        return self._mixture(trial).background() if self.drawn else iter(())


def scale(features, how):
    """Return features as they are (None), in [-1, 1] each ("range") or of unit length ("length").

    Examples
    --------
    >>> scale(np.array([[3.0, 4.0], [0.0, 2.0]]), "length")
    array([[0.6, 0.8],
           [0. , 1. ]])
    """
    match how:
        case "range":
            return minmax_scale(features, (-1.0, 1.0))
        case "length":
            return normalize(features)
    return features


def places(model, matrix, queries, items):
    """Map queries and items to where a ranking is by inner product, or else by distance.

    Parameters
    ----------
    model : str or None
        The class that has learned `matrix`; None for the Euclidean distance.
    matrix : ndarray of shape (d, d) or None
        M of a bilinear similarity, L of a metric.
    queries, items : ndarray of shape (n, d) and (m, d)

    Returns
    -------
    queries, items : ndarray
    """
    if model in BILINEAR:
        return queries @ matrix.astype(queries.dtype), items
    if matrix is None:
        return queries, items
    matrix = matrix.T.astype(queries.dtype)
    return queries @ matrix, items @ matrix


def mean_average_precision(model, matrix, queries, items):
    """Mean average precision of queries that search items; see `places`.

    Parameters
    ----------
    model : str or None
    matrix : ndarray or None
    queries, items : Objects

    Returns
    -------
    float
        NaN where the matrix is not finite.
    """
    if matrix is not None and not np.isfinite(matrix).all():
        return np.nan
    found = retrieval_scores(
        *places(model, matrix, queries.features, items.features),
        queries.labels,
        items.labels,
        k=(),
        metric=_negated_product if model in BILINEAR else "euclidean",
    )
    return found.value.iloc[0]


def _negated_product(queries, items):
    return -(queries @ items.T)


def mean_average_precision_among(model, matrix, queries, items, background):
    """Do the same where a background is searched too, which is read in chunks and never relevant.

    For every relevant item it counts, chunk by chunk, what is ranked before it. An item tied with
    one that is not relevant comes first; features drawn at random have no ties.

    Parameters
    ----------
    model, matrix, queries, items
        See `mean_average_precision`.
    background : iterable of ndarray of shape (m, d)

    Returns
    -------
    float
    """
    if matrix is not None and not np.isfinite(matrix).all():
        return np.nan
    similarities = _similarities(model, matrix, queries.features, items.features)
    relevant = queries.labels[:, None] == items.labels
    found = [np.sort(row[of_class]) for row, of_class in zip(similarities, relevant, strict=True)]
    before = [np.zeros(len(row), dtype=np.int64) for row in found]

    def count(similarities):
        for row, hits, n in zip(similarities, found, before, strict=True):
            n += len(row) - np.searchsorted(np.sort(row), hits, side="right")

    count(similarities)
    for chunk in background:
        count(_similarities(model, matrix, queries.features, chunk))
    return np.mean([_average_precision(n) for n in before if len(n)])


def _average_precision(before):
    """Average precision from the numbers of items before each hit, the last hit first."""
    return np.mean(np.arange(len(before), 0, -1) / (before + 1))


def _similarities(model, matrix, queries, items):
    """Numbers by which items are ranked, the highest first: inner products, or less distances.

    Those of distances are halved and squared, and each query's own length is left out.
    """
    queries, items = places(model, matrix, queries, items)
    similarities = queries @ items.T
    if model not in BILINEAR:
        similarities -= 0.5 * (items**2).sum(axis=1)
    return similarities
