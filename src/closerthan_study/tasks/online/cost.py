"""What online learning costs: seconds and megabytes, from the sizes of an experiment."""

from closerthan_study.facts import facts


def objects(experiment):
    """Return how many objects a trial draws; None: all of the data set."""
    return experiment.points and experiment.points.n_objects


def megabytes(experiment, dataset):
    """Return the megabytes of the kernels that are in memory at once."""
    return 8e-6 * 10 * _objects(experiment, dataset) ** 2


def seconds(experiment, dataset, run):
    """Return the seconds of one fit: updates of a kernel, or fits of one at every checkpoint."""
    n, triplets = _objects(experiment, dataset), experiment.comparisons.n_train
    if run.method.model == "OnlineKernel":
        return _share(run.sweep) * triplets * (3e-5 + 5e-9 * n**2)
    fits = len(experiment.marks(run.method.name))
    return fits * _iterations(run) * (1e-7 * triplets + 3e-10 * n**3)


def tuning_seconds(experiment, dataset, run):
    """Return the seconds of a fit that tuning makes: of a kernel one, at the end of the stream."""
    whole = seconds(experiment, dataset, run)
    online = run.method.model == "OnlineKernel"
    return whole if online else whole / len(experiment.marks(run.method.name))


def _iterations(run):
    """Return how many iterations a fit of a kernel has at most."""
    name, value = run.sweep or ("", 0)
    return value if name == "max_iter" else run.method.epochs


def _share(sweep):
    """Return what a swept value makes of the time: a revisit is a step, too."""
    match sweep:
        case ("revisits", value):
            return 1 + value
        case ("initial_scale", value):  # a larger one keeps negative eigenvalues away for longer
            return 1 / value
    return 1


def _objects(experiment, dataset):
    return objects(experiment) or facts()[dataset]["n_objects"] or 100
