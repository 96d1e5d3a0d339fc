"""What similarity learning costs: seconds and megabytes, from the sizes of an experiment."""

from closerthan_study.facts import facts

# What is reckoned with where the registry does not say how many there are.
_MANY, _COMMON = 10_000, 300  # objects, features


def objects(experiment):
    """Return how many objects a trial draws; None: all of the data set."""
    return experiment.points and experiment.points.n_objects


def megabytes(experiment, dataset):
    """Return the megabytes of the features and matrices that are in memory at once."""
    known = facts()[dataset]["n_objects"] or _MANY
    learned = experiment.points.n_labeled if experiment.points else known
    features = _features(experiment, dataset)
    return 8e-6 * (3 * learned * features + 10 * features**2)


def seconds(experiment, dataset, run):
    """Return the seconds of one fit: an update of a matrix for every triplet."""
    steps = run.method.epochs * experiment.comparisons.n_train
    return 1.5e-9 * steps * _features(experiment, dataset) ** 2


def _features(experiment, dataset):
    drawn = experiment.points and experiment.points.n_components
    return drawn or facts()[dataset].get("n_features") or _COMMON
