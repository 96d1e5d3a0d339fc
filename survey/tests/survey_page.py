"""Plant the scores of a toy survey of many data sets, without task, fits or run."""

import numpy as np

import toy_study
from toy_page import tidy

LOSSES = ("ste", "soe")
DEFAULT, STE, SOE, BARE = [("default", "none"), ("loss", "ste"), ("loss", "soe"), ("bare", "none")]
LAPSES = ("lapses", "none")
_SIZES = {"trials": 5, "epochs": 1}
_MODEL = {"model": "OrdinalEmbedding", "variants": {"ours": {}}}
_CONTROLS = {
    "random": {"label": "random points", "control": "random"},
    "ceiling": {"label": "least possible", "control": "ceiling"},
}


def _experiment(**methods):
    return {
        "task": "answers",
        "shows": "",
        "datasets": ["music"],  # or the data sets of the planted rows
        "comparisons": {"n_train": 0.8},
        "n_components": 2,
        "methods": methods | _CONTROLS,
        "scales": dict.fromkeys(("smoke", "default", "paper"), _SIZES),
    }


def _model(label, **more):
    return {"label": label, **_MODEL, **more}


SURVEY = {
    "variants": {"ours": ""},
    "labels": {"ste": "STE", "soe": "SOE"},
    "losses": {"ste": {"class": "STE"}, "soe": {"class": "SOE"}},
    "experiments": {
        "choices": _experiment(
            default=_model("default"),
            loss=_model("other loss", losses=list(LOSSES)),
            bare=_model("no penalty"),
            lapses=_model("lapses"),
        ),
        "sweeps": _experiment(
            default=_model("default", sweep={"n_components": [1, 2, 5]}),
            bare=_model("no penalty", sweep={"n_components": [1, 2, 5]}),
            chosen=_model("dimension chosen"),
        ),
        "solvers": _experiment(
            lbfgs=_model("L-BFGS", losses=["ste"]), svrg=_model("SVRG", losses=["ste"])
        ),
    },
}


def make_page(folder, name, rows, *, simulated=(), **counts):
    """Make the page of the toy survey with one experiment's rows; each row names its data set.

    `counts` are n_train, n_test, n_objects and n_answers of every set.
    """
    counts = {"n_train": 80, "n_test": 20, "n_objects": 16} | counts
    kept = {"train": counts["n_train"], "test": counts["n_test"]}
    n_answers = counts.get("n_answers", sum(kept.values()))
    drawn = {"objects": {"item": counts["n_objects"]}, "comparisons": kept}
    scores = tidy(rows).assign(study="survey", experiment=name, variant="ours")
    page = toy_study.make_page(folder, "survey", **SURVEY)
    datasets = {"datasets": list(dict.fromkeys(scores.dataset))}
    experiment = page.experiments[name] = page.experiments[name].model_copy(update=datasets)
    controls = [key for key, method in experiment.methods.items() if method.control]
    scores.loc[scores.method.isin(controls), "variant"] = "control"
    for dataset, of_set in scores.groupby("dataset"):
        timed = of_set.measure == "seconds"
        tables = {m: of_set[~timed & (of_set.method == m)] for m in experiment.methods}
        record = {"shape": {"comparisons": [n_answers, 3]}}
        record |= {} if dataset in simulated else {"form": "triplets"}
        tables |= {"seconds": of_set[timed]}
        toy_study.write_scores(page, experiment, dataset, tables, drawn, record)
    return page


def rows_of(contender, dataset, values, measure="test_error", **columns):
    """Return a contender's rows on a data set: a value per trial, or None for no trial."""
    keys = dict(zip(("method", "loss"), contender, strict=True))
    keys |= {"dataset": dataset, "measure": measure, **columns}
    return [{**keys, "trial": n, "value": v} for n, v in enumerate(values) if v is not None]


def surveyed(factors, *, n_datasets=8, n_trials=5, noise=0.02, seed=0):
    """Return rows of test errors: each contender's factor times the shared error of the trial."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n_datasets):
        shared = rng.uniform(0.05, 0.3) * np.exp(rng.normal(0, 0.1, n_trials))
        for contender, factor in factors.items():
            values = factor * shared * np.exp(rng.normal(0, noise, n_trials))
            rows += rows_of(contender, f"set{number}", values)
    return rows


def only(table, **values):
    """Return the one row of a table with these values."""
    for column, value in values.items():
        table = table[table[column] == value]
    (row,) = table.to_dict("records")
    return row
