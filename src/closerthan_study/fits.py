"""The fits station: what each method learns, and its learning curve."""

from closerthan_study import tasks
from closerthan_study.tasks import base


def make_fits(spec, study, experiment, dataset, batch, progress=iter):
    """Fit what a batch of an experiment has: methods, in every way and trial of theirs.

    Makes, in the folder of the batch, {method} with every one of
    `closerthan_study.tasks.base.SUFFIXES`; of a collection a folder for each data set.
    """
    batch, names = int(batch), spec.members(study, experiment, dataset)
    experiment = spec.experiment(study, experiment)
    task = tasks.part(experiment.task, "fit")
    task.compile_kernels()  # outside the clock
    for name in names:
        print(f"{study}/{experiment.name}/{name}, batch {batch} of {experiment.batches}")
        data = f"{spec.results}/data/{name}.npz"
        trials = spec.folder("trials", experiment, name)
        fitting = task.Fitting(spec, experiment, name, data, trials)
        folder = spec.folder("fits", experiment, name, batch)
        base.make_fits(fitting, experiment.batch(batch), folder, progress)
