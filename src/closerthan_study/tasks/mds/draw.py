"""What a trial of multidimensional scaling is given: objects, features and dissimilarities.

A shape is drawn anew in every trial, so that its objects bring their places along; of words and
digits, which are rows of a data set, some are chosen. Noise and dissimilarities come from these and
the seed alone, and are too large to keep.
"""

from time import perf_counter

import numpy as np
import pandas as pd

from closerthan.datasets.shapes import clusters_of, flat_map, make_shape
from closerthan_study.seeds import seed_sequence


def draw(spec, experiment, dataset, data, trial):
    """Return no comparisons, and the objects of a trial: chosen or, of a shape, drawn.

    Those that are drawn have row -1, points x0, x1, x2, true coordinates p0, ..., and a color.
    """
    words = (experiment.study, experiment.name, dataset, "comparisons", trial)
    settings = experiment.objects
    rng = np.random.default_rng(seed_sequence(spec.seed, *words))
    if "parameters" in data:
        return None, _draw_shape(dataset, settings.n_objects, rng)
    rows = np.arange(len(data["features"]))
    if settings.pairs:
        rows = np.unique(data[f"ratings_{settings.pairs}"][:, :2]).astype(int)
    if settings.n_objects < len(rows):
        rows = np.sort(rng.choice(rows, settings.n_objects, replace=False))
    labels = data["labels"][rows] if "labels" in data else -1
    objects = {"part": "item", "object": range(len(rows)), "row": rows, "label": labels}
    return None, pd.DataFrame(objects)


def features_of(data, objects):
    """Return what is known of objects: an array with a row each."""
    places = columns(objects, "x")
    return places if places.size else data["features"][objects.row]


def columns(table, letter):
    """Return the columns x0, x1, ... of a table, or those with another letter, as an array."""
    return table.filter(regex=rf"^{letter}\d+$").to_numpy(float)


def with_noise(spec, experiment, dataset, features, noise, trial):
    """Add normal noise with a standard deviation; at all levels a multiple of the same."""
    words = (experiment.study, experiment.name, dataset, "noise", trial)
    rng = np.random.default_rng(seed_sequence(spec.seed, *words))
    return features + noise * rng.standard_normal(features.shape)


def true_map(dataset, objects):
    """Return the map that a shape should be flattened to, or None where none is known."""
    coordinates = columns(objects, "p")
    return flat_map(dataset, coordinates) if coordinates.size else None


def _draw_shape(name, n_objects, rng):
    shape = make_shape(name, n_objects, random_state=rng)
    label = clusters_of(name, shape.parameters)
    table = {"part": "item", "object": range(n_objects), "row": -1, "label": label}
    for letter, array in (("x", shape.points), ("p", shape.parameters)):
        table |= {f"{letter}{axis}": values for axis, values in enumerate(array.T)}
    return pd.DataFrame({**table, "color": shape.color})


class TrialObjects:
    """The objects of a trial at a noise level, and their dissimilarities, computed once."""

    def __init__(self, spec, experiment, dataset, data, objects, noise, trial):
        self.experiment = experiment
        self.truth = true_map(dataset, objects)
        if self.truth is None:
            self.truth = columns(objects, "p")
        self.clean = features_of(data, objects)
        self.features = with_noise(spec, experiment, dataset, self.clean, noise, trial)
        words = (experiment.study, experiment.name, dataset, "start", noise, trial)
        self.seed = seed_sequence(spec.seed, *words)  # so that all methods of MDS start alike
        self._dissimilarities = {}

    def dissimilarities(self, n_neighbors):
        """Return the matrix, and the seconds that it took."""
        # Drawing a trial does not need these, which take a second to import.
        from sklearn.metrics import euclidean_distances

        from closerthan.mds.geodesic import geodesic_distances

        if n_neighbors not in self._dissimilarities:
            began = perf_counter()
            if self.experiment.dissimilarity == "geodesic":
                matrix = geodesic_distances(self.features, n_neighbors, bridge=True)
            else:
                matrix = euclidean_distances(self.features)
            self._dissimilarities[n_neighbors] = matrix, perf_counter() - began
        return self._dissimilarities[n_neighbors]
