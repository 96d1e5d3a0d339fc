"""The scoreboard: what the claims of all papers come to."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import MaxNLocator

from relsim.study.claims.verdicts import (
    DOES_NOT_HOLD,
    HOLDS,
    HOLDS_ONLY,
    NOT_REPRODUCED,
    NOT_YET_RUN,
    REPRODUCED,
    REPRODUCED_ONLY,
    UNDECIDED,
    VERDICTS,
)

__all__ = ["NOT_YET_RUN", "read", "verdicts"]

COLORS = {
    REPRODUCED: "#029e73",
    HOLDS: "#7fd1b9",
    REPRODUCED_ONLY: "#de8f05",
    HOLDS_ONLY: "#f2cf94",
    NOT_REPRODUCED: "#d55e00",
    DOES_NOT_HOLD: "#f0b08c",
    UNDECIDED: "0.6",
    NOT_YET_RUN: "0.88",
}


def read(page):
    """Return the judged claims, with the short name of each paper, in the order of the studies.

    Those that the run leaves out come last.
    """
    claims = pd.read_csv(Path(page.reports, "scoreboard.csv"))
    studies = dict.fromkeys([*page.spec.studies, *page.spec.known_studies])
    papers = {name: page.spec.study(name).title.partition(":")[0] for name in studies}
    claims["paper"] = pd.Categorical(claims.study.map(papers), papers.values())
    claims = claims.sort_values("paper", kind="stable", ignore_index=True)
    return claims.astype({"paper": object}).rename(columns={"by_loss": "each part alone"})


def verdicts(claims):
    """Draw how many claims of each paper have which verdict.

    Parameters
    ----------
    claims : DataFrame
        From `read`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    counts = claims.groupby(["paper", "verdict"], sort=False).size().unstack(fill_value=0)
    counts = counts[[verdict for verdict in VERDICTS if verdict in counts]]
    figure, ax = plt.subplots(figsize=(9, 0.5 * len(counts) + 1.6))
    left = pd.Series(0, index=counts.index)
    for verdict in counts:
        bars = ax.barh(
            counts.index, counts[verdict], left=left, color=COLORS[verdict], label=verdict
        )
        words = [str(n) if n else "" for n in counts[verdict]]
        ax.bar_label(bars, words, label_type="center", fontsize=8)
        left = left + counts[verdict]
    ax.invert_yaxis()
    ax.set_xlabel("claims")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.legend(loc="outside lower center", ncols=3)
    return figure
