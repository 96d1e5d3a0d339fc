"""The scoreboard: the verdicts on the claims of all papers, part by part."""

import re
from itertools import product
from pathlib import Path
from textwrap import fill, shorten

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from closerthan_study import colors
from closerthan_study.claims import outcomes
from closerthan_study.claims.cases import FAIR, NOBODY, PAPER
from closerthan_study.figures.panels import label_ticks
from closerthan_study.spec.printed import STAND_IN

# Told apart by shape as well as by color.
SHAPES = dict(zip(outcomes.OUTCOMES, "oDXPs", strict=True))
HATCH = {"hatch": "////", "edgecolor": "0.3", "linewidth": 0}
# The panels of a figure, each with whose baselines it shows.
GROUPS = {"the paper's own baselines": (NOBODY, PAPER), "fair baselines": (FAIR,)}
_TITLE = 150  # letters of a claim's title
_WRAP = 58  # letters of it in a line
_SMALL = 7.5  # font size of titles


def read(page):
    """Return the judged claims, with the short name of each paper, in the order of the studies."""
    claims = pd.read_csv(Path(page.reports, "scoreboard.csv"), keep_default_na=False)
    return _by_paper(page, claims.assign(title=claims.statement.map(title_of)))


def read_parts(page):
    """Return the parts of the claims, with the short name of each paper and the claims' titles."""
    parts = pd.read_csv(Path(page.reports, "parts.csv"))
    words = dict.fromkeys(["baselines", "loss", "dataset"], object)
    columns = [*parts.select_dtypes(["object", "string"]), *words]
    parts = parts.astype(words).fillna(dict.fromkeys(columns, ""))
    for column in ("loss", "dataset"):
        pairs = zip(parts.study, parts[column], strict=True)
        parts[column] = [page.spec.study(study).label(name) for study, name in pairs]
    return _titled(page, parts)


def read_readings(page):
    """Return the claims under each reading of their hinges, as `read_parts` does."""
    return _titled(page, pd.read_csv(Path(page.reports, "readings.csv"), keep_default_na=False))


def title_of(statement):
    """Return the first sentence of a claim, at most 150 letters of it.

    >>> title_of("PA-ERKLE is faster (in Fig. 2 all along). Batch was timed twice.")
    'PA-ERKLE is faster (in Fig. 2 all along)'
    """
    first = re.split(r"(?<!Fig)[.;] ", statement)[0].removesuffix(".")
    return shorten(first, _TITLE, placeholder=" …")


def _titled(page, table):
    keys = ["study", "claim"]
    return _by_paper(page, table).merge(read(page)[[*keys, "title"]].drop_duplicates(keys), "left")


def _by_paper(page, table):
    studies = dict.fromkeys([*page.spec.studies, *page.spec.known_studies])
    papers = {name: page.spec.study(name).title.partition(":")[0] for name in studies}
    table["paper"] = pd.Categorical(table.study.map(papers), papers.values())
    table = table.sort_values("paper", kind="stable", ignore_index=True)
    return table.astype({"paper": object})


def verdicts(claims):
    """Draw the number of claims by verdict for each paper, against both kinds of baselines."""
    columns = {
        "verdict": "the paper's own baselines",
        "verdict_fair": "fair baselines",
    }
    papers = list(dict.fromkeys(claims.paper))
    size = (10.5, 0.5 * len(papers) + 1.8)
    figure, axes = plt.subplots(1, 2, figsize=size, sharey=True, width_ratios=(2, 1))
    for ax, (column, title) in zip(axes, columns.items(), strict=True):
        judged = claims[claims[column] != ""]
        keys = [judged.paper, judged[column], judged.data.eq(STAND_IN)]
        counts = judged.groupby(keys, sort=False).size().unstack([1, 2], fill_value=0)
        counts = counts.reindex(papers, fill_value=0)
        left = pd.Series(0, index=counts.index)
        for key in product(outcomes.VERDICTS, (False, True)):
            if key not in counts:
                continue
            look = {"color": colors.VERDICTS[key[0]]} | (HATCH if key[1] else {})
            bars = ax.barh(papers, counts[key], left=left, **look)
            numbers = [str(n) if n else "" for n in counts[key]]
            ax.bar_label(bars, numbers, label_type="center", fontsize=8)
            left = left + counts[key]
        ax.set(xlabel="claims", title=title)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0].invert_yaxis()
    found = {*claims.verdict, *claims.verdict_fair}
    handles = {
        verdict: plt.Rectangle((0, 0), 1, 1, color=colors.VERDICTS[verdict])
        for verdict in outcomes.VERDICTS
        if verdict in found
    }
    if claims.data.eq(STAND_IN).any():
        handles["on stand-in data"] = plt.Rectangle((0, 0), 1, 1, facecolor="white", **HATCH)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=6)
    return figure


