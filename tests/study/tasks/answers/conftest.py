"""Answers of people about ten objects, and models that are fitted to some of them."""

import numpy as np
import pytest

from closerthan.comparisons.answers import Answers
from closerthan.comparisons.sample import sample_from_points

LOSSES = {"ste": {"class": "STE"}, "soe": {"class": "SOE"}}
PLAIN = {"penalty": None, "init": "random"}
METHODS = {
    "default": {"model": "OrdinalEmbedding", "variants": {"default": {}}},
    "plain": {
        "model": "OrdinalEmbedding",
        "losses": ["ste", "soe"],
        "variants": {"default": {"parameters": PLAIN}},
    },
    "wide": {
        "model": "OrdinalEmbedding",
        "sweep": {"n_components": [1, 3]},
        "variants": {"default": {}},
    },
    "few": {
        "model": "OrdinalEmbedding",
        "sweep": {"share": [0.2, 1.0]},
        "variants": {"default": {}},
    },
    "chosen": {
        "model": "OrdinalEmbedding",
        "variants": {"tuned": {"tune": {"n_components": [1, 2]}}},
    },
    "votes": {"model": "PairVotes", "variants": {"default": {}}},
    "random": {"control": "random"},
    "ceiling": {"control": "ceiling"},
}


@pytest.fixture
def people():
    """Answers of five people, each to the same hundred questions, an eighth of them at random."""
    rng = np.random.default_rng(0)
    asked = sample_from_points(rng.normal(size=(10, 2)), 100, random_state=0)
    answers = np.tile(asked, (5, 1))
    swapped = rng.random(len(answers)) < 1 / 8
    answers[swapped] = answers[swapped][:, [0, 2, 1]]
    return Answers(answers, participant=np.repeat(list("abcde"), 100))


@pytest.fixture
def survey(study, people):
    """A study of answers with its trials made, by default of people about ten objects."""

    def make(dataset="perceptual_color_triplets", arrays=None, **changes):
        settings = {"task": "answers", "comparisons": {"n_train": 0.8}, "n_components": 2}
        settings |= {"methods": METHODS, "losses": LOSSES, "dataset": dataset} | changes
        toy = study(people.arrays() if arrays is None else arrays, **settings)
        toy.make_trials()
        return toy

    return make
