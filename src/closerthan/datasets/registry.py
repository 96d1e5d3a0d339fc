"""Read and check the registry of data sets: source, checksum, license and citation of each.

The registry is all YAML files of this folder. Each lies beside the module that loads its data sets,
with the same name. It says where the files come from, and their exact size and checksum.

A file is found in the cache and in a mirror as <data set>/<file> or as its `path`, or online at its
URL. A file that was too large to be checked here has no `sha256` and `bytes`. It has its object id
in git, `git_blob`, and a limit to its size, `max_bytes`. `derived` files have no URL: they are
rebuilt from the files that they name, and only compared. A loader reads a derived file only if it
has `instead`, the option that can replace it. `open_license: true` says that rows of the data may
be published; figures and aggregates always may. `n_objects` is null if the data do not fix it, and
`n_answers` is null if answers are simulated. `ratings` are the names of the ratings.
"""

import copy
import importlib
import re
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, get_args

from closerthan._core.typing import StrPath
from closerthan.datasets.verify import size_limit

if TYPE_CHECKING:
    import pandas as pd

_FOLDER = Path(__file__).parent

_FACTS = {
    "title": str,
    "description": str,
    "citation": str,
    "license": str,
    "open_license": bool,
    "homepage": str,
    "n_objects": int | NoneType,
}
_KINDS = {dict: "a mapping", int | NoneType: "int or null"}
_FILE = {"url": str, "bytes": int, "sha256": str}
# A file that was never downloaded here has no size, but an object id from a listing by git.
_LISTED_FILE = {"url": str, "max_bytes": int, "git_blob": str}
_DERIVED = {"derived_from": list, "bytes": int, "sha256": str}
_OPTIONAL = {
    "n_features": int,
    "form": str,
    "n_answers": int | NoneType,
    "n_people": int,
    "ratings": list,
    "files": dict,
    "derived": dict,
}
_COUNTS = ("n_objects", "n_answers", "n_people", "n_features")
_COLUMNS = ("title", "form", *_COUNTS, "megabytes", "open_license", "license")
_HEX_DIGITS = {"sha256": 64, "git_blob": 40}
_FILE_NAME = r"\w[\w.-]*"


def registry(path: StrPath | None = None) -> dict:
    """Return the checked registry of data sets.

    Parameters
    ----------
    path : str or path, default None
        One file of such a registry. None uses the files of the package.

    Returns
    -------
    dict
        For each data set: ``title``, ``description``, ``citation``, ``license`` ("none stated" if
        there is none), ``open_license`` (True if rows may be published), ``homepage``, and
        ``n_objects`` (None if it is a parameter or depends on the files). If they apply and are
        known: ``n_features``, ``form`` (the form of the question), ``n_answers`` (None if answers
        are simulated), ``n_people`` and ``ratings`` (their names). ``files`` has for each file
        ``url``, ``bytes`` and ``sha256``, or in place of the last two ``max_bytes`` and
        ``git_blob`` (the object id in git); also ``path`` if its place in cache and mirror is not
        ``<data set>/<file>``. ``derived`` has for each file that is rebuilt from others
        ``derived_from``, ``bytes``, ``sha256``, ``path`` in the same way, and ``instead`` if the
        loader reads it unless it is given this option. ``files`` and ``derived`` may be empty. The
        caller may change the dict.

    Raises
    ------
    ValueError
        If a key is missing, unknown or of the wrong type, or a checksum, size, URL or file name
        is invalid. The message names the registry, the data set and the key.
    ImportError
        If PyYAML is not installed.

    Examples
    --------
    >>> from closerthan.datasets import registry
    >>> registry()["music"]["license"]
    'none stated'
    """
    import_extra("yaml")
    return copy.deepcopy(_read_file(Path(path)) if path else _read_folder())


