"""The scores station: one tidy row a value, for every method of an experiment.

Columns: study, experiment, dataset, method, variant, loss, batch_size, noise, sweep (the value of
the parameter that a method is run over), trial, epoch (gradient evaluations over the number of
training comparisons), triplets (how many a stream has brought), measure, k and value. A column that
a row has no use for is missing there.
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

    Makes a Parquet file a method, and one of the seconds where they count.
    """
    for setup in setups(spec, study, experiment, dataset):
        scoring.make_scores(tasks.module(setup.experiment.task, "score").Scoring(setup))
