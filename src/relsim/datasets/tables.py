"""Numbers written as text, a row a line."""

import json

import numpy as np


def parse_table(content, source, shape, *, delimiter=None):
    """Parse a table of finite numbers.

    Parameters
    ----------
    content : bytes
    source : str
        The name of the file, for errors.
    shape : (int, int)
        The rows and columns that it must have.
    delimiter : str, default=None
        What stands between two numbers; where None, blanks.

    Returns
    -------
    ndarray of shape `shape`

    Raises
    ------
    ValueError
        If a line does not hold that many finite numbers, or the number of lines is another.

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
    """Parse JSON in UTF-8; `first_row` is the number of its first line in the file."""
    try:
        return json.loads(decode(content, source, "utf-8"))
    except json.JSONDecodeError as error:
        row = first_row + error.lineno - 1
        raise ValueError(f"{source}: row {row}: expected JSON ({error.msg})") from None


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
