"""Show the bounds and conditions of theorems: rates, duality gaps, size of a mini-batch."""

from dataclasses import replace

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import NullFormatter

from closerthan_study.figures import tables
from closerthan_study.figures.captions import symbol
from closerthan_study.figures.curves import completed, looks_for, rows_of
from closerthan_study.figures.panels import Layout, add_legend, draw, draw_lines, size_of
from closerthan_study.figures.style import DASHES, Curve, Look, palette

LEAST = 1e-9  # smaller gaps to the least known loss are drawn here
ROUNDING = 1e-15  # smaller duality gaps are rounding and drawn here


MEASURES = {
    "largest_batch": "bound on b",
    "over_bound_25": "over (25)",
    "module_factor": "module factor",
}


def conditions(page, name):
    """Return the conditions of the theorems and the ratio to a bound, by method and loss."""
    scores = page.scores(name)
    rows = scores[scores.measure.isin(MEASURES)]
    table = rows.groupby(["loss", "method", "variant", "measure"]).value.median().unstack()
    table = tables.sort_rows(page, name, table.reset_index())
    settings = page.experiments[name].methods
    table["ε"] = [
        settings[row.method].variant(row.variant).settings(row.loss)["epsilon"]
        for row in table.itertuples()
    ]
    table = tables.name_rows(page, name, table).rename(columns=MEASURES)
    return table[["loss", "method", "ε", *MEASURES.values()]]


def rates(page, name, curve):
    """Draw squared gradients beside 1/T, and below them the loss above the least known loss."""
    scores = page.scores(name)
    scores = scores[scores.epoch > 0]
    (curve,) = completed(page, name, [curve])
    shown = {
        "mean_squared_gradient": "mean squared gradient over the iterates",
        "squared_gradient": "squared gradient at the last iterate",
        "bound_25": "the bound (25) on the mean",
    }
    look = page.colors[curve.method]
    above = {text: Look(look.color, d, "") for text, d in zip(shown.values(), DASHES, strict=False)}
    n = len(page.losses)
    figure, axes = plt.subplots(2, n, figsize=size_of(n, 2), sharex="row", sharey="row")
    methods = [Curve(method, dashes=n) for n, method in enumerate(page.experiments[name].methods)]
    below = looks_for(page, name, methods)
    for (top, bottom), (loss, title) in zip(axes.T, page.losses.items(), strict=True):
        rows = [
            rows_of(page, name, scores[scores.measure == m], [replace(curve, label=w)], loss=loss)
            for m, w in shown.items()
        ]
        draw_lines(top, pd.concat(rows), above, x="epoch", markers=False)
        line = rows[0].groupby("epoch").value.median()
        guide = line.iloc[-1] * line.index[-1] / line.index
        top.plot(line.index, guide, color="0.6", lw=1, ls="--")
        top.set(title=title, xlabel="epoch", ylabel="")
        gaps = scores[scores.measure == "suboptimality"]
        gaps = gaps.assign(value=gaps.value.clip(lower=LEAST))
        of_loss = rows_of(page, name, gaps, methods, loss=loss)
        draw_lines(bottom, of_loss, below, x="epoch")
        bottom.set(xlabel="epoch", ylabel="")
    plt.setp(axes, xscale="log", yscale="log")  # after all lines: seaborn takes medians on a scale
    for ax in axes[1]:
        ax.xaxis.set_minor_formatter(NullFormatter())
    axes[0, 0].set_ylabel("squared gradient norm")
    axes[0, 0].set_ylim(bottom=max(1e-6, axes[0, 0].get_ylim()[0]))
    axes[1, 0].set_ylabel("loss above the\nleast known")
    add_legend(figure, above | {"slope -1": Look("0.6", (4, 1.5), "")} | below)
    return figure


def gaps(page, name, method):
    """Draw the duality gap, its bound and the gap of gradient descent over epochs.

    There is one panel per data set, and one color per λ.
    """
    scores = page.scores(name)
    letter = symbol(page, next(iter(page.experiments[name].methods[method].sweep)))
    values = sorted(scores["sweep"].dropna().unique())
    kinds = {"duality_gap": "", "gap_bound": ", its bound", "descent_gap": ", gradient descent"}
    tidy, looks = [], {}
    for n, (value, look) in enumerate(zip(values, palette(values).values(), strict=True)):
        for (measure, text), dashes in zip(kinds.items(), DASHES, strict=False):
            label = f"{letter} = {value:g}{text}"
            looks[label] = Look(look.color, dashes, look.marker if not text else "")
            rows = scores[(scores["sweep"] == value) & (scores.measure == measure)]
            tidy.append(rows.assign(curve=label, control=None, order=n))
    tidy = pd.concat(tidy)
    tidy["panel"] = tidy.dataset.map(page.label)
    ticks = {"ylabel": "duality gap", "yscale": "log", "floor": ROUNDING}
    return draw(tidy, looks, Layout("epoch", sharey=False, markers=False, **ticks))
