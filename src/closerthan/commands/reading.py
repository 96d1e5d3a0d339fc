"""Read the input of the commands, and write tables, figures and facts."""

import csv
import json
from pathlib import Path

import numpy as np

from closerthan.comparisons.answers import Answers
from closerthan.files.answers import AnswerTable, read_answers
from closerthan.files.spreadsheets import escape_table, unescape_formula


def as_table(answers):
    """Return answers as a table: read a file, or name the objects of `Answers` by their ids."""
    if isinstance(answers, AnswerTable):
        return answers
    if isinstance(answers, Answers):
        n_objects = int(answers.comparisons.max()) + 1
        form = "triplets" if answers.comparisons.shape[1] == 3 else "quadruplets"
        return AnswerTable(
            answers=answers,
            names=np.arange(n_objects).astype(str),
            lines=np.arange(answers.n_screens),
            form=form,
            skipped=[],
            path=None,
            ignored=[],
        )
    return read_answers(answers)


def read_attributes(path):
    """Read attributes of objects (CSV, TSV or Parquet), indexed by the column ``name``."""
    import pandas as pd

    path = Path(path)
    try:
        if path.suffix.lower() == ".parquet":
            frame = pd.read_parquet(path)
        else:
            frame = pd.read_csv(path, sep=None, engine="python", encoding="utf-8-sig")
    except (ValueError, csv.Error) as error:  # pandas' own errors are ValueErrors
        raise ValueError(f"{path}: not a readable table ({error})") from None
    if "name" not in frame:
        columns = ", ".join(map(str, frame.columns[:10]))
        raise ValueError(f"{path}: no column is called `name`; the columns are {columns}")
    names = [unescape_formula(str(name)) for name in frame.pop("name")]
    twice = pd.Index(names).duplicated()
    if twice.any():
        raise ValueError(f"{path}: {names[twice.argmax()]!r} has two rows; each object needs one")
    return frame.set_axis(names, axis="index")


def write_table(path, frame):
    """Write a table as CSV, with names escaped that a spreadsheet would run as formulas."""
    escape_table(frame).to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC)


def write_figure(figure, *paths, **options):
    """Write a figure without the date, so that its bytes are reproducible, and close it."""
    import matplotlib.pyplot as plt

    for path in paths:
        undated = {"CreationDate": None} if path.suffix == ".pdf" else {}
        figure.savefig(path, dpi=200, metadata=undated, **options)
    plt.close(figure)


def write_facts(path, facts):
    """Write facts as JSON. Raise an error for a number that is not finite."""
    text = json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)
    Path(path).write_text(text + "\n", encoding="utf-8")
