# Shared by all stations: the configuration, what a job reads, and what makes a result again.
# A station keeps its results in results/{station}/{study}/{experiment}/{dataset}. There {dataset} is a
# data set, or a collection of data sets that an experiment handles together.
import os
import re
import time
from collections import namedtuple
from importlib.util import find_spec

if re.search(r"[\s'\"]", workflow.basedir):
    raise WorkflowError(
        f"the path {workflow.basedir} has a blank or a quote, with which jobs fail; "
        "move this folder to another path, and run `make set-up` there"
    )
if not find_spec("closerthan_study"):
    raise WorkflowError(
        "the environment has closerthan without its study, which is in no wheel; "
        "run `make set-up` or `pip install --editable '.[study]'` in a clone of it"
    )

from closerthan_study import dependencies
from closerthan_study.claims.cases import read_claims
from closerthan_study.cluster import check_slurm
from closerthan_study.configuration import Spec, load_spec
from closerthan_study.data import find_absent, options_of
from closerthan_study.reported import read_reported
from closerthan_study.spec import ConfigError
from closerthan_study.spec.experiment import DEFAULT_RUNTIME

# The main process checks all that is configured. A process that runs one job does not check it again.
if workflow.is_main_process:
    try:
        spec = load_spec(config)
        for read, name in (read_claims, "claims.yaml"), (read_reported, "reported.csv"):
            for path in sorted(spec.root.glob(f"config/studies/*/{name}")):
                read(path, spec)
    except ConfigError as error:
        raise WorkflowError(str(error)) from None
else:
    spec = Spec(config, trusted=True)

PAGES = ["scoreboard", *spec.studies]
Job = namedtuple("Job", "study experiment dataset batch")


onstart:
    if workflow.executor_plugin.name == "slurm":
        asked = next(workflow.dag.needrun_jobs()).resources  # all have the profile's
        try:
            check_slurm(asked.get("slurm_account"), asked.get("slurm_partition"))
        except ConfigError as error:
            raise WorkflowError(str(error)) from None


wildcard_constraints:
    study="|".join(spec.studies),
    experiment=r"[\w-]+",
    dataset=r"\w+",
    batch=r"\d+",
    page="|".join(PAGES),
    task=r"\w+",


def experiment_of(wildcards):
    return spec.experiment(wildcards.study, wildcards.experiment)


def takes_long(experiment):
    """Return whether a cluster gives each of its fits a job, because they are timed or long."""
    return experiment.timed or experiment.runtime > DEFAULT_RUNTIME


# Which jobs there are depends on the data sets that `fetch` could get. A dry run cannot wait for it:
# it supposes what an earlier `fetch` found.


def planned(wildcards):
    """Return the experiments and data sets that a job, a page or all of the run is about."""
    if workflow.is_main_process and workflow.executor_plugin and not workflow.dryrun:
        checkpoints.fetch.get()  # raises until `fetch` is done; Snakemake then asks again
    found = []
    for experiment, dataset in spec.pairs():
        study, place = experiment.study, experiment.place(dataset)
        of = dict(study=study, page=study, experiment=experiment.name, dataset=place)
        if all(wildcards.get(name, value) == value for name, value in of.items()):
            found.append((experiment, dataset))
    if not found and "dataset" in wildcards.keys():
        raise WorkflowError(
            f"{'/'.join(wildcards)}: the run has no such data set, or it is missing"
        )
    return found


def datasets(wildcards):
    """Return the data sets that a job or a page reads, those included that an experiment also reads."""
    return sorted({name for e, dataset in planned(wildcards) for name in (dataset, *e.also_reads)})


def batches(wildcards):
    """Return the jobs of fits that a job or a page reads: a row each."""
    rows = [
        Job(experiment.study, experiment.name, experiment.place(dataset), batch)
        for experiment, dataset in planned(wildcards)
        for batch in range(experiment.batches)
    ]
    return list(dict.fromkeys(rows))


def places(wildcards):
    """Return a row for each folder of trials or scores that a page or all of the run reads."""
    return [job for job in batches(wildcards) if job.batch == 0]


def place_of(path):
    """Return a path within the folder of the run; a shadow folder wants others as whole paths."""
    place = os.path.relpath(path)
    return os.path.abspath(path) if place.startswith("..") else place


def files(pattern):
    """Return the files of the project with a name; not each study has one."""
    return sorted(map(place_of, spec.root.glob(pattern)))


def settings_of_reports(studies):
    """Return what pages and verdicts depend on besides scores. Verdicts say what a run leaves out,
    so they also depend on the experiments at paper scale."""
    said = [spec.study(name).model_dump(exclude={"experiments"}) for name in studies]
    runs = [each.experiments.values() for each in (spec, spec.whole)]
    return str([spec.scale, said, [[e for e in run if e.study in studies] for run in runs]])
