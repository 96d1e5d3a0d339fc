"""Draw maps of methods next to the true positions."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from adjustText import adjust_text

from closerthan.scores.procrustes import procrustes_align
from closerthan_study.figures.curves import completed, looks_for, prolonged, rows_of
from closerthan_study.figures.panels import Layout, draw, hide_frame
from closerthan_study.figures.spread import median
from closerthan_study.figures.style import Curve
from closerthan_study.figures.tables import at_the_end, labels_of
from closerthan_study.reading import coordinates
from closerthan_study.tasks.setup import Setup

_FAR = 6  # pixels; a line joins a name to its place if they are further apart
_WIDTH = 9.0  # inches
_QUALITIES = {"distortion": 1, "f1": -1, "stress": 1}  # the first that a shape has, and its sign
NEAREST = 1e-5  # smaller shares above the least error are drawn here


# Cities


def cities(page, name, methods):
    """Draw maps of cities for each method and loss, aligned with metric MDS of all distances."""
    dataset = page.dataset(name)
    names = page.arrays(dataset)["object_names"]
    labels = {key: method.label for key, method in page.experiments[name].methods.items()}
    truth = page.points(name, dataset, Curve("mds"))
    where = {object_name: n for n, object_name in enumerate(names)}
    for axis, (low, high) in enumerate((("Lisbon", "Athens"), ("Athens", "Stockholm"))):
        if truth[where[high], axis] < truth[where[low], axis]:
            truth[:, axis] *= -1
    panels = {f"{labels['mds']} of all distances": truth}
    for method in methods:
        for loss, title in page.losses.items():
            places = page.points(name, dataset, Curve(method, loss=loss))
            panels[f"{title}, {labels[method]}"] = procrustes_align(truth, places)
    n_rows = -(-len(panels) // 3)
    height = 0.2 + 3.6 * np.divide(*np.ptp(truth, axis=0)[::-1])
    figure, axes = plt.subplots(n_rows, 3, figsize=(10.8, height * n_rows), squeeze=False)
    for ax in axes.flat[len(panels) :]:
        ax.axis("off")
    for ax, (title, places) in zip(axes.flat, panels.items(), strict=False):
        draw_places(ax, places, truth)
        ax.set_title(title, fontsize=9)
    figure.draw_without_rendering()  # placing names needs the final layout
    figure.set_layout_engine("none")
    for ax, places in zip(axes.flat, panels.values(), strict=False):
        write_names(ax, places, names)
    return figure


def draw_places(ax, places, truth):
    """Draw the objects of a map, each joined to its true position."""
    for ends in zip(truth, places, strict=True):
        ax.plot(*np.transpose(ends), color="0.8", lw=0.8, zorder=0)
    ax.plot(*truth.T, ".", color="0.7", ms=3.5, zorder=1)
    ax.plot(*places.T, ".", color="C0", ms=5, zorder=2)
    hide_frame(ax)
    ax.margins(0.1)
    ax.set_aspect("equal", "datalim")


def write_names(ax, places, names):
    """Write a name next to each place without overlaps; a line joins distant names."""
    texts = [ax.text(*place, name, fontsize=6) for place, name in zip(places, names, strict=True)]
    adjust_text(
        texts,
        *places.T,
        ax=ax,
        iter_lim=100,  # a time limit would differ between machines
        expand=(1.1, 1.3),
        force_text=(0.3, 0.5),
        force_static=(0.2, 0.4),
    )
    for text, place in zip(texts, places, strict=True):
        box = text.get_window_extent()
        dot = ax.transData.transform(place)
        nearest = np.clip(dot, box.min, box.max)
        if np.hypot(*(nearest - dot)) > _FAR:
            ends = [place, ax.transData.inverted().transform(nearest)]
            ax.plot(*np.transpose(ends), color="C0", alpha=0.6, lw=0.5, zorder=0)


# Shapes


def beside_truth(page, names, *, n_columns):
    """Draw the shapes of the first trial, each followed by its middle maps with run times."""
    places = [(name, dataset) for name in names for dataset in page.datasets(name)]
    rows = [(*place, noise) for place in places for noise in page.experiments[place[0]].noises]
    methods = contenders(page, rows[0][0])
    lines = -(-(1 + len(methods)) // n_columns)
    height = (_WIDTH / n_columns + 0.42) * lines + 0.25
    figure = plt.figure(figsize=(_WIDTH, height * len(rows)))
    subfigures = np.atleast_1d(figure.subfigures(len(rows), 1))
    for subfigure, row in zip(subfigures, rows, strict=True):
        _draw_row(subfigure, page, row, methods, (lines, n_columns))
    return figure


def contenders(page, name):
    """Return the methods of an experiment with their variants, without the controls."""
    pairs = [pair for pair in labels_of(page, name) if pair[1] != "control"]
    return completed(page, name, [Curve(*pair) for pair in pairs])


def _draw_row(figure, page, row, methods, grid):
    from closerthan_study.tasks.mds.trials import true_map, with_noise  # imports compiled code

    name, dataset, noise = row
    objects = page.trial(name, dataset)
    qualities = page.scores(name, dataset)
    scores = page.seconds(name, dataset)
    seconds = at_the_end(scores[scores.noise == noise], ["seconds"])
    seconds = seconds.groupby(["method", "variant"]).seconds.median()
    ax = figure.add_subplot(*grid, 1, projection="3d")
    places = coordinates(objects)
    shape = with_noise(Setup(page.spec, page.experiments[name], dataset), places, noise, 0)
    draw_shape(ax, shape, objects.color)
    for number, curve in enumerate(methods, start=2):
        ax = figure.add_subplot(*grid, number)
        trial, n_failed = middle_trial(qualities[qualities.noise == noise], curve)
        points, reason = map_of(page, name, dataset, curve, noise, trial)
        of_trial = page.trial(name, dataset, trial=trial)
        draw_points(ax, points, reason, of_trial.color, true_map(dataset, of_trial))
        ax.set_title(textwrap.fill(curve.label, 16, break_on_hyphens=False), fontsize=7.5, pad=3)
        time = seconds[curve.method, curve.variant]
        said = [] if reason else [f"{time:.2g} s"]
        said += [f"{n_failed} of {page.experiments[name].trials} failed"] if n_failed else []
        ax.set_xlabel("\n".join(said), fontsize=7.5, labelpad=2)
    text = f"{page.label(dataset)}, {len(objects):,} points" + f", noise {noise:g}" * bool(noise)
    figure.suptitle(text, fontsize=9, x=0.01, ha="left", weight="bold")


def middle_trial(scores, curve):
    """Return the trial in the middle of a method's, best to worst, and how many failed."""
    rows = scores[(scores.method == curve.method) & (scores.variant == curve.variant)]
    rows = rows[rows.measure.isin([*_QUALITIES, "failed"])]
    table = rows.pivot_table(index="trial", columns="measure", values="value")
    measure = next((name for name in _QUALITIES if name in table), "failed")
    order = (_QUALITIES.get(measure, 1) * table[measure]).sort_values(kind="stable").index
    return int(order[(len(order) - 1) // 2]), int(table.failed.sum())


def map_of(page, name, dataset, curve, noise=0.0, trial=0):
    """Return the map of a trial, and the reason if there is none."""
    fits = page.fits(name, dataset, curve.method)
    fits = fits[(fits.trial == trial) & (fits.noise == noise) & (fits.variant == curve.variant)]
    return page.points(name, dataset, curve, trial=trial, noise=noise), fits.reason.iloc[0]


def draw_points(ax, points, reason, color, target):
    """Draw a map aligned with `target`, or the reason why there is none."""
    hide_frame(ax, box_aspect=1)
    if reason:
        # scikit-learn appends advice to its message.
        text = textwrap.shorten(f"failed: {reason.partition(' Note that')[0]}", 150)
        text = textwrap.fill(text, 20)
        ax.text(0.5, 0.5, text, ha="center", va="center", fontsize=5.5, transform=ax.transAxes)
        return
    points = points if target is None else procrustes_align(target, points)
    ax.scatter(*points.T, c=color, s=_area(points), lw=0, cmap="viridis", rasterized=True)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    half = 0.53 * np.ptp(points, axis=0).max()
    ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))


