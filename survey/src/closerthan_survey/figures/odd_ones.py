"""Compare predictions of odd ones out, and dimensions with published ones."""

import re
from textwrap import shorten

import matplotlib.pyplot as plt
import numpy as np

from closerthan_lab.spose.refits import correlations
from closerthan_study.figures import captions
from closerthan_study.figures.curves import GRAY, Panel, draw_panels
from closerthan_study.figures.spread import median, median_interval
from closerthan_study.figures.style import PAGE, Curve


def answer_counts(page, name):
    """Name the data, and say how many answers a trial has and how many trials there are."""
    answers = captions.split_sizes(page, name, of="answers")
    label = page.label(page.dataset(name))
    return f"{label}, {answers}; {captions.trials(page.experiments[name])}"


def over_answers(page, name, measures, *, costs=False, **layout):
    """Draw measures over the number of training answers, one panel for each measure."""
    scores = page.seconds(name) if costs else page.scores(name)
    methods = page.experiments[name].methods.values()
    curves = [Curve(m.name, label=m.label) for m in methods if m.sweep]
    panels = [
        Panel(name, scores[scores.measure == measure], curves, title)
        for measure, title in measures.items()
    ]
    options = {"x": "sweep", "xlabel": "training answers", "xscale": "log", "sharey": False}
    return draw_panels(page, panels, **options | layout)


def ranked(page, name):
    """Draw the accuracy of each method with its interval, the best at the top."""
    scores = page.scores(name)
    scores = scores[scores.measure == "accuracy"]
    methods = page.experiments[name].methods
    ceiling = scores[[methods[key].control == "ceiling" for key in scores.method]].value
    found = scores[[methods[key].control != "ceiling" for key in scores.method]]
    found = found.groupby("method").value.agg([median, median_interval]).sort_values("median")
    places = np.arange(len(found))
    low, high = np.array(found["median_interval"].tolist()).T
    colors = [GRAY if methods[key].control else "C0" for key in found.index]
    figure, ax = plt.subplots(figsize=(5.6, 0.27 * len(found) + 0.9))
    if len(ceiling):
        ax.axvline(median(ceiling), color="0.3", ls=":", lw=1)
    ax.hlines(places, low, high, colors=colors, lw=1.5)
    ax.scatter(found["median"], places, c=colors, s=25, zorder=3)
    ax.set(yticks=places, yticklabels=[methods[key].label for key in found.index])
    ax.set_xlabel("share of odd ones out predicted")
    return figure


def n_learned(page, name, method, trial=0):
    """Return the number of dimensions that a method learned in a trial."""
    return _learned(page, name, method, trial).shape[1]


def _learned(page, name, method, trial):
    """Return the learned dimensions, without the places of those that were dropped."""
    points = page.points(name, page.dataset(name), Curve(method, "default"), trial=trial)
    return points[:, np.isfinite(points).any(axis=0)]


def beside_published(page, name, method, published, trial=0):
    """Draw the correlation of each published dimension with the learned one that is most like it.

    It is named by the three objects that have most of it. `published` has the label of each
    control that has published dimensions.
    """
    learned = _learned(page, name, method, trial)
    objects = page.arrays(page.dataset(name)).get("object_names", range(1, len(learned) + 1))
    objects = np.array([re.sub(r"_|(?<=\D)(?=\d+$)", " ", str(word)) for word in objects])
    methods = page.experiments[name].methods
    shown = {
        label: page.arrays(methods[control].features)["features"]
        for control, label in published.items()
    }
    most = max(others.shape[1] for others in shown.values())
    figure, axes = plt.subplots(
        1, len(shown), figsize=(PAGE, 0.135 * most + 0.8), sharex=True, squeeze=False
    )
    for ax, (label, others) in zip(axes[0], shown.items(), strict=True):
        found = correlations(learned, others).max(axis=0)
        order, places = np.argsort(-found, kind="stable"), range(len(found))
        names = [", ".join(objects[np.argsort(-others[:, n])[:3]]) for n in order]
        ax.hlines(places, 0, found[order], color="0.85", lw=1)
        ax.plot(found[order], places, "o", color="C0")
        ax.set_yticks(places, [shorten(words, 40, placeholder=" …") for words in names], fontsize=6)
        ax.set(title=label, xlabel="correlation", ylim=(most - 0.4, -0.6))
        ax.set(xlim=(0, 1.02), xticks=[0, 0.5, 1])
    return figure
