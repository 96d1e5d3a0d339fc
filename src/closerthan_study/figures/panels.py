"""Draw panels of curves: medians over trials, intervals as bands, and one legend below."""

from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from closerthan_study.figures.spread import median, median_interval
from closerthan_study.figures.style import PAGE, Look

_DENSE = 25  # with more points than this, only some points have a marker
_APART = 0.16  # such marks are so far from each other, as a share of the axes
_CHEAP = 0.25  # share of an axis that may stay empty to let the axis start at zero
_MANY = 5  # from so many curves on, bands are paler
_FEW = 8  # with at most this many values, each one has a labeled tick
_LABELS = {"triplets": "triplets observed", "passes": "effective passes"}


@dataclass(frozen=True)
class Layout:
    """Layout of panels and their axes."""

    x: str  # the column on the horizontal axis
    row: str | None = None  # a column with one line of panels per value
    xlabel: str | None = None
    ylabel: str | list = ""  # one for all lines of panels, or one per line
    xscale: str = "linear"
    yscale: str = "linear"
    sharey: bool | str = "row"  # see `matplotlib.pyplot.subplots`
    floor: float | None = None  # smaller values are drawn here, on a logarithmic axis
    markers: bool = True


def draw(rows, looks, layout, ends=None):
    """Draw curves in panels: medians over trials, with their intervals as bands.

    `rows` come from `rows_of`, and `looks` has the looks by curve, in the order of the legend.
    `ends` has the curve, panel and x of diverged trials, which get a cross at the top.
    """
    x, row = layout.x, layout.row
    lines = [None] if row is None else list(dict.fromkeys(rows[row]))
    panels = list(dict.fromkeys(rows.panel))
    ylabel = layout.ylabel
    labels = [ylabel] * len(lines) if isinstance(ylabel, str) else ylabel
    figure, axes = plt.subplots(
        len(lines),
        len(panels),
        figsize=size_of(len(panels), len(lines)),
        sharex="col",
        sharey=layout.sharey,
        squeeze=False,
    )
    if layout.xscale == "log":  # which has no place for the start
        rows = rows[rows.control.notna() | (rows[x] > 0)]
    if layout.floor is not None:
        rows = rows.assign(value=rows.value.clip(lower=layout.floor))
    for line, of_line in zip(lines, axes, strict=True):
        for panel, ax in zip(panels, of_line, strict=True):
            chosen = rows[rows.panel == panel]
            chosen = chosen if row is None else chosen[chosen[row] == line]
            draw_lines(ax, chosen, looks, x=x, markers=layout.markers)
    # Scales come after the lines of all panels: seaborn would take medians of logarithms.
    for line, name, of_line in zip(lines, labels, axes, strict=True):
        for panel, ax in zip(panels, of_line, strict=True):
            ax.set(xscale=layout.xscale, yscale=layout.yscale, xlabel="", ylabel="")
            if ends is not None:
                _draw_ends(ax, ends[ends.panel == panel], looks, x)
            if layout.xscale == "linear":
                ax.locator_params(axis="x", nbins=max(4, 10 // len(panels)))
            else:
                ax.xaxis.set_major_locator(LogLocator(numticks=12))
            if line == lines[0]:
                ax.set_title(panel)
        of_line[0].set_ylabel(name)
        if layout.yscale == "log":
            for ax in of_line:
                _label_short_log(ax)
        else:
            for together in [of_line] if layout.sharey else of_line[:, None]:
                _start_at_zero(together)
    for ax in axes[-1]:
        ax.set_xlabel(layout.xlabel or _LABELS.get(x, x))
    if layout.xscale == "log":
        _label_few(rows[rows.control.isna()], panels, axes, x)
    used = {label: look for label, look in looks.items() if label in set(rows.curve)}
    crossed = ends is not None and len(ends) > 0
    cross = {"a trial that diverged": Look("0.3", "", "x")} if crossed else {}
    add_legend(figure, used, markers=layout.markers, marks=cross)
    return figure


def size_of(n_panels, n_lines=1):
    """Return the size of a figure with so many panels in a line, in inches."""
    width = min(PAGE, 3.2 * n_panels + 0.7)
    return width, n_lines * np.clip(0.8 * width / n_panels, 1.7, 2.4) + 0.3


def _label_few(rows, panels, axes, x):
    """Label every place on the horizontal axis of panels that have few."""
    for panel, column in zip(panels, axes.T, strict=True):
        places = np.unique(rows[x][rows.panel == panel].astype(float))
        if 1 < len(places) <= _FEW:
            for ax in column:
                label_ticks(ax, places)


def _label_short_log(ax):
    """Label 1, 2 and 5 times each power of ten, if a logarithmic vertical axis has few powers.

    If it has many, only powers have ticks. If fewer than three of these lie on the axis, numbers at
    even distances get a label.
    """
    low, high = ax.get_ylim()
    if high > 1e4 * low:
        ax.yaxis.set_minor_locator(NullLocator())
    if high > 1000 * low:
        return
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.log10(high))
    even = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(low, high)
    for ticks in (np.outer(powers, [1, 2, 5]), even):
        ticks = [tick for tick in ticks.ravel() if low <= tick <= high]
        if len(ticks) > 2:
            break
    ax.set_yticks(ticks, labels=[_plain(tick) for tick in ticks])
    ax.yaxis.set_tick_params(which="minor", length=0, labelleft=False)
    ax.set_ylim(low, high)


def draw_lines(ax, rows, looks, *, x, markers=True):
    """Draw the curves of one panel as lines with bands; controls are horizontal."""
    controls = rows[rows.control.notna()]
    for label, of_control in controls.groupby("curve", sort=False):
        look = looks[label]
        # A control has the same value everywhere, so each trial counts once.
        values = of_control.groupby("trial", dropna=False).value.last()
        level, (low, high) = median(values), median_interval(values)
        ax.axhline(level, color=look.color, lw=1, ls=(0, look.dashes), zorder=1)
        ax.axhspan(low, high, color=look.color, alpha=0.12, lw=0, zorder=0)
    rows = rows[rows.control.isna() & rows.value.notna() & np.isfinite(rows.value)]
    shown = [label for label in looks if label in set(rows.curve)]
    if not shown:
        return
    drawn = len(ax.lines)
    sns.lineplot(
        # seaborn is slow with the extension types of pandas.
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
        errorbar=median_interval,
        err_kws={"alpha": 0.13 if len(shown) < _MANY else 0.06, "lw": 0},
        legend=False,
        ax=ax,
    )
    lines = ax.lines[drawn:]
    for n, line in enumerate(lines):
        line.set_markeredgewidth(0)
        if len(line.get_xdata()) > _DENSE:  # a covered line shows by its marks
            line.set_markevery((_APART * n / len(lines), _APART))


def _draw_ends(ax, ends, looks, x):
    """Mark the divergence of each trial by a cross at the top of a panel."""
    for label, of_curve in ends.groupby("curve", sort=False):
        places = of_curve[x].to_numpy(float)
        mark_edge(ax, places, 0.98, marker="x", color=looks[label].color, ms=6, in_layout=False)


def mark_edge(ax, places, height=0.0, **look):
    """Mark x values at a given share of the height of a panel."""
    ax.plot(
        places,
        [height] * len(places),
        transform=ax.get_xaxis_transform(),
        clip_on=False,
        **{"ls": "none"} | look,
    )


def _start_at_zero(axes):
    """Start linear axes at zero, unless this would squeeze the curves; show what lies at zero."""
    limits = np.array([ax.dataLim.intervaly for ax in axes if ax.has_data()])
    if len(limits) and 0 <= limits[:, 0].min() < _CHEAP * limits[:, 1].max():
        room = 0.02 * limits[:, 1].max() * (limits[:, 0].min() == 0)
        for ax in axes:
            ax.set_ylim(bottom=-room)


def label_ticks(ax, ticks):
    """Set the ticks of the horizontal axis, with plain numbers as labels."""
    ax.set_xticks(ticks, labels=[_plain(tick) for tick in ticks])
    ax.minorticks_off()


def _plain(number):
    """Return a number as text, from 10,000 on in thousands (k) or millions (M)."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if number >= 10_000 and number >= size:
            return f"{number / size:g}{unit}"
    return f"{number:g}"


def hide_frame(ax, **options):
    """Hide ticks and spines; `options` go to `ax.set`."""
    ax.set(xticks=[], yticks=[], **options)
    for side in ax.spines.values():
        side.set_visible(False)


def handle(label, look, **options):
    """Return the legend entry of a curve; `options` go to `Line2D`."""
    dashes = (0, look.dashes) if look.dashes else "-"
    options = {"color": look.color, "ls": dashes, "marker": look.marker, "mew": 0} | options
    return Line2D([], [], label=label, **options)


def add_legend(figure, looks, *, markers=True, marks=None):
    """Add one legend below a figure, with the dashes and marker of each curve, and of marks.

    The figure gets as much higher.
    """
    hidden = {} if markers else {"marker": ""}
    handles = [handle(label, look, **hidden) for label, look in looks.items()]
    handles += [handle(label, look, ls="", mew=1) for label, look in (marks or {}).items()]
    longest = max((len(entry.get_label()) for entry in handles), default=1)
    columns = int(figure.get_figwidth() * 15 / (longest + 9))
    columns = max(1, min(columns, len(handles)))
    n_lines = -(-len(handles) // columns)
    columns = -(-len(handles) // n_lines)  # lines of about the same length
    figure.set_figheight(figure.get_figheight() + 0.17 * n_lines + 0.1)
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, handlelength=2.8)
