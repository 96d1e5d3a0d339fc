# What the stations share: the configuration, the data sets that can be had, and the parts in which
# each station does its work. A part is a folder of results, and a job: a paper, an experiment on a
# data set or, of fits, some of its methods, as `jobs` of config.yaml says. As one such folder may lie
# in another, beside it a file {part}.made says that the job of that part was the last in it.
from glob import glob

from closerthan_study import dependencies
from closerthan_study.claims.cases import read_claims
from closerthan_study.configuration import Spec, load_spec
from closerthan_study.data import find_missing, find_unmade, options_of, pairs
from closerthan_study.reported import read_reported
from closerthan_study.requests import (
    fits_request,
    is_short,
    scores_request,
    seconds_of_fits,
)
from closerthan_study.spec import ConfigError
from closerthan_study.spec.jobs import parts_of


def papers_with(name, studies="*"):
    """The files of a name in the folders of some papers."""
    return sorted(
        path for study in studies for path in glob(f"config/studies/{study}/{name}")
    )


# A process that makes one job, here or on a node of a cluster, is told what to make: all has been
# checked, and no data are looked for.
if not workflow.is_main_process:
    spec = Spec(config, trusted=True)
    MISSING = find_unmade(spec)
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
CLAIMS = papers_with("claims.yaml")
REPORTED = papers_with("reported.csv")
PAIRS = pairs(spec, MISSING)
DATASETS = sorted({dataset for _, dataset in PAIRS})
TRIALS, FITS, SCORES = (
    parts_of(spec, PAIRS, station) for station in ("trials", "fits", "scores")
)


wildcard_constraints:
    dataset=r"\w+",
    page=r"\w+",
    task=r"\w+",
    part=r"\w+(/[\w-]+(/\w+(/[\w-]+(\.\d+)?)?)?)?",


def experiments_in(cells):
    return [spec.experiment(*cell[:2]) for cell in cells]


def tasks_in(cells):
    return sorted({experiment.task for experiment in experiments_in(cells)})


def data_of(cells):
    return sorted({f"{RESULTS}/data/{cell[2]}.npz" for cell in cells})


def made(station, parts):
    """The folders of some parts of a station, with what says that each is of this run's jobs."""
    folders = [f"{RESULTS}/{station}/{part}" for part in parts]
    return folders + [f"{folder}.made" for folder in folders]


def parts_with(station, parts, cells):
    """The same of those parts that have something of some cells."""
    wanted = {cell[:3] for cell in cells}
    return made(
        station,
        [part for part in parts if wanted & {cell[:3] for cell in parts[part]}],
    )


def code_of(code, cells):
    """What the code of each task is digested to by `code`."""
    return [code(task) for task in tasks_in(cells)]


def settings_of(station, cells):
    """All settings that what a station makes of some cells depends on, as text."""
    found = [spec.seed]
    for study, name, _, *job in cells:
        experiment = spec.experiment(study, name)
        methods = next(
            (j.parts for j in spec.jobs(experiment) if [j.name] == job), None
        )
        found.append(experiment.settings_of(station, methods))
    if station == "fits":
        studies = sorted({study for study, *_ in cells})
        found += [
            loss.model_dump()
            for study in studies
            for loss in spec.losses(study).values()
        ]
    return str(found)


def is_timed(part):
    """Whether the seconds of a part count, which then is of one experiment."""
    return spec.is_timed(experiments_in(FITS[part])[0])


def group_of_fits(wildcards):
    """Short jobs are sent to a cluster by the dozen."""
    part = wildcards.part
    short = is_short(fits_request(spec, FITS[part])) and not is_timed(part)
    return "fits" if short else None


PAGES = ["scoreboard", *spec.studies]


def settings_of_page(page):
    """What the page of a study says of it; that of the scoreboard names all."""
    if page == "scoreboard":
        return str(
            [spec.scale, {name: study.title for name, study in spec.studies.items()}]
        )
    study = spec.studies[page].model_dump(exclude={"experiments"})
    here, whole = (
        [value for (name, _), value in each.experiments.items() if name == page]
        for each in (spec, spec.whole)
    )
    return str([spec.scale, sorted(MISSING), study, here, whole])


def results_of_page(wildcards):
    """All that the page of a study may read: what every station has made of it."""
    if wildcards.page == "scoreboard":
        return [f"{RESULTS}/reports/{name}.csv" for name in ("scoreboard", "parts")]
    cells = [
        (e.study, e.name, dataset) for e, dataset in PAIRS if e.study == wildcards.page
    ]
    stations = {"trials": TRIALS, "fits": FITS, "scores": SCORES}
    data = data_of(cells)
    records = [f"{npz.removesuffix('npz')}json" for npz in data]
    return [*data, *records] + [
        folder
        for station, parts in stations.items()
        for folder in parts_with(station, parts, cells)
    ]
