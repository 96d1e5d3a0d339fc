"""Folders that a command fills: whole or not at all, and never with what is somebody else's."""

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

_MADE = "made.json"  # the files of a folder that a command made


@contextmanager
def filling(folder, *, overwrite=False):
    """Yield an empty folder to write into; what is there in the end is moved to `folder`.

    If the block fails nothing is changed. A list of the files, ``made.json``, is written last.

    Parameters
    ----------
    folder : str or path-like
        Is made if it is missing.
    overwrite : bool, default False
        Whether a folder that holds files is allowed. Those that an earlier command made are
        replaced, others stay.

    Yields
    ------
    pathlib.Path

    Raises
    ------
    ValueError
        If the folder is a file, or holds files and `overwrite` is false; before the block.
    OSError
        If it can't be written to.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as here:
    ...     with filling(Path(here, "out")) as folder:
    ...         _ = Path(folder, "map.csv").write_text("name,x,y")
    ...     sorted(path.name for path in Path(here, "out").iterdir())
    ['made.json', 'map.csv']
    """
    folder = Path(folder)
    check_free(folder, overwrite)
    parent = folder.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    partial = Path(mkdtemp(prefix=f".{folder.name}-", suffix=".part", dir=parent))
    try:
        yield partial
        _move(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def check_free(folder, overwrite=False):
    """Refuse a folder that `filling` may not fill; worth asking before long work.

    Raises
    ------
    ValueError
        As `filling`.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: is a file; a folder is needed")
    if folder.exists() and not overwrite and any(folder.iterdir()):
        raise ValueError(
            f"{folder}: holds files already; --overwrite replaces those of an earlier command"
        )


def _move(partial, folder):
    names = sorted(path.name for path in partial.iterdir())
    folder.mkdir(exist_ok=True)
    # Without this list a folder that was left in the middle is not taken for a whole one.
    made = folder / _MADE
    earlier = _made_before(made)
    made.unlink(missing_ok=True)
    for name in earlier.difference(names):
        (folder / name).unlink(missing_ok=True)
    for name in names:
        os.replace(partial / name, folder / name)
    (partial / _MADE).write_text(json.dumps(names, indent=2) + "\n", encoding="utf-8")
    os.replace(partial / _MADE, made)


def _made_before(made):
    """Return the names in the list, of files in the folder itself and of no others."""
    try:
        names = json.loads(made.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    names = names if isinstance(names, list) else []
    return {name for name in names if isinstance(name, str) and name == Path(name).name}
