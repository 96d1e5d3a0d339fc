"""Read the rows of a Parquet, Feather or Stata file."""

import re
import struct
from contextlib import contextmanager

import numpy as np
import pandas as pd

from closerthan_lab.files.frames import BLOCK, Head, coded

_INDEX = re.compile(r"__index_level_\d+__")  # a column in which pandas keeps row labels


@contextmanager
def open_parquet(path, faults):
    """Yield a Parquet file that has rows, and its column names by place, without pandas' index."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError(f"{path}: reading it needs pyarrow; run: pip install pyarrow") from error
    try:
        with pq.ParquetFile(path, memory_map=True) as file:
            if not file.metadata.num_rows:
                raise faults.error("empty; give at least one answer")
            names = enumerate(file.schema_arrow.names)
            yield file, {place: name for place, name in names if not _INDEX.fullmatch(name)}
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # such as a file that may not be read
        reason = " ".join(str(error).split())
        raise faults.error(f"not a complete Parquet file ({reason[:100]})") from None


def read_parquet(path, faults):
    """Yield the column names as a `Head`, then blocks of rows, like :func:`~.text.read_text`.

    Rows are counted from 0. Needs pyarrow.
    """
    with open_parquet(path, faults) as (file, names):
        yield Head(list(names.values()))
        start = 0
        for batch in file.iter_batches(BLOCK):
            cells = {n: _cells(batch.column(place)) for n, place in enumerate(names)}
            yield np.arange(start, start + len(batch)), pd.DataFrame(cells, range(len(batch)))
            start += len(batch)


def read_feather(path, faults):
    """Yield the column names and the rows of a Feather file, like :func:`read_parquet`."""
    import pyarrow as pa
    from pyarrow import feather

    try:
        table = feather.read_table(path).combine_chunks()
    except pa.ArrowException as error:
        raise faults.error(f"not a complete Feather file ({error})") from None
    yield Head(table.column_names)
    for batch in table.to_batches():
        cells = {place: _cells(column) for place, column in enumerate(batch.columns)}
        yield np.arange(len(batch)), pd.DataFrame(cells, range(len(batch)))


def read_stata(path, faults):
    """Yield the column names and the rows of a Stata file, with its labels as texts."""
    try:
        with path.open("rb") as stream:
            frame = pd.read_stata(stream)
    except (ValueError, KeyError, struct.error) as error:
        raise faults.error(f"not a complete Stata file ({error})") from None
    yield Head(list(frame))
    texts = {
        place: coded(["" if pd.isna(cell) else str(cell) for cell in cells])
        for place, (_, cells) in enumerate(frame.items())
    }
    yield np.arange(len(frame)), pd.DataFrame(texts)


def is_numeric(kind):
    """Tell whether the type of a column is numeric."""
    from pyarrow import types

    return types.is_integer(kind) or types.is_floating(kind)


def _cells(column):
    """Return a column as texts or lists of texts, null as empty; None for any other type."""
    import pyarrow as pa
    from pyarrow import types

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
