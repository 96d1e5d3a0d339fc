"""Files that appear whole or not at all: written beside their target, then renamed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

__all__ = ["log_to", "replacing", "write_json"]


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it to `path` when the block succeeds.

    It ends as `path` does, for writers that choose a format by the suffix. If the block fails,
    `path` stays as it was, and what the block wrote is removed.

    Parameters
    ----------
    path : path-like
        The file to write. Its folder is made if there is none.

    Yields
    ------
    pathlib.Path
        Where to write; the block must leave a file there.

    Examples
    --------
    >>> from pathlib import Path
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


def write_json(path: str | os.PathLike[str], record: object) -> None:
    """Write `record` as indented UTF-8 JSON, with a newline at the end and in one go.

    Parameters
    ----------
    path : path-like
        The file to write.
    record : object
        Whatever `json.dumps` takes; keys keep their order.

    Raises
    ------
    ValueError
        When `record` holds NaN or an infinity, which JSON does not have.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_json(Path(folder) / "shape.json", {"objects": 21})
    ...     print((Path(folder) / "shape.json").read_text())
    {
      "objects": 21
    }
    """
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)
    with replacing(path) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def log_to(path: str | os.PathLike[str]) -> None:
    """Send what this process prints from now on to a log, line by line."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    sys.stdout = sys.stderr = open(path, "w", buffering=1, encoding="utf-8")  # noqa: SIM115
