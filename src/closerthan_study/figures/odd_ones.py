"""Compare predictions of odd ones out, and dimensions with published ones."""

import matplotlib.pyplot as plt
import numpy as np

from closerthan_lab.spose.refits import correlations
from closerthan_study.figures import captions
from closerthan_study.figures.curves import GRAY, Panel, draw_panels
from closerthan_study.figures.spread import median, median_interval
from closerthan_study.figures.style import Curve


def sizes(page, name):
    """Say how many answers a trial has, and how many trials there are."""
    answers = captions.sizes(page, name, of="answers")
    return f"{answers}; {captions.trials(page.experiments[name])}"


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


def beside_published(page, name, method, published, trial=0):
    """Draw the correlations of learned dimensions with published ones, a panel for each set.

    Each published dimension stands at the row that it correlates with most.
    """
    learned = page.points(name, page.dataset(name), Curve(method, "default"), trial=trial)
    learned = learned[:, np.isfinite(learned).any(axis=0)]
    shown = {}
    for control, label in published.items():
        others = page.arrays(page.experiments[name].methods[control].features)["features"]
        shown[label] = correlations(learned, others)
    widths = [values.shape[1] for values in shown.values()]
    size = 0.065 * sum(widths) + 2.2, 0.065 * learned.shape[1] + 1.4
    figure, axes = plt.subplots(1, len(shown), figsize=size, sharey=True, width_ratios=widths)
    for ax, (label, values) in zip(np.atleast_1d(axes), shown.items(), strict=True):
        order = np.lexsort([-values.max(axis=0), values.argmax(axis=0)])
        extent = 0.5, values.shape[1] + 0.5, len(learned[0]) + 0.5, 0.5  # both count from 1
        look = {"vmin": 0, "vmax": 1, "cmap": "Greys", "aspect": "auto", "extent": extent}
        image = ax.imshow(values[:, order], **look)
        ax.set(xticks=[], xlabel=f"{values.shape[1]} of {label}")
    np.atleast_1d(axes)[0].set_ylabel("learned dimension")
    figure.colorbar(image, ax=axes, label="correlation", shrink=0.7)
    return figure
