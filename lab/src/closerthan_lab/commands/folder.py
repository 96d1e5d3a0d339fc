"""Write a folder of results completely or not at all, without touching other files."""

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from closerthan._core.writing import locked

_MADE = "made.json"  # lists the files that a command wrote
_PART = ".part"
# The ends of files of answers that `convert` writes, and the form of each.
KINDS = dict.fromkeys([".csv", ".csv.gz", ".parquet"], "table") | {".npy": "array", ".txt": "spose"}


@contextmanager
def filling(folder, *, overwrite=False):
    """Yield an empty folder, and move its files to `folder` at the end, unless the block fails.

    Files that an earlier command wrote are replaced; ``made.json`` lists them. Other files stay.
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
    """Yield a temporary empty folder on the same disk, and remove it; errors name `folder`."""
    folder = Path(folder)
    # An existing folder may be a separate disk, or its parent may not be writable.
    parent = folder if folder.is_dir() else folder.absolute().parent
    here = None
    try:
        parent.mkdir(parents=True, exist_ok=True)
        here = Path(mkdtemp(prefix=f".{folder.name}-", suffix=_PART, dir=parent))
        yield here
    except OSError as error:
        known = [str(name) for name in (error.filename, error.filename2) if name is not None]
        if error.errno is None or (known and not any(_PART in name for name in known)):
            raise  # the error names a file that the user knows
        raise type(error)(error.errno, error.strerror, str(folder)) from error
    finally:
        if here is not None:
            shutil.rmtree(here, ignore_errors=True)


def check_free(folder, overwrite=False):
    """Raise an error if a folder may not be filled. Call it before long work."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: this is a file; name a folder")
    if folder.exists() and not overwrite and any(map(_is_whole, folder.iterdir())):
        way_out = "name another folder or replace files of an earlier command with overwrite=True"
        raise ValueError(f"{folder}: the folder has files; {way_out}")
    _try_to_write(folder)


def check_new(file, overwrite=False, ends=("",)):
    """Raise an error if a new file may not be written. Call it before long work."""
    if not file.name.lower().endswith(tuple(ends)):
        raise ValueError(f"{file}: the name must end in {', '.join(ends)}")
    if file.is_dir():
        raise ValueError(f"{file}: this is a folder; give the name of a file")
    if file.exists() and not overwrite:
        raise ValueError(f"{file}: the file exists; name another or replace it with overwrite=True")
    _try_to_write(file.parent)


def refuse_same(file, answers):
    """Raise an error if a new file is the file of the answers itself."""
    if answers is not None and file.exists() and file.samefile(answers):
        raise ValueError(f"{file}: this is the file of the answers; name another")


def _try_to_write(folder):
    """Make and remove a temporary folder, because permissions do not tell all, as in /proc."""
    there = folder.absolute()
    while not there.exists():
        there = there.parent
    try:
        os.rmdir(mkdtemp(prefix=".", suffix=_PART, dir=there))
    except OSError as error:
        fault = f"nothing can be written here ({error.strerror})"
        raise ValueError(f"{folder}: {fault}; name another folder") from None


def _is_whole(path):
    """Return True unless a file is the temporary folder of a running or killed command."""
    return not (path.name.startswith(".") and path.name.endswith(_PART))


def _replace(here, folder, names):
    """Move files into the folder, and their list last; a folder without it is incomplete."""
    earlier = _made_before(folder / _MADE)
    (folder / _MADE).unlink(missing_ok=True)
    for name in earlier.difference(names):
        (folder / name).unlink(missing_ok=True)
    for name in [*names, _MADE]:
        os.replace(here / name, folder / name)


def _made_before(made):
    """Return the listed names of files directly in the folder; ignore all other names."""
    try:
        names = json.loads(made.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    names = names if isinstance(names, list) else []
    return {name for name in names if isinstance(name, str) and name == Path(name).name}
