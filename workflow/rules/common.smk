# Shared by all stations: the configuration, what a job reads, and what makes a result again.
# A station keeps its results in {study}/{experiment}/{dataset}. There {dataset} is a data set, or a
# collection of data sets that an experiment handles together.
import re
import time
from functools import cache
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
from closerthan_study.data import find_absent, options_of, say_missing, say_remedy
from closerthan_study.reading import read_json
from closerthan_study.reported import read_reported
from closerthan_study.spec import ROOT, ConfigError
from closerthan_study.spec.config import in_one_way
from closerthan_study.spec.experiment import DEFAULT_RUNTIME

# The main process checks the configuration and looks which data sets are here. A process that runs
# one job, on this machine or on a node, does neither again.
if workflow.is_main_process:
    try:
        spec = load_spec(config)
        for path in sorted(spec.root.glob("config/studies/*/claims.yaml")):
            read_claims(path, spec)
        for path in sorted(spec.root.glob("config/studies/*/reported.csv")):
            read_reported(path, spec)
    except ConfigError as error:
        raise WorkflowError(str(error)) from None
    ABSENT = find_absent(
        spec
    )  # neither made nor in cache or mirror, so `fetch` must get them
else:
    spec = Spec(config, trusted=True)
    ABSENT = []

RESULTS = config["results"] = spec.results  # spelled in one way, in jobs too
MISSING = f"{RESULTS}/data/missing.json"  # which data sets could not be had, and why
PUBLISHED = in_one_way(spec.root / "results/published/scoreboard.csv")
PAGES = ["scoreboard", *spec.studies]


onstart:
    if workflow.executor_plugin.name == "slurm":
        job = next(
            workflow.dag.needrun_jobs()
        )  # all have the default resources of the profile
        try:
            check_slurm(
                *map(job.resources.get, ("slurm_account", "slurm_partition"))
            )
        except ConfigError as error:
            raise WorkflowError(str(error)) from None


wildcard_constraints:
    study=r"\w+",
    experiment=r"[\w-]+",
    dataset=r"\w+",
    batch=r"\d+",
    page=r"\w+",
    task=r"\w+",


# What is there


def notebook_of(wildcards):
    """Return the notebook of a page. With --directory a run is elsewhere."""
    return in_one_way(spec.notebook(wildcards.page))


def papers_with(name, study="*"):
    """Return the files of this name of all papers, or of one: not each study has one."""
    return sorted(map(in_one_way, spec.root.glob(f"config/studies/{study}/{name}")))


def missing():
    """Return the data sets that cannot be had."""
    # In a job: those that are not made. Snakemake started it after all data that it reads.
    if not workflow.is_main_process:
        return spec.unmade()
    # In a run: what `fetch` found. In a dry run or drawing: what an earlier run found, if any.
    plans_only = workflow.executor_plugin is None or workflow.dryrun
    if ABSENT and not plans_only:
        checkpoints.fetch.get()  # raises until `fetch` is done; Snakemake then asks again
    return say_what_is_missing() if ABSENT else []


@cache
def say_what_is_missing():
    """Return the missing data sets; say once which they are and what to do."""
    if not exists(
        MISSING
    ):  # in a plan, before the first `fetch` or after one that failed
        names = ", ".join(ABSENT)
        logger.warning(
            f"This plan supposes that a run can fetch these data: {names}.\n"
        )
        return []
    # An earlier run may have missed others, which are here now.
    found = {name: why for name, why in read_json(MISSING).items() if name in ABSENT}
    if found:
        logger.warning(
            f"{say_missing(spec, found)}\nMissing: {', '.join(found)}.\n{say_remedy(found)}\n"
            f"{RESULTS}/reports/index.html lists where each was looked for.\n"
        )
    return list(found)


