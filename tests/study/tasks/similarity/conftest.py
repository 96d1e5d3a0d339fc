"""Three classes that overlap, and methods that learn a similarity of their objects."""

import numpy as np
import pytest

COMPARISONS = {"source": "labels", "items": 0.7, "validation": 0.3, "n_train": 150}
METHODS = {
    "euclidean": {"control": "features"},
    "random": {"control": "random"},
    "rca": {"model": "RCA", "variants": {"paper": {"parameters": {"ridge": 0.01}}}},
    "lmnn": {"model": "LMNN", "variants": {"paper": {"parameters": {"max_iter": 5}}}},
    "itml": {"model": "ITML", "variants": {"paper": {"parameters": {"max_iter": 2}}}},
    "lego": {"model": "LEGO", "variants": {"paper": {"tune": {"eta": [0.01, 0.5]}}}},
    "oasis": {"model": "OASIS", "sweep": {"C": [0.001, 0.1]}, "variants": {"default": {}}},
    "sdca": {
        "model": "SDCA",
        "variants": {
            "paper": {"tune": {"reg": [0.01, 1.0, 30.0]}},
            "projected": {"parameters": {"reg": 0.02, "project": True}},
        },
    },
}


@pytest.fixture
def blobs():
    """Features of three classes of 30 objects that overlap, with their labels."""
    rng = np.random.default_rng(5)
    labels = rng.permutation(np.repeat(np.arange(3), 30))
    return {"features": rng.normal(size=(90, 4)) * [1, 1, 3, 3] + labels[:, None], "labels": labels}


@pytest.fixture
def similarity(study, blobs):
    """A study of similarities, by default of the blobs, with its trials made."""

    def make(**changes):
        settings = {"task": "similarity", "comparisons": COMPARISONS, "methods": METHODS}
        sizes = {"epochs": 3, **changes.pop("sizes", {})}
        toy = study(blobs, sizes=sizes, **settings | changes)
        toy.make_trials()
        return toy

    return make


@pytest.fixture
def methods():
    """The methods of the study, controls included."""
    return METHODS


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
