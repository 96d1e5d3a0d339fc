"""Learning curves for the board: medians and quartiles over trials, thinned, as plain numbers."""

import numpy as np
import pandas as pd

from closerthan_study import tasks
from closerthan_study.figures import captions
from closerthan_study.figures.curves import looks_for, name_curve, thinned
from closerthan_study.figures.style import Curve

_MOST = 61  # places kept of a curve: as many as a learning curve has
_DIGITS = 4  # of a number
_RUN = ["method", "variant", "batch_size", "sweep", "noise", "loss"]  # all except the trial


def curves_of(page):
    """Return all learning curves of a study, a mapping for each experiment and data set.

    A measure has a learning curve if a fit has several values of it, over triplets or over epochs.
    """
    charts = (_chart(page, *place) for place in page.places)
    return [chart for chart in charts if chart]


def _chart(page, name, dataset):
    """The learning curves of an experiment on a data set; None where it has none."""
    experiment = page.experiments[name]
    curves, places, lines = {}, {}, []
    for curve, line in _lines(page, name, dataset):
        line["curve"] = curves.setdefault(curve, len(curves))
        # Many lines have the same places: they are kept once.
        line["x"] = {
            axis: places.setdefault(tuple(at), len(places)) for axis, at in line["x"].items()
        }
        lines.append(line)
    if not lines:
        return None
    words = tasks.module(experiment.task, "scores").MEASURES
    found = sorted({line["measure"]: None for line in lines}, key=lambda m: _order(m, words))
    return page.heading(name, dataset) | {
        "data": captions.data(page, name, dataset),
        "timing": captions.timing(page, name),
        "axes": _axes(lines, bool(page.drawn(name, dataset).get("comparisons"))),
        "measures": {measure: words.get(_without_k(measure), "") for measure in found},
        "losses": {loss: page.label(loss) for loss in dict.fromkeys(x["loss"] for x in lines)},
        "curves": _looks(page, name, curves),
        "places": list(places),
        "lines": lines,
    }


def _lines(page, name, dataset):
    """Yield what tells each run from the others of its loss and noise, and each of its lines."""
    scores = _plain(page.scores(name, dataset))
    place = "triplets" if scores.triplets.notna().any() else "epoch"
    learned = _of_one_k(_with_curves(scores.dropna(subset=[place, "value"]), place))
    methods = page.experiments[name].methods
    seconds = {
        (key, *run): rows
        for key, method in methods.items()
        if not method.control  # which takes none
        for run, rows in _plain(page.fits(name, dataset, key, "seconds.parquet")).groupby(_RUN[1:])
    }
    runs = sorted(learned.groupby(_RUN), key=lambda run: _in_order(page, methods, run[0]))
    for key, rows in runs:
        clock = _wide(seconds[key], place, "seconds") if key in seconds else None
        for (measure, k), of_measure in rows.groupby(["measure", "k"], sort=False):
            words = {"measure": f"{measure} (k = {k:g})" if k >= 0 else measure}
            words |= {"loss": key[5], "noise": key[4]}
            yield key[:4], words | summarize(of_measure, place, clock)


def _in_order(page, methods, key):
    """The place of a run: methods and variants come as in the file of the study."""
    method, variant, *rest = key
    variants = [*page.study.variants, variant]
    return list(methods).index(method), variants.index(variant), rest


def _without_k(measure):
    return measure.partition(" (k")[0]


def _order(measure, words):
    """The place of a measure among those of its task, that of an unknown one last."""
    known = list(words)
    name = _without_k(measure)
    return known.index(name) if name in words else len(known)


def _plain(table):
    """Return a table with plain numbers as keys; -1 where there is none: NaN equals nothing."""
    numbers = [name for name in ("batch_size", "sweep", "noise", "k") if name in table]
    places = [name for name in ("triplets", "epoch") if name in table]
    table = table.astype(dict.fromkeys(numbers + places, float))
    return table.fillna(dict.fromkeys(numbers, -1.0))


def _with_curves(scores, place):
    """Return the rows of measures that have several places in some fit."""
    fits = scores.groupby(["measure", *_RUN, "trial", "k"])[place].nunique()
    most = fits.groupby("measure").max()
    return scores[scores.measure.isin(most.index[most > 1])]


