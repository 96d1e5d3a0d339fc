"""Curves: which rows of the scores they show, and what is drawn over what was spent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from closerthan_study.figures.panels import draw
from closerthan_study.figures.style import CONTROLS, Curve, Look, looks_of

__all__ = [
    "completed",
    "effective_passes",
    "find_divergences",
    "learning_curves",
    "looks_for",
    "over_epochs",
    "over_sweep",
    "over_values",
    "rows_of",
    "with_variant",
]

KEYS = ["method", "variant", "batch_size"]
_UNMARKED = ("paper", "control")  # variants that a label does not name
GRAY = "0.55"
_MOST = 60  # points of a line that a panel can show


# Which rows


def with_variant(curves, variant, words="", dashes=None):
    """Return curves of another variant, their labels with some words added, in other dashes.

    Examples
    --------
    >>> from closerthan_study.figures.style import Curve
    >>> with_variant([Curve("batch", label="STE-Batch")], "default", " (default)")[0].label
    'STE-Batch (default)'
    """
    other = {"variant": variant} | ({} if dashes is None else {"dashes": dashes})
    return [replace(curve, label=curve.label and curve.label + words, **other) for curve in curves]


def completed(page, name, curves):
    """Return the curves whose method an experiment has, with everything filled in but loss, sweep.

    Parameters
    ----------
    page : Page
    name : str
        The experiment.
    curves : list of Curve
    """
    methods = page.experiments[name].methods
    return [_complete(page, methods[c.method], c) for c in curves if c.method in methods]


def _complete(page, method, curve):
    variant = curve.variant or ("control" if method.control else next(iter(method.variants)))
    size = curve.batch_size or method.batch_sizes_of(variant)[0]
    size = 0 if np.isnan(size) else size  # of a task without mini-batches
    return replace(
        curve,
        variant=variant,
        batch_size=size,
        label=curve.label or name_curve(page, method, variant, size),
        color=curve.method if curve.color is None else curve.color,
        dashes=page.dashes.get(variant, 0) if curve.dashes is None else curve.dashes,
    )


def name_curve(page, method, variant, batch_size=0):
    """Name a method with its variant and mini-batch size as a legend or a table does.

    A study may have a label of its own for `{method} {variant}`.
    """
    own = page.study.labels.get(f"{method.name} {variant}")
    if own:
        return own
    words = [method.label]
    # A variant may have sizes of its own.
    if batch_size and len({*method.batch_sizes, *method.batch_sizes_of(variant)}) > 1:
        words.append(f"b = {batch_size}")
    if variant not in _UNMARKED:
        words.append(page.label(variant))
    return ", ".join(words)


def rows_of(page, name, scores, curves, *, loss=None, panel=""):
    """Return the rows that curves show, each with the label of its curve.

    Parameters
    ----------
    page : Page
    name : str
        The experiment.
    scores : DataFrame
        Tidy scores, of one measure.
    curves : list of Curve
    loss : str, optional
        The loss of curves that do not name one.
    panel : str, default ""
        The title of the panel that shows them.

    Returns
    -------
    DataFrame
        The rows with the columns curve, panel and control (None, or its kind). A row that several
        curves show is there several times.
    """
    methods = page.experiments[name].methods
    tables = []
    for curve in completed(page, name, curves):
        chosen = scores[(scores.method == curve.method) & (scores.variant == curve.variant)]
        if curve.batch_size:
            chosen = chosen[chosen.batch_size == curve.batch_size]
        if curve.loss or loss:
            chosen = chosen[chosen.loss.isin([curve.loss or loss, "none"])]
        if curve.sweep is not None:
            chosen = chosen[chosen["sweep"] == curve.sweep]
        control = methods[curve.method].control
        tables.append(chosen.assign(curve=curve.label, panel=panel, control=control))
    return pd.concat(tables, ignore_index=True)


def looks_for(page, name, curves):
    """Return the looks of curves by label; controls are gray."""
    curves = completed(page, name, curves)
    methods = page.experiments[name].methods
    wanted = [(c.label, c.color, c.dashes) for c in curves if not methods[c.method].control]
    looks = looks_of(wanted, page.colors)
    for curve in curves:
        control = methods[curve.method].control
        if control:
            looks[curve.label] = Look(GRAY, CONTROLS.get(control, (1, 1.5)), "")
    return looks


# Figures


def learning_curves(page, name, curves, *, dataset=None, measure="test_error", rows=None, **looks):
    """Draw a measure of an experiment while it learns.

    Parameters
    ----------
    page : Page
    name : str
        The experiment.
    curves : list of Curve, or dict of str to list of Curve
        Those of every panel: then there is a panel for each loss of the study. Or those of each
        panel, by its title.
    dataset : str, optional
        The one data set of the experiment, where none is given.
    measure : str, default "test_error"
    rows : DataFrame, optional
        Tidy rows to draw, the scores of the data set where none are given.
    **looks
        What `draw` takes; `x` is the epoch, or for streams the number of triplets.

    Returns
    -------
    matplotlib.figure.Figure
        A cross at the top of a panel marks a trial that diverged.
    """
    dataset = dataset or page.dataset(name)
    scores = page.scores(name, dataset) if rows is None else rows
    of_measure = scores[scores.measure == measure]
    if isinstance(curves, dict):
        panels = [(panel, of_panel, None) for panel, of_panel in curves.items()]
    else:
        panels = [(title, curves, loss) for loss, title in page.losses.items()]
    tidy, ends = [], []
    diverged = find_divergences(scores)
    for panel, of_panel, loss in panels:
        tidy.append(rows_of(page, name, of_measure, of_panel, loss=loss, panel=panel))
        ends.append(rows_of(page, name, diverged, of_panel, loss=loss, panel=panel))
    tidy, ends = pd.concat(tidy), pd.concat(ends)
    streamed = of_measure.triplets.notna().any()
    options = {"x": "triplets" if streamed else "epoch", "ylabel": measure.replace("_", " ")}
    every = [curve for _, of_panel, _ in panels for curve in of_panel]
    return draw(tidy, looks_for(page, name, every), ends=ends, **options | looks)


def find_divergences(scores):
    """Return the fits whose points overflowed, with the first epoch at which that shows.

    Parameters
    ----------
    scores : DataFrame
        Tidy scores with the measure `norm`.

    Returns
    -------
    DataFrame
        method, variant, batch_size, loss, noise, sweep, trial and epoch: the first one on the grid
        of the curves whose norm is beyond 1e12 or not a number.
    """
    norms = scores[scores.measure == "norm"]
    beyond = norms[~(norms.value <= 1e12)]
    keys = [*KEYS, "loss", "noise", "sweep", "trial"]
    return beyond.groupby(keys, dropna=False).epoch.min().reset_index()


def effective_passes(page, name):
    """Return the scores of streams over effective passes: gradient evaluations a triplet.

    They are one more than the revisits of an online method, and the full gradient steps of batch.
    """
    scores = page.scores(name)
    methods = page.experiments[name].methods
    online = [key for key, method in methods.items() if "revisits" in method.sweep]
    return scores.assign(passes=scores["sweep"] + scores.method.isin(online))


def over_epochs(page, races, curves, **looks):
    """Draw the error of maps over the epochs in which they are searched for.

    A trial that has stopped keeps its last error.

    Parameters
    ----------
    page : Page
    races : list of (str, str)
        Experiments and data sets, a panel each; or one, and then a panel for each key of `curves`.
    curves : list of Curve, or dict of str to list of Curve
    **looks
        What `draw` takes.
    """
    tidy = []
    for name, dataset in races:
        scores = page.scores(name, dataset)
        errors = prolonged(scores[scores.measure == "mse"])
        panels = curves if isinstance(curves, dict) else {page.label(dataset): curves}
        tidy += [rows_of(page, name, errors, c, panel=title) for title, c in panels.items()]
    every = [c for cs in curves.values() for c in cs] if isinstance(curves, dict) else curves
    options = {"x": "epoch", "xlabel": "epoch", "xscale": "log", "yscale": "log"}
    options |= {"ylabel": "mean squared error of the distances", "size": (3.2, 3.0)}
    return draw(pd.concat(tidy), looks_for(page, races[0][0], every), **options | looks)


def over_values(page, name, method, variants, parameter):
    """Return for each variant the curves of a method at all values of the parameter it sweeps.

    Parameters
    ----------
    page : Page
    name : str
        The experiment.
    method : str
    variants : dict of str to str
        The variants, each with the title of its panel.
    parameter : str
        What a legend calls the parameter.

    Returns
    -------
    dict of str to list of Curve
    """
    values = sorted(value for _, value in page.experiments[name].methods[method].sweeps)
    return {
        title: [
            Curve(method, variant, f"{parameter} {value:g}", sweep=value, color=n, dashes=0)
            for n, value in enumerate(values)
        ]
        for variant, title in variants.items()
    }


def prolonged(rows):
    """Return curves that go on to the last epoch of any with their last value, from epoch 1.

    Where there are more epochs than a panel can show, they are thinned, evenly on a logarithmic
    axis.
    """
    keys = ["dataset", "method", "variant", "loss", "batch_size", "noise", "sweep", "trial"]
    wide = rows.pivot(index="epoch", columns=keys, values="value").sort_index().ffill().loc[1:]
    if len(wide) > _MOST:
        places = np.geomspace(1, len(wide), _MOST).round().astype(int) - 1
        wide = wide.iloc[np.unique(places)]
    return wide.unstack().rename("value").reset_index()


def over_sweep(page, names, curves, measures, *, xlabel, printed=None, **looks):
    """Draw what is reached over the values of a swept parameter, a panel a measure.

    Parameters
    ----------
    page : Page
    names : dict of str to float or None
        The experiments, with the value that one without a sweep has.
    curves : list of Curve
    measures : dict of str to (str, float)
        The measures, each with the title of its panel and what its values are divided by.
    xlabel : str
    printed : (str, str), optional
        A table or figure and a measure: a line at its printed mean, divided by as many triplets as
        the paper has.
    **looks
        What `draw` takes.
    """
    tidy = []
    for name, value in names.items():
        scores = page.scores(name)
        scores = scores if value is None else scores.assign(sweep=float(value))
        scores = scores[scores.triplets == scores.triplets.max()]
        for measure, (title, divisor) in measures.items():
            chosen = scores[scores.measure == measure]
            chosen = chosen.assign(value=chosen.value / divisor)
            tidy.append(rows_of(page, name, chosen, curves, panel=title))
    tidy, looks_by_label = pd.concat(tidy), looks_for(page, next(iter(names)), curves)
    if printed:
        artefact, measure = printed
        row = page.beside(artefact).set_index("statistic").loc["mean"]
        whole = page.spec.whole.experiment(page.name, row.experiment)
        level = {"curve": "printed", "value": row.printed / whole.comparisons.n_train}
        level |= {"panel": measures[measure][0], "control": "printed"}
        tidy = pd.concat([tidy, pd.DataFrame([level])])
        looks_by_label["printed"] = Look(GRAY, CONTROLS["truth"], "")
    options = {"x": "sweep", "xlabel": xlabel, "sharey": False, "size": (4, 3.2)}
    return draw(tidy, looks_by_label, **options | looks)
