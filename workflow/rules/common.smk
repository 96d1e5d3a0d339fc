# Shared by all stations: the configuration, the available data sets, and the parameters of jobs.
# A station keeps its results in {study}/{experiment}/{dataset}. {dataset} can also name a collection.
from glob import glob

from closerthan_study import dependencies
from closerthan_study.claims.cases import read_claims
from closerthan_study.data import (
    find_missing,
    list_tried,
    options_of,
    say_missing,
    say_remedy,
)
from closerthan_study.reported import read_reported
from closerthan_study.configuration import Spec, load_spec
from closerthan_study.spec import ConfigError


def papers_with(name, study="*"):
    """Return the files with a name in the folders of all studies, or of one study."""
    return sorted(glob(f"config/studies/{study}/{name}"))


# A process that runs one job, here or on a cluster, reads a configuration that the main process has
# checked. It does not look for data again.
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
    if MISSING:
        if spec.config.data.strict:
            tried = [
                f"{name}\n  " + "\n  ".join(list_tried(why))
                for name, why in MISSING.items()
            ]
            raise WorkflowError(
                say_missing(spec, MISSING),
                "data.strict is set.",
                *tried,
                say_remedy(MISSING),
            )
        names = ", ".join(MISSING)
        logger.warning(
            f"{say_missing(spec, MISSING)}\nMissing: {names}.\n{say_remedy(MISSING)}\n"
            f"{spec.results}/reports/index.html lists where each was looked for.\n"
        )


RESULTS = spec.results
PAIRS = spec.pairs(MISSING)
# The folders of every station: study, experiment, and a data set or a collection.
PLACES = list(dict.fromkeys((*e.words, e.place(dataset)) for e, dataset in PAIRS))
DATASETS = sorted({name for e, dataset in PAIRS for name in (dataset, *e.beside)})
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
    """Return the data set of a folder, or all of a collection, and those that every job reads."""
    own = spec.members(
        wildcards.study, wildcards.experiment, wildcards.dataset, MISSING
    )
    return [*own, *experiment_of(wildcards).beside]


def batches(wildcards):
    """Return the numbers of an experiment's batches of fits."""
    return range(experiment_of(wildcards).batches)


def places(pattern, study=None):
    """Return the paths of a pattern for every folder of the run, or of one study."""
    found = []
    for name, experiment, dataset in PLACES:
        if study in (None, name):
            words = {"study": name, "experiment": experiment, "dataset": dataset}
            batch = range(spec.experiment(name, experiment).batches)
            found += expand(pattern, **words, batch=batch)
    return found


def data_of(study=None):
    """Return the files of arrays and records of the data sets of the run, or of one study."""
    pairs = [(e, dataset) for e, dataset in PAIRS if study in (None, e.study)]
    names = sorted({name for e, dataset in pairs for name in (dataset, *e.beside)})
    return expand(
        f"{RESULTS}/data/{{dataset}}.{{kind}}", dataset=names, kind=("npz", "json")
    )


def short_fits(wildcards):
    """Return the group of short fits: a cluster gets them in groups."""
    experiment = experiment_of(wildcards)
    return None if experiment.timed or experiment.runtime > 10 else "fits"


def runtime(wildcards):
    """Return the minutes that a job may take. As a priority, it starts the longest jobs first."""
    return experiment_of(wildcards).runtime


def resource(name):
    """Return a resource of an experiment's jobs, from study.yaml, times the number of the attempt."""
    return lambda wildcards, attempt: attempt * getattr(experiment_of(wildcards), name)


# Snakemake makes a result again if one of these parameters has changed.


def code(station):
    """Return the digest of the code that a station runs for an experiment's task."""
    digest = getattr(dependencies, f"code_of_{station}")
    return lambda wildcards: digest(task(wildcards))


def settings(station):
    """Return as text all settings that a station's results for an experiment depend on."""

    def of_job(wildcards):
        experiment = experiment_of(wildcards)
        if station != "fits":
            return str([spec.seed, experiment.settings_of(station)])
        losses = [loss.model_dump() for loss in spec.losses(wildcards.study).values()]
        batch = experiment.settings_of(station, int(wildcards.batch))
        return str([spec.seed, batch, losses])

    return of_job


def settings_of_claims():
    """Return what verdicts and the table of printed numbers depend on besides the scores."""
    labels = [study.labels for study in spec.studies.values()]
    printed = [spec.study(name).printed for name in spec.known_studies]
    return str([spec.scale, spec.experiments, spec.whole.experiments, labels, printed])


def settings_of_page(page):
    """Return the settings shown on a study's page, or the titles of all for the scoreboard."""
    if page == "scoreboard":
        titles = {name: study.title for name, study in spec.studies.items()}
        return str([spec.scale, titles])
    study = spec.studies[page].model_dump(exclude={"experiments"})
    here, whole = (
        [value for (name, _), value in each.experiments.items() if name == page]
        for each in (spec, spec.whole)
    )
    return str([spec.scale, sorted(MISSING), study, here, whole])
