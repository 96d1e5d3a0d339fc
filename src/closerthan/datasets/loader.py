"""Give every loader of a data set its name, its files, its checks and the shared documentation.

A data set is a module with a `loader` and a YAML file of the same name with its registry entry.
Nothing else has to know of it. A loader gets files whose checksum is verified, so it checks no
row of them. The result is checked by its counts.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from closerthan._core.typing import StrPath
from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import fetch, read
from closerthan.datasets.registry import modules, registry

_PLACES = {"mirror": None, "cache": None, "offline": False}
_PARAMETERS = """
mirror, cache, offline
    Where to look for the files; see `closerthan.datasets.fetch`.
"""
_RAISES = """
Raises
------
DataUnavailable
    If a file is nowhere to be had.
ValueError
    If a file is corrupt, or does not hold what it should.

"""


@dataclass(frozen=True)
class _Loader:
    load: Callable[..., Dataset]
    takes_files: bool


_LOADERS: dict[str, _Loader] = {}


def loader(*names: str) -> Callable[[Callable[..., Dataset]], Callable[..., Dataset]]:
    """Make a function the loader of one data set, or of several.

    The function returns a `Dataset` with as many objects, features, answers and people as its
    registry entry says. If it has a parameter `read`, it gets a function there that returns the
    verified content of a file; callers give `mirror`, `cache` and `offline` instead. A loader of
    several data sets gets the name as its parameter `name`.
    """

    def decorate(function):
        signature = inspect.signature(function)
        takes_files = "read" in signature.parameters
        public = _public(signature) if takes_files else signature

        @wraps(function)
        def load(*args, **options):
            try:
                name = public.bind(*args, **options).arguments.get("name", names[0])
            except TypeError as error:
                raise TypeError(f"{function.__name__}(): {error}") from None
            if name not in names:
                raise ValueError(f"unknown data set {name!r}, expected one of {', '.join(names)}")
            if takes_files:
                places = {key: options.pop(key, default) for key, default in _PLACES.items()}
                options["read"] = partial(read, name, **places)
            return _checked(function(*args, **options))

        if takes_files:
            load.__signature__ = public
            load.__doc__ = _document(inspect.getdoc(function))
        for name in names:
            of_one = partial(load, name) if "name" in signature.parameters else load
            _LOADERS[name] = _Loader(of_one, takes_files)
        return load

    return decorate


def find_loader(name):
    """Return the loader of a data set, importing only its module; raise if it is unknown."""
    known = modules()
    if name not in known:
        raise ValueError(f"unknown data set {name!r}, expected one of {', '.join(sorted(known))}")
    import_module(f"closerthan.datasets.{known[name]}")
    if name not in _LOADERS:
        raise ValueError(f"{known[name]}.py has no loader of {name!r}, an entry of its YAML file")
    return _LOADERS[name]


def load(
    name: str,
    *,
    mirror: StrPath | None = None,
    cache: StrPath | None = None,
    offline: bool = False,
    **options: Any,
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

    Returns
    -------
    Dataset

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
    >>> load("shoes")
    Traceback (most recent call last):
    ...
    ValueError: unknown data set 'shoes', expected one of ...
    """
    found = find_loader(name)
    if found.takes_files:
        options |= {"mirror": mirror, "cache": cache, "offline": offline}
    return found.load(**options)


def find_files(
    name: str,
    *,
    mirror: StrPath | None = None,
    cache: StrPath | None = None,
    offline: bool = False,
    **options: Any,
) -> dict[str, Path]:
    """Find and verify every file that `load` reads, without loading the data.

    Parameters
    ----------
    name : str
        A key of `registry`.
    mirror, cache, offline
        Where to look for the files, as in `fetch`.
    **options
        Options of the loader. Some replace a file of the registry, such as ``vectors`` of
        `load_words`.

    Returns
    -------
    dict of str to pathlib.Path
        The path of each file; empty for a data set without files.

    Raises
    ------
    ValueError
        If there is no such data set, or a file is not the registered one.
    DataUnavailable
        If a file cannot be found anywhere.

    Examples
    --------
    >>> from closerthan.datasets import find_files
    >>> find_files("digits")
    {}
    """
    if not find_loader(name).takes_files:
        return {}
    facts = registry()[name]
    # A loader reads only those derived files that an option can replace.
    replaceable = {
        file: next(iter(entry["instead"]))
        for file, entry in facts["derived"].items()
        if "instead" in entry
    }
    derived = [file for file, option in replaceable.items() if options.get(option) is None]
    files = [*facts["files"], *derived]
    return {f: fetch(name, f, mirror=mirror, cache=cache, offline=offline) for f in files}


def _checked(data):
    """Refuse data whose size is not in the registry; without PyYAML there is no registry."""
    try:
        facts = registry()[data.name]
    except ImportError:
        return data
    counts = ("n_objects", "n_answers", "n_people")
    found = {key: data.info[key] for key in counts if key in data.info}
    if data.ratings is not None:
        found["ratings"] = list(data.ratings)
    if data.features is not None:
        found["n_features"] = data.features.shape[1]
    for key, value in found.items():
        expected = facts.get(key)
        if expected is not None and value != expected:
            raise ValueError(
                f"{data.name}: {key} is {value}, expected {expected}, as the registry says"
            )
    return data


def _public(signature):
    """Return the signature with the places to look for files instead of `read`."""
    own = [parameter for key, parameter in signature.parameters.items() if key != "read"]
    kind = inspect.Parameter.KEYWORD_ONLY
    kinds = {key: StrPath | None if value is None else bool for key, value in _PLACES.items()}
    places = [
        inspect.Parameter(key, kind, default=value, annotation=kinds[key])
        for key, value in _PLACES.items()
    ]
    return signature.replace(parameters=[*own, *places])


def _document(doc):
    """Return the docstring with what all loaders with files share: parameters and errors."""
    if doc is None:  # python -OO
        return None
    before, returns, after = doc.partition("\nReturns\n-------\n")
    if "Parameters\n----------" not in before:
        before += "\nParameters\n----------\n"
    results, references, rest = after.partition("References\n----------\n")
    return (
        "".join([before.rstrip("\n"), _PARAMETERS, returns, results.rstrip("\n"), "\n", _RAISES])
        + references
        + rest
    )
