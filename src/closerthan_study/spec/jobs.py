"""How the work of a station is cut into jobs.

One has a study, an experiment, that on one data set or, of fits, a method of it. A job takes
seconds to start and on a cluster minutes, so that small ones are put together; single ones lose
less when they are killed, and an edit makes less again.
"""

from dataclasses import dataclass

ALL = "all"  # the name of a job that has all methods


@dataclass(frozen=True)
class Job:
    """What a job of the fits station computes: methods, with the trials of each."""

    name: str
    parts: dict


def jobs_of(experiment, jobs_at):
    """Return the jobs that fit an experiment on one data set.

    Where its seconds count, methods are fitted in turn, trial by trial, in one job; else, with
    `jobs_at` "method", each has jobs of its own. `trials_per_job` of the experiment cuts both.
    """
    shards = experiment.shards
    if jobs_at == "method" and not experiment.timed:
        return [
            Job(f"{name}.{n}", {name: trials})
            for name, of_method in shards.items()
            for n, trials in enumerate(of_method)
        ]
    n_shards = max(map(len, shards.values()))
    return [
        Job(
            ALL if n_shards == 1 else f"{ALL}.{n}",
            {name: of_method[n] for name, of_method in shards.items() if n < len(of_method)},
        )
        for n in range(n_shards)
    ]


def parts_of(spec, pairs, station):
    """Return the parts in which a station does its work, a job each.

    Parameters
    ----------
    spec : Spec
    pairs : list of (Experiment, str)
        The experiments that run, each with a data set.
    station : {"trials", "fits", "scores"}

    Returns
    -------
    dict of str to list of tuple
        For each part, by the folder that it makes, its cells: study, experiment and data set, and
        of the fits the name of the job.
    """
    jobs_at, parts = spec.config.jobs_at, {}
    for experiment, dataset in pairs:
        cell = experiment.study, experiment.name, dataset
        jobs = [(job.name,) for job in spec.jobs(experiment)] if station == "fits" else [()]
        for job in jobs:
            if jobs_at == "study":
                part = cell[:1]
            elif jobs_at == "experiment" and experiment.together:
                part = cell[:2]
            else:
                part = *cell, *job
            parts.setdefault("/".join(part), []).append((*cell, *job))
    return parts
