"""What fits to answers cost: seconds and megabytes, from the sizes of an experiment."""

from closerthan_study.facts import facts

_ANSWERS = 10_000  # of a generated data set


def objects(experiment):
    """Return how many objects a trial draws: all of the data set."""


def megabytes(experiment, dataset):
    """Return the megabytes of what is in memory at once: some columns of the comparisons."""
    return 1e-6 * 200 * _count(experiment, dataset)


def seconds(experiment, dataset, run):
    """Return the seconds of one fit, the search for the strength of a penalty included."""
    searches = 1 + len(run.settings.grid) * 5
    return searches * (0.05 + 5e-5 * _count(experiment, dataset))


def _count(experiment, dataset):
    n = 3 * (facts()[dataset].get("n_answers") or _ANSWERS)  # comparisons in an answer, say
    return min(n, experiment.comparisons.most or n)
