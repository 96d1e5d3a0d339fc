"""Plant studies and scores for the code that judges claims, without task, files or run."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from closerthan_study import configuration
from closerthan_study.claims.verdicts import judge
from toy_page import tidy

LOSSES = ["ste", "gnmds"]
# Parts of claims about the scores that each test plants.
FASTER = {
    "part": "faster",
    "kind": "compare",
    "who": "sbb",
    "against": "sgd",
    "measure": "epochs_to_error",
    "direction": "less",
    "smallest": {"factor": 1.01},
}

PASSES = {
    "part": "fewer errors",
    **{"kind": "compare", "who": [{"method": "pa", "sweep": 9}], "losses": ["gnmds"]},
    **{"against": [{"method": "refit", "loss": "ste"}], "measure": "test_error"},
    "direction": "less",
    "smallest": {"factor": 1.01},
}


CHOSEN = "ours, 2026-01-31"
BUDGET = 100.0  # epochs; a run ends here if it has not met its target


def by(**by):
    """Return what a comparison asks for, and its source."""
    return {"by": by, "threshold_by": CHOSEN, "smallest": None}


def within(**changes):
    """Return an entry about the bounds of a measure."""
    return {"part": "within", "kind": "within", "who": "sbb", "threshold_by": CHOSEN} | changes


class Method(SimpleNamespace):
    """A method as a claim sees it."""

    def __init__(self, name, variants=(), sizes=(), losses=(), sweep=(), control=None):
        variants = dict.fromkeys(variants)
        super().__init__(name=name, variants=variants, sweep=dict(sweep), control=control)
        self.sizes, self.losses = list(sizes), list(losses)

    def losses_of(self, losses):
        return self.losses or list(losses) or ["none"]

    def epochs_of(self, loss):
        return getattr(self, "epochs", 0)

    def batch_sizes_of(self, variant):
        return self.sizes or [np.nan]


class Spec:
    """A specification of the one study `papers`, the same at all scales."""

    def __init__(self, experiments, losses=LOSSES, root=None, results="results"):
        self.experiments = {("papers", experiment.name): experiment for experiment in experiments}
        self.studies = {"papers": None}
        self.root, self.results, self._losses = root, results, losses

    @property
    def whole(self):
        return self

    def experiment(self, study, name):
        return self.experiments[study, name]

    def losses(self, study):
        return dict.fromkeys(self._losses)

    def folder(self, station, experiment, dataset):
        return self.results / station / "papers" / experiment.name / dataset

    scores = configuration.Spec.scores


def write_scores(spec, experiment, dataset, table):
    """Write scores as the station does: a file for each method, and one for the seconds."""
    files = spec.scores(experiment, dataset)
    files[0].parent.mkdir(parents=True, exist_ok=True)
    for file in files:
        table[table.method == file.stem].to_parquet(file)


def experiment(name, datasets, fallback, methods, noises=(0.0,), k=()):
    """An experiment as a claim sees it."""
    return SimpleNamespace(
        name=name,
        words=("papers", name),
        datasets=list(datasets),
        all_datasets=[*datasets, *fallback],
        methods={method.name: method for method in methods},
        noises=list(noises),
        retrieval=SimpleNamespace(k=list(k)) if k else None,
    )


def scores(values, measure="epochs_to_error", losses=LOSSES, **columns):
    """Return rows of a measure by (method, variant, batch size): a value per trial or per loss."""
    rows = []
    for (method, variant, size), of_method in values.items():
        for loss in losses:
            of_loss = of_method[loss] if isinstance(of_method, dict) else of_method
            row = {"study": "papers", "experiment": "toy", "dataset": "synthetic"}
            row |= {"method": method, "variant": variant, "batch_size": size, "loss": loss}
            row |= {"measure": measure, **columns}
            rows += [{**row, "trial": n, "value": value} for n, value in enumerate(of_loss)]
            if measure == "epochs_to_error":
                row |= {"measure": "epochs", "value": BUDGET}
                rows += [{**row, "trial": n} for n in range(len(of_loss))]
    return tidy(rows).astype(dict.fromkeys(("k", "batch_size", "triplets"), "Int64"))


def around(center, n=20, spread=0.05, seed=0):
    """Return values of trials: a center times noise."""
    rng = np.random.default_rng([seed, int(1000 * abs(center))])
    return center * (1 + spread * rng.normal(size=n))


def outcome(claim, table):
    """Return the outcome that all parts of a claim share."""
    (found,) = {part["outcome"] for part in judge(claim, table)[1]}
    return found


def rivals(sbb, sgd, tuned=None):
    tables = {("sbb", "paper", 1): sbb, ("sgd", "paper", 0): sgd}
    return tables if tuned is None else tables | {("sgd", "tuned", 0): tuned}


def streams(values, measure="test_error", **columns):
    """Return rows of a stream by (method, loss, sweep): a value per trial or per number."""
    tables = []
    for (method, loss, sweep), of_method in values.items():
        by_triplets = of_method if isinstance(of_method, dict) else {1000: of_method}
        for triplets, of_trials in by_triplets.items():
            place = {"experiment": "stream", "sweep": sweep, "triplets": triplets}
            place |= {"epoch": 7.0 * triplets, **columns}  # slopes are not taken over epochs
            rows = {(method, "paper", pd.NA): of_trials}
            tables.append(scores(rows, measure, [loss], **place))
    return pd.concat(tables)
