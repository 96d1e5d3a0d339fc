"""Read the rows of a JSON file: arrays, or an object per line, {"anchor": "a", "near": "b"}."""

import json
import re
from contextlib import suppress
from itertools import chain

import pandas as pd

from closerthan._core.shown import shown
from closerthan_lab.files.cells import of_any, text_of
from closerthan_lab.files.columns import OTHERS, Header, meaning_of
from closerthan_lab.files.text import lines_of, open_text
from closerthan_lab.files.values import kind_of

_LONGEST = 10**8  # characters of a line, which may hold all that a program exports


def without_twins(pairs):
    """Return the dict of a JSON object; refuse a key that occurs twice."""
    row = dict(pairs)
    if len(row) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {shown(max(keys, key=keys.count))} occurs twice")
    return row


_BLANKS = re.compile(r"\s*")
_TRIALS = re.compile(r"\s*\[\s*\{")
_DECODER = json.JSONDecoder(
    parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=without_twins
)


def read_json_lines(path, faults):
    """Yield the keys as a `Header`, then the rows, like :func:`~.text.read_text`.

    If a key is missing or null, the cell is empty. Numbers stay as they are written. A cell may be
    a list of objects or of pairs of objects.
    """
    with open_text(path, faults) as stream:
        rows = list(_rows(stream, faults))
    if not rows:
        line, sentence = faults.listed[0] if faults.n else (None, "empty; give at least one answer")
        raise faults.error(sentence, line)
    numbers, dicts = zip(*rows, strict=True)
    keys = list(dict.fromkeys(chain.from_iterable(dicts)))
    yield Header(keys, faults)
    cells = {place: of_any(row.get(key) for row in dicts) for place, key in enumerate(keys)}
    yield pd.DataFrame(cells, list(numbers))


def _rows(stream, faults):
    """Yield the line and the parsed content of each row.

    A line may also hold an array of rows, as a program's whole export or as one person's. If the
    file begins with an array, its rows are counted from 1 in place of lines.
    """
    n, lines = 0, lines_of(stream, faults, _LONGEST)
    lines = ((number, text) for number, line in enumerate(lines, start=1) if (text := line.strip()))
    for place, (number, line) in enumerate(lines):
        if place == 0 and _goes_on(line):
            line = "\n".join([line, *(text for _, text in lines)])
        values = _decode(line, number if faults.unit == "line" else n + 1, faults)
        if n == 0 and values and values[0] and isinstance(values[0], list):
            faults.unit = "row"
        entries = chain.from_iterable(v if isinstance(v, list) else [v] for v in values)
        for row in chain.from_iterable(map(_trials, entries)):
            n += 1
            row_number = number if faults.unit == "line" else n
            try:
                if not isinstance(row, dict):
                    raise ValueError('write an object in braces, such as {"anchor": "a", ...}')
                row = {key: _cell(cell) for key, cell in row.items()}
            except ValueError as error:
                faults.add(row_number, f"{shown(row)} is not a row of answers: {error}")
            else:
                yield row_number, row


def _goes_on(line):
    """Tell whether a file begins as one JSON value over several lines."""
    ends = {"[": "]", "{": "}"}
    return line[0] in ends and not line.endswith(ends[line[0]])


def _decode(text, number, faults):
    """Return the values of a JSON text, one after the other; nothing, and a fault, if it is none.

    Servers append what a page sends to a file, often without a line end.
    """
    values, end = [], 0
    try:
        while end < len(text):
            value, end = _DECODER.raw_decode(text, end)
            values.append(value)
            end = _BLANKS.match(text, end).end()
        return values
    except json.JSONDecodeError as error:
        why = f"no JSON: {error.msg} at character {error.pos + 1}"
    except RecursionError:
        why = "no JSON: too many brackets"
    except ValueError as error:
        why = f"{shown(text)} is not a row of answers: {error}"
    faults.add(number, why)
    return []


def _trials(value):
    """Yield the rows in a value: those of lists in it, with what their record says of all."""
    if isinstance(value, list) and any(isinstance(entry, dict | list) for entry in value):
        yield from chain.from_iterable(map(_trials, value))
        return
    parts = {name: _as_trials(part) for name, part in value.items()} if _is_record(value) else {}
    if not any(parts.values()):
        yield from _by_column(value)
        return
    said = {name: cell for name, cell in value.items() if not isinstance(cell, list | dict)}
    said = {name: cell for name, cell in said.items() if not parts[name]}
    for name, trials in parts.items():
        kind = {"kind": name} if kind_of(name) else {}
        yield from (said | kind | trial for trial in trials or [])


def _is_record(value):
    return isinstance(value, dict) and not any(map(_is_of_trial, value))


def _is_of_trial(name):
    return name == "trial_type" or meaning_of(name) not in (None, *OTHERS)


def _as_trials(part):
    """Return a list of trials, which may be written as text; None if a value is anything else."""
    if isinstance(part, str) and _TRIALS.match(part):
        with suppress(ValueError, RecursionError):
            part = _DECODER.decode(part)
    if not isinstance(part, list) or not all(isinstance(trial, dict) for trial in part):
        return None
    return part if any(map(_is_of_trial, chain.from_iterable(part))) else None


def _by_column(value):
    """Return the rows of an object; of many if it holds columns, as pandas writes a table."""
    columns = list(value.values()) if isinstance(value, dict) else []
    if all(isinstance(column, list) for column in columns):
        columns = [dict(enumerate(column)) for column in columns]
    same = all(isinstance(c, dict) and c.keys() == columns[0].keys() for c in columns)
    if len(columns) < 2 or not same:
        return [value]
    return [{name: c[key] for name, c in zip(value, columns, strict=True)} for key in columns[0]]


def _cell(value):
    """Return a value as text or a list of texts; an object stays for sources that know it."""
    if not isinstance(value, list):
        return text_of(value)
    flat = list(chain.from_iterable(e if isinstance(e, list) else [e] for e in value))
    return {"": value} if any(isinstance(e, list | dict) for e in flat) else text_of(flat)
