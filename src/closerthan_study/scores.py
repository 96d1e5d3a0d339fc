"""The scores station: tidy rows, one for each value, for every method of an experiment.

Columns: study, experiment, dataset, method, variant, loss, batch_size, noise, sweep (the value of
the swept parameter), trial, epoch (gradient evaluations divided by training comparisons), triplets
(the number so far in a stream), measure, k and value. A column that a row does
not use has no value.
"""

from closerthan_study import tasks
from closerthan_study.tasks import scoring
from closerthan_study.tasks.setup import setups

MEASURES = {  # of data sets; those of fits are defined by each task
    "objects": "number of objects of a data set",
    "features": "number of features of a data set",
    "classes": "number of classes of a data set",
}
for _task in tasks.names():
    MEASURES.update(tasks.module(_task, "measures").MEASURES)


def make_scores(spec, study, experiment, dataset):
    """Score every fit of an experiment on a data set, or on each of a collection.

    Makes a Parquet file for each method, and one for the seconds if they count.
    """
    for setup in setups(spec, study, experiment, dataset):
        scoring.make_scores(tasks.module(setup.experiment.task, "score").Scoring(setup))
