"""Simulate a large image collection: labeled classes among many unlabeled objects.

Classes differ in a few of many directions. A rotation mixes all directions, and every vector has
unit length.
"""

import numpy as np

_N_TELLING = 40  # directions in which classes differ
_SPREAD = 1.2  # standard deviation of class centers, relative to the one within a class
_CLUTTER = 1.4, 0.8  # largest and least standard deviation of the uninformative directions
_CHUNK = 4_000


class Mixture:
    """The objects of one trial; unlabeled objects are drawn when they are read."""

    def __init__(self, seed, *, n_objects, n_labeled, n_classes, n_components):
        shape, labeled, background = seed.spawn(3)
        rng = np.random.default_rng(shape)
        rotation = np.linalg.qr(rng.normal(size=(n_components, n_components)))[0]
        clutter = np.linspace(*_CLUTTER, n_components - _N_TELLING)
        widths = np.concatenate([np.ones(_N_TELLING), clutter])
        self._map = (widths[:, None] * rotation).astype(np.float32)
        self._centers = rng.normal(scale=_SPREAD, size=(n_classes, _N_TELLING)).astype(np.float32)
        self._n_background = n_objects - n_labeled
        self._seed = background
        self.labels = np.arange(n_labeled) % n_classes
        self.features = self._draw(np.random.default_rng(labeled), self._centers[self.labels])

    def background(self, chunk=_CHUNK):
        """Yield the unlabeled objects in chunks of size `chunk`; their features depend on it."""
        rng = np.random.default_rng(self._seed)
        for start in range(0, self._n_background, chunk):
            size = (min(chunk, self._n_background - start), _N_TELLING)
            yield self._draw(rng, rng.standard_normal(size, np.float32) * np.float32(_SPREAD))

    def _draw(self, rng, centers):
        objects = rng.standard_normal((len(centers), len(self._map)), np.float32)
        objects[:, :_N_TELLING] += centers
        objects = objects @ self._map
        return objects / np.linalg.norm(objects, axis=1, keepdims=True)


def draw_mixture(setup, trial):
    """Return the objects of a trial; every trial draws its own."""
    seed = setup.seed_of_experiment("points", trial)
    return Mixture(seed, **setup.experiment.points.model_dump())
