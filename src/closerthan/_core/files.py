"""A file that appears whole or not at all."""

from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4


@contextmanager
def replacing(path):
    """Yield a temporary path beside `path`; rename it to `path` when the block succeeds.

    It ends as `path` does, for writers that choose a format by the suffix. When the block fails,
    `path` is as it was, and what the block wrote is removed.

    Parameters
    ----------
    path : path-like
        A file in a folder that is there.

    Yields
    ------
    pathlib.Path

    Raises
    ------
    FileNotFoundError
        If the folder is not there.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent}")
    partial = path.with_name(f".{path.stem}-{uuid4().hex}{path.suffix}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
