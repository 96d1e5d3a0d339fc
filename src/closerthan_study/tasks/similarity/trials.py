"""Draw the objects, features and triplets of a trial of similarity learning.

Methods learn from the items, and the queries search them. In tuning, the items of a validation part
search the others.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from closerthan.comparisons.sample import sample_from_labels
from closerthan_study.reading import tabulate_triplets
from closerthan_study.tasks.similarity.mixture import draw_mixture


def draw(setup, trial):
    """Return the triplets and the objects of a trial; see `draw_retrieval`."""
    drawn = setup.experiment.points
    labels = draw_mixture(setup, trial).labels if drawn else setup.data["labels"]
    return draw_retrieval(setup.experiment.comparisons, labels, setup.seed("comparisons", trial))


@dataclass(frozen=True)
class Objects:
    """Features, shape (n, d), and labels, shape (n,), of objects."""

    features: np.ndarray
    labels: np.ndarray

    def __getitem__(self, rows):
        return Objects(self.features[rows], self.labels[rows])


def draw_retrieval(settings, labels, seed):
    """Split the objects of a trial class by class, and sample triplets of the items.

    The "train" triplets use all items, the "tuning" triplets only items outside the validation
    part, which is numbered last.
    """
    *sampling, parting = seed.spawn(3)
    rng = np.random.default_rng(parting)
    rows = {"item": [], "validation": [], "query": []}
    for label in np.unique(labels):
        of_class = rng.permutation(np.flatnonzero(labels == label))
        n_items = round(settings.items * len(of_class))
        n_learned = n_items - round(settings.validation * n_items)
        for part, some in zip(rows, np.split(of_class, [n_learned, n_items]), strict=True):
            if not len(some):
                raise ValueError(f"class {label}: with {len(of_class)} objects, no {part} is left")
            rows[part].append(some)
    rows = {part: np.concatenate(some) for part, some in rows.items()}
    n_queries = round((settings.queries or 1.0) * len(rows["query"]))
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
        triplets = sample_from_labels(items[:n], settings.n_train, random_state=rng)
        tables.append(tabulate_triplets(triplets, part))
    return pd.concat(tables), objects


class Collection:
    """The objects of every trial of an experiment on a data set."""

    def __init__(self, setup):
        # Drawing a mixture takes seconds. Trials come in order, so keeping one is enough.
        self._mixture = lru_cache(maxsize=1)(partial(draw_mixture, setup))
        self.drawn = bool(setup.experiment.points)
        self._objects_of = setup.objects_of
        if not self.drawn:
            how = setup.experiment.normalize.get(setup.dataset)
            self._all = Objects(_scale(setup.data["features"], how), setup.data["labels"])

    def of_trial(self, trial, *parts):
        """Return the objects in some parts of a trial, ordered by number."""
        chosen = self._objects_of(trial)
        chosen = chosen[chosen.part.isin(parts)].sort_values("object")
        if not self.drawn:
            return self._all[chosen.row.to_numpy()]
        mixture = self._mixture(trial)
        return Objects(mixture.features, mixture.labels)[chosen.row.to_numpy()]

    def background(self, trial):
        """Yield chunks of features of unlabeled objects, which are searched too."""
        return self._mixture(trial).background() if self.drawn else iter(())


def _scale(features, how):
    """Return features unchanged (None), each in [-1, 1] ("range"), or of unit length ("length").

    >>> _scale(np.array([[3.0, 4.0], [0.0, 2.0]]), "length")
    array([[0.6, 0.8],
           [0. , 1. ]])
    """
    from sklearn.preprocessing import minmax_scale, normalize  # slow; drawing does not need it

    match how:
        case "range":
            return minmax_scale(features, (-1.0, 1.0))
        case "length":
            return normalize(features)
    return features
