"""Draw the training and test answers of a trial: rows of three objects, the odd one last."""

import numpy as np
import pandas as pd

from closerthan.comparisons.forms.three import to_odd_one_out
from closerthan_lab.sampling import sample_odd_ones
from closerthan_study.facts import facts
from closerthan_study.reading import tabulate_objects, tabulate_triplets
from closerthan_study.seeds import seed_sequence
from closerthan_survey.reading import answers_of


def draw(setup, trial):
    """Return the answers of a trial in random order, and its objects."""
    settings, study = setup.experiment.answers, setup.experiment.study
    words = str(settings.model_dump()), setup.dataset, "odd ones", trial
    rng = np.random.default_rng(seed_sequence(setup.spec.seed, study, *words))
    n_objects, new = facts()[setup.dataset]["n_objects"], []
    match settings.test:
        case "drawn":
            dimensions = dimensions_of(setup.data)
            sizes = settings.n_train, settings.n_test
            train, test = (sample_odd_ones(dimensions, n, random_state=rng) for n in sizes)
        case "question":
            answered = answered_triples(setup.data, settings)
            train, test = split_questions(answered, settings.share, rng)
        case "object":
            answered = answered_triples(setup.data, settings)
            train, test = split_objects(answered, settings.share, rng)
            new = np.setdiff1d(test, train)
        case name:
            train = answered_triples(setup.data, settings)
            test = answered_triples(setup.arrays_of(name))
            train = train[~np.isin(questions(train), questions(test))]
    parts = {"train": rng.permutation(train), "test": test}
    tables = [tabulate_triplets(rows, part) for part, rows in parts.items()]
    objects = tabulate_objects(range(n_objects))
    objects.loc[new, "part"] = "new"
    return pd.concat(tables, ignore_index=True), objects


def answered_triples(data, settings=None):
    """Return the answers of a data set, without questions that were asked too often."""
    triples, _ = to_odd_one_out(answers_of(data))
    if settings is None or settings.most_asked is None:
        return triples
    _, question, counts = np.unique(questions(triples), return_inverse=True, return_counts=True)
    return triples[counts[question] <= settings.most_asked]


def dimensions_of(data):
    """Return the dimensions that answers are drawn from: the points, or else the features."""
    return np.maximum(data["points"] if "points" in data else data["features"], 0.0)


def questions(triples):
    """Return a number for each set of three objects."""
    a, b, c = np.sort(triples, axis=1).astype(np.int64).T
    return (a << 42) + (b << 21) + c


def split_questions(triples, share, rng):
    """Split answers: those to about a share of the questions are the second part."""
    known, question = np.unique(questions(triples), return_inverse=True)
    held = rng.permutation(len(known))[: round(share * len(known))]
    new = np.isin(question, held)
    return triples[~new], triples[new]


def split_objects(triples, share, rng):
    """Split answers: those that name one of about a share of the objects are the second part."""
    known = np.unique(triples)
    held = rng.permutation(known)[: round(share * len(known))]
    new = np.isin(triples, held).any(axis=1)
    return triples[~new], triples[new]
