"""Draw the objects of a trial of multidimensional scaling; noise is computed again by its seed."""

from time import perf_counter

import numpy as np

from closerthan.datasets.shapes import clusters_of, flat_map, make_shape
from closerthan_study.reading import coordinates, tabulate, tabulate_objects


def draw(setup, trial):
    """Return None for the comparisons, and the chosen or drawn objects of a trial."""
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
    return None, tabulate_objects(rows, labels)


def features_of(data, objects):
    """Return the features of objects, one row per object."""
    places = coordinates(objects)
    return places if places.size else data["features"][objects.row]


def with_noise(setup, features, noise, trial):
    """Add normal noise; all noise levels scale the same random numbers."""
    rng = np.random.default_rng(setup.seed("noise", trial))
    return features + noise * rng.standard_normal(features.shape)


def true_map(dataset, objects):
    """Return the true flat map of a shape, or None if it is unknown."""
    parameters = coordinates(objects, "p")
    return flat_map(dataset, parameters) if parameters.size else None


def _draw_shape(name, n_objects, rng):
    shape = make_shape(name, n_objects, random_state=rng)
    table = tabulate_objects([-1] * n_objects, clusters_of(name, shape.parameters))
    table = table.join([tabulate(shape.points), tabulate(shape.parameters, "p")])
    return table.assign(color=shape.color)


class TrialObjects:
    """The objects of a trial at one noise level; their dissimilarities are computed once."""

    def __init__(self, setup, noise, trial):
        self.experiment = setup.experiment
        objects = setup.objects_of(trial)
        self.truth = true_map(setup.dataset, objects)
        if self.truth is None:
            self.truth = coordinates(objects, "p")
        self.clean = features_of(setup.data, objects)
        self.features = with_noise(setup, self.clean, noise, trial)
        self.seed = setup.seed("start", noise, trial)  # the same for all methods of MDS
        self._dissimilarities = {}

    def dissimilarities(self, n_neighbors):
        """Return the matrix of dissimilarities and the seconds it took."""
        # These imports take a second, and drawing a trial does not need them.
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