def draw_shape(ax, points, color):
    """Draw points in three dimensions."""
    ax.scatter(
        *points.T, c=color, s=_area(points), lw=0, cmap="viridis", depthshade=False, rasterized=True
    )
    ax.set_axis_off()
    ax.set_box_aspect(np.ptp(points, axis=0), zoom=1.45)
    ax.view_init(elev=15, azim=-75)


def _area(points):
    """Return the area of a dot, which is larger if there are fewer points."""
    return np.clip(2000 / len(points), 1, 5)


def run_times(page, name):
    """Draw the run times of methods, one panel per data set."""
    methods = contenders(page, name)
    labels = [curve.label for curve in methods]
    label_of = {(curve.method, curve.variant): curve.label for curve in methods}
    ends = at_the_end(page.both(name), ["seconds", "failed"])
    ends["label"] = [label_of.get(pair) for pair in zip(ends.method, ends.variant, strict=True)]
    ends = ends[ends.label.notna() & (ends.failed == 0)]
    datasets = page.datasets(name)
    figure, axes = plt.subplots(
        1,
        len(datasets),
        figsize=(2.9 * len(datasets) + 1.7, 0.27 * len(labels) + 0.9),
        sharey=True,
        squeeze=False,
    )
    colors = [page.colors[curve.method].color for curve in methods]
    for ax, dataset in zip(axes[0], datasets, strict=True):
        rows = ends[ends.dataset == dataset]
        options = {"y": "label", "x": "seconds", "order": labels, "hue": "label"}
        options |= {"hue_order": labels, "palette": colors, "legend": False, "ax": ax}
        ax.set_xscale("log")
        sns.stripplot(rows, jitter=False, size=4, alpha=0.5, **options)
        sns.pointplot(
            rows, estimator=median, errorbar=None, marker="|", ms=13, mew=2, ls="none", **options
        )
        ax.set(title=page.label(dataset), xlabel="seconds", ylabel="")
        ax.grid(axis="x", color="0.92")
        ax.set_axisbelow(True)
    return figure


