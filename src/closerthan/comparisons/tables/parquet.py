"""Rows of a Parquet file."""

import numpy as np

from .text import BLOCK, Head


def read_parquet(path, faults):
    """Yield the columns' names, a `Head`, then blocks of rows, as :func:`~.text.read_text` does.

    Rows are counted from 0. It takes pyarrow.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError(f"{path}: to read it takes pyarrow; pip install pyarrow") from error
    try:
        with pq.ParquetFile(path, memory_map=True) as file:
            names = file.schema_arrow.names
            if not file.metadata.num_rows:
                raise faults.error("empty; at least one answer is needed")
            yield Head(names)
            start = 0
            for batch in file.iter_batches(BLOCK):
                lines = np.arange(start, start + len(batch))
                yield lines, [_texts(column) for column in batch.columns]
                start += len(batch)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # such as a file that may not be read
        reason = " ".join(str(error).split())
        raise faults.error(f"no complete Parquet file ({reason[:100]})") from None


def _texts(column):
    """Return a column as texts, or as lists of texts; None if it holds something else.

    Where there is nothing, the text is empty.
    """
    import pyarrow as pa
    from pyarrow import types

    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if types.is_null(kind):
        return [""] * len(column)
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    try:
        cells = column.cast(pa.list_(pa.string()) if is_list else pa.string()).to_pylist()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return None
    if is_list:
        return ["" if cell is None else [entry or "" for entry in cell] for cell in cells]
    return [cell or "" for cell in cells]
