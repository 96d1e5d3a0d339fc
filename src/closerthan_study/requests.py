"""What a job asks a cluster for: memory and run time, from what it handles.

What a task costs is its own (`closerthan_study.tasks.*.cost`): seconds on one core of a server of
2024, of which the requests allow three times as many. A job that needs more still is ended by the
cluster and asks for twice as much the next time.
"""

from math import ceil

from closerthan_study import tasks
from closerthan_study.facts import facts
from closerthan_study.tasks.base import runs_of

_BASE_MB = 1500  # Python thrice: Snakemake on the node, Snakemake in the job's step, and the script
_MARGIN = 3
_SHORTEST = 10  # minutes, for the start of a job and compiling on a busy node


def fits_request(spec, cells, attempt=1):
    """Return what a job of the fits station asks for.

    Parameters
    ----------
    spec : Spec
    cells : list of tuple
        Study, experiment, data set and the name of a job, of everything that it fits.
    attempt : int, default 1
        Each further attempt asks for twice as much.

    Returns
    -------
    megabytes, minutes : int
    """
    megabytes = 0
    for study, name, dataset, _ in cells:
        experiment = spec.experiment(study, name)
        cost = tasks.part(experiment.task, "cost")
        megabytes = max(megabytes, cost.megabytes(experiment, dataset))
    minutes = max(_SHORTEST, _MARGIN * seconds_of_fits(spec, cells) / 60)
    return _doubled(attempt, _BASE_MB + megabytes, minutes)


def seconds_of_fits(spec, cells):
    """Return the seconds of a core that the fits of some cells may take; see `fits_request`."""
    seconds = 0
    for study, name, dataset, job_name in cells:
        experiment = spec.experiment(study, name)
        cost = tasks.part(experiment.task, "cost")
        losses = list(spec.losses(study))
        (parts,) = (job.parts for job in spec.jobs(experiment) if job.name == job_name)
        for method_name, trials in parts.items():
            method = experiment.methods[method_name]
            for run in [] if method.control else runs_of(experiment, method, losses):
                tuned_on = len(experiment.tuned_on) or len(trials)
                candidates = sum(len(values) for values in run.settings.grid.values())
                seconds += len(trials) * cost.seconds(experiment, dataset, run)
                of_one = getattr(cost, "tuning_seconds", cost.seconds)
                seconds += candidates * tuned_on * of_one(experiment, dataset, run)
    return seconds


def scores_request(spec, cells, attempt=1):
    """Return what a job of the scores station asks for, in megabytes and minutes.

    It reads the fits of all methods of an experiment one after another.
    """
    megabytes, minutes = 0, _SHORTEST
    for study, name, dataset in cells:
        experiment = spec.experiment(study, name)
        searched = objects_of(experiment, dataset)
        megabytes = max(megabytes, searched / 500)
        minutes += searched * len(experiment.methods) / 50_000
    return _doubled(attempt, _BASE_MB + 1_000 + megabytes, minutes)


def is_short(request):
    """Return whether a job that asks for so much is too short to be sent to a cluster alone."""
    _, minutes = request
    return minutes <= _SHORTEST


def objects_of(experiment, dataset):
    """Return how many objects a trial has, as far as it can be known before it is drawn."""
    sizes = tasks.part(experiment.task, "cost")
    drawn = sizes.objects(experiment)
    return drawn or facts()[dataset]["n_objects"] or 100


def _doubled(attempt, megabytes, minutes):
    factor = 2 ** (attempt - 1)
    return ceil(factor * megabytes), ceil(factor * minutes)
