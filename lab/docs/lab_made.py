"""What the lab's pages show that is made when their site is."""

import sys
from functools import partial
from pathlib import Path

import pandas as pd

DOCS = Path(__file__).parent
HOUSES = {"closerthan_lab": DOCS.parent / "src"}
sys.path.append(str(DOCS.parents[1] / "docs"))
from made import holding, modules, write_pages  # noqa: E402


def calibration():
    """What `make calibrate` found: a sentence, and the designs that are the exceptions."""
    table = pd.read_csv(DOCS / "calibration.csv")
    is_usual = (table["held"] - 0.9).abs() < 0.05
    usual = table[is_usual]["held"]
    rows = [
        f"In {len(usual)} of {len(table)} designs, 90 % ellipses hold a share of "
        f"{usual.min():.2f} to {usual.max():.2f} of the true places. The exceptions:\n",
        "| design | share held |",
        "|---|---|",
    ]
    rows += [f"| {row.design} | {row.held:.2f} |" for row in table[~is_usual].itertuples()]
    return "\n".join(rows) + "\n"


MADE = {
    "calibration": calibration,
    "modules": partial(modules, HOUSES),
}

if __name__ == "__main__":
    write_pages(holding(DOCS.glob("*.md")), MADE)
