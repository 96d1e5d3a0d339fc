"""Figures of many methods on many data sets: ranks, relative errors, and panels of curves."""

from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.ticker import LogLocator

from closerthan_lab.datasets.simulated import Survey
from closerthan_study.figures.curves import looks_for, rows_of
from closerthan_study.figures.panels import add_legend, draw_lines, label_ticks, mark_edge
from closerthan_study.figures.spread import median, median_interval
from closerthan_study.figures.style import PAGE, Curve, Look, looks_of
from closerthan_survey.figures import ranks
from closerthan_survey.figures.survey_tables import compare_solvers, per_object

_COLUMNS = 6  # of panels
_SMALL = 6.5  # font size of their words
_WRAP = 30  # letters of a data set's name that have a line
_NARROW = 20  # the same, above a panel
_BELOW = 14  # and below one
_TURNED = 18  # letters of an oblique name that have a line
_TIMES = (1, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_VERDICTS = {  # color, face, marker
    "the default": ("black", "black", "D"),
    "better": ("#029e73", "#029e73", "o"),
    "no difference shown": ("0.5", "white", "o"),
    "worse": ("#d55e00", "#d55e00", "o"),
}
_BETTER_WORSE = LinearSegmentedColormap.from_list("", ["#029e73", "white", "#d55e00"])
_SCALE = Normalize(-30, 30)  # percent


# Ranks


def draw_ranks(table):
    """Draw the mean rank of each contender with its interval, the best at the top."""
    n = len(table)
    figure, ax = plt.subplots(figsize=(6.4, 0.24 * n + 1.2))
    for verdict, (color, face, marker) in _VERDICTS.items():
        rows = table[table.verdict == verdict]
        if rows.empty:
            continue
        ax.hlines(rows.index, rows["mean rank, from"], rows["mean rank, to"], color=color, lw=1.5)
        shape = {"marker": marker, "ls": "none", "color": color, "mfc": face, "ms": 5.5}
        ax.plot(rows["mean rank"], rows.index, **shape, label=verdict)
        if verdict == "the default":
            ax.axvline(rows["mean rank"].iloc[0], color=color, lw=0.8, ls=":", zorder=0)
    ax.set(yticks=range(n), yticklabels=table.contender, ylim=(n - 0.4, -0.6))
    ax.set_xlabel(f"mean rank over data sets, of {n} contenders")
    figure.legend(loc="outside lower center", ncols=4)
    return figure


# Relative errors


def draw_relative(page, name, contender):
    """Draw the error of a contender relative to the default's, one row for each data set."""
    errors = ranks.relative_errors(page, name).set_index(["method", "loss"]).loc[[contender]]
    names = _in_order(page, [d for d in page.datasets(name) if d in set(errors.dataset)])
    rows = errors.set_index("dataset").loc[[*names, ranks.ALL]]
    figure, ax = plt.subplots(figsize=(5.5, 0.24 * len(rows) + 0.8))
    color, places = page.colors[contender[0]].color, range(len(rows))
    ax.hlines(places, 100 * rows.low, 100 * rows.high, color=color, lw=1.2, alpha=0.6)
    ax.plot(100 * rows.relative, places, "o", color=color, ms=4, mew=0)
    for place in range(0, len(rows), 2):
        ax.axhspan(place - 0.5, place + 0.5, color="0.96", lw=0, zorder=0)
    default = ranks.name_contender(page, name, ranks.DEFAULT)
    ax.set_xlabel(f"error relative to the {default}, %")
    _label_rows(page, [ax], names)
    _scale_percent(ax, 100 * rows.relative)
    return figure


def draw_matrix(page, name, contenders):
    """Draw the errors of contenders relative to the default's as a matrix of numbers in percent."""
    errors = ranks.relative_errors(page, name).set_index(["method", "loss"])
    found = set(errors.index)
    panels = {title: [c for c in asked if c in found] for title, asked in contenders.items()}
    panels = {title: asked for title, asked in panels.items() if asked}
    names = _in_order(page, [d for d in page.datasets(name) if d in set(errors.dataset)])
    widths = [len(asked) for asked in panels.values()]
    size = (min(PAGE, 2.2 + 0.4 * sum(widths)), 0.21 * len(names) + 1.9)
    grid = {"sharey": True, "squeeze": False, "width_ratios": widths}
    figure, axes = plt.subplots(1, len(panels), figsize=size, **grid)
    for ax, (title, of_panel) in zip(axes[0], panels.items(), strict=True):
        of_data = [errors.loc[[contender]].set_index("dataset") for contender in of_panel]
        columns = [rows.reindex([*names, ranks.ALL]) for rows in of_data]
        percent = 100 * np.column_stack([column.relative for column in columns])
        sure = np.column_stack([(column.low > 0) | (column.high < 0) for column in columns])
        ax.imshow(percent, _BETTER_WORSE, _SCALE, aspect="auto")
        for (y, x), value in np.ndenumerate(percent):
            if np.isfinite(value):
                text = _signed(value, digits=int(y == len(names)))
                gray = "0.35" if abs(value) < _SCALE.vmax / 2 else "black"  # black on strong colors
                look = {"weight": "bold"} if sure[y, x] else {"color": gray}
                ax.text(x, y, text, ha="center", va="center", fontsize=7, **look)
        labels = [ranks.name_contender(page, name, c).removesuffix(f", {title}") for c in of_panel]
        labels = [fill(label, _TURNED) for label in labels]
        turned = {"rotation": 60, "rotation_mode": "anchor", "ha": "left", "fontsize": 7.5}
        ax.set_xticks(range(len(labels)), labels, **turned)
        ax.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
        ax.set_xlabel(title, fontsize=9)
        ax.spines[:].set_visible(False)
    _label_rows(page, axes[0], names)
    return figure


def _signed(value, digits):
    """Return a number with its sign, except for zero; the sign of a negative one is a minus."""
    rounded = round(value, digits)
    return f"{rounded:+.{digits}f}".replace("-", "−") if rounded else "0"


def _in_order(page, names):
    """Return data sets of people's answers first, then simulated ones."""
    return sorted(names, key=lambda dataset: ranks.has_simulated_answers(page, dataset))


def _looks(page, name, contenders):
    """Return the looks of contenders by label: colors of losses if these differ, or of methods."""
    several = len({loss for _, loss in contenders} - {"none"}) > 1
    wanted = [
        (ranks.name_contender(page, name, (key, loss)), loss if several else key, 0)
        for key, loss in contenders
    ]
    return looks_of(wanted, page.colors | {"none": Look("black", "", "o")})


def _label_rows(page, axes, names):
    """Label the rows, with lines between people's data sets, simulated ones and all."""
    labels = [*(fill(page.label(dataset), _WRAP) for dataset in names), ranks.ALL]
    people = sum(not ranks.has_simulated_answers(page, dataset) for dataset in names)
    for ax in axes:
        for border in {people, len(names)} - {0}:
            ax.axhline(border - 0.5, color="0.3", lw=0.8)
        ax.tick_params(axis="y", length=0)
    axes[0].set_ylim(len(labels) - 0.5, -0.5)
    axes[0].set_yticks(range(len(labels)), labels=labels, fontsize=7)
    axes[0].get_yticklabels()[-1].set_fontweight("bold")


def _scale_percent(ax, shown):
    """Let the axis reach a little beyond all dots, and at least to ±10. It may cut intervals."""
    low, high = min(-10.0, 1.2 * shown.min()), max(10.0, 1.2 * shown.max())
    ticks = [tick for tick in (-30, -10, -3, 0, 3, 10, 30, 100, 300, 1000) if low <= tick <= high]
    ax.axvline(0, color="0.3", lw=0.8, zorder=0.5)
    for level in (-ranks.NEAR, ranks.NEAR):
        ax.axvline(level, color="0.8", lw=0.8, zorder=0.5)
    ax.set_xscale("symlog", linthresh=ranks.NEAR, linscale=0.5)
    ax.set_xlim(low, high)
    ax.set_xticks(ticks, labels=[_signed(tick, 0) for tick in ticks])
    ax.minorticks_off()
    ax.tick_params(axis="x", labelsize=7)


def simulated_in_words():
    """Say how the names of simulated data sets are to be read."""
    first = Survey()
    return (
        f"Simulated data: the first set has {first.n_objects} objects in {first.n_components} "
        f"dimensions and {first.n_per_object} answers an object, {100 * first.swapped:g} % of them "
        "swapped; other names say what differs"
    )


# Curves, a panel a data set


def draw_dimensions(page, name):
    """Draw the test error over the dimension, one panel for each data set (italic if simulated).

    Methods that sweep the dimension are lines. Others choose it: a triangle marks their median.
    """
    scores = page.scores(name)
    figure, axes, looks = _draw_swept(page, name, scores, "sweep", "dimension")
    choosing = [m for m in page.experiments[name].methods.values() if not (m.control or m.sweep)]
    marks = {}
    for method in choosing:
        color = page.colors[method.name].color
        rows = scores[(scores.method == method.name) & (scores.measure == "n_components")]
        marks[method.label] = Look(color, "", "^")
        for dataset, ax in axes.items():
            _mark_below(ax, rows[rows.dataset == dataset].value, color)
    add_legend(figure, looks | marks)
    return figure


def _mark_below(ax, values, color):
    mark_edge(ax, median_interval(values), ls="-", color=color, lw=3, alpha=0.5, zorder=3)
    mark_edge(ax, [median(values)], marker="^", color=color, ms=6, mew=0, zorder=3)


def draw_amounts(page, name):
    """Draw the test error over the number of training comparisons, one panel for each data set.

    The unit of the numbers is n p log2(n), for n objects in the p dimensions of the experiment.
    """
    scores = per_object(page, name)
    places = "amount", "comparisons / (n p log₂ n)"
    figure, _, looks = _draw_swept(page, name, scores, *places, shared_log=True)
    add_legend(figure, looks)
    return figure


def _draw_swept(page, name, scores, x, xlabel, *, shared_log=False):
    """Draw test errors, one panel for each data set; return the figure, its axes and line looks."""
    rows = scores[(scores.measure == "test_error") & scores.value.notna()]
    methods = page.experiments[name].methods.values()
    asked = [m for m in methods if (m.sweep or m.control) and m.name in set(rows.method)]
    drawn = [Curve(m.name, label=m.label, dashes=n) for n, m in enumerate(asked)]
    looks = looks_for(page, name, drawn)
    names = _in_order(page, [d for d in page.datasets(name) if d in set(rows.dataset)])
    figure, axes, lowest = _lay_out_panels(names, shared_log)
    for dataset, ax in axes.items():
        tidy = rows_of(page, name, rows[rows.dataset == dataset], drawn)
        draw_lines(ax, tidy, looks, x=x)
        curves = [line for line in ax.lines if len(line.get_xdata()) > 2]  # two are a control's
        plt.setp(curves[:1], zorder=2.5)  # or larger marks would hide those of the default
        ax.set(xscale="log" if shared_log else "linear", xlabel="", ylabel="")
        slant = "italic" if ranks.has_simulated_answers(page, dataset) else "normal"
        ax.set_title(fill(page.label(dataset), _NARROW), fontsize=_SMALL, style=slant)
        ax.tick_params(labelsize=_SMALL, labelbottom=ax in lowest or not shared_log)
        ax.locator_params(axis="y", nbins=3)
        if shared_log:
            ax.xaxis.set_major_locator(LogLocator(numticks=9))
            ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        else:
            label_ticks(ax, np.unique(tidy[x].dropna()))
    for ax in lowest:
        ax.set_xlabel(fill(xlabel, _BELOW), fontsize=_SMALL, visible=True)
    figure.supylabel("test error", fontsize="medium")
    return figure, axes, looks


def _lay_out_panels(names, sharex):
    """Return a figure, its axes by data set, and the axes with no other axes below."""
    n_columns = min(_COLUMNS, len(names))
    n_lines = -(-len(names) // n_columns)
    size = max(4.0, PAGE / _COLUMNS * n_columns), 1.25 * n_lines + 0.6
    figure, grid = plt.subplots(n_lines, n_columns, figsize=size, sharex=sharex, squeeze=False)
    for ax in grid.flat[len(names) :]:
        ax.remove()
    axes = dict(zip(names, grid.flat, strict=False))
    return figure, axes, list(axes.values())[-n_columns:]


# Solvers


def draw_solvers(page, name):
    """Draw the error of each solver over its seconds, both relative to the least of a data set."""
    relative, means = compare_solvers(page, name)
    looks = _looks(page, name, list(means.index))
    figure, ax = plt.subplots(figsize=(6.4, 4.4))
    for contender, look in zip(means.index, looks.values(), strict=True):
        rows = relative[(relative.method == contender[0]) & (relative.loss == contender[1])]
        edged = {
            "color": look.color,
            "marker": look.marker,
            "ls": "none",
            "mew": 0.6,
            "mec": "white",
        }
        ax.plot(rows.seconds, rows.test_error, **edged, ms=4.5, alpha=0.8, zorder=4)
        mean = means.loc[contender]
        x, y = mean["seconds"], mean["test_error"]
        ax.hlines(y, mean["seconds, from"], mean["seconds, to"], color=look.color, lw=1.2)
        ax.vlines(x, mean["test_error, from"], mean["test_error, to"], color=look.color, lw=1.2)
        ax.plot([x], [y], **edged, ms=10, zorder=3)
    ax.set(xscale="log", yscale="log")
    ax.set(xlabel="seconds, times the fastest", ylabel="test error, times the least")
    _limit_times(ax.xaxis, ax.set_xlim, relative.seconds)
    _limit_times(ax.yaxis, ax.set_ylim, relative.test_error)
    add_legend(figure, {label: Look(look.color, "", look.marker) for label, look in looks.items()})
    return figure


def _limit_times(axis, limit, values):
    """Let an axis of factors begin at one, with few ticks, and end where the values do."""
    top = max(float(values.max()), 1.02) ** 1.06
    ticks = [tick for tick in _TIMES if tick <= top]
    apart = np.log(top) / 8
    kept = [1]
    for tick in ticks:
        if np.log(tick / kept[-1]) >= apart:
            kept.append(tick)
    axis.set_ticks(kept, labels=[f"{tick:g}" for tick in kept])
    axis.set_ticks([], minor=True)
    limit(top**-0.04, top)


# Probabilities


def draw_reliability(page, name, contenders):
    """Draw the share of correct predictions over their probability, one line for each contender."""
    scores = page.scores(name)
    rows = scores[scores.measure.isin(["predicted", "observed"])]
    keys = ["method", "loss", "k", "dataset", "measure"]
    means = rows.groupby(keys).value.mean().unstack("measure")
    found = [key for key in contenders if key in means.index.droplevel(["k", "dataset"])]
    labels = [ranks.name_contender(page, name, contender) for contender in found]
    looks = looks_of([(label, n, 0) for n, label in enumerate(labels)], page.colors)
    figure, ax = plt.subplots(figsize=(4.6, 4.4))
    ax.plot([0.5, 1], [0.5, 1], color="0.6", lw=0.8, zorder=0)
    for n, (contender, look) in enumerate(zip(found, looks.values(), strict=True)):
        bins = means.loc[contender].groupby("k")
        x, y = bins["predicted"].agg(median), bins["observed"].agg(median)
        limits = np.array([median_interval(values) for _, values in bins["observed"]])
        apart = x + 0.004 * (n - (len(found) - 1) / 2)
        ax.vlines(apart, *limits.T, color=look.color, lw=1.2, alpha=0.6)
        line = {"ls": (0, look.dashes) if look.dashes else "-", "marker": look.marker, "mew": 0}
        ax.plot(x, y, color=look.color, **line)
    ax.set(xlim=(0.49, 1.01), xlabel="probability of the likelier answer")
    ax.set_ylabel("share of correct predictions")
    add_legend(figure, looks)
    return figure
