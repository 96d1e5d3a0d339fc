"""Let jobs compile in turn: two jobs that add to numba's cache at once can spoil it."""

import os
from pathlib import Path

from closerthan._core.writing import locked


def compile_in_turn(compile_kernels, *options):
    """Compile the functions of a task; other jobs wait if numba's cache is the node's own.

    Two jobs that add to the same cache at once can leave one with the code of the other.
    """
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder:
        compile_kernels(*options)
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, "lock").touch()
    except OSError as error:
        words = "set NUMBA_CACHE_DIR to a folder that you can write, or unset it"
        raise OSError(f"numba cannot write its cache: {error}; {words}") from None
    with locked(Path(folder, "lock")):
        compile_kernels(*options)
