"""Turns to compile: numba's cache can be spoiled by two jobs that add to it at once."""

import os
from contextlib import contextmanager
from pathlib import Path

from closerthan.files.writing import locked


@contextmanager
def one_at_a_time():
    """Keep other jobs of a node waiting while one compiles, where numba's cache is the node's own.

    Two jobs that add to the same cache at once can leave one with the code of the other. On a
    single machine the rule `compile` comes first; on a cluster each node needs a first job.
    """
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder:
        yield
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    with locked(Path(folder, "lock")):
        yield
