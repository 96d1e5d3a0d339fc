"""Animals: 37 names, ranked by three people by similarity to one of them, five times each."""

import json

import numpy as np

from closerthan.comparisons.forms.lists import from_rankings
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place
from closerthan_lab.datasets.registered import describe, reader

PEOPLE = ("S1", "S4", "S7")


def load_animals37(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load 3,330 rankings of eight animals by similarity to a ninth, the most similar first.

    There are 222 questions, six for each of the 37 animals. All three people ranked every question
    five times.

    The data set has ``answers``, 3,330 screens with participants, 93,240 triplets;
    ``object_names``, shape (37,), in the order of the source.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    S. A. Waraich and J. D. Victor, A psychophysics paradigm for the collection and analysis of
    similarity judgments, Journal of Visualized Experiments, 2022.
    """
    read = reader("animals37", mirror, cache, offline)
    names = read("stimuli.txt").decode().splitlines()
    found = [parse_rankings(read(f"{person}_word_exp.json"), names) for person in PEOPLE]
    anchors, rankings = map(np.concatenate, zip(*found, strict=True))
    participant = np.repeat(PEOPLE, [len(own) for own, _ in found])
    answers = from_rankings(anchors, rankings, participant=participant)
    return describe("animals37", len(names), answers=answers, object_names=np.array(names))


def parse_rankings(content, names):
    """Return the references of one person's rankings, shape (n,), and the rankings, shape (n, 8).

    JSON has lists of rankings by question, ``reference:word.word...``. Ids are places in `names`.
    """
    ids = {name: number for number, name in enumerate(names)}
    anchors, rankings = [], []
    for question, repeats in json.loads(content).items():
        for ranking in repeats:
            anchors.append(ids[question.partition(":")[0]])
            rankings.append([ids[word] for word in ranking])
    return np.array(anchors), np.array(rankings)
