"""Tables of maps: their quality, their cost, and the printed numbers."""

import numpy as np
import pandas as pd

from closerthan_study.figures.tables import at_the_end, labels_of, name_rows
from closerthan_study.tasks.mds.scores import FOLDS as FOLDS  # for captions
from closerthan_study.tasks.mds.scores import NEIGHBORS as NEIGHBORS

MAP_MEASURES = ["trustworthiness", "stress", "procrustes", "distortion", "f1", "seconds", "failed"]
SEARCH_MEASURES = {
    "mse": "final error",
    "distortion": "distortion",
    "epochs": "epochs",
    "epochs_to_error": "epochs to within 1 %",
    "search_seconds": "seconds of them",
    "f1": "F1",
}


def maps_in_numbers(page, names, *, rows=None, also=()):
    """Return medians over trials, one row for each shape, noise level and method.

    `also` has measures beside the usual ones.
    """
    tables, columns = [], [*MAP_MEASURES, *also]
    for n, name in enumerate(names):
        ends = at_the_end(page.both(name), columns)
        groups = ends.groupby(["dataset", "noise", "method", "variant"])
        table = groups[columns].median()
        counts = groups.failed.agg(["sum", "count"]).astype(int)
        text = counts["sum"].astype(str) + " of " + counts["count"].astype(str)
        table["failed"] = text.where(counts["count"] > 0)  # controls can't fail
        levels = page.experiments[name].noises
        datasets, pairs = page.datasets(name), labels_of(page, name)
        wanted = [(d, level, *pair) for d in datasets for level in levels for pair in pairs]
        table = name_rows(page, name, table.loc[wanted].reset_index())
        table["dataset"] = rows[n] if rows else table.dataset.map(page.label)
        tables.append(table if any(levels) else table.drop(columns="noise"))
    table = pd.concat(tables).rename(columns={"dataset": "shape", "f1": "F1"})
    first = [key for key in ("shape", "noise", "method") if key in table]
    table = table[[*first, *(key for key in table if key not in first)]]
    return table.dropna(axis="columns", how="all")


def sweep_in_numbers(page, name, swept, labels, others=None):
    """Return medians over trials, one row for each variant and value of the swept parameter.

    `others` has what methods without a sweep have in the place of its value.
    """
    columns = list(SEARCH_MEASURES)
    ends = at_the_end(page.both(name), columns)
    ends["epochs_to_error"] = ends.epochs_to_error.fillna(np.inf)  # never, as claims have it
    ends = ends.sort_values("sweep", kind="stable")
    ends["sweep"] = [
        (others or {}).get(method, f"{value:g}")
        for method, value in zip(ends.method, ends["sweep"], strict=True)
    ]
    groups = ends.groupby(["variant", "sweep"], sort=False)
    table = groups[columns].median().loc[list(labels)].reset_index()
    table = table.replace(np.inf, np.nan)
    table["variant"] = table.variant.map(labels)
    table = table.rename(columns={"variant": "settings", "sweep": swept, **SEARCH_MEASURES})
    return table.dropna(axis="columns", how="all")


def race_table(page, names):
    """Return each method's median final error, when it was near the least error, and its course."""
    pairs = [(name, dataset) for name in names for dataset in page.datasets(name)]
    columns = ["mse", "epochs", "epochs_to_error", "seconds_to_error", "rises", "recovery"]
    rows = []
    for name, dataset in pairs:
        ends = at_the_end(page.both(name, dataset), columns)
        for (method, variant), label in labels_of(page, name).items():
            fits = ends[(ends.method == method) & (ends.variant == variant)]
            rows.append(
                {
                    "data": page.label(dataset),
                    "method": label,
                    "final error": fits.mse.median(),
                    "epochs": fits.epochs.median(),
                    "within 1 %": f"{fits.epochs_to_error.count()} of {len(fits)}",
                    "after epochs": fits.epochs_to_error.median(),
                    "after seconds": fits.seconds_to_error.median(),
                    "rises": fits.rises.median(),
                    "recovery": fits.recovery.median(),
                }
            )
    return pd.DataFrame(rows)


def ratings(page, artefact, names, levels):
    """Return each method's agreement with people at each noise level, and the printed numbers."""
    rows = []
    for name in names:
        printed = page.printed_in(artefact)
        printed = printed[printed.experiment == name].set_index(["our_method", "noise"]).printed
        ends = at_the_end(page.scores(name), ["spearman", "pearson"])
        groups = ends.groupby(["method", "variant", "noise"])
        means, deviations = groups[["spearman", "pearson"]].mean(), groups.spearman.std()
        for pair, label in labels_of(page, name).items():
            row = {"data": page.label(name), "method": label}
            for level in levels:
                text = f", σ = {level:g}" if level else ""
                row[f"printed{text}"] = printed.get((pair[0], level))
                row[f"ours{text}"] = means.spearman.get((*pair, level))
                row[f"sd{text}"] = deviations.get((*pair, level))
                row[f"Pearson{text}"] = means.pearson.get((*pair, level))
            rows.append(row)
    return pd.DataFrame(rows)


def beside_others(page, name, artefact, measure, others):
    """Return each method's mean of a measure, the printed mean, and means of other measures."""
    scores = page.scores(name)
    joined = page.printed_in(artefact).set_index("our_method")
    ends = at_the_end(scores, [measure, *others])
    means = ends.groupby(["method", "variant"])[[measure, *others]].mean()
    rows = []
    for pair, label in labels_of(page, name).items():
        method, variant = pair
        row = {"method": label}
        if variant in ("paper", "control") and method in joined.index:
            row |= dict(joined.loc[method, ["printed", "low", "high", "status"]])
        rows.append(row | {"ours": means.at[pair, measure], **means.loc[pair, others]})
    order = ["method", "printed", "ours", "low", "high", *others, "status"]
    return pd.DataFrame(rows).reindex(columns=order).rename(columns={"low": "from", "high": "to"})


def epoch_costs(page, name):
    """Return the median seconds of an epoch by size, and the slope over the sizes, log by log."""
    scores = page.both(name)
    scores = scores[scores.measure == "epoch_seconds"]
    tables = []
    for method, of_method in page.experiments[name].methods.items():
        medians = scores[scores.method == method].groupby("epoch").value.median()
        table = pd.DataFrame({"size": of_method.label, "value": medians.index.astype(int)})
        table["seconds of an epoch"] = medians.to_numpy()
        table["slope"] = np.polyfit(*np.log([medians.index, medians]), 1)[0]
        tables.append(table)
    return pd.concat(tables)


def threads(page, name):
    """Return the seconds of each number of threads, and whether the errors agree."""
    ends = at_the_end(page.both(name), ["mse", "search_seconds"])
    wide = ends.pivot(index="trial", columns="sweep", values=["mse", "search_seconds"])
    seconds, errors = wide["search_seconds"], wide["mse"]
    return pd.DataFrame(
        {
            "threads": [int(n) for n in seconds],
            "seconds of the epochs": [seconds[n].median() for n in seconds],
            "times as fast": [(seconds[1.0] / seconds[n]).median() for n in seconds],
            "trials with the same error": [
                f"{(errors[n] == errors[1.0]).sum()} of {len(errors)}" for n in errors
            ],
        }
    )
