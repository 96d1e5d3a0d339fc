"""Draw and tabulate what the court found: errors beside the default's, seconds, failures."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from closerthan_study.figures.spread import interval, median

DEFAULT = "default"
_POINTS = (-100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100)


def differences(table):
    """Return errors less the default's on the same trial, in percentage points.

    There is a row for each data set, the mean over trials, and a column for each contender.
    """
    errors = table.pivot(index=["dataset", "trial"], columns="contender", values="test_error")
    beside = 100 * errors.sub(errors[DEFAULT], axis="index").groupby("dataset").mean()
    return beside[list(dict.fromkeys(table.contender))]


def summary(table):
    """Return for each contender: median difference and interval over data sets, costs, failures."""
    beside, rows = differences(table), []
    for name in beside:
        own = table[table.contender == name]
        failed = own[own.outcome != "ok"]
        low, high = interval(beside[name])
        rows.append(
            {
                "contender": name,
                "data sets": beside[name].count(),
                "difference": median(beside[name]),
                "from": low,
                "to": high,
                "better": (beside[name] < -1).sum(),
                "worse": (beside[name] > 1).sum(),
                "seconds": median(own.seconds / own.fits),
                "log loss": own.log_loss.mean(),
                "failures": ", ".join(
                    f"{why} {n}"
                    for why, n in failed.outcome.str.split(":").str[0].value_counts().items()
                ),
            }
        )
    return pd.DataFrame(rows)


def draw_court(table, labels):
    """Draw differences of errors, a dot for each data set, and the seconds of a fit."""
    rows = summary(table).sort_values("difference", kind="stable", na_position="last")
    beside = differences(table)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(8.6, 0.28 * len(rows) + 1.3), sharey=True, width_ratios=(3, 1)
    )
    for place, row in enumerate(rows.itertuples(index=False)):
        name, color = row.contender, "black" if row.contender == DEFAULT else "#0173b2"
        values = beside[name].dropna()
        left.plot(values, np.full(len(values), place), "o", ms=3.2, mew=0, alpha=0.45, color=color)
        left.hlines(place, row[3], row[4], lw=2, color=color)
        left.plot([row.difference], [place], "D", ms=5.5, mew=0.8, mec="white", color=color)
        own = table[table.contender == name]
        seconds = (own.seconds / own.fits).dropna()
        right.plot(
            seconds, np.full(len(seconds), place), "o", ms=3.2, mew=0, alpha=0.45, color=color
        )
    left.axvline(0, color="0.3", lw=0.8, zorder=0)
    left.set_xscale("symlog", linthresh=3, linscale=0.7)
    low, high = min(-1.5, 1.2 * beside.min().min()), max(1.5, 1.2 * beside.max().max())
    ticks = [tick for tick in _POINTS if low <= tick <= high]
    left.set_xticks(ticks, labels=[f"{tick:+d}" if tick else "0" for tick in ticks])
    left.minorticks_off()
    left.set(xlim=(low, high), ylim=(len(rows) - 0.5, -0.5))
    left.set_xlabel("error less the default's, percentage points")
    left.set_yticks(range(len(rows)), labels=[labels[name] for name in rows.contender])
    right.set(xscale="log", xlabel="CPU seconds of a fit")
    for ax in (left, right):
        ax.grid(axis="x", color="0.92")
        ax.set_axisbelow(True)
    return figure
