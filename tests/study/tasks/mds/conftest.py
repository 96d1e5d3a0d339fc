"""Maps of a shape and of words, and methods that draw them."""

import numpy as np
import pytest

from closerthan.datasets.shapes import make_shape

PAPER = {"variants": {"paper": {}}}
METHODS = {
    "search": {
        "model": "PatternSearchMDS",
        "variants": {
            "paper": {"parameters": {"radius": 2, "min_radius": 0.01}},
            "monotone": {"parameters": {"bad_moves": False}},
        },
    },
    "smacof": {"model": "SMACOF", **PAPER},
    "svd": {"model": "TruncatedSVD", **PAPER},
    "random": {"control": "random"},
}
MAP = {"task": "mds", "n_components": 2, "dissimilarity": "euclidean", "n_neighbors": 5}


@pytest.fixture
def methods():
    """Two methods of MDS, one that is given features, and a control."""
    return METHODS


@pytest.fixture
def of_classes(study, classes):
    """A study of objects with features and labels, with its trials made."""

    def make(n_objects, copies=1):
        arrays = {name: np.concatenate([array] * copies) for name, array in classes.items()}
        toy = study(arrays, methods=METHODS, objects={"n_objects": n_objects}, **MAP)
        toy.make_trials()
        return toy, arrays

    return make


@pytest.fixture
def of_shape(study):
    """A study of maps of a shape, with its trials made."""

    def make(name="swissroll", methods=METHODS, **changes):
        arrays = make_shape(name, 100, random_state=0).arrays()
        objects = {"n_objects": 150, "noise": changes.pop("noise", [0.0])}
        settings = {**MAP, "dissimilarity": "geodesic", "objects": objects, "methods": methods}
        sizes = {"epochs": 30, **changes.pop("sizes", {})}
        toy = study(arrays, dataset=name, sizes=sizes, **settings | changes)
        toy.make_trials()
        return toy

    return make


@pytest.fixture
def of_words(study):
    """A study of 40 words, 30 of them in the pairs of MEN, with trials made."""
    rng = np.random.default_rng(0)
    pairs = np.column_stack([np.arange(29), np.arange(1, 30), rng.uniform(0, 50, 29)])
    ratings = {"ratings_men": pairs, "ratings_simlex": pairs[:5]}
    arrays = {"features": rng.normal(size=(40, 8)), **ratings}

    def make(n_objects=40, methods=METHODS, **changes):
        objects = {"n_objects": n_objects, "pairs": "men", "noise": [0.0, 0.5]}
        changes = {**MAP, "objects": objects, "dataset": "words", **changes}
        toy = study(arrays, methods=methods, **changes)
        toy.make_trials()
        return toy, arrays

    return make
