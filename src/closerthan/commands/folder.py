"""Folders that a command fills: whole or not at all, and never with what is somebody else's."""

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from closerthan.files.writing import locked

_MADE = "made.json"  # the files of a folder that a command made
_PART = ".part"


@contextmanager
def filling(folder, *, overwrite=False):
    """Yield an empty folder to write into; what is there in the end is moved to `folder`.

    If the block fails nothing is changed. Files that an earlier command made are replaced, others
    stay. A list of the files, ``made.json``, is written last.
    """
    folder = Path(folder)
    check_free(folder, overwrite)
    with partial(folder) as here:
        yield here
        names = sorted(path.name for path in here.iterdir())
        (here / _MADE).write_text(json.dumps(names, indent=2) + "\n", encoding="utf-8")
        folder.mkdir(exist_ok=True)
        with locked(folder):
            check_free(folder, overwrite)  # another command may have filled it since
            _replace(here, folder, names)


@contextmanager
def partial(folder):
    """Yield an empty folder on the same disk as `folder`, which is removed in the end.

    An OSError about it names `folder`.
    """
    folder = Path(folder)
    # Inside of what is there already: it may be a disk of its own, or its parent somebody else's.
    parent = folder if folder.is_dir() else folder.absolute().parent
    here = None
    try:
        parent.mkdir(parents=True, exist_ok=True)
        here = Path(mkdtemp(prefix=f".{folder.name}-", suffix=_PART, dir=parent))
        yield here
    except OSError as error:
        known = [str(name) for name in (error.filename, error.filename2) if name is not None]
        if error.errno is None or (known and not any(_PART in name for name in known)):
            raise  # it names a file that the user knows
        raise type(error)(error.errno, error.strerror, str(folder)) from error
    finally:
        if here is not None:
            shutil.rmtree(here, ignore_errors=True)


def check_free(folder, overwrite=False):
    """Refuse a folder that `filling` may not fill; worth asking before long work."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: is a file; a folder is needed")
    if folder.exists() and not overwrite and any(map(_is_whole, folder.iterdir())):
        raise ValueError(
            f"{folder}: holds files already; --overwrite replaces those of an earlier command"
        )
    there = folder.absolute()
    while not there.exists():
        there = there.parent
    if not os.access(there, os.W_OK | os.X_OK):
        raise ValueError(f"{folder}: can't be written to; name another folder")


def _is_whole(path):
    """Whether a file is not what a command that was killed left behind, or is about to write."""
    return not (path.name.startswith(".") and path.name.endswith(_PART))


def _replace(here, folder, names):
    """Move files into the folder, in place of those of an earlier command; their list comes last.

    Without this list a folder that was left in the middle is not taken for a whole one.
    """
    earlier = _made_before(folder / _MADE)
    (folder / _MADE).unlink(missing_ok=True)
    for name in earlier.difference(names):
        (folder / name).unlink(missing_ok=True)
    for name in [*names, _MADE]:
        os.replace(here / name, folder / name)


def _made_before(made):
    """Return the names in the list, of files in the folder itself and of no others."""
    try:
        names = json.loads(made.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    names = names if isinstance(names, list) else []
    return {name for name in names if isinstance(name, str) and name == Path(name).name}
