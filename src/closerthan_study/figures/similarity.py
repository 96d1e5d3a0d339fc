"""Compare the rankings of learned similarities with printed numbers, and draw their losses."""

from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.lines import Line2D

from closerthan_study.figures import captions
from closerthan_study.figures.curves import Panel, completed, draw_panels, looks_for, name_curve
from closerthan_study.figures.panels import add_legend, label_ticks, mark_edge, size_of
from closerthan_study.figures.spread import median, median_interval
from closerthan_study.figures.style import Look
from closerthan_study.figures.tables import name_rows, sort_rows

_LABELS = 3  # of a swept parameter


def compare_methods(page, name, artefact, *, grid=None):
    """Return mAP, printed mAP and chosen parameters, one row per data set and method.

    `artefact` is the name of the table in `reported.csv`. `grid` is a method that sweeps a
    parameter, and the method that tunes it: the swept value with the mAP nearest to the printed one
    has a row.
    """
    scores = page.scores(name)
    printed = _printed_values(page, artefact)
    if grid:
        near = _nearest_to_printed(scores, printed, *grid)
        scores = pd.concat([scores[scores.method != grid[0]], near])
    methods = page.experiments[name].methods
    order = [*page.datasets(name), *methods, *page.dashes, "control"]
    groups = scores.groupby(["dataset", "method", "variant", "sweep"], dropna=False)
    rows = []
    for keys, group in sorted(groups, key=lambda item: [order.index(key) for key in item[0][:3]]):
        dataset, method, variant, sweep = keys
        found = group[group.measure == "MAP"].value
        low, high = median_interval(found)
        place = dataset, grid[1] if grid and method == grid[0] else method
        label = name_curve(page, methods[method], variant)
        swept = np.isfinite(sweep)
        row = {"data set": page.label(dataset), "curve": label}
        row["control"] = methods[method].control
        row["method"] = f"{label} = {sweep:g}" if swept else label
        row |= {"mAP": found.mean(), "sd": found.std()}
        row |= {"median": median(found), "low": low, "high": high}
        as_printed = swept or variant in ("paper", "control")
        row["printed"] = printed.get(place, np.nan) if as_printed else np.nan
        rows.append(row | {"chosen": captions.chosen(page, group) or None})
    return pd.DataFrame(rows)


def in_numbers(rows, printed_of=""):
    """Return rows of `compare_methods` as a table; `printed_of` names the source of printed mAP."""
    table = rows[["data set", "method", "mAP", "sd", "printed", "chosen"]]
    return table.rename(columns={"printed": f"printed, {printed_of}"}) if printed_of else table


def chosen_by_curve(page, name, curves):
    """Say which parameter values were chosen for each curve, and in how many trials."""
    scores = page.scores(name)
    said = []
    for curve in completed(page, name, curves):
        rows = scores[(scores.method == curve.method) & (scores.variant == curve.variant)]
        if values := captions.chosen(page, rows):
            said.append(f"{curve.label}: {values}")
    return "; ".join(said)


def _printed_values(page, artefact):
    """Return the printed mAP by data set and method, under the names of this study."""
    rows = page.printed_in(artefact)
    return rows[rows.measure == "MAP"].set_index(["our_dataset", "our_method"]).printed


def _nearest_to_printed(scores, printed, method, owner):
    """Return the scores of a method at the grid value whose mAP is nearest to the printed one."""
    grid = scores[scores.method == method]
    means = grid[grid.measure == "MAP"].groupby(["dataset", "sweep"]).value.mean()
    targets = [printed.get((dataset, owner), np.nan) for dataset, _ in means.index]
    nearest = (means - targets).abs().dropna().groupby("dataset").idxmin()
    return grid[pd.MultiIndex.from_frame(grid[["dataset", "sweep"]]).isin(nearest)]


def methods_beside(page, rows):
    """Draw mAP next to the printed numbers: one line per method, one panel per data set."""
    return _draw_methods(dict(list(rows.groupby("data set", sort=False))))


def methods_apart(page, rows, printed_of):
    """Draw mAP and printed numbers in separate panels, because they are for different data."""
    nothing = dict.fromkeys(("median", "low", "high"), np.nan)
    return _draw_methods(
        {
            f"here:\n{rows['data set'].iloc[0]}": rows.assign(printed=np.nan),
            f"printed:\n{page.label(printed_of)}": rows.assign(**nothing),
        }
    )


