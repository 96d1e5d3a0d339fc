# What the stations share: the configuration, the data sets that can be had, and what of the
# configuration and the code each rule depends on. A rule runs again when its `code` or `settings`
# have changed; see `relsim.study.spec.fingerprint`.
from dataclasses import asdict
from glob import glob

from relsim.study.claim_spec import read_claims
from relsim.study.data import find_missing, pairs
from relsim.study.reported import read_reported
from relsim.study.spec import ConfigError, fingerprint, load_spec

CLAIMS = sorted(glob("config/claims/*.yaml"))
REPORTED = sorted(glob("config/reported/*.csv"))

try:
    spec = load_spec(config)
    for path in CLAIMS:
        read_claims(path, spec)
    for path in REPORTED:
        read_reported(path, spec)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

RESULTS = spec.results
MISSING = find_missing(spec)
PAIRS = pairs(spec, MISSING)
DATASETS = sorted({dataset for _, dataset in PAIRS})

for name, why in MISSING.items():
    logger.warning(
        f"The data set {name} can't be had; the run goes on without it.\n{why}\n"
    )
if MISSING and config["data"]["strict"]:
    raise WorkflowError(f"data.strict is set, but can't be had: {', '.join(MISSING)}")

SHARED = ["relsim/study/comparisons", "relsim/study/seeds"]
ALGORITHMS = [
    "_simd",
    "base",
    "kernels",
    "losses",
    "optimize",
    "ordinal",
    "scores/embedding",
]
FITS_CODE = fingerprint(
    *(f"relsim/{name}" for name in ALGORITHMS), *SHARED, "relsim/study/fits"
)
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
    study=r"\w+",
    page=r"\w+",
    experiment=r"[\w-]+",
    dataset=r"\w+",
    method=r"[\w-]+",
    shard=r"\d+",


def comparison_settings(study, name):
    experiment = spec.experiment(study, name)
    trials = experiment.tuning_trials, experiment.trials
    return str([spec.seed, trials, experiment.comparisons])


def method_settings(study, name, method, shard):
    experiment = spec.experiment(study, name)
    settings = asdict(experiment.methods[method]) | {
        "label": "",
        "reason": "",
    }  # words alone
    settings = settings, experiment.shards(method)[int(shard)]
    common = experiment.n_components, experiment.noises, experiment.tuning_trials
    common += (experiment.budgets(method), experiment.gradients)
    return str([spec.seed, common, spec.losses(study), settings])


def score_settings(study, name):
    experiment = spec.experiment(study, name)
    return str([experiment.target_error, experiment.retrieval])


def threads_of_fits(wildcards):
    timed = spec.experiment(wildcards.study, wildcards.experiment).timed
    return workflow.cores if timed else 1


def fits_of_dataset(wildcards):
    experiment = spec.experiment(wildcards.study, wildcards.experiment)
    return [
        path
        for method in experiment.methods
        for suffix in ("parquet", "embedding.parquet", "seconds.parquet")
        for path in spec.fits(experiment, wildcards.dataset, method, suffix)
    ]


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
