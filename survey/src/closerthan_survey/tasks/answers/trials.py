"""Draw the training and held-out answers of a trial.

Both depend only on the data set and the trial. Experiments of a study with the same kind of split
therefore have the same parts, and their results can be compared trial by trial.
"""

import numpy as np
import pandas as pd

from closerthan.comparisons.sample import split
from closerthan_lab.datasets.simulated import make_answers
from closerthan_study.facts import facts
from closerthan_study.reading import tabulate, tabulate_objects
from closerthan_survey.reading import answers_of
from closerthan_survey.tasks.answers.split import SPLIT, is_simulated, tabulate_answers


def draw(setup, trial):
    """Return the answers of a trial, one row per comparison, and its objects."""
    settings = setup.experiment.comparisons
    simulating, thinning, splitting = setup.seed_of_study("answers", trial).spawn(3)
    answers, objects = _whole(setup, simulating)
    answers = thin(answers, settings.most, np.random.default_rng(thinning))
    both = split(answers, settings.n_train, by=settings.by, random_state=splitting)
    tables = [tabulate_answers(a).assign(part=name) for name, a in zip(SPLIT, both, strict=True)]
    return pd.concat(tables, ignore_index=True), objects


def thin(answers, most, rng):
    """Return random screens with about `most` comparisons, or all answers if there are fewer."""
    if most is None or len(answers) <= most:
        return answers
    n = answers.n_screens * most // len(answers)
    return answers.take(np.sort(rng.permutation(answers.n_screens)[:n]))


def _whole(setup, seeds):
    """Return all answers and objects of a data set."""
    if is_simulated(setup.dataset):
        drawn = make_answers(setup.dataset, random_state=seeds)
        n_objects, answers, points = drawn.info["n_objects"], drawn.answers, drawn.points
    else:
        answers, points = answers_of(setup.data), None
        n_objects = facts()[setup.dataset]["n_objects"]
    objects = tabulate_objects(range(n_objects))
    return answers, objects if points is None else objects.join(tabulate(points))
