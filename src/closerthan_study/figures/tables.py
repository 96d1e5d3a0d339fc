"""Tables: our numbers, and the numbers that the papers print."""

import numpy as np
import pandas as pd

from closerthan_study.figures import captions
from closerthan_study.figures.curves import KEYS, find_divergences, name_curve
from closerthan_study.figures.spread import median, median_interval, with_ends
from closerthan_study.printed import describe_data
from closerthan_study.spec.printed import DATA

_FITS = ["dataset", "loss", "method", "variant", "batch_size", "noise", "sweep", "trial"]


# Rows in order and by name


def at_the_end(scores, measures):
    """Return the last value of each measure: a row for each fit, a column for each measure.

    Of a measure that has several k, it is the value at the largest.
    """
    rows = scores[scores.measure.isin(measures)].sort_values(["epoch", "k"], kind="stable")
    last = rows.groupby([*_FITS, "measure"], dropna=False).value.last()
    return last.unstack("measure").reindex(columns=measures).reset_index()


def labels_of(page, name):
    """Return the labels of all methods and variants of an experiment, in their order."""
    methods = page.experiments[name].methods.values()
    return {
        (method.name, variant): name_curve(page, method, variant)
        for method in methods
        for variant in (["control"] if method.control else method.variants)
    }


def sort_rows(page, name, table):
    """Sort a table by the order of losses, methods and variants in the study file."""
    order = {
        "loss": [*page.losses, "none"],
        "method": list(page.experiments[name].methods),
        "variant": [*page.dashes, "control"],
    }
    keys = [key for key in ("loss", "method", "variant", "batch_size", "sweep") if key in table]
    rank = {key: {value: n for n, value in enumerate(values)} for key, values in order.items()}
    return table.sort_values(
        keys, key=lambda c: c.map(rank[c.name]) if c.name in rank else c, ignore_index=True
    )


def name_rows(page, name, table):
    """Replace the columns that name a curve by the name that figures give it, and name losses."""
    methods = page.experiments[name].methods
    sizes = table["batch_size"].fillna(0) if "batch_size" in table else [0] * len(table)
    triples = zip(table["method"], table["variant"], sizes, strict=True)
    names = [name_curve(page, methods[method], variant, b) for method, variant, b in triples]
    table = table.drop(columns=[key for key in KEYS if key in table]).assign(method=names)
    return table.assign(loss=table.loss.map(page.losses)) if "loss" in table else table


def _with_intervals(rows, keys, value, name):
    """Return the median of a column by some keys, and the interval of the median."""
    found = rows.groupby(keys, dropna=False)[value].agg([median, median_interval])
    limits = np.array(found.pop("median_interval").tolist()).reshape(-1, 2)
    return pd.DataFrame(with_ends(name, found["median"], *limits.T))


def medians(page, name, measures, *, by=("loss", "method", "variant"), swept="sweep"):
    """Return the median of each measure with its interval, a row for each method.

    `swept` is the name of the column of swept numbers, if `by` has these.
    """
    ends = at_the_end(page.scores(name), list(measures))
    columns = [_with_intervals(ends, list(by), key, title) for key, title in measures.items()]
    table = pd.concat(columns, axis="columns").dropna(how="all").reset_index()
    table = name_rows(page, name, sort_rows(page, name, table))
    if "sweep" in table:
        whole = table["sweep"].convert_dtypes()  # numbers of answers have no decimals
        table = table.assign(sweep=whole).rename(columns={"sweep": swept})
    first = [key for key in ("loss", "method", swept) if key in table]
    return table[[*first, *(key for key in table if key not in first)]]


# Beside printed numbers


def beside_printed(page, artefact, *, statistic=None, columns=(), unit=""):
    """Return the printed numbers of a table or figure and our numbers, a row for each.

    `columns` are the keys that distinguish the rows: some of loss, noise, method, measure,
    statistic and data.
    """
    joined = page.printed_in(artefact)
    if statistic is not None:
        joined = joined[joined.statistic == statistic]
    joined = joined.assign(loss=_printed_losses(page, joined))
    table = joined[[*columns, "printed", "ours", "low", "high", "status"]]
    units = {key: f"{key}, {unit}" for key in ("printed", "ours") if unit}
    return table.rename(columns={"low": "from", "high": "to"} | units)


def _printed_losses(page, joined):
    """Return the labels of losses as printed, which may be others here."""
    return joined.loss.map(page.losses).fillna(joined.our_loss.map(page.losses))


def ratios(page, artefact, reference):
    """Return the printed means and ours, each divided by the mean of the method `reference`."""
    joined = page.printed_in(artefact)
    joined = joined[joined.statistic == "mean"]
    joined = joined.assign(loss=_printed_losses(page, joined))
    numbers = joined[["printed", "ours"]]
    of_reference = numbers.where(joined.method == reference).groupby(joined.loss).transform("first")
    return joined[["loss", "method"]].join(numbers / of_reference).dropna()


def describe_datasets(page, names):
    """Return the sizes of data sets with classes, and the printed sizes."""
    records = [page.record(dataset) for name in names for dataset in page.datasets(name)]
    records = {r["name"]: r for r in records if "class_names" in r["shape"]}
    ours = describe_data(page.name, list(records.values()))
    joined = page.printed[page.printed.experiment == DATA]
    tables = {
        "": ours.pivot(index="dataset", columns="measure", values="value"),
        ", printed": joined.pivot(index="our_dataset", columns="measure", values="printed"),
    }
    columns = {
        f"{measure}{text}": table[measure]
        for measure in ("objects", "features", "classes")
        for text, table in tables.items()
    }
    order = dict.fromkeys([*joined.our_dataset, *records])
    table = pd.DataFrame(columns).astype("Int64")
    table = table.loc[[dataset for dataset in order if dataset in table.index]]
    return table.rename(index=page.label).rename_axis("data set")


