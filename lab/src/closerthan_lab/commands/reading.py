"""Read the input of the commands."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from closerthan._core.shown import shown
from closerthan.comparisons.answers import Answers
from closerthan.comparisons.check import count_objects
from closerthan_lab.commands.writing import number_of
from closerthan_lab.files.answers import AnswerTable, read_answers
from closerthan_lab.files.columns import OTHERS
from closerthan_lab.files.spreadsheets import unescape_formula

_OF_THREE = ("odd-one-out", "most-central")  # forms whose anchors are not asked about
_LONGEST = 60  # characters of a name


def as_table(answers):
    """Return answers as a table: read a file, or name the objects of `Answers` by their ids."""
    if isinstance(answers, AnswerTable):
        return answers
    if isinstance(answers, Answers):
        n_objects = count_objects(answers.comparisons)
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


def describe_reading(table):
    """Return how the first answer of a file was read, which columns are not used, and doubts."""
    if table.source == "table" and not table.columns:
        return []  # not from a file
    columns = [
        f"{name}={'|'.join(map(plain_name, titles))}" for name, titles in table.columns.items()
    ]
    n = sum(name not in OTHERS for name in table.columns)
    read = "; ".join(", ".join(some) for some in (columns[:n], columns[n:]) if some)
    if table.source != "table":
        read = f"as {table.source} writes it"
    elif not table.has_header:
        read = f"{', '.join(table.columns)}, in this order"
    place = "" if table.file is not None else f"{table.unit.capitalize()} "
    lines = [f"{place}{table.lines_of([0])[0]}: {_first_answer(table)} ({read})."]
    if table.ignored:
        lines.append(f"Not used: {', '.join(map(plain_name, table.ignored))}.")
    return [*lines, *_doubts(table)]


def _first_answer(table):
    """Return the first answer in words."""
    answers = table.answers
    n = int(np.searchsorted(answers.screen, 1))
    rows = [[plain_name(name) for name in row] for row in table.names[answers.comparisons[:n]]]
    first, *more = rows
    if len(first) == 4:
        said = "{} and {} are more alike than {} and {}".format(*first)
    elif table.form == "odd-one-out":
        return f"{first[2]} is the odd one of {', '.join(sorted(first))}"
    elif more == [[first[0], first[2], first[1]]]:
        return "{} is as much like {} as like {}".format(*first)
    else:
        said = "{} is more like {} than like {}".format(*first)
    return said + (f", and {number_of(len(more), 'more comparison')}" if more else "")


def plain_name(name):
    """Return a name; in quotes if it is long or has characters that a line can't show."""
    return name if name.isprintable() and len(name) <= _LONGEST else shown(name, _LONGEST)


def _doubts(table):
    answers, columns = table.answers, table.answers.comparisons.T
    asked = len(columns) == 3 and answers.n_screens > 2 and table.form not in _OF_THREE
    if asked and not np.intersect1d(columns[0], columns[1:]).size:
        yield "No anchor is ever an alternative, as with preferences or search results."
    if table.copies:
        some = ", ".join(map(str, table.copies[:5])) + (", ..." if table.copies[5:] else "")
        yield (
            f"Exact copies of earlier rows: {len(table.copies):,} ({table.unit} {some}). Delete "
            "them if the file was appended to itself."
        )
    if table.dropped:
        yield f"{number_of(table.dropped, 'row')} left out by --where or --without."


def table_of_data_set(name):
    """Return the answers of a data set of closerthan as a table."""
    from closerthan_lab.datasets.registered import load

    data = load(name)
    if data.answers is None:
        raise ValueError(f"{name}: this data set has no answers; animals37 is one that has")
    table = as_table(data.answers)
    if data.info.get("form") == "odd one out":
        table = replace(table, form="odd-one-out")
    return table if data.object_names is None else replace(table, names=data.object_names)


def with_features(table, features):
    """Return the table with all objects that have features, others last, and the features.

    Raise a ValueError if an object of the answers has none, or if a cell is not a finite number.
    """
    own = table.names.tolist()
    missing = [name for name in own if name not in features.index]
    if missing:
        raise ValueError(
            f"features: no row for {missing[0]!r}"
            + (f" and {len(missing) - 1} other objects of the answers" if missing[1:] else "")
        )
    names = [*own, *features.index.difference(own, sort=False)]
    numbers = features.reindex(names).apply(pd.to_numeric, errors="coerce").to_numpy(float)
    bad = np.argwhere(~np.isfinite(numbers))
    if len(bad):
        row, column = bad[0]
        value = features.reindex(names).iloc[row, column]
        value = value.item() if isinstance(value, np.generic) else value
        raise ValueError(
            f"features: {names[row]!r} has {value!r} in the column {features.columns[column]!r}; "
            "it must be a finite number"
        )
    return replace(table, names=np.array(names)), numbers


def read_frame(path, *needed, **options):
    """Read a table (CSV, TSV or Parquet) with the needed columns. An error names the file."""
    path = Path(path)
    try:
        if path.suffix.lower() == ".parquet":
            frame = pd.read_parquet(path)
        else:
            same = {"encoding": "utf-8-sig", **options}
            head = pd.read_csv(path, sep="\x00", header=None, nrows=1, **same).iat[0, 0]
            frame = pd.read_csv(path, sep=max(",;\t", key=str(head).count), **same)
    except (ValueError, csv.Error) as error:  # pandas' own errors are ValueErrors
        raise ValueError(f"{path}: not a readable table ({error})") from None
    for name in needed:
        if name not in frame:
            columns = ", ".join(map(str, frame.columns[:10]))
            raise ValueError(f"{path}: no column is called `{name}`; the columns are {columns}")
    return frame


def read_attributes(path):
    """Read attributes of objects, indexed by the column ``name``."""
    frame = read_frame(path, "name")
    names = [unescape_formula(str(name)) for name in frame.pop("name")]
    _check_once(path, names)
    return frame.set_axis(names, axis="index")


def read_groups(path):
    """Read a table with the columns ``participant`` and ``group``, as text."""
    needed = ("participant", "group")
    frame = read_frame(path, *needed, dtype=str, keep_default_na=False).astype(str)
    for name in needed:
        empty = frame[name].str.strip() == ""
        if empty.any():
            line = empty.argmax() + 2
            raise ValueError(f"{path}, line {line}: no {name}; fill the cell, or delete the line")
    _check_once(path, frame["participant"])
    return dict(zip(frame["participant"], frame["group"], strict=True))


def _check_once(path, names):
    twice = pd.Index(names).duplicated()
    if twice.any():
        row = int(twice.argmax())
        fault = f"{names[row]!r} has a second row; delete one of the two"
        raise ValueError(f"{path}, line {row + 2}: {fault}")
