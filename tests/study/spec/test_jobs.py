"""Every fit is in one job, and a job's cells are in one part."""

from collections import Counter

import pytest

from closerthan_study.configuration import Spec
from closerthan_study.spec.jobs import parts_of

MA = "studies/svrg_sbb/study.yaml"


def at(spec, jobs):
    """Return the same with other jobs."""
    return Spec({**spec.config.model_dump(), "jobs": jobs}, spec.root, trusted=True)


def pairs_of(spec):
    return [(e, dataset) for e in spec.experiments.values() for dataset in e.datasets]


@pytest.mark.parametrize("jobs", ["study", "experiment", "method"])
@pytest.mark.parametrize("scale", ["smoke", "default", "paper"])
def test_every_trial_of_a_method_is_in_exactly_one_job(shipped, scale, jobs):
    spec = at(shipped[scale], jobs)
    for experiment in spec.experiments.values():
        found = spec.jobs(experiment)
        assert len({job.name for job in found}) == len(found)
        counts = Counter(
            (name, trial) for job in found for name, trials in job.parts.items() for trial in trials
        )
        methods = experiment.methods.values()
        assert counts == Counter((m.name, trial) for m in methods for trial in range(m.trials))


@pytest.mark.parametrize("jobs", ["study", "experiment", "method"])
def test_what_is_timed_is_fitted_in_turn(shipped, jobs):
    timed = 0
    for scale in ("default", "paper"):
        spec = at(shipped[scale], jobs)
        for experiment in spec.experiments.values():
            for job in spec.jobs(experiment) if experiment.timed else ():
                timed += 1
                trials = {trial for of_method in job.parts.values() for trial in of_method}
                expected = {
                    name: sorted(trials & set(range(method.trials)))
                    for name, method in experiment.methods.items()
                }
                assert job.parts == {name: some for name, some in expected.items() if some}
    assert timed > 3


@pytest.mark.parametrize("jobs", ["study", "experiment", "method"])
@pytest.mark.parametrize("station", ["trials", "fits", "scores"])
def test_every_cell_is_in_one_part_whose_folder_says_what_it_has(shipped, station, jobs):
    spec = at(shipped["default"], jobs)
    parts = parts_of(spec, pairs_of(spec), station)
    cells = [cell for of_part in parts.values() for cell in of_part]
    assert len(set(cells)) == len(cells)
    expected = [
        (experiment.study, experiment.name, dataset, *job)
        for experiment, dataset in pairs_of(spec)
        for job in ([(job.name,) for job in spec.jobs(experiment)] if station == "fits" else [()])
    ]
    assert cells == expected
    apart = 0
    for part, of_part in parts.items():
        study, name, *_ = of_part[0]
        if jobs == "study":
            assert {cell[0] for cell in of_part} == {part}
        elif jobs == "experiment" and spec.experiment(study, name).together:
            assert {"/".join(cell[:2]) for cell in of_part} == {part} and len(of_part) > 1
        else:
            assert ["/".join(cell) for cell in of_part] == [part]
            apart += 1
    expected = {"study": 0, "experiment": len(cells) - together(spec, station)}
    assert apart == expected.get(jobs, len(cells))


def together(spec, station):
    """Return how many cells share a job at the level of experiments."""
    shared = [(e, d) for e, d in pairs_of(spec) if e.together]
    return sum(len(spec.jobs(e)) if station == "fits" else 1 for e, _ in shared)


@pytest.mark.parametrize(
    ("scale", "jobs_at"), [("smoke", "study"), ("default", "experiment"), ("paper", "method")]
)
def test_a_scale_says_how_large_jobs_are_unless_the_user_does(shipped, scale, jobs_at):
    assert at(shipped[scale], "auto").config.jobs_at == jobs_at
    assert at(shipped[scale], "method").config.jobs_at == "method"


def test_trials_are_cut_into_jobs_of_the_same_size(load):
    sizes = {"trials": 5, "epochs": 1, "trials_per_job": 2}
    spec = load(MA, "experiments.eurodist.scales.smoke", sizes, jobs="method")
    experiment = spec.experiment("svrg_sbb", "eurodist")
    assert experiment.shards["batch"] == [[0, 1], [2, 3], [4]]
    files = spec.fits(experiment, "eurodist", "batch", "embedding.parquet")
    stem = "results/fits/svrg_sbb/eurodist/eurodist/batch"
    assert list(map(str, files)) == [f"{stem}.{n}/batch.embedding.parquet" for n in range(3)]


def test_a_job_fits_a_shard_of_a_method_or_of_a_whole_experiment(load):
    sizes = {"trials": 3, "epochs": 1, "trials_per_job": 2, "methods": {"mds": {"trials": 1}}}
    spec = load(MA, "experiments.eurodist.scales.smoke", sizes, jobs="method")
    experiment = spec.experiment("svrg_sbb", "eurodist")
    jobs = {job.name: job.parts for job in spec.jobs(experiment)}
    assert jobs["batch.0"] == {"batch": [0, 1]} and jobs["batch.1"] == {"batch": [2]}
    assert jobs["mds.0"] == {"mds": [0]} and "mds.1" not in jobs
    together = {job.name: job.parts for job in at(spec, "experiment").jobs(experiment)}
    names = list(experiment.methods)
    assert together == {
        "all.0": {name: [0] if name == "mds" else [0, 1] for name in names},
        "all.1": {name: [2] for name in names if name != "mds"},
    }
    files = at(spec, "experiment").fits(experiment, "eurodist", "mds", "seconds.parquet")
    folder = "results/fits/svrg_sbb/eurodist/eurodist"
    assert list(map(str, files)) == [f"{folder}/all.0/mds.seconds.parquet"]


def test_a_job_that_has_all_is_called_so(load):
    spec = load(MA, "experiments.eurodist.scales.smoke", {"trials": 3, "epochs": 1})
    (job,) = spec.jobs(spec.experiment("svrg_sbb", "eurodist"))
    assert job.name == "all" and set(job.parts["batch"]) == {0, 1, 2}
