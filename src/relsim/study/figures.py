"""What the notebooks share: reading scores, naming curves and drawing them."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

CURVE = ["method", "variant", "batch_size"]
_LINES = {"paper": "-", "released-code": (0, (1, 1)), "tuned": "--", "default": "-."}
_CONTROLS = {"random": ":", "truth": (0, (5, 3))}


def read_scores(spec, experiment, dataset):
    """Return the scores of all methods of an experiment on a data set, as one tidy table.

    Seconds are left out; `read_seconds` has them.
    """
    folder = _folder(spec, experiment, dataset)
    tables = [pd.read_parquet(folder / f"{method}.parquet") for method in experiment.methods]
    return pd.concat(tables, ignore_index=True)


def read_seconds(spec, experiment, dataset):
    """Return the seconds to the target error, which never repeat, as a tidy table."""
    return pd.read_parquet(_folder(spec, experiment, dataset) / "seconds.parquet")


def datasets_of(spec, experiment):
    """Return the data sets on which this run has an experiment."""
    names = [*experiment.datasets, *experiment.fallbacks]
    return [name for name in names if _folder(spec, experiment, name).is_dir()]


def _folder(spec, experiment, dataset):
    return Path(spec.results, "scores", experiment.study, experiment.name, dataset)


def name_curve(method, variant, batch_size):
    """Name a curve for a legend.

    Examples
    --------
    >>> from relsim.study.spec import Method
    >>> name_curve(Method("svrg", "SVRG", batch_sizes=[1, 20]), "tuned", 20)
    'SVRG, b = 20, tuned'
    """
    words = [method.label]
    if batch_size and len(method.batch_sizes) > 1:
        words.append(f"b = {batch_size}")
    if variant in ("released-code", "tuned", "default"):
        words.append(variant.replace("-", " "))
    return ", ".join(words)


def count_trials(experiment, methods=None):
    """Say how many trials and epochs there were, and where a method had fewer.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> count_trials(SimpleNamespace(trials=5, epochs=60, methods={}))
    '5 trials of 60 epochs'
    """
    words = f"{experiment.trials} trials of {experiment.epochs} epochs"
    for method in experiment.methods.values():
        if method.reason and (methods is None or method.name in methods):
            words += (
                f"; {method.label}: {method.trials} of {method.epochs} epochs, as {method.reason}"
            )
    return words


def find_divergences(scores):
    """Return the fits whose points overflowed, with the first epoch at which that shows.

    Parameters
    ----------
    scores : DataFrame
        Tidy scores with the measure `norm`.

    Returns
    -------
    DataFrame
        method, variant, batch_size, loss, noise, trial and epoch: the first one on the grid of
        the curves whose norm is beyond 1e12 or not a number.
    """
    norms = scores[scores.measure == "norm"]
    beyond = norms[~(norms.value <= 1e12)]
    keys = [*CURVE, "loss", "noise", "trial"]
    return beyond.groupby(keys, dropna=False).epoch.min().reset_index()


def draw_curves(experiment, scores, curves, losses, looks, *, measure="test_error", log=False):
    """Draw learning curves, a panel a loss: the median over trials and the quartile band.

    Parameters
    ----------
    experiment : Experiment
    scores : DataFrame
        Tidy scores of the experiment.
    curves : list of (str, str, int)
        Method, variant and mini-batch size of each curve; the size is 0 where there is none.
        Control methods are drawn as horizontal lines in every panel. A cross at the top marks a
        trial that diverged, at the epoch where it did.
    losses : dict of str to str
        The losses by key, with the title of the panel.
    looks : dict
        What `relsim.study.reports.palette` gives for the methods.
    measure : str, default "test_error"
    log : bool, default False
        Whether the vertical axis is logarithmic.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = plt.subplots(
        1, len(losses), figsize=(2.9 * len(losses), 3.8), sharey=True, sharex=True, squeeze=False
    )
    of_measure = scores[scores.measure == measure]
    diverged = find_divergences(scores)
    for ax, (loss, title) in zip(axes[0], losses.items(), strict=True):
        for name, variant, batch_size in curves:
            method = experiment.methods[name]
            rows = of_measure[
                (of_measure.method == name)
                & (of_measure.variant == variant)
                & (of_measure.batch_size == batch_size)
                & of_measure.loss.isin([loss, "none"])
            ]
            quartiles = rows.groupby("epoch").value.quantile([0.25, 0.5, 0.75]).unstack()
            if method.control:
                line = _CONTROLS[method.control]
                ax.axhline(quartiles[0.5].iloc[0], color="0.6", lw=1, ls=line, label=method.label)
                continue
            look = {"color": looks[name]["color"], "ls": _LINES[variant]}
            look["lw"] = 1.0 if batch_size > 1 else 1.5
            label = name_curve(method, variant, batch_size)
            ax.fill_between(
                quartiles.index, quartiles[0.25], quartiles[0.75], color=look["color"], alpha=0.15
            )
            ax.plot(quartiles.index, quartiles[0.5], label=label, **look)
            ends = diverged[
                (diverged.method == name)
                & (diverged.variant == variant)
                & (diverged.batch_size == batch_size)
                & (diverged.loss == loss)
            ].epoch
            if len(ends):
                at_the_top = {"transform": ax.get_xaxis_transform(), "in_layout": False}
                ax.plot(ends, [0.98] * len(ends), "x", color=look["color"], ms=6, **at_the_top)
        ax.set(title=title, xlabel="gradient evaluations / |Q|")
    axes[0, 0].set_yscale("log" if log else "linear")
    if not log:
        axes[0, 0].set_ylim(bottom=0)
    axes[0, 0].set_ylabel(measure.replace("_", " "))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


