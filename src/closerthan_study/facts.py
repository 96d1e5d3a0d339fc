"""What the registry says of data sets, read once."""

from functools import cache

from closerthan.datasets.registry import registry
from closerthan_study import folders


def facts():
    """Return the registry of all data sets that a run may use."""
    return _read(tuple(folders.DATASETS))


_read = cache(registry)
