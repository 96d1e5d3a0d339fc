"""Write files whole or not at all, and lock places that several processes write to."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`, with its suffix; rename it when the block succeeds.

    If the block fails, `path` stays as it was, and the written part is removed. The folder of
    `path` is made if it does not exist.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     target = Path(folder) / "scores.csv"
    ...     with replacing(target) as temporary:
    ...         _ = temporary.write_text("trial,error")
    ...     target.read_text()
    'trial,error'
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.stem}-{uuid4().hex}{path.suffix}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Make other processes that lock the same file or folder wait until the block ends.

    `path` is a folder that exists, or a file, which is made if it does not exist. If a process is
    killed, the system frees its lock. The block runs at once if the system has no such lock:
    Windows has none for folders.
    """
    try:
        import fcntl
    except ImportError:  # on Windows
        yield
        return
    folder = os.path.isdir(path)
    lock = os.open(path, os.O_RDONLY if folder else os.O_RDWR | os.O_CREAT, 0o644)
    try:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