def mean_and_band(table, by, value="value"):
    """Return the mean over trials and its 95 % confidence interval, by Student's t.

    Of two trials it is their range: an interval would be 13 times as wide.

    Parameters
    ----------
    table : DataFrame
        A row a trial.
    by : str or list of str
        What the trials are grouped by.
    value : str, default "value"

    Returns
    -------
    DataFrame
        mean, low and high, indexed by `by`; low and high are missing for a single trial.

    Examples
    --------
    >>> values = [0.1, 0.2, 0.3, 0.3, 0.4, 0.4]
    >>> table = pd.DataFrame({"triplets": [5, 5, 5, 7, 7, 9], "value": values})
    >>> mean_and_band(table, "triplets").round(3)
              mean    low   high
    triplets
    5         0.20 -0.048  0.448
    7         0.35  0.300  0.400
    9         0.40    NaN    NaN
    """
    grouped = table.groupby(by)[value].agg(["mean", "std", "size"])
    half = stats.t.ppf(0.975, grouped["size"] - 1) * grouped["std"] / np.sqrt(grouped["size"])
    half = half.where(grouped["size"] != 2, grouped["std"] / np.sqrt(2))  # half of their distance
    return pd.DataFrame(
        {"mean": grouped["mean"], "low": grouped["mean"] - half, "high": grouped["mean"] + half}
    )


def draw_means(ax, scores, curves, *, measure, x):
    """Draw the mean of a measure with the band of `mean_and_band`, a line a curve.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    scores : DataFrame
        Tidy scores of an experiment.
    curves : list of (dict, dict)
        For each line the columns that select its rows (a value of None selects what is missing),
        and what matplotlib's `plot` takes: label, color and the like.
    measure : str
    x : str
        The column along the horizontal axis.
    """
    rows = scores[scores.measure == measure]
    for keys, look in curves:
        chosen = rows
        for column, value in keys.items():
            same = chosen[column].isna() if value is None else chosen[column] == value
            chosen = chosen[same]
        if chosen.empty:
            continue
        line = mean_and_band(chosen.astype({x: float}), x)
        ax.plot(line.index, line["mean"], **look)
        ax.fill_between(line.index, line.low, line.high, color=look["color"], alpha=0.15, lw=0)
