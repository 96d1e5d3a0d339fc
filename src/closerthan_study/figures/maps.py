"""Draw maps of methods next to the true positions."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from adjustText import adjust_text

from closerthan.scores.procrustes import procrustes_align
from closerthan_study.figures.curves import completed, looks_for, prolonged, rows_of
from closerthan_study.figures.panels import Layout, draw, hide_frame, size_of
from closerthan_study.figures.spread import median
from closerthan_study.figures.style import PAGE, Curve
from closerthan_study.figures.tables import at_the_end, labels_of
from closerthan_study.reading import coordinates
from closerthan_study.tasks.setup import Setup

LEADER = "leader"  # the mark of a line that joins a name to its place
_FAR = 6  # pixels; a line joins a name to its place if they are further apart
_SMALL = 6.5  # font size of the words beside maps
# The first that there is, and its sign.
_QUALITIES = {"distortion": 1, "f1": -1, "procrustes": 1, "stress": 1}
_ELEVATIONS = {"corner_plane": 35}  # degrees from which its fold shows; of others, 15 do
FAR = 0.05  # maps of shapes with more distortion are far from the truth, as in the claims
NEAREST = 1e-5  # smaller shares above the least error are drawn here


# Cities


def cities(page, name, methods, far):
    """Draw maps of cities for each method and loss, aligned with metric MDS of all distances.

    The MDS map comes first and names the cities. Other maps show their trial in the middle, and
    say how many trials have a Procrustes distance above `far`.
    """
    dataset = page.dataset(name)
    names = page.arrays(dataset)["object_names"]
    labels = {key: method.label for key, method in page.experiments[name].methods.items()}
    truth = page.points(name, dataset, Curve("mds"))
    where = {object_name: n for n, object_name in enumerate(names)}
    for axis, (low, high) in enumerate((("Lisbon", "Athens"), ("Athens", "Stockholm"))):
        if truth[where[high], axis] < truth[where[low], axis]:
            truth[:, axis] *= -1
    panels = {f"{labels['mds']} of all distances": (truth, "")}
    scores = page.scores(name, dataset)
    curves = completed(
        page, name, [Curve(method, loss=loss) for method in methods for loss in page.losses]
    )
    for curve in curves:
        of_loss = scores[scores.loss == curve.loss]
        trial, distances = middle_trial(of_loss, curve)
        places = page.points(name, dataset, curve, trial=trial)
        n_far = len(distances) - (distances <= far).sum()  # with those that failed
        said = f"distance {distances[trial]:.3f}; {n_far} of {len(distances)} above {far:g}"
        title = f"{page.losses[curve.loss]}, {labels[curve.method]}"
        panels[title] = procrustes_align(truth, places), said
    n_rows = -(-(len(panels) + 3) // 3)  # the first is as large as four others
    height = PAGE / 3 * np.divide(*np.ptp(truth, axis=0)[::-1]) + 0.3
    figure = plt.figure(figsize=(PAGE, height * n_rows))
    grid = figure.add_gridspec(n_rows, 3)
    small = [
        grid[0, 2],
        grid[1, 2],
        *(grid[place // 3, place % 3] for place in range(6, 3 * n_rows)),
    ]
    for where, (title, (places, said)) in zip([grid[:2, :2], *small], panels.items(), strict=False):
        ax = figure.add_subplot(where)
        draw_places(ax, places, truth)
        ax.set_title(title)
        ax.set_xlabel(said)
    figure.draw_without_rendering()  # placing names needs the final layout
    figure.set_layout_engine("none")
    write_names(figure.axes[0], truth, names, apart=2)  # larger dots than elsewhere
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


def write_names(ax, places, names, apart=1):
    """Write a name next to each place without overlaps; a line joins distant names.

    `apart` is how far names keep away from the places, relative to what maps of many need.
    """
    texts = [ax.text(*place, name, fontsize=6) for place, name in zip(places, names, strict=True)]
    adjust_text(
        texts,
        *places.T,
        ax=ax,
        iter_lim=100,  # a time limit would differ between machines
        expand=(1 + 0.1 * apart, 1 + 0.3 * apart),
        force_text=(0.3, 0.5),
        force_static=(0.2 * apart, 0.4 * apart),
    )
    for text, place in zip(texts, places, strict=True):
        box = text.get_window_extent()
        dot = ax.transData.transform(place)
        nearest = np.clip(dot, box.min, box.max)
        if np.hypot(*(nearest - dot)) > _FAR:
            ends = [place, ax.transData.inverted().transform(nearest)]
            ax.plot(*np.transpose(ends), color="C0", alpha=0.6, lw=0.5, zorder=0, gid=LEADER)


# Shapes


def beside_truth(page, names):
    """Draw the shapes of the first trial, each at the left of its middle maps.

    A map has the run time below it, and how many trials failed or have a distortion above `FAR`.
    """
    places = [(name, dataset) for name in names for dataset in page.datasets(name)]
    rows = [(*place, noise) for place in places for noise in page.experiments[place[0]].noises]
    methods = [curve for curve in contenders(page, names[0]) if curve.variant == "paper"]
    side = PAGE / (len(methods) + 1)
    words = 0.38 if any(noise for *_, noise in rows) else 0.28
    figure = plt.figure(figsize=(PAGE, (side + words) * len(rows) + 0.2))
    grid = figure.add_gridspec(len(rows), len(methods) + 1)
    for number, row in enumerate(rows):
        first = figure.add_subplot(grid[number, 0], projection="3d")
        others = [figure.add_subplot(grid[number, n]) for n in range(1, len(methods) + 1)]
        _draw_row(first, others, page, row, methods)
        if number == 0:
            for ax, curve in zip(others, methods, strict=True):
                label = textwrap.fill(
                    curve.label, 13, break_on_hyphens=False, break_long_words=False
                )
                ax.set_title(label, fontsize=_SMALL, pad=3)
    return figure


def contenders(page, name):
    """Return the methods of an experiment with their variants, without the controls."""
    pairs = [pair for pair in labels_of(page, name) if pair[1] != "control"]
    return completed(page, name, [Curve(*pair) for pair in pairs])


def _draw_row(first, others, page, row, methods):
    from closerthan_study.tasks.mds.trials import true_map, with_noise  # imports compiled code

    name, dataset, noise = row
    objects = page.trial(name, dataset)
    qualities = page.scores(name, dataset)
    scores = page.seconds(name, dataset)
    seconds = at_the_end(scores[scores.noise == noise], ["seconds"])
    seconds = seconds.groupby(["method", "variant"]).seconds.median()
    places = coordinates(objects)
    shape = with_noise(Setup(page.spec, page.experiments[name], dataset), places, noise, 0)
    _draw_shape(first, shape, objects.color, _ELEVATIONS.get(dataset, 15))
    text = f"{textwrap.fill(page.label(dataset), 14)}\n{len(objects):,} points"
    text += f"\nnoise {noise:g}" * bool(noise)
    below = {"ha": "center", "va": "top", "fontsize": _SMALL, "transform": first.transAxes}
    first.text2D(0.5, -0.04, text, **below)
    for ax, curve in zip(others, methods, strict=True):
        trial, of_trials = middle_trial(qualities[qualities.noise == noise], curve)
        points, reason = _map_of(page, name, dataset, curve, noise, trial)
        of_trial = page.trial(name, dataset, trial=trial)
        draw_aligned_map(ax, points, reason, of_trial.color, true_map(dataset, of_trial))
        said = [] if reason else [f"{seconds[curve.method, curve.variant]:.2g} s"]
        said += counted(of_trials)
        ax.set_xlabel("\n".join(said), fontsize=_SMALL, labelpad=2)


def counted(qualities):
    """Say how many trials failed, and how many are far from the truth (above `FAR`)."""
    n_failed = qualities.isna().sum()
    n_far = (qualities > FAR).sum() if qualities.name == "distortion" else 0
    said = {"failed": n_failed, "far": n_far}
    if len(qualities) == 1:
        return ["far"] * n_far  # that it failed is said in place of the map
    return [f"{number} of {len(qualities)} {words}" for words, number in said.items() if number]


def middle_trial(scores, curve):
    """Return the trial in the middle of a method's, and the quality of all (none if failed)."""
    rows = scores[(scores.method == curve.method) & (scores.variant == curve.variant)]
    table = rows[rows.measure.isin(_QUALITIES)].pivot_table("value", "trial", "measure")
    measure = next((name for name in _QUALITIES if name in table), None)  # None: all have failed
    table = table.reindex(sorted(rows.trial.unique()))
    found = table.get(measure, pd.Series(np.nan, table.index))
    found = found.sort_values(
        key=lambda quality: _QUALITIES.get(measure, 1) * quality, kind="stable"
    )
    return int(found.index[(len(found) - 1) // 2]), found


def _map_of(page, name, dataset, curve, noise=0.0, trial=0):
    """Return the map of a trial, and the reason if there is none."""
    fits = page.fits(name, dataset, curve.method)
    fits = fits[(fits.trial == trial) & (fits.noise == noise) & (fits.variant == curve.variant)]
    return page.points(name, dataset, curve, trial=trial, noise=noise), fits.reason.iloc[0]


def draw_aligned_map(ax, points, reason, color, target):
    """Draw a map aligned with `target`, or say that there is none."""
    hide_frame(ax, box_aspect=1)
    if reason:
        look = {"ha": "center", "va": "center", "fontsize": _SMALL}
        ax.text(0.5, 0.5, "failed", transform=ax.transAxes, **look)
        return
    points = points if target is None else procrustes_align(target, points)
    ax.scatter(*points.T, c=color, s=_area(points), lw=0, cmap="viridis", rasterized=True)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    half = 0.53 * np.ptp(points, axis=0).max()
    ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))


