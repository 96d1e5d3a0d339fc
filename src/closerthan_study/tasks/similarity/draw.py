"""What a trial of similarity learning is given: objects in parts, their features, and triplets.

The objects of a trial are queries, and items to learn from and to search. Some of the items
validate: they are queries among the others while parameters are tuned.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from closerthan.comparisons.sample import sample_from_labels
from closerthan_study.tasks.similarity.mixture import draw_mixture


def draw(setup, trial):
    """Return the triplets and the objects of a trial; see `draw_retrieval`."""
    drawn = setup.experiment.points
    labels = draw_mixture(setup, trial).labels if drawn else setup.data["labels"]
    return draw_retrieval(setup.experiment.comparisons, labels, setup.seed("comparisons", trial))


@dataclass(frozen=True)
class Objects:
    """Features, shape (n, d), and labels, shape (n,), of some objects."""

    features: np.ndarray
    labels: np.ndarray

    def __getitem__(self, rows):
        return Objects(self.features[rows], self.labels[rows])


def draw_retrieval(settings, labels, seed):
    """Part the objects of a trial, class by class, and sample triplets of the items.

    There are as many triplets to learn from ("train") as triplets of the items that do not validate
    ("tuning"). Objects are numbered from 0: those that validate come after the other items, and
    queries are numbered by themselves.
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
        table = pd.DataFrame(triplets.astype(np.int32), columns=["i", "j", "k"])
        tables.append(table.assign(noise=0.0, part=part))
    return pd.concat(tables), objects


class Collection:
    """The objects of every trial of an experiment on a data set."""

    def __init__(self, setup):
        # A mixture takes seconds to draw, and trials come one after another.
        self._mixture = lru_cache(maxsize=1)(partial(draw_mixture, setup))
        self.drawn = bool(setup.experiment.points)
        self._objects_of = setup.objects_of
        if not self.drawn:
            how = setup.experiment.normalize.get(setup.dataset)
            self._all = Objects(scale(setup.data["features"], how), setup.data["labels"])

    def of_trial(self, trial, *parts):
        """Return the objects of some parts of a trial, in the order of their numbers."""
        chosen = self._objects_of(trial)
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
    from sklearn.preprocessing import minmax_scale, normalize  # slow to import; trials need none

    match how:
        case "range":
            return minmax_scale(features, (-1.0, 1.0))
        case "length":
            return normalize(features)
    return features
