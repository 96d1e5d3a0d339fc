"""Draw a table of each paper, our numbers beside the printed ones, for README: `python docs/papers.py`.

All numbers come from `results/published/printed.csv`.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from pictures import keep, recording
from PIL import Image

from closerthan_study.figures.style import style

DOCS = Path(__file__).parent
PICTURE = DOCS / "papers.png"
PRINTED = DOCS.parent / "results" / "published" / "printed.csv"
OURS, THEIRS = "#0072b2", "#d55e00"
NAMES = {
    "svrg-sbb0": "SVRG-SBB0",
    **{f"svrg-sbb-b{n}": f"SVRG-SBBε, b = {n}" for n in (1, 5, 10, 20, 50, 100)},
    "pa-erkle": "PA-ERKLE",
    "batch": "batch",
    "euclidean": "Euclidean distance",
    "original": "original features",
    "pattern-search-mds": "pattern search",
    "isomap": "Isomap",
    "truncated-svd": "truncated SVD",
}
PANELS = {  # what a panel shows, and the rows of printed.csv that it has
    "SVRG-SBB, Table 1 (GNMDS)\nseconds to an error of 0.15 (b = 1 takes 1)": (
        "study == 'svrg_sbb' and artefact == 'table-1' and loss == 'gnmds' and setting == 'mean'"
    ),
    "SDCA, Table 2 (letter)\nmean average precision": (
        "study == 'sdca' and artefact == 'table-2' and dataset == 'letter'"
    ),
    "Pattern search MDS, Table 2 (MNIST)\nF1 of the nearest neighbor": (
        "study == 'pattern_search' and artefact == 'table-2'"
    ),
    "ERKLE, section 5.2\neigenpairs that 10,000 answers need": (
        "study == 'erkle' and setting == 'mean'"
    ),
}
UNIT = "svrg-sbb-b1"


def rows(which):
    """Return the methods of a table that have a printed number and one of ours."""
    found = pd.read_csv(PRINTED).query(which).dropna(subset=["printed", "ours"])
    found = found.set_index("method")[["printed", "ours", "low", "high"]]
    if UNIT in found.index:
        unit = found.loc[UNIT]
        found["printed"] /= unit["printed"]
        found[["ours", "low", "high"]] /= unit["ours"]
    return found


def draw(path):
    """Draw all panels, and save them."""
    style()
    heights = {"height_ratios": (10, 7)}
    figure, axes = plt.subplots(2, 2, figsize=(7.2, 4.6), gridspec_kw=heights)
    for ax, (title, which) in zip(axes.flat, PANELS.items(), strict=True):
        panel(ax, title, rows(which))
    axes[0, 0].set_xscale("log")
    axes[0, 0].set_xticks([0.2, 0.5, 1, 2, 5, 10], ["0.2", "0.5", "1", "2", "5", "10"], minor=False)
    axes[0, 0].set_xticks([], minor=True)
    axes[1, 1].set(xlim=(0, 10_000), ylim=(1, -1))
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.savefig(path, dpi=140)
    plt.close(figure)


def panel(ax, title, numbers):
    """Draw a line for each method, from the printed number to ours."""
    places = range(len(numbers))
    ax.hlines(places, numbers["printed"], numbers["ours"], color="0.85")
    ax.hlines(places, numbers["low"], numbers["high"], color=OURS, lw=3, alpha=0.4)
    ax.plot(numbers["printed"], places, "o", mec=THEIRS, mfc="white", ms=6, label="printed")
    ax.plot(numbers["ours"], places, "o", color=OURS, ms=5, label="ours, with its 95 % interval")
    ax.set_yticks(places, [NAMES.get(name, name.upper()) for name in numbers.index])
    ax.set_title(title, loc="left", fontsize=9)
    ax.invert_yaxis()


def main():
    with tempfile.TemporaryDirectory() as folder, recording() as saved:
        draw(Path(folder, PICTURE.name))
        with Image.open(Path(folder, PICTURE.name)) as drawn:
            keep(drawn, PICTURE, saved[PICTURE.name])


if __name__ == "__main__":
    plt.switch_backend("agg")
    main()
