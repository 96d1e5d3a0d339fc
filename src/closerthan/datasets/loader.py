"""Find the loader of a data set by name, and load the data or find their files.

A loader is called ``load_<data set>``, or ``load_<module>`` if it takes the name of the data set.
`_OTHERS` lists the exceptions.
"""

import inspect
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place, fetch
from closerthan.datasets.registry import check_name, modules, registry

_OTHERS = {
    "load_breast_cancer": "bundled",
    "load_digits": "bundled",
    "load_wine": "bundled",
    "load_things_ooo": "things_ooo",
    "load_things_repeated": "things_ooo",
    "make_answers": "simulated",
    "make_dimensions": "simulated_dimensions",
    "make_gaussian": "synthetic",
    "make_shape": "shapes",
}
# The module of each function.
LOADERS = _OTHERS | {f"load_{m}": m for m in modules().values() if m not in _OTHERS.values()}


def find_loader(name):
    """Return the function that loads a data set, importing only its module."""
    check_name(name)
    module, own = modules()[name], f"load_{name}"
    found = own if own in LOADERS else next(key for key in LOADERS if LOADERS[key] == module)
    function = getattr(import_module(f"closerthan.datasets.{module}"), found)
    return partial(function, name) if "name" in inspect.signature(function).parameters else function


def takes_files(function):
    """Return whether a loader reads files."""
    return "mirror" in inspect.signature(function).parameters


def load(
    name: str, *, mirror: Place = None, cache: Place = None, offline: bool = False, **options: Any
) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        A key of `registry`.
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
    function = find_loader(name)
    if takes_files(function):
        options |= {"mirror": mirror, "cache": cache, "offline": offline}
    return function(**options)


def find_files(
    name: str, *, mirror: Place = None, cache: Place = None, offline: bool = False, **options: Any
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
    if not takes_files(find_loader(name)):
        return {}
    facts = registry()[name]
    # A loader reads only those derived files that an option can replace.
    derived = [
        file
        for file, entry in facts["derived"].items()
        if any(options.get(option) is None for option in entry.get("instead", {}))
    ]
    files = [*facts["files"], *derived]
    return {f: fetch(name, f, mirror=mirror, cache=cache, offline=offline) for f in files}
