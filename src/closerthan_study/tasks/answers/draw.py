"""What a trial on answers is given: those to learn from, and those to be predicted.

Answers of people are parted anew in every trial, simulated ones drawn anew. Both depend on the data
set and the trial alone, so that experiments of a study that part answers alike have the same parts,
and what they find can be compared trial by trial.
"""

import numpy as np
import pandas as pd

from closerthan.comparisons.sample import split
from closerthan.datasets.simulated import make_answers
from closerthan_study.facts import facts
from closerthan_study.seeds import seed_sequence
from closerthan_study.tasks.answers.parts import PARTS, answers_of, is_simulated, tabulate


def draw(spec, experiment, dataset, data, trial):
    """Return the answers of a trial, a row a comparison, and its objects.

    Screens are counted from 0 in each part. The objects of simulated answers come with their true
    points x0, x1, ...
    """
    settings = experiment.comparisons
    seeds = seed_sequence(spec.seed, experiment.study, dataset, "answers", trial)
    simulating, thinning, splitting = seeds.spawn(3)
    answers, objects = _whole(dataset, data, simulating)
    answers = thin(answers, settings.most, np.random.default_rng(thinning))
    parts = split(answers, settings.n_train, by=settings.by, random_state=splitting)
    tables = [tabulate(part).assign(part=name) for name, part in zip(PARTS, parts, strict=True)]
    return pd.concat(tables, ignore_index=True), objects


def thin(answers, most, rng):
    """Return so many of the screens, at random, that there are about `most` comparisons at most."""
    if most is None or len(answers) <= most:
        return answers
    n = answers.n_screens * most // len(answers)
    return answers.take(np.sort(rng.permutation(answers.n_screens)[:n]))


def _whole(dataset, data, seeds):
    """Return all answers of a data set, and its objects."""
    if is_simulated(dataset):
        drawn = make_answers(dataset, random_state=seeds)
        n_objects, answers, points = drawn.info["n_objects"], drawn.answers, drawn.points
    else:
        n_objects, answers, points = facts()[dataset]["n_objects"], answers_of(data), None
    number = range(n_objects)
    objects = pd.DataFrame({"part": "item", "object": number, "row": number, "label": -1})
    if points is not None:
        objects[[f"x{axis}" for axis in range(points.shape[1])]] = points
    return answers, objects