def races(page, names, methods):
    """Draw the error of maps over epochs, absolute and relative to the least of the trial."""
    pairs = [(name, dataset) for name in names for dataset in page.datasets(name)]
    errors = "mean squared error of the distances"
    above = "share above the least of the trial"
    tidy = []
    for name, dataset in pairs:
        scores = page.scores(name, dataset)
        rows = scores[scores.measure == "mse"]
        share = rows.value / rows.groupby("trial").value.transform("min") - 1
        for line, values in ((errors, rows.value), (above, share.clip(lower=NEAREST))):
            found = prolonged(rows.assign(value=values))
            found = rows_of(page, name, found, methods, panel=page.label(dataset))
            tidy.append(found.assign(line=line))
    looks = looks_for(page, pairs[0][0], methods)
    ticks = {"xlabel": "epoch", "ylabel": [errors, above], "xscale": "log", "yscale": "log"}
    layout = Layout("epoch", row="line", sharey=False, size=(2.6, 2.8), **ticks)
    figure = draw(pd.concat(tidy), looks, layout)
    top, bottom = np.reshape(figure.axes, (2, len(pairs)))
    for ax, (name, dataset) in zip(top, pairs, strict=True):
        ends = at_the_end(page.scores(name, dataset), ["epochs", "mse"])
        for curve in completed(page, name, methods):
            of_curve = (ends.method == curve.method) & (ends.variant == curve.variant)
            color = looks[curve.label].color
            ax.plot(ends.epochs[of_curve], ends.mse[of_curve], "|", ms=8, color=color)
    for ax in bottom:
        ax.axhline(0.01, color="0.7", lw=0.8, ls=":", zorder=0)
    return figure
