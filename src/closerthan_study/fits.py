"""The fits station: what each method learns, and its learning curve."""

from closerthan_study import tasks
from closerthan_study.tasks import base
from closerthan_study.tasks.setup import setups


def make_fits(spec, study, experiment, dataset, batch, progress=iter):
    """Fit what a batch of an experiment has: methods, in every way and trial of theirs.

    Makes, in the folder of the batch, {method} with every one of
    `closerthan_study.tasks.base.SUFFIXES`; of a collection a folder for each data set.
    """
    number = int(batch)
    task = tasks.module(spec.experiment(study, experiment).task, "fit")
    task.compile_kernels()  # outside the clock
    for setup in setups(spec, study, experiment, dataset):
        batches = setup.experiment.batches
        print(f"{study}/{experiment}/{setup.dataset}, batch {number} of {batches}")
        methods = setup.experiment.batch(number)
        base.make_fits(task.Fitting(setup), methods, setup.folder("fits", number), progress)
