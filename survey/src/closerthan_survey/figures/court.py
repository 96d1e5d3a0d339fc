"""Draw and tabulate what the court found: errors beside the default's, seconds, failures."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator

from closerthan_study.figures.spread import median, median_interval, with_ends
from closerthan_study.figures.style import PAGE

DEFAULT, BEST, WORST = "default", "ceiling", "random"  # the controls are the ends of all tables
_TICKS = (-30, -10, -3, -1, 0, 1, 3, 10, 30)
_NEAR = 1  # percentage point, in which a difference of errors hardly counts


def differences(table, measure="test_error"):
    """Return a measure minus the default's on the same trial, means by data set and contender."""
    values = table.pivot(index=["dataset", "trial"], columns="contender", values=measure)
    beside = values.sub(values[DEFAULT], axis="index").groupby("dataset", sort=False).mean()
    learners = beside.drop(columns=[BEST, WORST], errors="ignore").median().sort_values()
    return beside.reindex(columns=[BEST, *learners.index, WORST])


def summarize_contenders(table, labels):
    """Return a row for each contender: errors beside the default's, costs and failures."""
    beside, rows = 100 * differences(table), []
    likely = differences(table, "log_loss")
    for name, values in beside.items():
        own = table[table.contender == name]
        failed = own.outcome[own.outcome != "ok"].str.split(":").str[0].value_counts()
        row = {"contender": labels[name], "data sets": int(values.count())}
        row |= with_ends("difference", median(values), *median_interval(values))
        row |= {"better": int((values < -_NEAR).sum()), "worse": int((values > _NEAR).sum())}
        row["log loss, difference"] = median(likely[name])
        row["seconds of a fit"] = median(own.seconds / own.fits)
        row["no result"] = ", ".join(f"{why}: {n}" for why, n in failed.items())
        rows.append(row)
    return pd.DataFrame(rows)


def tabulate_errors(table, labels, names):
    """Return the error of each contender on each data set, in percent, or why there is none."""
    errors = table.groupby(["dataset", "contender"], sort=False)
    cells = errors.test_error.mean().mul(100).map("{:.1f}".format, na_action="ignore")
    cells = cells.fillna(errors.outcome.first().str.split(":").str[0]).unstack()
    cells = cells.reindex(columns=differences(table).columns).rename(columns=labels)
    cells = cells.replace("ok", np.nan)  # a least possible error that is not known
    return cells.rename(index=names).rename_axis("data set", axis="index").reset_index()


def draw_court(table, labels):
    """Draw differences of errors, a dot for each data set, and the seconds of a fit."""
    beside = 100 * differences(table)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(PAGE, 0.25 * beside.shape[1] + 1.2), sharey=True, width_ratios=(3, 1)
    )
    for place, (name, values) in enumerate(beside.items()):
        color = "black" if name in (DEFAULT, BEST, WORST) else "#0173b2"
        dots = {"ls": "none", "marker": "o", "ms": 3.4, "mew": 0, "alpha": 0.45, "color": color}
        left.plot(values, np.full(len(values), place), **dots)
        left.hlines(place, *median_interval(values), lw=2, color=color)
        left.plot([median(values)], [place], "D", ms=5.5, mew=0.8, mec="white", color=color)
        own = table[table.contender == name]
        right.plot(own.seconds / own.fits, np.full(len(own), place), **dots)
    low, high = min(-2.0, 1.2 * beside.min().min()), max(2.0, 1.2 * beside.max().max())
    ticks = [tick for tick in _TICKS if low <= tick <= high]
    left.axvline(0, color="0.3", lw=0.8, zorder=0)
    left.set_xscale("symlog", linthresh=3, linscale=0.7)
    left.set_xticks(ticks, labels=[f"{tick:+d}" if tick else "0" for tick in ticks])
    left.minorticks_off()
    left.set(xlim=(low, high), ylim=(beside.shape[1] - 0.5, -0.5))
    left.set_xlabel("error minus the default's, percentage points")
    left.set_yticks(range(beside.shape[1]), labels=[labels[name] for name in beside])
    right.set(xscale="log", xlabel="CPU seconds of a fit")
    right.xaxis.set_major_locator(LogLocator(numticks=6))
    right.xaxis.set_major_formatter("{x:g}")
    for ax in (left, right):
        ax.grid(axis="x", color="0.92")
        ax.set_axisbelow(True)
    return figure