def list_datasets() -> "pd.DataFrame":
    """Return a table of all data sets, from the registry alone, without reading any data file.

    Returns
    -------
    pandas.DataFrame
        One row for each data set: first those with a ``form``, then the others, each by ``name``.
        Values that are unknown or do not apply are missing. Columns: ``title``; ``form`` (the form
        of the question); ``n_objects``; ``n_answers``; ``n_people``; ``n_features``;
        ``megabytes`` (the size of its files, or the most it can be; 0 without files);
        ``open_license`` (whether rows may be published); ``license``.

    Raises
    ------
    ImportError
        If PyYAML is not installed.

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

    entries = sorted(registry().items(), key=lambda item: ("form" not in item[1], item[0]))
    rows = [{"name": name, **facts, "megabytes": _megabytes(facts)} for name, facts in entries]
    table = pd.DataFrame(rows).set_index("name").reindex(columns=_COLUMNS)
    return table.astype(dict.fromkeys(_COUNTS, "Int64"))


def _megabytes(facts):
    return round(sum(size_limit(entry) for entry in facts["files"].values()) / 1e6, 3)


def modules():
    """Return the name of the module that loads each data set, without PyYAML.

    Examples
    --------
    >>> modules()["vehicle"]
    'libsvm'
    """
    return {
        name: path.stem
        for path in _paths()
        for name in re.findall(r"^(\w+):", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


def _paths():
    return sorted(_FOLDER.glob("*.yaml"))


@cache
def _read_folder():
    content = {}
    for path in _paths():
        entries = _read_file(path)
        twice = content.keys() & entries.keys()
        if twice:
            raise ValueError(f"{path.name}, {min(twice)}: another file has it too")
        content |= entries
    return content


def _read_file(path):
    """Read and check one file of the registry."""
    yaml = import_extra("yaml")
    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same in C, ten times faster
    content = yaml.load(path.read_text(encoding="utf-8"), kind)
    if not isinstance(content, dict) or not content:
        raise ValueError(f"{path.name}: expected a mapping from data sets to their entries")
    for dataset, facts in content.items():
        where = f"{path.name}, {dataset}"
        _check_keys(facts, _FACTS, where, _OPTIONAL)
        for key in _COUNTS:
            _check_positive(facts, key, where)
        for group, allowed in (("files", _FILE), ("derived", _DERIVED)):
            for file, entry in facts.setdefault(group, {}).items():
                _check_file(file, entry, allowed, f"{where}, {file}")
        for file, entry in facts["derived"].items():
            for source in entry["derived_from"]:
                if source not in facts["files"]:
                    raise ValueError(
                        f"{where}, {file}: derived_from names {source!r}, "
                        f"expected some of {sorted(facts['files'])}"
                    )
    return content


def import_extra(module):
    """Import a module of the extra ``data``, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{module} is not installed; run: pip install '.[data]' in a clone of closerthan"
        ) from error


def _check_file(file, entry, allowed, where):
    if not isinstance(file, str) or not re.fullmatch(_FILE_NAME, file):
        raise ValueError(f"{where}: expected the name of a file, without a folder")
    if allowed is _FILE and isinstance(entry, dict) and "git_blob" in entry:
        allowed = _LISTED_FILE
    instead = {"instead": dict} if allowed is _DERIVED else {}
    _check_keys(entry, allowed, where, {"path": str} | instead)
    if not re.fullmatch(f"{_FILE_NAME}(/{_FILE_NAME})*", entry.get("path", file)):
        raise ValueError(f"{where}: path is {entry['path']!r}, expected one inside a folder")
    for key, n_digits in _HEX_DIGITS.items():
        if key in entry and not re.fullmatch(f"[0-9a-f]{{{n_digits}}}", entry[key]):
            raise ValueError(
                f"{where}: {key} is {entry[key]!r}, expected {n_digits} lower-case hex digits"
            )
    for key in ("bytes", "max_bytes"):
        _check_positive(entry, key, where)
    if not entry.get("url", "https://").startswith("https://"):
        raise ValueError(f"{where}: url is {entry['url']!r}, expected one with https")


def _check_positive(entry, key, where):
    if entry.get(key) is not None and entry[key] < 1:
        raise ValueError(f"{where}: {key} is {entry[key]}, expected a positive number")


def _check_keys(entry, required, where, optional):
    allowed = required | optional
    if not isinstance(entry, dict):
        raise ValueError(f"{where}: expected a mapping with the keys {', '.join(required)}")
    for key, value in entry.items():
        if key not in allowed:
            raise ValueError(f"{where}: unknown key {key!r}, expected {', '.join(allowed)}")
        if type(value) not in (get_args(allowed[key]) or [allowed[key]]):
            kind = _KINDS.get(allowed[key]) or allowed[key].__name__
            raise ValueError(f"{where}: {key} is {value!r}, expected {kind}")
    for key in required:
        if key not in entry:
            raise ValueError(f"{where}: the key {key!r} is missing")