def readings(rows):
    """Draw the verdict of each claim of one paper under each reading of its hinge."""
    figure, ax = plt.subplots(figsize=(10, 0.27 * len(rows) + 0.8))
    first = ~rows.claim.duplicated()
    weights = np.where(first, "bold", "normal")
    for y, (row, weight) in enumerate(zip(rows.itertuples(), weights, strict=True)):
        ax.scatter(0, y, 90, colors.VERDICTS[row.verdict], marker="s")
        at = {"xytext": (12, 0), "textcoords": "offset points", "va": "center"}
        ax.annotate(fill(row.reading, 80), (0, y), weight=weight, fontsize=8, **at)
    ax.hlines(np.flatnonzero(first)[1:] - 0.5, -0.02, 1, color="0.85", lw=0.8)
    titles = [fill(title, _WRAP) for title in rows.title[first]]
    ax.set_yticks(np.flatnonzero(first) - 0.35, titles, va="top", fontsize=_SMALL)
    ax.tick_params(length=0)
    ax.set(xlim=(-0.02, 1), ylim=(len(rows) - 0.5, -0.5), xticks=[])
    ax.spines[:].set_visible(False)
    handles = [
        Line2D([], [], color=colors.VERDICTS[verdict], marker="s", ls="", label=verdict)
        for verdict in outcomes.VERDICTS
        if verdict in set(rows.verdict)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def marks(parts):
    """Draw a mark for every part of the claims of one paper, one row for each claim."""
    names = dict(zip(parts.claim, parts.title, strict=True))
    widest = [parts[parts.baselines.isin(g)].groupby("claim").size().max() for g in GROUPS.values()]
    widths = [max(6, width) for width in np.nan_to_num(widest, nan=0.0)]  # as wide as a title
    size = (min(4.4 + 0.16 * sum(widths), 13), 0.4 * len(names) + 1.7)
    figure, axes = plt.subplots(1, 2, figsize=size, sharey=True, width_ratios=widths)
    for ax, (title, group), width in zip(axes, GROUPS.items(), widths, strict=True):
        here = parts[parts.baselines.isin(group)]
        place = here.groupby("claim").cumcount() + 1
        row = here.claim.map({name: n for n, name in enumerate(names)})
        for (outcome, own), rows in here.groupby(["outcome", here.data != STAND_IN]):
            color = colors.OUTCOMES[outcome]
            look = {"marker": SHAPES[outcome], "s": 34, "facecolors": color if own else "none"}
            ax.scatter(place[rows.index], row[rows.index], edgecolors=color, linewidths=1, **look)
        ax.set(xlim=(0, width + 1), title=title, xlabel="parts")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    titles = [fill(title, _WRAP) for title in names.values()]
    axes[0].set_yticks(range(len(names)), titles, fontsize=_SMALL)
    axes[0].invert_yaxis()
    _add_legend(figure)
    return figure


def effects(parts):
    """Draw the factors of better contenders: a row for each claim, loss and data set."""
    parts = parts[parts["scale"].eq("factor") & parts.outcome.ne(outcomes.VOID)]
    parts, titles, names = _in_rows(parts)
    n_rows = len(titles) + len(names)
    size = (11, 0.17 * n_rows + 1.9)
    figure, axes = plt.subplots(1, 2, figsize=size, sharex=True, sharey=True)
    finite = parts[["effect", "low", "high", "threshold"]].replace([np.inf, 0.0], np.nan)
    least, most = finite.min().min() / 1.3, finite.max().max() * 1.3
    for ax, (title, group) in zip(axes, GROUPS.items(), strict=True):
        here = parts[parts.baselines.isin(group)]
        within = here.groupby("row").cumcount() + 0.5
        count = here.groupby("row").row.transform("size")
        row = here.row + 0.8 * (within / count - 0.5)
        for outcome, rows in here.groupby("outcome"):
            color = colors.OUTCOMES[outcome]
            ends = rows[["low", "high"]].clip(least, most)
            ax.hlines(row[rows.index], ends.low, ends.high, color=color, lw=1)
            at = rows.effect.clip(least, most)
            ax.scatter(at, row[rows.index], 12, color, marker=SHAPES[outcome], lw=0)
        ax.scatter(here.threshold, row, 18, "black", marker="|", lw=1)
        ax.axvline(1, color="0.8", lw=0.8, zorder=0)
        ax.set(xscale="log", xlim=(least, most), title=title, xlabel="better by a factor of")
    _label_factors(axes[0], least, most)
    look = {"va": "center", "fontsize": _SMALL, "transform": axes[0].get_yaxis_transform()}
    for place, title in titles.items():  # across both panels
        axes[0].text(0.01, place, title, in_layout=False, **look)
    axes[1].patch.set_visible(False)
    axes[1].spines.left.set_visible(False)
    axes[1].tick_params(axis="y", length=0)
    axes[0].set_yticks([*names], names.values(), fontsize=_SMALL)
    axes[0].set_ylim(n_rows - 0.5, -0.5)
    _add_legend(figure, Line2D([], [], color="black", marker="|", ls="", label="threshold"))
    return figure


def _in_rows(parts):
    """Return the parts with their row, the claims' titles by row, and the names of other rows."""
    words = pd.Series("", index=parts.index)
    for column in ("loss", "dataset"):
        word = parts[column].astype(object).fillna("")
        several = (word.groupby(parts.claim).transform("nunique") > 1) & word.ne("")
        words = words.where(~several, words + ", " + word)
    titles, names, row = {}, {}, pd.Series(0, index=parts.index)
    for _, of_claim in words.groupby(parts.claim, sort=False):
        titles[len(titles) + len(names)] = parts.title[of_claim.index[0]]
        for word in dict.fromkeys(of_claim):
            row[of_claim.index[of_claim == word]] = place = len(titles) + len(names)
            names[place] = word.removeprefix(", ")
    return parts.assign(row=row), titles, names


def _label_factors(ax, least, most):
    """Label a logarithmic axis with plain numbers: within two decades, 1, 2 and 5 of each."""
    steps = (1, 2, 5) if most < 100 * least else (1,)
    decades = 10.0 ** np.arange(np.floor(np.log10(least)), np.ceil(np.log10(most)))
    label_ticks(ax, [tick for tick in np.outer(decades, steps).ravel() if least <= tick <= most])


def _add_legend(figure, *others):
    """Add a legend for the marks."""
    handles = [
        Line2D([], [], color=colors.OUTCOMES[name], marker=shape, ls="")
        for name, shape in SHAPES.items()
    ]
    names = [*SHAPES, *(other.get_label() for other in others)]
    figure.legend([*handles, *others], names, loc="outside lower center", ncols=len(names))