def _draw_shape(ax, points, color, elevation):
    """Draw points in three dimensions, seen from so many degrees above."""
    ax.scatter(
        *points.T, c=color, s=_area(points), lw=0, cmap="viridis", depthshade=False, rasterized=True
    )
    ax.set_axis_off()
    ax.set_box_aspect(np.ptp(points, axis=0), zoom=1.25)
    ax.view_init(elev=elevation, azim=-75)


def _area(points):
    """Return the area of a dot, which is larger if there are fewer points."""
    return np.clip(1500 / len(points), 0.5, 4)


def run_times(page, name):
    """Draw the run times of methods, one panel per data set."""
    methods = contenders(page, name)
    labels = [curve.label for curve in methods]
    label_of = {(curve.method, curve.variant): curve.label for curve in methods}
    ends = at_the_end(page.both(name), ["seconds", "failed"])
    ends["label"] = [label_of.get(pair) for pair in zip(ends.method, ends.variant, strict=True)]
    ends = ends[ends.label.notna() & (ends.failed == 0)]
    datasets = page.datasets(name)
    size = size_of(len(datasets))[0], 0.2 * len(labels) + 0.8
    figure, axes = plt.subplots(
        1, len(datasets), figsize=size, sharex=True, sharey=True, squeeze=False
    )
    for ax, dataset in zip(axes[0], datasets, strict=True):
        rows = ends[ends.dataset == dataset]
        ax.plot(rows.seconds, rows.label.map(labels.index), "o", ms=3, alpha=0.4, mew=0)
        medians = rows.groupby("label").seconds.agg(median)
        ax.plot(medians, medians.index.map(labels.index), "|", color="C0", ms=9, mew=1.5)
        ax.set(title=page.label(dataset), xlabel="seconds", xscale="log")
        ax.grid(axis="x", color="0.92")
        ax.set_axisbelow(True)
    axes[0, 0].set(yticks=range(len(labels)), yticklabels=labels, ylim=(len(labels) - 0.4, -0.6))
    return figure


