"""Comparisons from files of any kind: text, .npy and .parquet."""

import re
from pathlib import Path

import numpy as np

from closerthan._core.typing import StrPath

from .check import check_comparisons, check_rows, count_ids
from .files import HEADERS, NO_VALUE, read_csv

_ROWS = 2**15  # of a .parquet file, decoded at once
_INDEX = re.compile(r"__index_level_\d+__")  # a column in which pandas keeps row labels


def read_comparisons(
    path: StrPath, *, n_objects: int | None = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Read triplets (three columns) or quadruplets (four columns) from a file.

    The columns are those of the arrays: (i, j, k), i is closer to j than to k; (i, j, l, k),
    d(i, j) < d(l, k). The path's end says what the file is:

    ``.npy``
        An array of whole numbers, or of strings, which are names. Whole numbers of an integer type
        stay on disk, mapped to memory, so that the file may be larger than that.
    ``.parquet``
        Columns of whole numbers, or of strings, which are names. The columns are called ``anchor``,
        ``near`` and ``far`` or ``near_1``, ``near_2``, ``far_1`` and ``far_2``; a file without
        these has three or four columns, whatever they are called. It takes pyarrow.
    any other
        Text, see :func:`read_csv`.

    Parameters
    ----------
    path : str or path-like
    n_objects : int, default=None
        The number of objects; ids must be smaller, and there must not be more names.

    Returns
    -------
    comparisons : ndarray of shape (n_comparisons, 3) or (n_comparisons, 4)
        Of an .npy file's own integer type, int32 of a .parquet file, and else int64.
    names : ndarray of str, or None
        The names in sorted order, which the ids index; None if the file holds ids.

    Raises
    ------
    ValueError
        For a file that is damaged or holds something else, a missing value, and whatever
        :func:`check_comparisons` refuses. The message names the file, the row (from 0; in a text
        file the line, from 1) and the value.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import numpy as np
    >>> path = pathlib.Path(tempfile.mkdtemp(), "triplets.npy")
    >>> np.save(path, np.array([[0, 1, 2], [2, 1, 0]], dtype=np.int32))
    >>> comparisons, names = read_comparisons(path)
    >>> comparisons
    array([[0, 1, 2],
           [2, 1, 0]], dtype=int32)
    """
    path = Path(path)
    readers = {".npy": _read_npy, ".parquet": _read_parquet}
    comparisons, names = readers.get(path.suffix.lower(), read_csv)(path, n_objects=n_objects)
    if names is not None and n_objects is not None and len(names) > n_objects:
        raise ValueError(f"{path}: {len(names)} names; allowed are n_objects={n_objects}")
    return comparisons, names


def _read_npy(path, n_objects):
    if path.stat().st_size == 0:
        raise ValueError(f"{path}: empty; at least one comparison is needed")
    try:
        table = np.asarray(np.lib.format.open_memmap(path, mode="r"))  # it never unpickles anything
    except ValueError as error:
        raise ValueError(f"{path}: no complete .npy file ({error})") from None
    if table.dtype.kind == "U":
        _refuse_missing((table == "").reshape(len(table), -1).any(axis=1), "''", path)
        names, ids = np.unique(table, return_inverse=True)
        return check_comparisons(ids.reshape(table.shape), source=str(path)), names
    dtype = table.dtype.newbyteorder("=") if table.dtype.kind in "iu" else np.int64
    return check_comparisons(table, n_objects, source=str(path), dtype=dtype), None


def _read_parquet(path, n_objects):
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError(f"{path}: to read it takes pyarrow; pip install pyarrow") from error
    try:
        with pq.ParquetFile(path, memory_map=True) as file:
            return _read_columns(file, path, n_objects)
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # such as a file that is not there
        raise ValueError(f"{path}: no complete .parquet file ({error})") from None


def _read_columns(file, path, n_objects):
    """Check and keep a block of rows at a time, so that little else is in memory."""
    columns, named = _find_columns(file.schema_arrow, path)
    table = np.empty((file.metadata.num_rows, len(columns)), np.int32)
    if len(table) == 0:
        raise ValueError(f"{path}: empty; at least one comparison is needed")
    codes = {}  # of the names so far
    n_ids = count_ids(table.dtype, None if named else n_objects)
    start = 0
    for batch in file.iter_batches(_ROWS, columns=columns):
        block = [_without_nulls(batch[column], path, start) for column in columns]
        if named:
            block = [_encode(words, codes, path, start) for words in block]
        rows = np.array(block).T
        check_rows(rows, n_ids, path, start, list(codes) if named else None)
        table[start : start + len(rows)] = rows
        start += len(rows)
    if not named:
        return table, None
    names = np.array(sorted(codes))
    place = np.argsort([codes[name] for name in sorted(codes)])
    return place.astype(table.dtype)[table], names


def _find_columns(schema, path):
    """Return the names of the columns that hold comparisons, and whether they hold names."""
    from pyarrow import types

    columns = [name for name in schema.names if not _INDEX.fullmatch(name)]
    own = [header for header in HEADERS.values() if set(header) <= set(columns)]
    if not own and len(set(columns)) not in HEADERS:
        wanted = " or ".join(", ".join(header) for header in HEADERS.values())
        raise ValueError(f"{path}: the columns are {', '.join(columns)}; there must be {wanted}")
    named = {}
    for column in own[0] if own else columns:
        kind = schema.field(column).type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        named[column] = types.is_string(kind) or types.is_large_string(kind)
        if not (named[column] or types.is_integer(kind) or types.is_floating(kind)):
            raise ValueError(f"{path}: column {column} holds {kind}, neither numbers nor strings")
    if len(set(named.values())) == 2:
        raise ValueError(f"{path}: strings in some columns and numbers in others, {named}")
    return list(named), any(named.values())


def _without_nulls(column, path, first_row):
    """Return an array of numbers, or of strings as pyarrow has them, dictionaries looked up."""
    from pyarrow import types

    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.null_count:
        missing = column.is_null().to_numpy(zero_copy_only=False)
        _refuse_missing(missing, "null", path, first_row)
    is_number = types.is_integer(column.type) or types.is_floating(column.type)
    return column.to_numpy() if is_number else column


def _encode(words, codes, path, first_row):
    """Return the codes of words; those that are new get the next ones."""
    words = words.dictionary_encode()
    distinct, numbers = words.dictionary.to_pylist(), words.indices.to_numpy()
    if "" in distinct:
        _refuse_missing(numbers == distinct.index(""), "''", path, first_row)
    return np.array([codes.setdefault(word, len(codes)) for word in distinct])[numbers]


def _refuse_missing(missing, value, path, first_row=0):
    """Refuse the first row for which `missing` holds, if there is one."""
    if missing.any():
        raise ValueError(f"{path}, row {first_row + missing.argmax()}: {value} {NO_VALUE}")
