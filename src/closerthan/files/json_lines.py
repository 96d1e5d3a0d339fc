"""Read the rows of a file of JSON lines: an object per line, {"anchor": "a", "near": "b", ...}."""

import json
from itertools import islice

import numpy as np

from closerthan.files.blocks import BLOCK, Column, Head
from closerthan.files.faults import shown
from closerthan.files.text import lines_of, open_text


def without_twins(pairs):
    """Return the dict of a JSON object; refuse a key that occurs twice."""
    row = dict(pairs)
    if len(row) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {shown(max(keys, key=keys.count))} occurs twice")
    return row


_DECODER = json.JSONDecoder(
    parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=without_twins
)


def read_json_lines(path, faults):
    """Yield the keys as a `Head`, then blocks of rows, like :func:`~.text.read_text`.

    The first block of rows must have all keys. If a key is missing or null, the cell is empty.
    Numbers stay as they are written. A cell may be a list of objects or of pairs of objects.
    """
    with open_text(path, faults) as stream:
        rows = _rows(stream, faults)
        keys = None
        while block := list(islice(rows, BLOCK)):
            if keys is None:
                keys = list(dict.fromkeys(key for _, row in block for key in row))
                yield Head(keys)
            known = set(keys)
            block = [(n, row) for n, row in block if _are_known(row.keys(), known, n, faults)]
            if block:
                numbers, dicts = zip(*block, strict=True)
                cells = ([row.get(key, "") for row in dicts] for key in keys)
                yield np.array(numbers), [Column(some, np.arange(len(some))) for some in cells]
        if keys is None:
            if faults.n:
                line, sentence = faults.listed[0]
                raise faults.error(sentence, line)
            raise faults.error("empty; give at least one answer")


def _rows(stream, faults):
    """Yield the line and the parsed content of each row."""
    any_yet = False
    for number, line in enumerate(map(str.strip, lines_of(stream, faults)), start=1):
        if line and not any_yet:
            _refuse_whole_json(line, number, faults)
            any_yet = True
        row = _parse(line, number, faults) if line else None
        if row is not None:
            yield number, row


def _refuse_whole_json(line, number, faults):
    """Refuse a file that begins as one JSON value over several lines."""
    is_array = line.startswith("[")
    if is_array or (line.startswith("{") and not line.endswith("}")):
        raise faults.error(
            f"{'a JSON array' if is_array else 'no JSON line: the object does not end here'}; "
            'write each answer as an object on a line of its own, such as {"anchor": "a", '
            '"near": "b", "far": "c"}, or save the table as CSV',
            number,
        )


def _parse(line, number, faults):
    """Return a row as a dict of texts and lists of texts; note a fault and return None if bad."""
    try:
        row = _DECODER.decode(line)
        if not isinstance(row, dict):
            raise ValueError('write an object in braces, such as {"anchor": "a", ...}')
        return {key: v if type(v) is str else _cell(v) for key, v in row.items()}
    except json.JSONDecodeError as error:
        sentence = f"no JSON: {error.msg} at character {error.pos + 1}"
    except RecursionError:
        sentence = "no JSON: too many brackets"
    except ValueError as error:
        sentence = f"{shown(line)} is not a row of answers: {error}"
    faults.add(number, sentence)
    return None


def _cell(value):
    if isinstance(value, list):
        flat = []
        for entry in value:
            flat += entry if isinstance(entry, list) else [entry]
        if any(isinstance(entry, list | dict) for entry in flat):
            raise ValueError("its lists are nested too deeply; write a list of objects or pairs")
        return [_cell(entry) for entry in flat]
    if isinstance(value, dict):
        raise ValueError("it has an object in an object; write texts, numbers or lists")
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value


def _are_known(keys, known, number, faults):
    """Tell whether a row has only known keys; note it if not."""
    if keys <= known:
        return True
    key = next(key for key in keys if key not in known)
    faults.add(number, f"the key {shown(key)} is new; the first {BLOCK:,} rows must have all keys")
    return False
