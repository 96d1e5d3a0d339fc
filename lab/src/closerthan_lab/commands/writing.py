"""Write what the commands find: tables, figures, facts, and numbers in words."""

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd

from closerthan_lab.files.spreadsheets import escape_table
from closerthan_lab.page.figure import UNDATED


def records(frame):
    """Return the rows of a table as values for JSON, or None if there is no table."""
    if frame is None:
        return None
    return [{name: plain_number(v) for name, v in row.items()} for row in frame.to_dict("records")]


def plain_number(value):
    """Return a value that JSON can hold: None for NaN or infinity."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not np.isfinite(value) else value


def number_of(n, what):
    """Return a number of things in words, such as "1 answer" or "2,000 answers"."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def coordinate_table(names, points, axis="x"):
    """Return a table with a row for each object: its name and its coordinates x1, x2, ...."""
    columns = {f"{axis}{number}": column for number, column in enumerate(points.T, 1)}
    return pd.DataFrame({"name": names, **columns})


def write_safe_csv(path, frame):
    """Write a table as CSV, with names escaped that a spreadsheet would run as formulas."""
    escape_table(frame).to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC)


def write_figure(figure, *paths, **options):
    """Write a figure without the date, so that its bytes are reproducible, and close it."""
    import matplotlib.pyplot as plt

    for path in paths:
        figure.savefig(path, dpi=200, metadata=UNDATED.get(path.suffix), **options)
    plt.close(figure)


def write_facts(path, facts):
    """Write facts as JSON. Raise an error for a number that is not finite."""
    text = json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)
    Path(path).write_text(text + "\n", encoding="utf-8")