# Ordinal embeddings


def final_errors(page, name):
    """Return a row a curve, a column a loss: the median error and norm at the end of the budget.

    Several levels of noise have a row each.
    """
    scores = page.scores(name)
    keys = [*KEYS, "noise"] if scores.noise.nunique() > 1 else KEYS
    ends = at_the_end(scores, ["final_error", "norm"])
    grouped = ends.groupby([*keys, "loss"])[["final_error", "norm"]].median().unstack("loss")
    columns = {
        f"{title} {short}": grouped[measure, loss]
        for loss, title in page.losses.items()
        for measure, short in (("final_error", "error"), ("norm", "norm"))
        if (measure, loss) in grouped
    }
    table = pd.DataFrame(columns).dropna(how="all")
    diverged = find_divergences(scores).groupby(keys).epoch.agg(["size", "min"])
    said = [f"{n:.0f} fits, first at epoch {epoch:.0f}" for n, epoch in diverged.to_numpy()]
    said = pd.Series(said, diverged.index, dtype=object)
    table["diverged"] = said.reindex(table.index).fillna("none")
    table = name_rows(page, name, sort_rows(page, name, table.reset_index()))
    return table.set_index("method")


def variants_in_words(page, name, pairs):
    """Say by how much variants change the mean test error over the budget, for each loss."""
    scores = page.scores(name)
    curves = scores[(scores.measure == "test_error") & (scores.batch_size <= 1)]
    means = curves.groupby(["method", "variant", "loss"]).value.mean()
    sentences = []
    for method, variant in pairs:
        change = means[method, variant] - means[method, "paper"]
        text = ", ".join(f"{title} {change[loss]:+.3f}" for loss, title in page.losses.items())
        label = page.experiments[name].methods[method].label
        sentences.append(f"{label}, {page.label(variant)}: {text}.")
    return " ".join(sentences)


def costs_to_error(page, name):
    """Return the cost of the target error, and of all epochs.

    The columns have how many trials reach it, their epochs and seconds, and the median seconds of
    a whole fit.
    """
    keys = ["loss", *KEYS]
    scores = page.scores(name)
    counts = scores[scores.measure == "epochs_to_error"].groupby(keys).value
    reached = [f"{n} of {size}" for n, size in counts.agg(["count", "size"]).to_numpy()]
    table = counts.mean().rename("epochs").to_frame().assign(reached=reached)
    seconds = page.seconds(name)
    whole = seconds[seconds.measure == "search_seconds"].groupby(keys).value.median()
    seconds = seconds[seconds.measure == "seconds_to_error"].groupby(keys).value
    seconds = seconds.agg(["min", "mean", "max", "std"]).assign(**{"all epochs": whole})
    table = sort_rows(page, name, table.join(seconds.add_prefix("s, ")).reset_index())
    table = name_rows(page, name, table[table.variant != "control"])
    return table[["loss", "method", "reached", "epochs", *(f"s, {s}" for s in seconds)]]


def pass_seconds(page, names):
    """Return the median seconds of a pass of each method and loss, a column for each experiment."""
    found = {}
    for name, title in names.items():
        rows = page.seconds(name)
        rows = rows[(rows.measure == "pass_seconds") & (rows.batch_size.fillna(0) <= 1)]
        found[title] = rows.groupby(["loss", "method", "variant"]).value.median()
    table = sort_rows(page, next(iter(names)), pd.DataFrame(found).dropna().reset_index())
    return name_rows(page, next(iter(names)), table)[["loss", "method", *names.values()]]


# Streams


def chosen_by_loss(page, name, method):
    """Say which parameters of a method were chosen, by variant, loss, swept value and triplets."""
    scores = page.scores(name)
    scores = scores[(scores.method == method) & scores.measure.isin(page.tuned)]
    swept, said = "".join(page.experiments[name].methods[method].sweep), []
    runs = scores.groupby(["variant", "loss", "measure", "sweep"], dropna=False)
    for (variant, loss, measure, value), rows in runs:
        rows = rows.sort_values("triplets").drop_duplicates("triplets")
        new = rows[rows.value != rows.value.shift()]
        text = ", ".join(f"{row.value:g} from {row.triplets:,}" for row in new.itertuples())
        text = f"{text} triplets on" if len(new) > 1 else f"{new.value.iloc[0]:g}"
        of = page.label(variant) + (f", {captions.symbol(page, swept)} {value:g}" if swept else "")
        said.append(f"{captions.symbol(page, measure)} of {page.label(loss)} ({of}): {text}")
    return "; ".join(said)


def largest(page, name, measures, *, by=("loss", "method", "variant")):
    """Return the largest value of each measure over trials, a row for each method that has one."""
    ends = at_the_end(page.scores(name), list(measures)).groupby(list(by), dropna=False)
    table = ends[list(measures)].max().dropna(how="all").reset_index()
    table = name_rows(page, name, sort_rows(page, name, table)).rename(columns=measures)
    return table.set_index(["loss", "method"]).reset_index()  # in front