def _draw_methods(panels):
    methods = list(dict.fromkeys(name for rows in panels.values() for name in rows.curve))
    size = size_of(len(panels))[0], 0.2 * len(methods) + 1.0
    figure, axes = plt.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False)
    for ax, (title, rows) in zip(axes[0], panels.items(), strict=True):
        places = rows.curve.map(methods.index)
        unlearned = rows[rows.control == "features"]
        for level in unlearned["median"].fillna(unlearned.printed):
            ax.axvline(level, color="0.8", lw=0.8, zorder=0)
        ax.hlines(places, rows.low, rows.high, color="C0", lw=1.5)
        ax.plot(rows["median"], places, "o", color="C0", ms=5)
        ax.plot(rows.printed, places, "D", mfc="none", color="C1", ms=5)
        ax.set(title=title, xlabel="mAP", yticks=range(len(methods)), yticklabels=methods)
        ax.locator_params(axis="x", nbins=4)
    axes[0, 0].invert_yaxis()
    handles = [
        Line2D([], [], color="C0", marker="o", label="here"),
        Line2D([], [], color="C1", marker="D", mfc="none", ls="none", label="printed mean"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure


def over_parameter(page, name, artefact, grid, reference, parameter):
    """Draw mAP over a parameter, with a reference and printed means, one panel per data set.

    A triangle marks each value that a trial of the tuned method chose.
    """
    scores, printed = page.scores(name), _printed_values(page, artefact)
    datasets = page.datasets(name)
    grid, reference = completed(page, name, [grid, reference])
    looks = {c.label: page.colors[c.color] for c in (grid, reference)}
    figure, axes = plt.subplots(1, len(datasets), figsize=size_of(len(datasets)), squeeze=False)
    for ax, dataset in zip(axes[0], datasets, strict=True):
        rows = scores[(scores.dataset == dataset) & (scores.measure == "MAP")]
        given = rows[rows.method == grid.method]
        color = looks[grid.label].color
        sns.lineplot(
            given,
            x="sweep",
            y="value",
            estimator=median,
            errorbar=median_interval,
            color=color,
            marker="o",
            err_kws={"alpha": 0.15, "lw": 0},
            ax=ax,
        )
        level = rows[(rows.method == reference.method) & (rows.variant == reference.variant)].value
        ax.axhline(median(level), color=looks[reference.label].color)
        ax.axhspan(*median_interval(level), color=looks[reference.label].color, alpha=0.12, lw=0)
        for curve in (grid, reference):
            value = printed.get((dataset, curve.color))
            if value is not None:
                ax.axhline(value, color=looks[curve.label].color, ls=":")
        chosen = scores[(scores.dataset == dataset) & (scores.method == grid.color)]
        chosen = chosen[chosen.measure == parameter].value
        mark_edge(ax, chosen, marker="^", color=color, ms=6, zorder=3)
        ax.set(xscale="log", title=page.label(dataset), xlabel=captions.symbol(page, parameter))
        values = np.unique(given["sweep"])
        label_ticks(ax, values[:: -(-len(values) // _LABELS)])
        ax.set_ylabel("")
    axes[0, 0].set_ylabel("mAP")
    shown = {
        label: Look(look.color, "", "o" * (label == grid.label)) for label, look in looks.items()
    }
    shown |= {f"{label}, printed": Look(look.color, (1, 1), "") for label, look in looks.items()}
    chosen = {f"{captions.symbol(page, parameter)} chosen": Look(color, "", "^")}
    add_legend(figure, shown, marks=chosen)
    return figure


def progress(page, readings, curves, measures, *, ylabel, artefact=None):
    """Draw mean losses over the steps so far, one panel per measure, one line per reading.

    `readings` has the words of each experiment. With a single measure there is one line of panels.
    """
    several = len(measures) > 1
    panels = []
    for name, measure in product(readings, measures):
        scores = page.scores(name)
        title = measure.replace("_", " ") if several else readings[name]
        panels.append(Panel(name, scores[scores.measure == measure], curves, title))
    labels = [f"{ylabel},\n{words}" for words in readings.values()] if several else ylabel
    layout = {"row": "experiment" if several else None, "yscale": "log" if several else "linear"}
    figure = draw_panels(page, panels, x="triplets", xlabel="triplets", ylabel=labels, **layout)
    if artefact:
        _mark_printed(page, figure, artefact, looks_for(page, next(iter(readings)), curves))
    return figure


def _mark_printed(page, figure, artefact, looks):
    """Mark printed values where curves end, and name them in the legend."""
    printed = page.printed_in(artefact)
    methods = page.experiments[printed.experiment.iloc[0]].methods
    marks = {}
    for row in printed.itertuples():
        color = page.colors[row.our_method].color
        marks[f"{methods[row.our_method].label}, printed"] = Look(color, "", "*")
        for ax in figure.axes:
            last = max(max(line.get_xdata()) for line in ax.lines)
            ax.plot(last, row.printed, "*", color=color, ms=9, zorder=4, clip_on=False)
            ax.set_ylim(bottom=min(ax.get_ylim()[0], 0.95 * row.printed))
    figure.legends.clear()
    add_legend(figure, looks, marks=marks)


def seconds_of_fits(page, names):
    """Return the median seconds of fits: a row per method, a column per data set."""
    tables = []
    for name in names:
        rows = page.seconds(name)
        rows = sort_rows(page, name, rows[rows["sweep"].isna()].drop(columns=["loss", "sweep"]))
        rows = name_rows(page, name, rows)
        n = f"{page.experiments[name].comparisons.n_train:,} triplets"
        tables.append(rows.assign(place=[f"{page.label(one)}, {n}" for one in rows.dataset]))
    rows = pd.concat(tables)
    found = rows.groupby(["method", "place"]).value.agg(median).unstack()
    return found.loc[rows.method.unique(), rows.place.unique()].reset_index()
