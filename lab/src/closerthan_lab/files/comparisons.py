"""Read triplets and quadruplets as arrays from files of any kind, and write them to CSV files."""

import csv
import gzip
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.typing import StrPath
from closerthan._core.writing import replacing
from closerthan.comparisons.answers import HEADERS
from closerthan.comparisons.check import check_comparisons, find_fault
from closerthan_lab.files.answers import Options, read_answer_table
from closerthan_lab.files.cells import MISSING, refusal
from closerthan_lab.files.faults import Faults
from closerthan_lab.files.formats import open_array
from closerthan_lab.files.spreadsheets import NUMBER, escape_formula


def read_comparisons(
    path: StrPath, *, n_objects: int | None = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Read triplets or quadruplets from a file, with the ids that stand in it.

    A file that ends in ``.npy`` holds an array. An array of whole numbers stays on disk,
    memory-mapped, so the file may be larger than memory. An array of strings holds names. Any
    other file is read like :func:`read_answers` does, except that three columns without names are
    triplets. Other columns, such as who answered, are left out.

    Raise a ValueError as :func:`read_answers` and :func:`check_comparisons` do.

    Parameters
    ----------
    path : str or path-like
    n_objects : int, optional
        The number of objects. Ids must be smaller, and there must not be more names.

    Returns
    -------
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4)
        The integer type of an .npy file; otherwise int64. The columns are (i, j, k), i is
        closer to j than to k; or (i, j, l, k), d(i, j) < d(l, k).
    names : ndarray of str, or None
        The names in sorted order; ids are positions in it. None if the file holds ids.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "cities.csv")
    >>> _ = path.write_text("anchor,near,far\\nParis,Lyon,Rome\\nRome,Lyon,Paris\\n")
    >>> comparisons, names = read_comparisons(path)
    >>> comparisons
    array([[1, 0, 2],
           [2, 0, 1]])
    >>> names
    array(['Lyon', 'Paris', 'Rome'], dtype='<U5')
    """
    path = Path(path)
    read = _read_npy if path.suffix.lower() == ".npy" else _read_table
    comparisons, names = read(path, n_objects)
    if names is not None and n_objects is not None and len(names) > n_objects:
        raise ValueError(
            f"{path}: {len(names)} names; n_objects={n_objects} allows no more than {n_objects}"
        )
    return comparisons, names


def _read_npy(path, n_objects):
    table = open_array(path, Faults(path))
    if table.dtype.kind == "U":
        missing = (table == "").reshape(len(table), -1).any(axis=1)
        if missing.any():
            raise ValueError(f"{path}, row {missing.argmax()}: '' is a missing value")
        names, ids = np.unique(table, return_inverse=True)
        return check_comparisons(ids.reshape(table.shape), source=str(path)), names
    dtype = table.dtype.newbyteorder("=") if table.dtype.kind in "iu" else np.int64
    return check_comparisons(table, n_objects, source=str(path), dtype=dtype), None


def _read_table(path, n_objects):
    table = read_answer_table(path, Options(only_comparisons=True))
    comparisons = table.answers.comparisons
    if not table.holds_ids:
        return comparisons, table.names
    comparisons = table.names.astype(np.int64)[comparisons]
    fault = find_fault(comparisons, n_objects)
    if fault is not None:
        row, message = fault
        line = table.lines[table.answers.screen[row]]
        raise ValueError(f"{path}, {table.unit} {line}: {message}")
    return comparisons, None


def write_comparisons(
    path: StrPath, comparisons: ArrayLike, names: Sequence[str] | None = None
) -> None:
    """Write triplets or quadruplets to a CSV file, which :func:`read_comparisons` reads back.

    The header is ``anchor,near,far`` for triplets and ``near_1,near_2,far_1,far_2`` for
    quadruplets. The file is written whole or not at all. A path that ends in ``.gz`` is compressed.
    The same input gives the same bytes. Names that a spreadsheet takes for formulas are protected;
    see :func:`escape_formula`.

    Raise a ValueError also if names could not be read back: empty, not unique, with blanks at an
    end, ``nan``, too long, or mostly numbers.

    Parameters
    ----------
    path : str or path-like
    comparisons : array_like of shape (n_comparisons, 3) or (n_comparisons, 4)
    names : sequence of str, optional
        The texts to write for the ids: ``names[id]``. If the names are sorted and all occur, they
        are read back with the same ids. If not, the ids count the sorted names that occur.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "triplets.csv")
    >>> write_comparisons(path, [[0, 1, 2]])
    >>> print(path.read_text())
    anchor,near,far
    0,1,2
    """
    path = Path(path)
    comparisons = check_comparisons(comparisons, None if names is None else len(names))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADERS[comparisons.shape[1]])
    if names is None:
        writer.writerows(comparisons.tolist())
    else:
        names = _check_names(names, comparisons)
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerows(names[comparisons].tolist())
    content = text.getvalue().encode()
    with replacing(path) as partial:
        partial.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def _check_names(names, comparisons):
    """Return names as an array of texts to write, which can all be read back."""
    names = np.array([str(name) for name in names], dtype=object)
    seen = {}
    for row, name in enumerate(names):
        why = refusal(name)
        if name != name.strip() or name in MISSING:
            why = "a name may not be empty or NA, nor have blanks at its ends"
        elif seen.setdefault(name, row) != row:
            why = f"it is in row {seen[name]} too"
        if why:
            raise ValueError(f"names, row {row}: {name!r}; {why}")
    is_number = np.array([NUMBER.fullmatch(name) is not None for name in names])
    if is_number[comparisons].mean() > 0.5:
        row = is_number.argmax()
        raise ValueError(
            f"names, row {row}: {names[row]!r}; most of these names are numbers, so they would be "
            "read back as ids"
        )
    return np.array([escape_formula(name) for name in names], dtype=object)
