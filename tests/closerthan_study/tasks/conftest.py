"""Make small studies of each task, with their trials."""

import numpy as np
import pytest

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.sample import sample_from_points
from closerthan.datasets.shapes import make_shape
from closerthan.datasets.simulated_dimensions import make_dimensions
from closerthan_study.tasks.scoring import COLUMNS
from toy_study import files_of

ANSWERS_LOSSES = {"ste": {"class": "STE"}, "soe": {"class": "SOE"}}
DEFAULT, PAPER = {"variants": {"default": {}}}, {"variants": {"paper": {}}}
EMBEDDING = {"model": "OrdinalEmbedding"}
PLAIN = {"variants": {"default": {"parameters": {"penalty": None, "init": "random"}}}}
ANSWERS_METHODS = {
    "default": {**EMBEDDING, **DEFAULT},
    "plain": {**EMBEDDING, "losses": ["ste", "soe"], **PLAIN},
    "wide": {**EMBEDDING, "sweep": {"n_components": [1, 3]}, **DEFAULT},
    "few": {**EMBEDDING, "sweep": {"share": [0.2, 1.0]}, **DEFAULT},
    "chosen": {**EMBEDDING, "variants": {"tuned": {"tune": {"n_components": [1, 2]}}}},
    "votes": {"model": "closerthan_study.contenders.pair_votes.PairVotes", **DEFAULT},
    "random": {"control": "random"},
    "ceiling": {"control": "ceiling"},
}
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
FEATURES = {"features": "simulated_dimensions"}
FOUR = {"n_components": 4}
MAP_OF_FOUR = {**EMBEDDING, "variants": {"default": {"parameters": FOUR}}}
ODD_ONES_METHODS = {
    "spose": {
        "model": "SPoSE",
        "sweep": {"n_train": [200, 1000]},
        "variants": {"default": {"parameters": {"n_components": 8}}},
    },
    "distances": MAP_OF_FOUR,
    "both": {**MAP_OF_FOUR, **FEATURES},
    "features": {
        **EMBEDDING,
        "variants": {"default": {"parameters": {**FOUR, "only_features": True}}},
        **FEATURES,
    },
    "sdca": {"model": "SDCA", "variants": {"tuned": {"tune": {"reg": [1.0e-4, 1.0]}}}, **FEATURES},
    "itml": {"model": "ITML", **DEFAULT, **FEATURES},
    "cosine": {"control": "cosine", **FEATURES},
    "product": {"control": "product", **FEATURES},
    "truth": {"control": "truth"},
    "ceiling": {"control": "ceiling"},
}


@pytest.fixture
def people():
    """Return answers of five people to the same hundred questions; an eighth is random."""
    rng = np.random.default_rng(0)
    asked = sample_from_points(rng.normal(size=(10, 2)), 100, random_state=0)
    answers = np.tile(asked, (5, 1))
    swapped = rng.random(len(answers)) < 1 / 8
    answers[swapped] = answers[swapped][:, [0, 2, 1]]
    return Answers(answers, participant=np.repeat(list("abcde"), 100))


@pytest.fixture
def survey(study, people):
    """Make a study of answers with its trials; by default people compare ten objects."""

    def make(dataset="perceptual_color_triplets", arrays=None, **changes):
        settings = {"task": "answers", "comparisons": {"n_train": 0.8}, "n_components": 2}
        settings |= {"methods": ANSWERS_METHODS, "losses": ANSWERS_LOSSES, "dataset": dataset}
        toy = study(people.arrays() if arrays is None else arrays, **settings | changes)
        toy.make_trials()
        return toy

    return make


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
def odd_ones(study):
    """Make a study of odd ones out with its trials; by default of simulated dimensions."""

    def make(answers=None, arrays=None, **changes):
        arrays = make_dimensions(random_state=0).arrays() if arrays is None else arrays
        settings = {"task": "odd_ones", "answers": answers or {}, "keeps": True}
        settings |= {"dataset": "simulated_dimensions", "methods": ODD_ONES_METHODS}
        toy = study(arrays, **settings | changes)
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
def make_toy(survey, of_shape, odd_ones, stream, ordinal, similarity):
    """Return the function that makes a study, by task."""
    makers = {"answers": survey, "mds": of_shape, "odd_ones": odd_ones, "online": stream}
    return makers | {"ordinal": ordinal, "similarity": similarity}


@pytest.fixture
def tidy_scores():
    """Make all scores of a study; check what holds in every task, and return the scores."""

    def make(toy):
        table = toy.make_all()
        assert list(table.columns) == COLUMNS
        assert not table.duplicated([name for name in COLUMNS if name != "value"]).any()
        assert set(table.method) == set(toy.experiment.methods)
        assert set(table.study) == {"papers"} and set(table.experiment) == {"toy"}
        timed = {name for name, method in toy.experiment.methods.items() if not method.control}
        assert set(toy.seconds.method) == timed
        before = files_of(toy.folder("scores"))
        toy.make_scores()
        assert files_of(toy.folder("scores")) == before
        return table

    return make
