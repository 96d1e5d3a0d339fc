"""Make a toy study with an experiment of each kind, and scores by hand."""

import numpy as np
import pandas as pd

import toy_study

KEYS = {"study": "toy", "loss": "none", "batch_size": pd.NA, "noise": 0.0, "sweep": np.nan}
KEYS |= {"trial": 0, "epoch": np.nan, "triplets": pd.NA, "k": pd.NA}
RANDOM = {"label": "random points", "control": "random"}
TRUTH = {"label": "true points", "control": "truth"}
SVRG = {
    "label": "SVRG",
    "solver": "SVRG",
    "batch_sizes": [1, 20],
    "variants": {"paper": {}, "tuned": {"tune": {"step_size": [0.1, 1.0]}}},
}
STREAM = {"label": "PA", "model": "OnlineKernel", "losses": ["ste"], "sweep": {"revisits": [0, 9]}}
SIZES = {"trials": 3, "epochs": 8}
TOY = {
    "title": "Toy: a paper",
    "summary": "One of each task.",
    "reference": "A. Nonymous, 2019",
    "variants": {"paper": "as printed", "tuned": "chosen by us", "default": "ours"},
    "labels": {"ste": "STE", "ckl": "CKL", "tuned": "well tuned", "swissroll": "roll"},
    "losses": {"ste": {"class": "STE"}, "ckl": {"class": "CKL"}},
    "experiments": {
        "points": {
            "task": "ordinal",
            "shows": "Fig. 1",
            "datasets": ["synthetic"],
            "comparisons": {"source": "points", "n_train": 60, "n_test": 40},
            "n_components": 2,
            "tuning_trials": 1,
            "target_error": 0.15,
            "methods": {
                "svrg": SVRG,
                "batch": {"label": "batch", "solver": "Batch", "variants": {"paper": {}}},
                "random": RANDOM,
                "truth": TRUTH,
            },
            "scales": {
                "smoke": {**SIZES, "methods": {"batch": {"trials": 1, "reason": "it is slow"}}},
                "default": SIZES,
                "paper": SIZES,
            },
        },
        "stream": {
            "task": "online",
            "shows": "Fig. 2",
            "datasets": ["synthetic"],
            "points": {"n_objects": 9, "n_components": 2, "variance": 1},
            "comparisons": {"source": "points", "n_train": 60, "n_test": 40},
            "methods": {"pa": {**STREAM, "variants": {"paper": {"parameters": {}}}}},
            "scales": dict.fromkeys(("smoke", "default", "paper"), SIZES),
        },
        "maps": {
            "task": "mds",
            "shows": "Fig. 3",
            "datasets": ["swissroll"],
            "objects": {"n_objects": 1234},
            "n_components": 2,
            "dissimilarity": "geodesic",
            "n_neighbors": 12,
            "methods": {
                "search": {
                    "label": "search",
                    "model": "PatternSearchMDS",
                    "sweep": {"radius": [32, 1]},
                    "variants": {"paper": {}},
                }
            },
            "scales": dict.fromkeys(("smoke", "default", "paper"), SIZES),
        },
    },
}
SHAPES = {"synthetic": {"points": [15, 2]}, "swissroll": {"points": [1000, 3]}}


def tidy(rows):
    """Make tidy scores; arguments set what differs between the rows."""
    return pd.DataFrame([{**KEYS, **row} for row in rows])


def errors(variant="paper", losses=("ste", "ckl"), batch_sizes=(1, 20), trials=3):
    """Make test errors that differ from trial to trial, and norms; one norm overflows."""
    rows = []
    for trial in range(trials):
        for epoch in range(3):
            for loss in losses:
                for size in batch_sizes:
                    keys = {"variant": variant, "loss": loss, "batch_size": size}
                    keys |= {"trial": trial, "epoch": float(epoch)}
                    value = 0.5 - 0.1 * epoch + 0.01 * trial**2 + 0.001 * size
                    norm = 1e13 if (trial, epoch, loss, size) == (1, 2, "ste", 1) else 1.0
                    rows.append({**keys, "measure": "test_error", "value": value})
                    rows.append({**keys, "measure": "norm", "value": norm})
    return rows


def level(value, trials=3):
    """Make test errors of a control."""
    return [
        {"variant": "control", "batch_size": 0, "trial": trial, "epoch": 0.0}
        | {"measure": "test_error", "value": value + 0.01 * trial}
        for trial in range(trials)
    ]


def make_page(folder, scores, drawn=None, scale="smoke", *, study=TOY, shapes=SHAPES):
    """Make the page of a toy study with the given tidy scores, by experiment and method."""
    page = toy_study.make_page(folder, "toy", scale, **study)
    nothing = tidy([{"measure": "", "value": 0.0}]).iloc[:0]
    for name, methods in scores.items():
        experiment = page.experiments[name]
        (dataset,) = experiment.datasets
        tables = {method: nothing for method in [*experiment.methods, "seconds"]}
        tables |= {method: tidy(rows) for method, rows in methods.items()}
        for method, table in tables.items():
            words = {"experiment": name, "dataset": dataset}
            words |= {"method": method} if method != "seconds" else {}
            tables[method] = table.assign(**words)
        record = {"title": dataset, "shape": shapes[dataset]}
        toy_study.write_scores(page, experiment, dataset, tables, drawn or {}, record)
    return page
