"""Find the loader of a data set by name, and load the data or find their files.

A loader is called ``load_<data set>``. Or it is the only function of its module that is called
``load_...`` or ``make_...``, and may take the name of the data set. `LOADERS` lists those of this
package.
"""

import inspect
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from closerthan._core.typing import StrPath
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place, fetch
from closerthan.datasets.registry import check_dataset, modules, registry

_OTHERS = {
    "load_breast_cancer": "bundled",
    "load_digits": "bundled",
    "load_wine": "bundled",
    "make_gaussian": "synthetic",
    "make_shape": "shapes",
}
_NAMES = [module.rpartition(".")[2] for module in modules().values()]
# The module of each function.
LOADERS = _OTHERS | {f"load_{m}": m for m in _NAMES if m not in _OTHERS.values()}


def find_loader(name, folders=()):
    """Return the function that loads a data set, importing only its module."""
    check_dataset(name, folders)
    module = import_module(modules(folders)[name])
    loaders = [key for key in vars(module) if key.startswith(("load_", "make_"))]
    own = f"load_{name}"
    function = getattr(module, own if own in loaders else loaders[-1])
    return partial(function, name) if "name" in inspect.signature(function).parameters else function


def takes_files(function):
    """Return whether a loader reads files."""
    return "mirror" in inspect.signature(function).parameters


def load(
    name: str,
    *,
    folders: Iterable[StrPath] = (),
    mirror: Place = None,
    cache: Place = None,
    offline: bool = False,
    **options: Any,
) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        A key of `registry`.
    folders
        Packages with more data sets, as in `registry`.
    mirror, cache, offline
        Where to look for files, as in `fetch`; ignored by a data set without files.
    **options
        Options of the loader, such as ``n_objects`` of `make_gaussian` for ``"synthetic"``.

    Raises
    ------
    ValueError
        If there is no such data set, or its content is wrong.
    DataUnavailable
        If a file cannot be found anywhere.

    Examples
    --------
    >>> from closerthan.datasets import load
    >>> load("synthetic", n_objects=5, random_state=0).points.shape
    (5, 10)
    """
    function = find_loader(name, folders)
    if takes_files(function):
        options |= {"mirror": mirror, "cache": cache, "offline": offline}
    return function(**options)


def find_files(
    name: str,
    *,
    folders: Iterable[StrPath] = (),
    mirror: Place = None,
    cache: Place = None,
    offline: bool = False,
    **options: Any,
) -> dict[str, Path]:
    """Find and verify every file that `load` reads, without loading the data.

    Returns a dict with the path of each file. Parameters and errors are as for `load`. Some options
    replace a file of the registry, such as ``vectors`` of `load_words`.

    Examples
    --------
    >>> from closerthan.datasets import find_files
    >>> find_files("digits")
    {}
    """
    if not takes_files(find_loader(name, folders)):
        return {}
    facts = registry(folders)[name]
    # A loader reads only those derived files that an option can replace.
    derived = [
        file
        for file, entry in facts["derived"].items()
        if any(options.get(option) is None for option in entry.get("instead", {}))
    ]
    files = [*facts["files"], *derived]
    find = partial(fetch, name, folders=folders, mirror=mirror, cache=cache, offline=offline)
    return {file: find(file) for file in files}
