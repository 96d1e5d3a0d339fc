"""Make small studies of each task of the survey, with their trials."""

import numpy as np
import pytest

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.sample import sample_from_points
from closerthan_lab.datasets.simulated_dimensions import make_dimensions
from toy_study import ToyStudy
from toy_study import tidy_scores as tidy_scores

ANSWERS_LOSSES = {"ste": {"class": "STE"}, "soe": {"class": "SOE"}}
DEFAULT = {"variants": {"default": {}}}
EMBEDDING = {"model": "OrdinalEmbedding"}
PLAIN = {"variants": {"default": {"parameters": {"penalty": None, "init": "random"}}}}
ANSWERS_METHODS = {
    "default": {**EMBEDDING, **DEFAULT},
    "plain": {**EMBEDDING, "losses": ["ste", "soe"], **PLAIN},
    "wide": {**EMBEDDING, "sweep": {"n_components": [1, 3]}, **DEFAULT},
    "few": {**EMBEDDING, "sweep": {"share": [0.2, 1.0]}, **DEFAULT},
    "chosen": {**EMBEDDING, "variants": {"tuned": {"tune": {"n_components": [1, 2]}}}},
    "votes": {"model": "closerthan_survey.contenders.pair_votes.PairVotes", **DEFAULT},
    "random": {"control": "random"},
    "ceiling": {"control": "ceiling"},
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
def survey(tmp_path, people):
    """Make a study of answers with its trials; by default people compare ten objects."""

    def make(dataset="perceptual_color_triplets", arrays=None, **changes):
        settings = {"task": "answers", "comparisons": {"n_train": 0.8}, "n_components": 2}
        settings |= {"methods": ANSWERS_METHODS, "losses": ANSWERS_LOSSES, "dataset": dataset}
        arrays = people.arrays() if arrays is None else arrays
        toy = ToyStudy(tmp_path, arrays, **settings | changes)
        toy.make_trials()
        return toy

    return make


@pytest.fixture
def odd_ones(tmp_path):
    """Make a study of odd ones out with its trials; by default of simulated dimensions."""

    def make(answers=None, arrays=None, **changes):
        arrays = make_dimensions(random_state=0).arrays() if arrays is None else arrays
        settings = {"task": "odd_ones", "answers": answers or {}, "keeps": True}
        settings |= {"dataset": "simulated_dimensions", "methods": ODD_ONES_METHODS}
        toy = ToyStudy(tmp_path, arrays, **settings | changes)
        toy.make_trials()
        return toy

    return make
