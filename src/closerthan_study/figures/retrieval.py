"""Draw retrieval by embedded points: what queries find, by budget and by class."""

import pandas as pd

from closerthan_study.figures.curves import KEYS, learning_curves, looks_for, rows_of
from closerthan_study.figures.panels import Layout, draw
from closerthan_study.figures.tables import at_the_end, name_rows, sort_rows


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
    scores = scores[scores.noise == noise]
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
    ylabel = [f"Recall@K,\n{100 * noise:.0f} % swapped" for noise in noises]
    layout = Layout("k", row="noise", xlabel="K", ylabel=ylabel, sharey=True, markers=False)
    return draw(tidy, looks_for(page, name, curves), layout)
