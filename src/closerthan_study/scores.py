"""The scores station: one tidy row a value, for every method of an experiment.

Columns: study, experiment, dataset, method, variant, loss, batch_size, noise, sweep (the value of
the parameter that a method is run over), trial, epoch (gradient evaluations over the number of
training comparisons), triplets (how many a stream has brought), measure, k and value. A column that
a row has no use for is missing there.
"""

from closerthan_study import tasks
from closerthan_study.tasks import scoring

MEASURES = {  # of data sets; those of fits are defined by each task
    "objects": "number of objects of a data set",
    "features": "number of features of a data set",
    "classes": "number of classes of a data set",
}
for _task in tasks.names():
    MEASURES.update(tasks.part(_task, "measures").MEASURES)


def make_scores(spec, study, name, dataset):
    """Score every fit of an experiment on a data set: a Parquet file a method, and the seconds.

    Parameters
    ----------
    spec : Spec
    study, name, dataset : str
    """
    experiment = spec.experiment(study, name)
    data = f"{spec.results}/data/{dataset}.npz"
    trials = spec.folder("trials", experiment, dataset)
    task = tasks.part(experiment.task, "score")
    judge = task.Scoring(spec, experiment, dataset, data, trials)
    scoring.make_scores(judge, spec.folder("scores", experiment, dataset))