def check_study(name):
    """Refuse what belongs to a study that the run does not have."""
    if name not in spec.studies:
        have = ", ".join(spec.studies)
        raise WorkflowError(
            f"the study {name!r} is not in this run, which has {have}; "
            f"add it with --config 'studies=[{name}]'"
        )


def experiment_of(wildcards):
    check_study(wildcards.study)
    return spec.experiment(wildcards.study, wildcards.experiment)


def datasets(wildcards):
    """Return the data sets that a job reads.

    These are its own, or all members of its collection, and those that its experiment also reads.
    """
    experiment = experiment_of(wildcards)
    own = [wildcards.dataset]
    if wildcards.dataset == experiment.collection:
        own = spec.members(
            wildcards.study, wildcards.experiment, wildcards.dataset, missing()
        )
    return [*own, *experiment.also_reads]


def batches(wildcards):
    """Return the numbers of an experiment's batches of fits."""
    return range(experiment_of(wildcards).batches)


def datasets_of(study=None):
    """Return the data sets of the run, or of one study."""
    found = set()
    for experiment, dataset in spec.pairs(missing()):
        if study in (None, experiment.study):
            found |= {dataset, *experiment.also_reads}
    return sorted(found)


def folders(pattern, study=None):
    """Return the folders of a station for all experiments and data sets of the run, or of a study.

    Only the folders of fits have {batch}. A collection has one folder for all its data sets.
    """
    found = []
    for experiment, dataset in spec.pairs(missing()):
        if study in (None, experiment.study):
            found += expand(
                pattern,
                study=experiment.study,
                experiment=experiment.name,
                dataset=experiment.collection or dataset,
                batch=range(experiment.batches),
            )
    return list(dict.fromkeys(found))


# What jobs ask for


def resource(name):
    """Return a resource of an experiment's jobs, from study.yaml, times the number of the attempt."""
    return lambda wildcards, attempt: attempt * getattr(experiment_of(wildcards), name)


def longest_first(wildcards):
    """Return the priority of a job: the minutes that it may take."""
    return experiment_of(wildcards).runtime


def group_of_fits(wildcards):
    """Return the group of fits that a cluster runs in one job, or None for timed or long fits."""
    experiment = experiment_of(wildcards)
    return None if experiment.timed or experiment.runtime > DEFAULT_RUNTIME else "fits"


# What makes a result again: Snakemake compares these parameters with those of the last run.


def code(code_of):
    """Return the code that a station runs for an experiment's task: its digest, by `code_of`."""
    return lambda wildcards: code_of(experiment_of(wildcards).task)


def settings(station):
    """Return as text all settings that trials or scores depend on."""
    return lambda wildcards: str(
        [spec.seed, experiment_of(wildcards).settings_of(station)]
    )


def settings_of_fits(wildcards):
    """Return as text all settings that a batch of fits depends on, losses included."""
    losses = [loss.model_dump() for loss in spec.losses(wildcards.study).values()]
    batch = experiment_of(wildcards).settings_of("fits", int(wildcards.batch))
    return str([spec.seed, batch, losses])


def settings_of_claims():
    """Return what verdicts and the table of printed numbers depend on besides the scores.

    A verdict says what this run leaves out, so it depends on the experiments at paper scale too
    (`spec.whole`).
    """
    labels = [study.datasets | study.labels for study in spec.studies.values()]
    printed = [spec.study(name).printed for name in spec.known_studies]
    return str([spec.scale, spec.experiments, spec.whole.experiments, labels, printed])


def settings_of_page(page):
    """Return the settings shown on a study's page, or the titles of all for the scoreboard."""
    if page == "scoreboard":
        titles = {name: study.title for name, study in spec.studies.items()}
        return str([spec.scale, titles])
    check_study(page)
    study = spec.studies[page].model_dump(exclude={"experiments"})
    here = [e for e in spec.experiments.values() if e.study == page]
    at_paper_scale = [e for e in spec.whole.experiments.values() if e.study == page]
    return str([spec.scale, study, here, at_paper_scale])
