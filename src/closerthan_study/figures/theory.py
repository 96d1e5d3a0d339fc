"""Show the bounds and conditions of theorems: rates, duality gaps, size of a mini-batch."""

from dataclasses import replace

import pandas as pd

from closerthan_study.figures import tables
from closerthan_study.figures.captions import symbol
from closerthan_study.figures.curves import completed, learning_curves, rows_of
from closerthan_study.figures.panels import Layout, draw
from closerthan_study.figures.style import DASHES, Look, palette

ROUNDING = 1e-15  # smaller duality gaps are rounding and drawn here


MEASURES = {
    "largest_batch": "bound on b",
    "over_bound_25": "over (25)",
    "left_22": "left of (22)",
    "over_bound_22": "over Theorem 1",
    "module_factor": "module factor",
    "over_bound_28": "over (28)",
}


def conditions(page, *names):
    """Return the conditions of the theorems and the ratios to bounds, by method and loss."""
    return pd.concat([_conditions(page, name) for name in names], ignore_index=True)


def _conditions(page, name):
    scores = page.scores(name)
    rows = scores[scores.measure.isin(MEASURES)]
    table = rows.groupby(["loss", "method", "variant", "measure"]).value.median().unstack()
    table = tables.sort_rows(page, name, table.reset_index())
    settings = page.experiments[name].methods
    table["ε"] = [
        settings[row.method].variant(row.variant).settings(row.loss)["epsilon"]
        for row in table.itertuples()
    ]
    table = tables.name_rows(page, name, table).rename(columns=MEASURES)
    return table.reindex(columns=["loss", "method", "ε", *MEASURES.values()])


def rates(page, name, curve):
    """Draw the squared gradients of a curve beside the bound (25), which falls as 1/T."""
    shown = {
        "mean_squared_gradient": "mean squared gradient over the iterates",
        "squared_gradient": "squared gradient at the last iterate",
        "bound_25": "the bound (25) on the mean",
    }
    (curve,) = completed(page, name, [curve])
    rows = page.scores(name)
    rows = rows[(rows.variant == curve.variant) & rows.measure.isin(shown)]
    rows = rows.assign(variant=rows.measure.map(shown), measure="squared gradient norm")
    lines = [replace(curve, variant=v, label=v, dashes=n) for n, v in enumerate(shown.values())]
    scales = {"xscale": "log", "yscale": "log", "floor": 1e-6, "markers": False}
    return learning_curves(page, name, lines, rows=rows, measure=rows.measure.iloc[0], **scales)


def step_rows(page, name, curve):
    """Return the scores, with the limit of SVRG-SBBε's steps and the inverse curvature as variants.

    Eq. (17) makes a step the inverse of |Q| (curvature + epsilon), after the first.
    """
    (curve,) = completed(page, name, [curve])
    scores, experiment = page.scores(name), page.experiments[name]
    variant = experiment.methods[curve.method].variant(curve.variant)
    own = scores[(scores.measure == "step_size") & (scores.epoch > 3)]
    own = rows_of(page, name, own, [curve])
    epsilon = own.loss.map(lambda loss: variant.settings(loss)["epsilon"])
    inverse = experiment.comparisons.n_train * epsilon
    curvature = (1 / own.value - inverse).where(lambda c: c > 0)
    found = {"limit": 1 / inverse, "inverse curvature": 1 / curvature}
    return pd.concat([scores, *(own.assign(variant=v, value=x) for v, x in found.items())])


def gaps(page, name, method):
    """Draw the duality gap, its bound and the gap of gradient descent over epochs.

    There is one panel per data set, and one color per λ.
    """
    scores = page.scores(name)
    letter = symbol(page, next(iter(page.experiments[name].methods[method].sweep)))
    values = sorted(scores["sweep"].dropna().unique())
    kinds = {"duality_gap": "", "gap_bound": ", its bound", "descent_gap": ", gradient descent"}
    tidy, looks = [], {}
    for n, (value, look) in enumerate(zip(values, palette(values).values(), strict=True)):
        for (measure, text), dashes in zip(kinds.items(), DASHES, strict=False):
            label = f"{letter} = {value:g}{text}"
            looks[label] = Look(look.color, dashes, look.marker if not text else "")
            rows = scores[(scores["sweep"] == value) & (scores.measure == measure)]
            tidy.append(rows.assign(curve=label, control=None, order=n))
    tidy = pd.concat(tidy)
    tidy["panel"] = tidy.dataset.map(page.label)
    ticks = {"ylabel": "duality gap", "yscale": "log", "floor": ROUNDING}
    return draw(tidy, looks, Layout("epoch", sharey=False, markers=False, **ticks))
