"""What ordinal embedding costs: seconds and megabytes, from the sizes of an experiment."""

from closerthan_study.facts import facts


def objects(experiment):
    """Return how many objects a trial draws; None: all of the data set."""
    sizes = experiment.comparisons
    return sizes.n_classes * sizes.n_items if sizes.n_items else None


def megabytes(experiment, dataset):
    """Return the megabytes of the matrices that are in memory at once: those of kernels."""
    kernels = any(method.model for method in experiment.methods.values())
    return 8e-6 * 10 * _objects(experiment, dataset) ** 2 if kernels else 0


def seconds(experiment, dataset, run):
    """Return the seconds of one fit: gradients, and the eigenvectors of kernels."""
    n_train = experiment.comparisons.n_train
    triplets = n_train if n_train > 1 else 10_000  # of a share, as many as are common
    eigenvectors = 3e-10 * _objects(experiment, dataset) ** 3 if run.method.model else 0
    return run.method.epochs * (1e-7 * triplets + eigenvectors)


def _objects(experiment, dataset):
    return objects(experiment) or facts()[dataset]["n_objects"] or 100
