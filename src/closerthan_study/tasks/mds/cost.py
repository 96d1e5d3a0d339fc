"""What multidimensional scaling costs: seconds and megabytes, from the sizes of an experiment."""


def objects(experiment):
    """Return how many objects a trial has at most."""
    return experiment.objects.n_objects


def megabytes(experiment, dataset):
    """Return the megabytes of the matrices that are in memory at once."""
    return 8e-6 * 10 * objects(experiment) ** 2


def seconds(experiment, dataset, run):
    """Return the seconds of one fit: paths between objects, and epochs or eigenvectors."""
    n = objects(experiment)
    paths = 1e-9 * n**3
    if run.method.model in ("PatternSearchMDS", "SMACOF", "MDS"):
        return paths + 5e-9 * run.method.epochs * n**2 * experiment.n_components
    neighbors = run.fixed.get("n_neighbors", experiment.n_neighbors)
    return paths + 3e-8 * n * neighbors**3
