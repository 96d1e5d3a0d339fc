"""Read the rows of a .npy array of whole numbers or names."""

import numpy as np
import pandas as pd

from closerthan_lab.files.frames import Head, coded


def open_array(path, faults):
    """Return the array of a .npy file, memory-mapped. Nothing is unpickled."""
    if not path.stat().st_size:
        raise faults.error("empty; give at least one comparison")
    try:
        return np.asarray(np.lib.format.open_memmap(path, mode="r"))
    except ValueError as error:
        raise faults.error(f"not a complete .npy file ({error})") from None


def read_array(path, faults):
    """Yield the first row as a `Head`, then the rows below it, counted from 0."""
    table = open_array(path, faults)
    if table.ndim != 2 or table.dtype.kind not in "iufU" or not len(table):
        raise faults.error(
            f"an array of shape {table.shape} and type {table.dtype}; rows of numbers or names are "
            "needed"
        )
    yield Head([str(cell) for cell in table[0]], 0)
    cells = {place: _texts(column) for place, column in enumerate(table[1:].T)}
    yield np.arange(1, len(table)), pd.DataFrame(cells)


def _texts(column):
    values, numbers = np.unique(column, return_inverse=True)
    return coded([str(value) for value in values], numbers)
