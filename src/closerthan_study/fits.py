"""The fits station: the embeddings or kernels of each method, and its learning curves."""

from closerthan_study import tasks
from closerthan_study.tasks import base
from closerthan_study.tasks.setup import making


def make_fits(spec, study, experiment, dataset, batch, progress=iter):
    """Fit the methods of one batch of an experiment, in all their settings and trials."""
    number = int(batch)
    task = tasks.module(spec.experiment(study, experiment).task, "fits")
    task.compile_kernels()  # outside the clock
    with making("fits", spec, study, experiment, dataset, batch) as places:
        for setup, folder in places:
            batches = setup.experiment.batches
            print(f"{study}/{experiment}/{setup.dataset}, batch {number} of {batches}")
            methods = setup.experiment.batch(number)
            base.fit_methods(task.Fitting(setup), methods, folder, progress)
