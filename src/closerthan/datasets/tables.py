"""Tables written as text, a row a line."""

import csv
import io
import json
import re

import numpy as np

from closerthan.files.faults import shown
from closerthan.files.json_lines import without_twins

_MAX_DIGITS = 18  # of a whole number: with more it may not be one of 64 bits


def parse_table(content, source, shape, *, delimiter=None):
    """Parse a table of finite numbers of that shape, with blanks between them or `delimiter`.

    Examples
    --------
    >>> parse_table(b"1,2\\n3,4\\n", "a.csv", (2, 2), delimiter=",")
    array([[1., 2.],
           [3., 4.]])
    """
    n_rows, n_columns = shape
    table = []
    for row, line in enumerate(decode(content, source).splitlines(), start=1):
        try:
            numbers = [float(number) for number in line.split(delimiter)]
        except ValueError:
            numbers = []
        if len(numbers) != n_columns:
            raise ValueError(f"{source}: row {row} is {line!r}, expected {n_columns} numbers")
        table.append(numbers)
    if len(table) != n_rows:
        raise ValueError(f"{source}: has {len(table)} rows, expected {n_rows}")
    table = np.array(table)
    check_finite(table, source)
    return table


def parse_integers(content, source, n_columns, *, delimiter=" "):
    """Parse a large table of whole numbers from 0, of at most nine digits, of any number of rows.

    Examples
    --------
    >>> parse_integers(b"1,2\\n3,4\\n", "a.csv", 2, delimiter=",")
    array([[1, 2],
           [3, 4]])
    """
    text = decode(content, source).replace("\r\n", "\n")
    number, between = r"[0-9]{1,9}+", re.escape(delimiter)
    line = rf"(?:{number}{between}){{{n_columns - 1}}}{number}(?:\n|\Z)"
    end = re.match(rf"(?:{line})*+", text).end()  # of the lines that are right
    if end < len(text):
        row, wrong = text.count("\n", 0, end) + 1, text[end:].partition("\n")[0]
        raise ValueError(
            f"{source}: row {row} is {shown(wrong)}, expected {n_columns} whole numbers"
        )
    numbers = text.replace(delimiter, " ").split()
    return np.array(numbers, dtype=np.int64).reshape(-1, n_columns)


def parse_columns(content, source, names, n_rows, *, encoding="ascii"):
    """Parse a CSV file that begins with these names of columns, above `n_rows` rows, to a dict.

    Examples
    --------
    >>> parse_columns(b'near,far\\r\\n1,"2"\\r\\n3,4\\r\\n', "a.csv", ["near", "far"], 2)
    {'near': ['1', '3'], 'far': ['2', '4']}
    """
    names = list(names)
    text = io.StringIO(decode(content, source, encoding), newline="")
    rows = []
    try:
        rows.extend(csv.reader(text, strict=True))
    except csv.Error as error:
        raise ValueError(
            f"{source}: row {len(rows) + 1} is no row of a CSV file ({error})"
        ) from None
    if rows[:1] != [names]:
        found = shown(",".join(rows[0]) if rows else "", 200)
        raise ValueError(f"{source}: row 1 is {found}, expected {','.join(names)!r}")
    for row, fields in enumerate(rows, start=1):
        if len(fields) != len(names):
            raise ValueError(
                f"{source}: row {row} is {shown(','.join(fields))}, expected {len(names)} fields"
            )
    if len(rows) != n_rows + 1:
        raise ValueError(f"{source}: has {len(rows)} rows, expected {n_rows + 1}")
    return dict(zip(names, map(list, zip(*rows[1:], strict=True)), strict=True))


def to_integers(columns, name, source, lowest, highest=10**15):
    """Turn a column that `parse_columns` returns into whole numbers; name the row of any other.

    Examples
    --------
    >>> to_integers({"near": ["1", "3"]}, "near", "a.csv", 0, 2)
    Traceback (most recent call last):
    ...
    ValueError: a.csv: row 3: near is '3', expected a whole number from 0 to 2
    """
    texts = columns[name]
    is_whole = re.compile(rf"[0-9]{{1,{_MAX_DIGITS}}}").fullmatch
    numbers = np.array([int(text) if is_whole(text) else -1 for text in texts], dtype=np.int64)
    refuse(
        (numbers < lowest) | (numbers > highest),
        lambda row: (
            f"{source}: row {row + 2}: {name} is {shown(texts[row])}, "
            f"expected a whole number from {lowest} to {highest}"
        ),
    )
    return numbers


def refuse(wrong, describe):
    """Raise a ValueError for the first row of which `wrong` holds; `describe(row)` says what."""
    if wrong.any():
        raise ValueError(describe(int(wrong.argmax())))


def reason(error):
    """Show the message of an exception in one line, of a long one the beginning."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 120 else f"{text[:120]}..."


def decode(content, source, encoding="ascii"):
    """Turn bytes into text."""
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        wrong = content[error.start]
        raise ValueError(
            f"{source}: byte {error.start + 1} is 0x{wrong:02x}, expected {encoding.upper()} text"
        ) from None


def parse_json(content, source, *, first_row=1):
    """Parse JSON in UTF-8; `first_row` is the number of its first line in the file.

    It may not hold a key twice in the same mapping, nor a whole number of more than 18 digits.
    """
    text = decode(content, source, "utf-8")
    try:
        return json.loads(text, object_pairs_hook=without_twins, parse_int=_parse_integer)
    except json.JSONDecodeError as error:
        row = first_row + error.lineno - 1
        raise ValueError(f"{source}: row {row}: expected JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:
        rows = f"row {first_row}" if "\n" not in text.rstrip() else "the file"
        raise ValueError(f"{source}: {rows}: cannot be read as JSON ({reason(error)})") from None


def _parse_integer(text):
    if len(text.lstrip("-")) > _MAX_DIGITS:
        raise ValueError(f"{shown(text, 20)} is larger than any number expected")
    return int(text)


def check_finite(matrix, where):
    """Raise a ValueError that names the first entry of a matrix that is no finite number."""
    if matrix.dtype.kind not in "iuf":
        raise ValueError(f"{where} is {matrix.dtype}, expected numbers")
    wrong = ~np.isfinite(matrix)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"{where}, row {row + 1}, column {column + 1} is {matrix[row, column]}, "
            "expected a finite number"
        )
