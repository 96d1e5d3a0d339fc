"""What a trial of multidimensional scaling is given: objects, features and dissimilarities.

A shape is drawn anew in every trial, so that its objects bring their places along; of words and
digits, which are rows of a data set, some are chosen. Noise and dissimilarities come from these and
the seed alone, and are too large to keep.
"""

from time import perf_counter

import numpy as np
import pandas as pd

from closerthan.datasets.shapes import clusters_of, flat_map, make_shape
from closerthan_study.reading import coordinates, tabulate


def draw(setup, trial):
    """Return no comparisons, and the objects of a trial: chosen or, of a shape, drawn.

    Those that are drawn have row -1, points x0, x1, x2, true coordinates p0, ..., and a color.
    """
    settings, data = setup.experiment.objects, setup.data
    rng = np.random.default_rng(setup.seed("comparisons", trial))
    if "parameters" in data:
        return None, _draw_shape(setup.dataset, settings.n_objects, rng)
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
    places = coordinates(objects)
    return places if places.size else data["features"][objects.row]


def with_noise(setup, features, noise, trial):
    """Add normal noise with a standard deviation; at all levels a multiple of the same."""
    rng = np.random.default_rng(setup.seed("noise", trial))
    return features + noise * rng.standard_normal(features.shape)


def true_map(dataset, objects):
    """Return the map that a shape should be flattened to, or None where none is known."""
    parameters = coordinates(objects, "p")
    return flat_map(dataset, parameters) if parameters.size else None


def _draw_shape(name, n_objects, rng):
    shape = make_shape(name, n_objects, random_state=rng)
    label = clusters_of(name, shape.parameters)
    table = pd.DataFrame({"part": "item", "object": range(n_objects), "row": -1, "label": label})
    table = table.join([tabulate(shape.points), tabulate(shape.parameters, "p")])
    return table.assign(color=shape.color)


class TrialObjects:
    """The objects of a trial at a noise level, and their dissimilarities, computed once."""

    def __init__(self, setup, noise, trial):
        self.experiment = setup.experiment
        objects = setup.objects_of(trial)
        self.truth = true_map(setup.dataset, objects)
        if self.truth is None:
            self.truth = coordinates(objects, "p")
        self.clean = features_of(setup.data, objects)
        self.features = with_noise(setup, self.clean, noise, trial)
        self.seed = setup.seed("start", noise, trial)  # so that all methods of MDS start alike
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