def _of_one_k(scores):
    """Return only the rows of the middle k. The others look alike and would fill the page."""
    ks = sorted(set(scores.k) - {-1.0})
    return scores[scores.k.isin([-1.0, *ks[len(ks) // 2 : len(ks) // 2 + 1]])]


def summarize(rows, place, seconds=None):
    """Return median and quartiles over trials of one measure of one run, by `place`.

    >>> from pandas import DataFrame
    >>> rows = {"trial": [0, 0, 1], "epoch": [1.0, 2.0, 1.0], "value": [4.0, 2.0, 8.0]}
    >>> line = summarize(DataFrame(rows), "epoch")
    >>> line["x"], line["mid"], line["low"], line["trials"]
    ({'epoch': [1.0, 2.0]}, [6.0, 5.0], [5.0, 3.5], 2)
    """
    wide = _wide(rows, place, "value")
    wide = wide.iloc[thinned(len(wide), _MOST)]
    x = {place: compact(wide.index)}
    if place == "triplets":
        epochs = _wide(rows, place, "epoch").reindex(wide.index)
        x["epoch"] = compact(epochs.median(axis="columns"))
    if seconds is not None:
        every = seconds.index.union(wide.index)
        clock = seconds.reindex(every).ffill().reindex(wide.index)
        x["seconds"] = compact(clock.median(axis="columns"))
    trials = wide.shape[1]
    values = wide.to_numpy(float)
    quantile = np.nanquantile if np.isnan(values).any() else np.quantile  # which is much faster
    with np.errstate(invalid="ignore"):  # a fit that diverges has infinities
        low, mid, high = quantile(values, (0.25, 0.5, 0.75), axis=1)
    line = {"x": x, "mid": compact(mid)}
    if trials > 1:
        line |= {"low": compact(low), "high": compact(high)}
    return line | {"trials": trials}


def _wide(rows, place, column):
    """Return the last values of a column: a row for each place, a column for each trial."""
    rows = rows[rows[column].notna()]
    places, row = np.unique(rows[place], return_inverse=True)
    trials, of_trial = np.unique(rows["trial"], return_inverse=True)
    wide = np.full((len(places), len(trials)), np.nan)
    wide[row, of_trial] = rows[column]
    return pd.DataFrame(wide, places, trials).ffill()


def compact(values):
    """Return numbers rounded to few digits, and None for numbers that JSON does not have.

    >>> compact([1 / 3, 12345.6, np.inf])
    [0.3333, 12350.0, None]
    """
    return [float(f"{v:.{_DIGITS}g}") if np.isfinite(v) else None for v in values]


def _axes(lines, compared):
    """Return the axes that curves can be drawn over, each with its label."""
    words = {
        "triplets": "triplets observed",
        "epoch": "gradient evaluations / training comparisons" if compared else "epochs",
        "seconds": "seconds",
    }
    return {axis: words[axis] for axis in words if any(axis in line["x"] for line in lines)}


def _looks(page, name, runs):
    """Return the label and the look of each run; the page has the gray of controls."""
    methods, curves = page.experiments[name].methods, []
    several = len({key for key, *_ in runs if not methods[key].control}) > 1
    for number, (method, variant, *sizes) in enumerate(runs):
        label = name_run(page, methods[method], variant, *sizes)
        color = method if several else number % 16  # of a sweep, one a value
        curves.append(Curve(method, variant, label, color=color))
    looks = looks_for(page, name, curves)
    return [
        {
            "label": curve.label,
            "color": "" if methods[curve.method].control else looks[curve.label].color,
            "dashes": list(looks[curve.label].dashes),
            "control": bool(methods[curve.method].control),
            "method": curve.method,
            "variant": curve.variant,
            "batch_size": batch_size,
        }
        for curve, (_, _, batch_size, _) in zip(curves, runs, strict=True)
    ]


def name_run(page, method, variant, batch_size, sweep):
    """Name a run of a method. Numbers that are missing or below 0 are left out."""
    words = name_curve(page, method, variant, int(batch_size) if batch_size > 0 else 0)
    if method.sweep and sweep >= 0:
        (parameter,) = method.sweep
        words += f", {page.label(parameter)} = {sweep:g}"
    return words
