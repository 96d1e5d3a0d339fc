"""What seriation costs: seconds and megabytes, from the sizes of an experiment."""


def objects(experiment):
    """Return how many objects a trial has at most."""
    return experiment.objects.n_objects


def megabytes(experiment, dataset):
    """Return the megabytes of the matrices that are in memory at once."""
    return 8e-6 * objects(experiment) ** 2


def seconds(experiment, dataset, run):
    """Return the seconds of one fit."""
    return 1e-9 * objects(experiment) ** 3
