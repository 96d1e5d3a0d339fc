# What the stations share: the configuration, the data sets that can be had, and what a job is told.
# The folder {study}/{experiment}/{dataset} of a station is for a data set or for a collection of them.
from glob import glob

from closerthan_study import dependencies
from closerthan_study.claims.cases import read_claims
from closerthan_study.data import find_missing, options_of
from closerthan_study.reported import read_reported
from closerthan_study.configuration import Spec, load_spec
from closerthan_study.spec import ConfigError


def papers_with(name, study="*"):
    """The files of a name in the folders of the papers, or of one."""
    return sorted(glob(f"config/studies/{study}/{name}"))


# A process that makes one job, here or on a node of a cluster, is told what to make: all has been
# checked, and no data are looked for.
if not workflow.is_main_process:
    spec = Spec(config, trusted=True)
    MISSING = dict.fromkeys(spec.unmade(), "")
else:
    try:
        spec = load_spec(config)
        for path in papers_with("claims.yaml"):
            read_claims(path, spec)
        for path in papers_with("reported.csv"):
            read_reported(path, spec)
    except ConfigError as error:
        raise WorkflowError(str(error)) from None
    MISSING = find_missing(spec)
    for name, why in MISSING.items():
        logger.warning(
            f"The data set {name} can't be had; the run goes on without it.\n{why}\n"
        )
    if MISSING and spec.config.data.strict:
        names = ", ".join(MISSING)
        raise WorkflowError(f"data.strict is set, but can't be had: {names}")


RESULTS = spec.results
PAIRS = spec.pairs(MISSING)
# The folders of every station: study, experiment, and a data set or a collection of several.
PLACES = list(dict.fromkeys((*e.words, e.place(dataset)) for e, dataset in PAIRS))
DATASETS = sorted({dataset for _, dataset in PAIRS})
PAGES = ["scoreboard", *spec.studies]


wildcard_constraints:
    study=r"\w+",
    experiment=r"[\w-]+",
    dataset=r"\w+",
    batch=r"\d+",
    page=r"\w+",
    task=r"\w+",


def experiment_of(wildcards):
    return spec.experiment(wildcards.study, wildcards.experiment)


def task(wildcards):
    return experiment_of(wildcards).task


def datasets(wildcards):
    """The data set of a folder; several, if it is that of a collection."""
    return spec.members(
        wildcards.study, wildcards.experiment, wildcards.dataset, MISSING
    )


def batches(wildcards):
    """The numbers of the batches that the fits of an experiment are cut into."""
    return range(experiment_of(wildcards).batches)


def places(pattern, study=None):
    """The paths of a pattern, of every folder that the run has, or of those of a study."""
    found = []
    for name, experiment, dataset in PLACES:
        if study in (None, name):
            words = {"study": name, "experiment": experiment, "dataset": dataset}
            batch = range(spec.experiment(name, experiment).batches)
            found += expand(pattern, **words, batch=batch)
    return found


def data_of(study=None):
    """The arrays of the data sets of the run, or of a study, and what is known of them."""
    names = sorted({d for experiment, d in PAIRS if study in (None, experiment.study)})
    return expand(
        f"{RESULTS}/data/{{dataset}}.{{kind}}", dataset=names, kind=("npz", "json")
    )


def short_fits(wildcards):
    """The group of the fits that a cluster is sent by the dozen."""
    experiment = experiment_of(wildcards)
    return None if experiment.timed or experiment.runtime > 10 else "fits"


def runtime(wildcards):
    """The minutes that a job may take; the longest start first, or they would end last, alone."""
    return experiment_of(wildcards).runtime


def resource(name):
    """What a job of an experiment may take, as study.yaml says; as much again at each attempt."""
    return lambda wildcards, attempt: attempt * getattr(experiment_of(wildcards), name)


# What makes a result again. Snakemake compares these with what they were.


def code(station):
    """The digest of the code that a station runs for the task of an experiment."""
    digest = getattr(dependencies, f"code_of_{station}")
    return lambda wildcards: digest(task(wildcards))


def settings(station):
    """All settings that what a station makes of an experiment depends on, as text."""

    def of_job(wildcards):
        experiment = experiment_of(wildcards)
        if station != "fits":
            return str([spec.seed, experiment.settings_of(station)])
        losses = [loss.model_dump() for loss in spec.losses(wildcards.study).values()]
        batch = experiment.settings_of(station, int(wildcards.batch))
        return str([spec.seed, batch, losses])

    return of_job


def settings_of_claims():
    """What verdicts depend on besides the scores, and the words of them and of printed numbers."""
    labels = [study.labels for study in spec.studies.values()]
    printed = [spec.study(name).printed for name in spec.known_studies]
    return str([spec.scale, spec.experiments, spec.whole.experiments, labels, printed])


def settings_of_page(page):
    """What the page of a study says of it; that of the scoreboard names all."""
    if page == "scoreboard":
        titles = {name: study.title for name, study in spec.studies.items()}
        return str([spec.scale, titles])
    study = spec.studies[page].model_dump(exclude={"experiments"})
    here, whole = (
        [value for (name, _), value in each.experiments.items() if name == page]
        for each in (spec, spec.whole)
    )
    return str([spec.scale, sorted(MISSING), study, here, whole])
