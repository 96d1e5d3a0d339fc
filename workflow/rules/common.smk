# What the stations share: the configuration, the data sets that can be had, and what of the
# configuration and the code each rule depends on. A rule runs again when its `code` or `settings`
# have changed; see `relsim.study.spec.fingerprint`.
from dataclasses import asdict
from glob import glob
from pathlib import Path

from relsim.study.claim_spec import read_claims
from relsim.study.data import find_missing, pairs
from relsim.study.reported import read_reported
from relsim.study.resources import fits_request, is_short, scores_request
from relsim.study.spec import ConfigError, fingerprint, load_spec

CLAIMS = sorted(glob("config/claims/*.yaml"))
REPORTED = [
    path
    for path in sorted(glob("config/reported/*.csv"))
    if Path(path).stem in config["studies"]
]

try:
    spec = load_spec(config)
    for path in CLAIMS:
        read_claims(path, spec)
    for path in REPORTED:
        read_reported(path, spec)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

RESULTS = spec.results
# A job on a node of a cluster is told what to make, and looks for no data.
MISSING = {} if workflow.remote_exec else find_missing(spec)
PAIRS = pairs(spec, MISSING)
DATASETS = sorted({dataset for _, dataset in PAIRS})

for name, why in MISSING.items():
    logger.warning(
        f"The data set {name} can't be had; the run goes on without it.\n{why}\n"
    )
if MISSING and config["data"]["strict"]:
    raise WorkflowError(f"data.strict is set, but can't be had: {', '.join(MISSING)}")

# What the fits and scores of one kind of learning are made by; an edit of another kind's code does
# not touch them.
SHARED = ["datasets/synthetic", "study/comparisons", "study/seeds"]
OBJECTS = ["datasets/shapes", "study/objects"]
RANKING = ["scores/check", "scores/ranking", "scores/retrieval"]
RETRIEVAL = ["study/mixture", "study/retrieval"]
COMPARISONS_CODE = {
    kind: fingerprint(*(f"relsim/{name}" for name in [*SHARED, *modules]))
    for kind, modules in {
        "points": ["comparisons"],
        "stream": ["comparisons"],
        "map": OBJECTS,
        "similarity": ["comparisons", *RETRIEVAL],
    }.items()
}
SOLVERS = ["_simd", "base", "losses", "optimize"]
FITS_CODE = {
    kind: fingerprint(
        *(f"relsim/{name}" for name in ["study/fits/common", *SHARED, *modules])
    )
    for kind, modules in {
        "points": [
            *SOLVERS,
            "kernels/batch",
            "ordinal",
            "scores/embedding",
            "study/fits/ordinal",
        ],
        "stream": [*SOLVERS, "kernels", "scores/embedding", "study/fits/streams"],
        "map": [
            *OBJECTS,
            "base",
            "mds",
            "scores/check",
            "study/models",
            "study/fits/maps",
        ],
        "similarity": [
            *RETRIEVAL,
            *RANKING,
            "_simd",
            "base",
            "bilinear",
            "mahalanobis",
            "study/models",
            "study/fits/similarities",
        ],
    }.items()
}
SCORES_CODE = {
    kind: fingerprint(*(f"relsim/{name}" for name in ["study/scores/tidy", *modules]))
    for kind, modules in {
        "points": ["scores", "study/scores/ordinal"],
        "stream": ["study/scores/streams"],
        "map": [
            "scores/check",
            "scores/embedding",
            "scores/stress",
            "study/scores/maps",
        ],
        "similarity": [*RETRIEVAL, *RANKING, "study/scores/similarities"],
    }.items()
}
REPORTS_CODE = fingerprint(
    "relsim/study/figures",
    "relsim/study/index",
    "relsim/study/notebooks",
    "relsim/study/provenance",
    "relsim/study/reported",
    "relsim/study/theory",
    "relsim/study/reports",
)


PAGES = ["scoreboard", *spec.studies]
TEMPLATES = sorted(glob("src/relsim/study/templates/*"))
REPORT_SETTINGS = str([spec.scale, spec.studies, spec.experiments, sorted(MISSING)])


wildcard_constraints:
    kind=r"\w+",
    study=r"\w+",
    page=r"\w+",
    experiment=r"[\w-]+",
    dataset=r"\w+",
    job=r"[\w-]+(\.\d+)?",


def data_settings(wildcards):
    return str(
        [spec.seed, spec.config["words"] if wildcards.dataset == "words" else None]
    )


def comparison_settings(study, name):
    experiment = spec.experiment(study, name)
    trials = list(experiment.tuned_on), experiment.trials
    return str([spec.seed, trials, experiment.points, experiment.comparisons])


def kind_of(wildcards):
    return spec.experiment(wildcards.study, wildcards.experiment).learns


def job_settings(study, name, job):
    experiment = spec.experiment(study, name)
    words = {"label": "", "reason": ""}  # nothing is computed from them
    settings = [
        (asdict(experiment.methods[method]) | words, trials)
        for method, trials in spec.jobs(experiment)[job].items()
    ]
    common = experiment.n_components, experiment.noises, list(experiment.tuned_on)
    common += experiment.gradients, experiment.rank, experiment.projection
    common += experiment.dissimilarity, experiment.n_neighbors
    common += experiment.normalize, experiment.progress, experiment.gap
    return str([spec.seed, common, spec.losses(study), settings])


def score_settings(study, name):
    experiment = spec.experiment(study, name)
    return str(
        [
            *(experiment.target_error, experiment.retrieval, experiment.n_neighbors),
            experiment.normalize,
        ]
    )


def is_timed(wildcards):
    return spec.experiment(wildcards.study, wildcards.experiment).timed


def request_of_fits(wildcards, attempt=1):
    experiment = spec.experiment(wildcards.study, wildcards.experiment)
    parts = spec.jobs(experiment)[wildcards.job]
    return fits_request(experiment, wildcards.dataset, parts, attempt)


def request_of_scores(wildcards, attempt):
    experiment = spec.experiment(wildcards.study, wildcards.experiment)
    return scores_request(experiment, wildcards.dataset, attempt)


def group_of_fits(wildcards):
    short = is_short(request_of_fits(wildcards)) and not is_timed(wildcards)
    return "fits" if short else None


def fits_of_dataset(wildcards):
    experiment = spec.experiment(wildcards.study, wildcards.experiment)
    folder = f"{RESULTS}/fits/{experiment.study}/{experiment.name}/{wildcards.dataset}"
    return [f"{folder}/{job}" for job in spec.jobs(experiment)]


def scores_of_study(wildcards):
    study = wildcards.get("page")
    return [
        f"{RESULTS}/scores/{experiment.study}/{experiment.name}/{dataset}"
        for experiment, dataset in PAIRS
        if study in (None, experiment.study)
    ]


def results_of_page(wildcards):
    if wildcards.page == "scoreboard":
        return f"{RESULTS}/reports/scoreboard.csv"
    return scores_of_study(wildcards)
