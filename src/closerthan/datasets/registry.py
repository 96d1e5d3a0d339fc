"""Read the registry of data sets: source, checksum, license and citation of each.

The registry is all YAML files of this folder, and of the `folders` that a caller names: packages of
the same kind. Each file lies beside the module that loads its data sets, with the same name. It
says where the files come from, and their exact size and checksum.

A file is found in the cache and in a mirror as <data set>/<file> or as its `path`, or online at its
URL. A file that was never at hand has a limit to its size, `max_bytes`, and no `bytes`. If its
`sha256` is unknown too, it has its object id in git, `git_blob`. `derived` files have no URL: they
are rebuilt from the files that they name, and only compared. A loader reads a derived file only if
it has `instead`, the option that can replace it. `open_license: true` says that rows of the data
may be published; figures and aggregates always may. `n_objects` is null if the data do not fix it,
and `n_answers` is null if answers are simulated. `ratings` are the names of the ratings.
"""

import copy
import importlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from closerthan._core.typing import StrPath

if TYPE_CHECKING:
    import pandas as pd

_HERE = Path(__file__).parent
_COUNTS = ("n_objects", "n_answers", "n_people", "n_features")
_COLUMNS = ("title", "form", *_COUNTS, "megabytes", "open_license", "license")


def registry(folders: Iterable[StrPath] = ()) -> dict:
    """Return the registry of data sets, a dict that the caller may change.

    `folders` are packages with more data sets: a module and a YAML file each, as in this package.

    It has for each data set ``title``, ``description``, ``citation``, ``license`` ("none stated" if
    there is none), ``open_license``, ``homepage`` and ``n_objects``. If they apply and are known:
    ``n_features``, ``form`` (the form of the question), ``n_answers``, ``n_people`` and
    ``ratings``. ``files`` has for each file ``url``, ``bytes`` and ``sha256``, and ``derived`` has
    those that are rebuilt from others; `closerthan.datasets.registry` has their other keys. Both
    may be empty. Raise an ImportError if PyYAML is not installed.

    Examples
    --------
    >>> from closerthan.datasets import registry
    >>> registry()["music"]["license"]
    'none stated'
    """
    return copy.deepcopy(_read(tuple(folders)))


@cache
def _read(folders):
    yaml = import_extra("yaml")
    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same in C, ten times faster
    texts = (path.read_text(encoding="utf-8") for path in _paths(folders))
    entries = [entry for text in texts for entry in yaml.load(text, kind).items()]
    return {name: {"files": {}, "derived": {}} | facts for name, facts in entries}


def list_datasets(folders: Iterable[StrPath] = ()) -> "pd.DataFrame":
    """Return a table of all data sets, from the `registry` alone, without reading any data file.

    Data sets with a ``form`` come first. Values that are unknown or do not apply are missing. The
    columns are ``title``, ``form`` (the form of the question), ``n_objects``, ``n_answers``,
    ``n_people``, ``n_features``, ``megabytes`` (the size of its files, or the most it can be),
    ``open_license`` (whether rows may be published) and ``license``. Raise an ImportError if PyYAML
    is not installed.

    Examples
    --------
    >>> from closerthan.datasets import list_datasets
    >>> columns = ["form", "n_objects", "n_answers", "n_features", "megabytes"]
    >>> list_datasets().loc[["music", "words", "zappos"], columns]
                form  n_objects  n_answers  n_features  megabytes
    name
    music   triplets        400       9090        <NA>      0.053
    words    ratings       <NA>       <NA>        <NA>      0.114
    zappos  triplets         85     283770        4096      1.196
    """
    import pandas as pd  # here, because importing it takes longer than all of this package

    entries = sorted(registry(folders).items(), key=lambda item: ("form" not in item[1], item[0]))
    rows = [{"name": name, **facts} for name, facts in entries]
    for row in rows:
        row["megabytes"] = round(sum(map(size_limit, row["files"].values())) / 1e6, 3)
    table = pd.DataFrame(rows).set_index("name").reindex(columns=_COLUMNS)
    return table.astype(dict.fromkeys(_COUNTS, "Int64"))


def modules(folders=()):
    """Return the full name of the module that loads each data set, without PyYAML."""
    return {
        name: f"{package_of(path.parent)}.{path.stem}"
        for path in _paths(folders)
        for name in re.findall(r"^(\w+):", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


def package_of(folder):
    """Return the name of the package that a folder is, such as "closerthan.datasets"."""
    folder, names = Path(folder).resolve(), []
    while (folder / "__init__.py").exists():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names)


def _paths(folders):
    return [path for folder in (_HERE, *folders) for path in sorted(Path(folder).glob("*.yaml"))]


def check_dataset(name, folders=()):
    """Check that there is a data set of this name."""
    known = sorted(modules(folders))
    if name not in known:
        raise ValueError(f"unknown data set {name!r}, expected one of {', '.join(known)}")


def size_limit(entry):
    """Return the number of bytes that a file of a registry entry may have."""
    return entry["bytes"] if "bytes" in entry else entry["max_bytes"]


def import_extra(module):
    """Import a module of the extra ``data``, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{module} is not installed; run: pip install '.[data]' in a clone of closerthan"
        ) from error
