"""Draw retrieval by embedded points: what queries find, by budget and by class."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

from closerthan_study.figures.curves import KEYS, completed, learning_curves, looks_for, rows_of
from closerthan_study.figures.panels import Layout, draw, hide_frame
from closerthan_study.figures.tables import at_the_end, name_rows, sort_rows
from closerthan_study.tasks.setup import Setup

_RANKS = 30  # ranks shown per query


def middle_noise(page, name):
    """Return the middle noise level of an experiment."""
    noises = sorted(page.experiments[name].noises)
    return noises[(len(noises) - 1) // 2]


def table(page, name, dataset, noise):
    """Return means at the end of the budget: printed protocol, held-out protocol, test error."""
    scores = page.scores(name, dataset)
    n_items = page.experiments[name].comparisons.n_items
    names = {
        "MAP@R": "MAP, printed",
        "P@R": "P@R, printed",
        "MAP": "MAP, held-out",
        "precision": f"P@{n_items}, held-out",
        "recall": f"R@{n_items}, held-out",
        "final_error": "test error",
    }
    rows = scores[scores.noise == noise]
    rows = rows[~rows.measure.isin(["precision", "recall"]) | (rows.k == n_items)]
    ends = at_the_end(rows, list(names))
    means = ends.groupby(["loss", *KEYS])[list(names)].mean().reset_index()
    found = name_rows(page, name, sort_rows(page, name, means)).rename(columns=names)
    return found[["loss", "method", *names.values()]]


def budgets(page, name, dataset, curves, noise):
    """Draw MAP of held-out queries over the budget, one panel per loss."""
    scores = page.scores(name, dataset)
    scores = scores[(scores.noise == noise) & ((scores.epoch > 0) | (scores.loss == "none"))]
    layout = {"xscale": "log", "ylabel": "MAP"}
    return learning_curves(page, name, curves, rows=scores, measure="MAP", **layout)


def recall(page, name, dataset, curves):
    """Draw the final recall at K of held-out queries, with panels by noise level and loss."""
    scores = page.scores(name, dataset)
    rows = scores[scores.measure == "recall"]
    last = rows.groupby([*KEYS, "loss", "noise", "trial"]).epoch.transform("max")
    rows = rows[rows.epoch == last]
    noises = page.experiments[name].noises
    tidy = [
        rows_of(page, name, rows[rows.noise == noise], curves, loss=loss, panel=title)
        for noise in noises
        for loss, title in page.losses.items()
    ]
    # Controls have a curve over K, too.
    tidy = pd.concat(tidy).assign(control=None)
    ylabel = [f"Recall@K, {100 * noise:.0f} % swapped" for noise in noises]
    layout = Layout("k", row="noise", xlabel="K", ylabel=ylabel, sharey=True, markers=False)
    return draw(tidy, looks_for(page, name, curves), layout)


def embedding(page, name, dataset, curve, noise):
    """Draw the objects of the first trial in their principal plane, one panel per loss."""
    objects = page.trial(name, dataset)
    labels = objects[objects.part == "item"].label
    colors = _colors_of_classes(objects.label)
    n = len(page.losses)
    figure, axes = plt.subplots(1, n, figsize=(2.5 * n, 2.7))
    (curve,) = completed(page, name, [curve])
    for ax, (loss, title) in zip(axes, page.losses.items(), strict=True):
        points = _points(page, name, dataset, curve, loss, noise)
        centered = points - points.mean(axis=0)
        plane = centered @ np.linalg.svd(centered, full_matrices=False)[2][:2].T
        ax.scatter(*plane.T, s=5, c=[colors[label] for label in labels], lw=0, rasterized=True)
        hide_frame(ax, title=title)
    return figure


def queries(page, name, dataset, curves, noise, *, n_queries=6):
    """Draw the classes of the first items that held-out queries of the first trial find."""
    from closerthan_study.tasks.ordinal.retrieval import Retrieval

    objects = page.trial(name, dataset)
    search = Retrieval(Setup(page.spec, page.experiments[name], dataset), raw=False)
    items, asked = (objects[objects.part == part] for part in ("item", "query"))
    colors = _colors_of_classes(objects.label)
    picked = np.linspace(0, len(asked) - 1, n_queries).round().astype(int)
    curves = completed(page, name, curves)
    *_, smoother = search.features_of(0)
    figure, axes = plt.subplots(len(curves), 1, figsize=(7.5, 1.45 * len(curves)), sharex=True)
    for ax, curve in zip(axes, curves, strict=True):
        points = _points(page, name, dataset, curve, curve.loss or "none", noise)
        center = points.mean(axis=0)
        places = smoother @ (points - center) + center
        for line, query in enumerate(picked):
            order = np.argsort(((points - places[query]) ** 2).sum(axis=1))[:_RANKS]
            truth, hits = asked.label.iloc[query], items.label.to_numpy()[order]
            ax.scatter([-1], [line], marker="s", s=48, color=colors[truth])
            ax.scatter(
                range(1, _RANKS + 1), [line] * _RANKS, marker="s", s=36, c=[colors[h] for h in hits]
            )
            right = np.flatnonzero(hits == truth)
            ax.scatter(right + 1, [line] * len(right), s=7, color="k")
        title = f"{page.losses[curve.loss]}, {curve.label}" if curve.loss else curve.label
        ax.set_title(title, fontsize=9)
        ax.set(yticks=[], ylim=(n_queries - 0.4, -0.6))
        ax.set_xticks([-1, 1, 10, 20, _RANKS], ["query", "1", "10", "20", str(_RANKS)])
        ax.tick_params(labelsize=8)
        sns.despine(ax=ax, left=True)
    return figure


def _points(page, name, dataset, curve, loss, noise):
    """Return the points of the first trial at the end of the budget."""
    return page.points(name, dataset, replace(curve, loss=loss), noise=noise)


def _colors_of_classes(labels):
    """Return the color of each class; colors repeat after twenty classes."""
    classes = np.unique(labels)
    return dict(zip(classes, plt.get_cmap("tab20")(np.arange(len(classes)) % 20), strict=True))
