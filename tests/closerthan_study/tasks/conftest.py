"""Make small studies of each task, with their trials."""

import numpy as np
import pytest

from closerthan.datasets.shapes import make_shape
from toy_study import tidy_scores as tidy_scores

DEFAULT, PAPER = {"variants": {"default": {}}}, {"variants": {"paper": {}}}
MDS_METHODS = {
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
ONLINE_LOSSES = {"gnmds": {"class": "GNMDS"}, "ste": {"class": "STE"}}
ONLINE_METHODS = {
    "online": {
        "model": "OnlineKernel",
        "losses": ["gnmds"],
        "sweep": {"revisits": [0, 2]},
        "variants": {"paper": {"parameters": {"gradient": "paper"}}, "default": {}},
    },
    "refit": {"model": "BatchKernel", "losses": ["ste"], "variants": {"default": {}}},
    "random": {"control": "random"},
    "truth": {"control": "truth"},
}
POINTS = {"n_objects": 12, "n_components": 3, "variance": 1.0}
ONLINE_COMPARISONS = {"source": "distances", "n_train": 90, "n_validation": 60}
SIMILARITY_COMPARISONS = {"source": "labels", "items": 0.7, "validation": 0.3, "n_train": 150}
SIMILARITY_METHODS = {
    "euclidean": {"control": "features"},
    "random": {"control": "random"},
    "rca": {"model": "RCA", "variants": {"paper": {"parameters": {"ridge": 0.01}}}},
    "lmnn": {"model": "LMNN", "variants": {"paper": {"parameters": {"max_iter": 5}}}},
    "itml": {"model": "ITML", "variants": {"paper": {"parameters": {"max_iter": 2}}}},
    "lego": {"model": "LEGO", "variants": {"paper": {"tune": {"eta": [0.01, 0.5]}}}},
    "oasis": {"model": "OASIS", "sweep": {"C": [0.001, 0.1]}, **DEFAULT},
    "sdca": {
        "model": "SDCA",
        "variants": {
            "paper": {"tune": {"reg": [0.01, 1.0, 30.0]}},
            "projected": {"parameters": {"reg": 0.02, "project": True}},
        },
    },
}


@pytest.fixture
def of_classes(study, classes):
    """Make a study of objects with features and labels, with its trials."""
    arrays = {name: np.concatenate([array] * 2) for name, array in classes.items()}
    toy = study(arrays, methods=MDS_METHODS, objects={"n_objects": 150}, **MAP)
    toy.make_trials()
    return toy


@pytest.fixture
def of_shape(study):
    """Make a study of maps of a shape, with its trials."""

    def make(name="swissroll", methods=MDS_METHODS, **changes):
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
    """Make a study of 40 words with its trials; 30 words are in the pairs of MEN."""
    rng = np.random.default_rng(0)
    pairs = np.column_stack([np.arange(29), np.arange(1, 30), rng.uniform(0, 50, 29)])
    ratings = {"ratings_men": pairs, "ratings_simlex": pairs[:5]}
    arrays = {"features": rng.normal(size=(40, 8)), **ratings}

    def make(n_objects=40, methods=MDS_METHODS, **changes):
        objects = {"n_objects": n_objects, "pairs": "men", "noise": [0.0, 0.5]}
        changes = {**MAP, "objects": objects, "dataset": "words", **changes}
        toy = study(arrays, methods=methods, **changes)
        toy.make_trials()
        return toy, arrays

    return make


@pytest.fixture
def stream(study):
    """Make a study of streams with its comparisons; by default the points are generated."""

    def make(**changes):
        settings = {
            "task": "online",
            "points": POINTS,
            "comparisons": ONLINE_COMPARISONS,
            "rank": True,
        }
        settings |= {"methods": ONLINE_METHODS, "losses": ONLINE_LOSSES}
        sizes = {"epochs": 20, "checkpoints": 3, **changes.pop("sizes", {})}
        toy = study(**{**settings, **changes}, sizes=sizes)
        toy.make_trials()
        return toy

    return make


@pytest.fixture
def blobs():
    """Return features of three overlapping classes of 30 objects, with their labels."""
    rng = np.random.default_rng(5)
    labels = rng.permutation(np.repeat(np.arange(3), 30))
    return {"features": rng.normal(size=(90, 4)) * [1, 1, 3, 3] + labels[:, None], "labels": labels}


@pytest.fixture
def similarity(study, blobs):
    """Make a study of similarities with its trials; by default of the blobs."""

    def make(**changes):
        settings = {
            "task": "similarity",
            "comparisons": SIMILARITY_COMPARISONS,
            "methods": SIMILARITY_METHODS,
        }
        sizes = {"epochs": 3, **changes.pop("sizes", {})}
        toy = study(blobs, sizes=sizes, **settings | changes)
        toy.make_trials()
        return toy

    return make


@pytest.fixture
def map_by_hand():
    """Return the mean average precision, query by query and rank by rank; higher scores first."""

    def of(scores, query_labels, item_labels):
        averages = []
        for row, label in zip(scores, query_labels, strict=True):
            hits, precisions = 0, []
            for rank, item in enumerate(np.argsort(-row), start=1):
                if item_labels[item] == label:
                    hits += 1
                    precisions.append(hits / rank)
            averages.append(np.mean(precisions))
        return np.mean(averages)

    return of


@pytest.fixture
def mds_methods():
    """Return two methods of MDS, one with features, and a control."""
    return MDS_METHODS


@pytest.fixture
def similarity_methods():
    """Return the methods of a study of similarities, controls included."""
    return SIMILARITY_METHODS


@pytest.fixture
def ordinal(study):
    """Make a study of ordinal embedding, with its trials."""

    def make(*arrays, **changes):
        toy = study(*arrays, **changes)
        toy.make_trials()
        return toy

    return make


@pytest.fixture
def make_toy(of_shape, stream, ordinal, similarity):
    """Return the function that makes a study, by task."""
    return {"mds": of_shape, "online": stream, "ordinal": ordinal, "similarity": similarity}
