"""The scores station: tidy rows, one for each value, for every method of an experiment.

Columns: study, experiment, dataset, method, variant, loss, batch_size, noise, sweep (the value of
the swept parameter), trial, epoch (gradient evaluations divided by training comparisons), triplets
(the number so far in a stream), measure, k and value. A column that a row does
not use has no value.
"""

from functools import cache

from closerthan_study import tasks
from closerthan_study.tasks import scoring
from closerthan_study.tasks.setup import making

_OF_DATA = {
    "objects": "number of objects of a data set",
    "features": "number of features of a data set",
    "classes": "number of classes of a data set",
}


@cache
def measures():
    """Return all measures with a line of explanation: of data sets, and those of every task.

    It is a function, because a job that scores one task must not wait for the imports of others.
    """
    found = dict(_OF_DATA)
    for task in tasks.names():
        found.update(tasks.module(task, "scores").MEASURES)
    return found


def make_scores(spec, study, experiment, dataset):
    """Score every fit of an experiment on a data set, or on each of a collection.

    Makes a Parquet file for each method, and one for the seconds, empty if they do not count.
    """
    with making("scores", spec, study, experiment, dataset) as places:
        for setup, folder in places:
            scorer = tasks.module(setup.experiment.task, "scores").Scoring(setup)
            scoring.make_scores(scorer, folder)
