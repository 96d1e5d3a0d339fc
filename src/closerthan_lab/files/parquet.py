"""Read the rows of a Parquet, Feather or Stata file."""

import re
import struct

import numpy as np
import pandas as pd

from closerthan_lab.files.frames import Head, coded

_INDEX = re.compile(r"__index_level_\d+__")  # a column in which pandas keeps row labels


def read_parquet(path, faults):
    """Yield the column names of a Parquet or Feather file as a `Head`, then all its rows.

    Rows are counted from 0. Needs pyarrow.
    """
    try:
        import pyarrow as pa
        from pyarrow import feather, parquet
    except ImportError as error:
        raise ImportError(f"{path}: reading it needs pyarrow; run: pip install pyarrow") from error
    kind = "Feather" if path.suffix.lower() == ".feather" else "Parquet"
    try:
        if kind == "Feather":
            table = feather.read_table(path)
        else:
            with parquet.ParquetFile(path, memory_map=True) as file:
                table = file.read()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # such as a file that may not be read
        reason = " ".join(str(error).split())
        raise faults.error(f"not a complete {kind} file ({reason[:100]})") from None
    yield from _blocks(table, faults)


def read_stata(path, faults):
    """Yield the column names and the rows of a Stata file, with its labels as texts."""
    import pyarrow as pa

    try:
        with path.open("rb") as stream:
            frame = pd.read_stata(stream)
    except (ValueError, KeyError, struct.error) as error:
        raise faults.error(f"not a complete Stata file ({error})") from None
    yield from _blocks(pa.Table.from_pandas(frame), faults)


def _blocks(table, faults):
    if not len(table):
        raise faults.error("empty; give at least one answer")
    columns = dict(zip(table.column_names, table.columns, strict=True))
    columns = {name: column for name, column in columns.items() if not _INDEX.fullmatch(name)}
    yield Head([*columns])
    cells = map(_cells, columns.values())
    yield np.arange(len(table)), pd.DataFrame(dict(enumerate(cells)), range(len(table)))


def _cells(column):
    """Return a column as texts or lists of texts, null as empty; None for any other type."""
    import pyarrow as pa
    from pyarrow import types

    column = column.combine_chunks()
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    try:
        column = column.cast(pa.list_(pa.string()) if is_list else pa.string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return None
    if is_list:
        lists = column.to_pylist()
        cells = ["" if cell is None else [entry or "" for entry in cell] for cell in lists]
        return pd.Series(cells, dtype=object)
    encoded = column.dictionary_encode("encode")
    texts = [text or "" for text in encoded.dictionary.to_pylist()]
    return coded(texts, encoded.indices.to_numpy())
