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
    """The table of `make calibrate`."""
    rows = ["| design | true places held by 90 % ellipses | half-width |", "|---|---|---|"]
    for row in pd.read_csv(DOCS / "calibration.csv").itertuples():
        held = f"{row.held:.2f} ± {row.standard_error:.2f}"
        rows.append(f"| {row.design} | {held} | {row.half_width:.2f} |")
    return "\n".join(rows) + "\n"


MADE = {
    "calibration": calibration,
    "modules": partial(modules, HOUSES),
}

if __name__ == "__main__":
    write_pages(holding(DOCS.glob("*.md")), MADE)
