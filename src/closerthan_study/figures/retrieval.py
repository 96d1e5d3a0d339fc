"""Draw retrieval by embedded points: what queries find, by budget and by class."""

import pandas as pd

from closerthan_study.figures.curves import (
    KEYS,
    completed,
    learning_curves,
    looks_for,
    rows_of,
)
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


def budgets(page, name, dataset, curves, noise, measure="MAP"):
    """Draw MAP over the budget, one panel per loss, by default of held-out queries."""
    scores = page.scores(name, dataset)
    scores = scores[scores.noise == noise]
    layout = {"xscale": "log", "ylabel": "MAP"}
    return learning_curves(page, name, curves, rows=scores, measure=measure, **layout)


def beside_print(page, name, artefact, curves, noise):
    """Draw the MAP that is set beside print over the budget; stars are printed values."""
    printed = page.printed_in(artefact)
    printed = printed[(printed.noise == noise) & (printed.measure == "MAP@R")]
    of_curve = ["our_method", "our_variant", "batch_size"]
    figure = budgets(page, name, printed.our_dataset.iloc[0], curves, noise, "MAP@R")
    epochs, looks = page.study.printed.epochs.get(name, {}), looks_for(page, name, curves)
    for curve in completed(page, name, curves):
        wanted = [curve.method, curve.variant, curve.batch_size]
        rows = printed[(printed[of_curve] == wanted).all(axis=1)]
        for ax, loss in zip(figure.axes, page.losses, strict=True):
            last = page.experiments[name].methods[curve.method].epochs_of(loss)
            at, look = min(epochs.get(loss, last), last), {"color": looks[curve.label].color}
            for value in rows.printed[rows.our_loss == loss]:
                ax.plot(at, value, "*", ms=9, mec="white", zorder=9, clip_on=False, **look)
    return figure


def recall(page, name, dataset, curves, noise):
    """Draw the final recall at K, of embedded images and of held-out queries, by loss."""
    scores = page.scores(name, dataset)
    scores = scores[scores.noise == noise]
    last = scores.groupby([*KEYS, "loss", "trial", "measure"]).epoch.transform("max")
    protocols = {"R@K": "Recall@K,\nprinted", "recall": "Recall@K,\nheld-out"}
    rows = scores[(scores.epoch == last) & scores.measure.isin(protocols)]
    rows = rows[rows.k.isin(page.experiments[name].retrieval.k)]
    tidy = [
        rows_of(page, name, rows[rows.measure == measure], curves, loss=loss, panel=title)
        for measure in protocols
        for loss, title in page.losses.items()
    ]
    # Controls have a curve over K, too.
    tidy = pd.concat(tidy).assign(control=None)
    ylabel = list(protocols.values())
    layout = Layout("k", row="measure", xlabel="K", ylabel=ylabel, sharey=True, markers=False)
    return draw(tidy, looks_for(page, name, curves), layout)
