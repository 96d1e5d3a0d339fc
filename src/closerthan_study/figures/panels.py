"""Panels of curves: medians over trials, with their intervals as bands, and one legend below."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.lines import Line2D

from closerthan_study.figures.spread import interval, median

__all__ = ["add_legend", "draw", "draw_ends", "draw_lines", "label_few", "start_at_zero"]

_DENSE = 25  # points from which on not every one has a marker
_CHEAP = 0.25  # of the height of an axis, that starting at zero may cost
_FEW = 8  # ticks of an axis that can have labels of their own
_LABELS = {
    "epoch": "gradient evaluations / |Q|",
    "triplets": "triplets observed",
    "passes": "effective passes",
}


def draw(
    rows,
    looks,
    *,
    x,
    row=None,
    xlabel=None,
    ylabel="",
    xscale="linear",
    yscale="linear",
    sharex=True,
    sharey="row",
    size=(2.75, 2.9),
    ends=None,
    floor=None,
    markers=True,
):
    """Draw curves in panels: medians over trials, with their intervals as bands.

    Parameters
    ----------
    rows : DataFrame
        A row a trial and place: `x`, value, curve, panel and control, as `rows_of` makes them.
    looks : dict of str to Look
        By curve, in the order of the legend.
    x : str
        The column along the horizontal axis.
    row : str, optional
        A column whose values are the lines of panels; a panel's own title is `panel`.
    xlabel : str, optional
    ylabel : str or list of str
        Of all lines of panels, or of each.
    xscale, yscale : str, default "linear"
    sharex, sharey : bool or str
        See `matplotlib.pyplot.subplots`.
    size : (float, float)
        Of a panel, in inches.
    ends : DataFrame, optional
        curve, panel and `x` of trials that diverged: a cross at the top.
    floor : float, optional
        Lower values are drawn here, on a logarithmic axis.
    markers : bool, default True

    Returns
    -------
    matplotlib.figure.Figure
    """
    lines = [None] if row is None else list(dict.fromkeys(rows[row]))
    panels = list(dict.fromkeys(rows.panel))
    labels = [ylabel] * len(lines) if isinstance(ylabel, str) else ylabel
    figure, axes = plt.subplots(
        len(lines),
        len(panels),
        figsize=(size[0] * len(panels) + 0.7, size[1] * len(lines) + 0.9),
        sharex=sharex,
        sharey=sharey,
        squeeze=False,
    )
    if floor is not None:
        rows = rows.assign(value=rows.value.clip(lower=floor))
    for line, name, of_line in zip(lines, labels, axes, strict=True):
        for panel, ax in zip(panels, of_line, strict=True):
            chosen = rows[rows.panel == panel]
            chosen = chosen if row is None else chosen[chosen[row] == line]
            draw_lines(ax, chosen, looks, x=x, markers=markers)
            ax.set(xscale=xscale, yscale=yscale, xlabel="", ylabel="")
            if ends is not None:
                draw_ends(ax, ends[ends.panel == panel], looks, x=x)
            if line == lines[0]:
                ax.set_title(panel)
        of_line[0].set_ylabel(name)
        if yscale == "linear":
            for together in [of_line] if sharey else of_line[:, None]:
                start_at_zero(together)
    for ax in axes[-1]:
        ax.set_xlabel(xlabel or _LABELS.get(x, x))
    if xscale == "log":
        for ax in axes.flat:
            label_few(ax, rows[x][rows.control.isna()].astype(float))
    used = {label: look for label, look in looks.items() if label in set(rows.curve)}
    add_legend(figure, used, markers=markers)
    return figure


def draw_lines(ax, rows, looks, *, x, markers=True):
    """Draw the curves of one panel: a line and a band each, controls across the panel."""
    controls = rows[rows.control.notna()]
    for label, of_control in controls.groupby("curve", sort=False):
        look = looks[label]
        # A trial has the same value at every place, and counts once.
        values = of_control.groupby("trial", dropna=False).value.last()
        level, (low, high) = median(values), interval(values)
        ax.axhline(level, color=look.color, lw=1, ls=(0, look.dashes), zorder=1)
        ax.axhspan(low, high, color=look.color, alpha=0.12, lw=0, zorder=0)
    rows = rows[rows.control.isna() & rows.value.notna() & np.isfinite(rows.value)]
    shown = [label for label in looks if label in set(rows.curve)]
    if not shown:
        return
    drawn = len(ax.lines)
    sns.lineplot(
        # seaborn takes a group at a time, which is slow with pandas' extension types.
        rows[[x, "value", "curve"]].astype({x: float, "value": float, "curve": object}),
        x=x,
        y="value",
        hue="curve",
        style="curve",
        hue_order=shown,
        style_order=shown,
        palette={label: looks[label].color for label in shown},
        dashes={label: looks[label].dashes for label in shown},
        markers={label: looks[label].marker for label in shown} if markers else False,
        estimator=median,
        errorbar=interval,
        err_kws={"alpha": 0.13, "lw": 0},
        legend=False,
        ax=ax,
    )
    for line in ax.lines[drawn:]:
        line.set_markeredgewidth(0)
        if len(line.get_xdata()) > _DENSE:
            line.set_markevery(0.16)


def draw_ends(ax, ends, looks, *, x):
    """Put a cross at the top of a panel wherever a trial of a curve diverged."""
    at_the_top = {"transform": ax.get_xaxis_transform(), "in_layout": False, "clip_on": False}
    for label, of_curve in ends.groupby("curve", sort=False):
        places = of_curve[x].to_numpy(float)
        ax.plot(places, [0.98] * len(places), "x", color=looks[label].color, ms=6, **at_the_top)


def start_at_zero(axes):
    """Let a linear axis start at zero where that costs little of its height.

    Where it would squeeze the curves, the axis starts where they do.
    """
    limits = np.array([ax.dataLim.intervaly for ax in axes if ax.has_data()])
    if len(limits) and 0 <= limits[:, 0].min() < _CHEAP * limits[:, 1].max():
        for ax in axes:
            ax.set_ylim(bottom=0)


def label_few(ax, places):
    """Let a logarithmic axis have its ticks where the values are, if they are few."""
    places = np.unique(places)
    if 1 < len(places) <= _FEW:
        ax.set_xticks(places, labels=[f"{place:g}" for place in places])
        ax.minorticks_off()


def add_legend(figure, looks, *, markers=True):
    """Put one legend below a figure: an entry a curve, with its dashes and its marker."""
    handles = [
        Line2D(
            [],
            [],
            color=look.color,
            ls=(0, look.dashes) if look.dashes else "-",
            marker=look.marker if markers else "",
            mew=0,
            label=label,
        )
        for label, look in looks.items()
    ]
    longest = max(map(len, looks), default=1)
    columns = int(figure.get_figwidth() * 13 / (longest + 9))
    columns = max(1, min(columns, len(handles)))
    columns = -(-len(handles) // -(-len(handles) // columns))  # lines of about the same length
    figure.legend(
        handles=handles, loc="outside lower center", ncols=columns, handlelength=2.8, fontsize=8.5
    )
