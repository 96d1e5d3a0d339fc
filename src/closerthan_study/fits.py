"""The fits station: what each method learns, and its learning curve."""

from closerthan_study import tasks
from closerthan_study.tasks import base


def make_fits(spec, study, name, dataset, job, progress=list):
    """Fit what a job of an experiment on a data set has: methods, in every way and trial of theirs.

    Makes {job}/{method} with every one of `closerthan_study.tasks.base.SUFFIXES`, in the folder of
    the station.

    Parameters
    ----------
    spec : Spec
    study, name, dataset, job : str
    progress : callable, default list
        Wraps the list of fits, such as tqdm.
    """
    experiment = spec.experiment(study, name)
    task = tasks.part(experiment.task, "fit")
    task.compile_kernels()  # outside the clock
    data = f"{spec.results}/data/{dataset}.npz"
    fitting = task.Fitting(
        spec, experiment, dataset, data, spec.folder("trials", experiment, dataset)
    )
    (parts,) = (other.parts for other in spec.jobs(experiment) if other.name == job)
    base.make_fits(fitting, parts, spec.folder("fits", experiment, dataset) / job, progress)