def races(page, names, methods):
    """Draw the error of maps over epochs: of the first trial, and of all, relative to the least."""
    pairs = [(name, dataset) for name in names for dataset in page.datasets(name)]
    errors = "mean squared error,\nfirst trial"
    above = "relative excess over\nthe least of the trial"
    tidy = []
    for name, dataset in pairs:
        scores = page.scores(name, dataset)
        rows = scores[scores.measure == "mse"]
        share = rows.value / rows.groupby("trial").value.transform("min") - 1
        whole = prolonged(rows[rows.trial == 0], most=None)  # or teeth of a saw would be lost
        for line, found in (
            (errors, whole),
            (above, prolonged(rows.assign(value=share.clip(lower=NEAREST)))),
        ):
            found = rows_of(page, name, found, methods, panel=page.label(dataset))
            tidy.append(found.assign(line=line))
    looks = looks_for(page, pairs[0][0], methods)
    ticks = {"ylabel": [errors, above], "xscale": "log", "yscale": "log"}
    layout = Layout("epoch", row="line", sharey=False, **ticks)
    figure = draw(pd.concat(tidy), looks, layout)
    for ax in figure.axes[len(pairs) :]:
        ax.axhline(0.01, color="0.7", lw=0.8, ls=":", zorder=0)
    return figure
