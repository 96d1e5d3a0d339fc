"""Find classes by name.

Losses, solvers and penalties have short names, such as "t-ste" or "l-bfgs", in a table `NAMES` of
`closerthan.losses`, `closerthan.optimize` and `closerthan.penalties`. Other estimators are found by
the name of their class in the `__all__` of a package, or by their full name, such as
"closerthan.mds.smacof.SMACOF".
"""

import inspect
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

__all__ = ["class_names", "find_by_short_name", "find_class", "make_named", "short_names"]


def find_class(class_name: str, *packages: str) -> type:
    """Return the public estimator class with a given name from the given packages.

    Parameters
    ----------
    class_name : str
        Name of the class, such as "SVRG", or its full name with module and package.
    *packages : str
        Names of packages or modules, searched in this order.

    Examples
    --------
    >>> find_class("SMACOF", "closerthan.mds", "sklearn.manifold")
    <class 'closerthan.mds.smacof.SMACOF'>
    """
    name, places = class_name.rpartition(".")[2], _places(class_name, packages)
    for place in places:
        if name in _own_names(place):
            return getattr(import_module(place), name)
    known = ", ".join(class_names(*places))
    raise ValueError(f"no class {class_name!r} in {', '.join(places)}; there are {known}")


def find_by_short_name(short_name: str, package: str) -> type | None:
    """Return the class with a short name such as "t-ste" or "l-bfgs", or None.

    Case and hyphens do not matter.

    Examples
    --------
    >>> find_by_short_name("l-bfgs", "closerthan.optimize")
    <class 'closerthan.optimize.lbfgs.LBFGS'>
    """
    module = import_module(package)
    for known, place in module.NAMES.items():
        if _plain(known) == _plain(short_name):
            return getattr(module, place.rpartition(".")[2])
    return None


def short_names(package: str) -> list[str]:
    """Return the short names of a package's table.

    Examples
    --------
    >>> short_names("closerthan.losses")
    ['gnmds', 'ckl', 'ste', 't-ste', 'soe', 'smooth-soe']
    """
    return list(import_module(package).NAMES)


def class_names(*packages: str) -> list[str]:
    """Return the names of all public estimators of some packages.

    Examples
    --------
    >>> class_names("closerthan.losses")
    ['GNMDS', 'CKL', 'STE', 'TSTE', 'SOE', 'SmoothSOE']
    """
    return [name for package in packages for name in _own_names(package)]


def make_named(
    parameter: str, short_name: Any, package: str, also: str, words: Sequence[str] = ()
) -> Any:
    """Return an instance of the class with a short name; if unknown, list the names in an error.

    `also` says what else the parameter may be, `words` are names that are no classes.
    """
    found = find_by_short_name(short_name, package)
    if found is None:
        names = ", ".join([*words, *short_names(package)])
        raise ValueError(f"{parameter}={short_name!r}; it must be {also} or one of {names}")
    return found()


def _places(class_name, packages):
    """Return where to look for a class: in the module of its full name, or in all packages."""
    module = class_name.rpartition(".")[0]
    if any(module.startswith(f"{package}.") for package in packages):
        with suppress(ModuleNotFoundError):
            import_module(module)
            return (module,)
    return packages


@cache
def _own_names(place):
    """Return the names of the classes of a package: its table, or the estimators that it shows."""
    module = import_module(place)
    if hasattr(module, "NAMES"):
        return tuple(found.rpartition(".")[2] for found in module.NAMES.values())
    shown = getattr(module, "__all__", vars(module))
    public = (name for name in shown if not name.startswith("_"))
    return tuple(name for name in public if _is_estimator(getattr(module, name), place))


def _is_estimator(found, place):
    """Tell whether this is an estimator of a place, and not a base class or imported there."""
    from sklearn.base import BaseEstimator  # here, because scikit-learn takes long to import

    is_class = isinstance(found, type) and issubclass(found, BaseEstimator)
    return is_class and found.__module__.startswith(place) and not inspect.isabstract(found)


def _plain(name):
    return str(name).replace("-", "").lower()
