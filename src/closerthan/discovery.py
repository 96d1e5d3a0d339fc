"""Finds classes by name, so that no list of them has to be maintained.

Modules that are not yet imported are searched in their source. Only the module that defines a name
is imported: whoever needs one solver does not wait for the others.
"""

import inspect
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

__all__ = ["class_names", "find_by_short_name", "find_class", "short_names"]


@cache
def find_class(class_name: str, *packages: str) -> type:
    """Return the public estimator of a name that a module of some packages defines.

    Parameters
    ----------
    class_name : str
        As the class is written: "SVRG".
    *packages : str
        Names of packages, or of single modules, searched in this order.

    Returns
    -------
    type

    Raises
    ------
    ValueError
        If there is none; the message names those that there are.

    Examples
    --------
    >>> find_class("SMACOF", "closerthan.mds", "sklearn.manifold")
    <class 'closerthan.mds.smacof.SMACOF'>
    >>> find_class("Isomap", "closerthan.mds", "sklearn.manifold")
    <class 'sklearn.manifold._isomap.Isomap'>
    >>> find_class("Adam", "closerthan.optimize")
    Traceback (most recent call last):
    ...
    ValueError: no class 'Adam' in closerthan.optimize; there are Auto, Batch, LBFGS, ...
    """
    found = _find(lambda name: name == class_name, packages)
    if found is None:
        known = ", ".join(class_names(*packages))
        raise ValueError(f"no class {class_name!r} in {', '.join(packages)}; there are {known}")
    return found


def find_by_short_name(short_name: str, *packages: str) -> type | None:
    """Return the class that a short name such as "t-ste" or "l-bfgs" stands for, or None.

    A class has its short name as `short_name`; without it, that is its name in lower case. Neither
    case nor hyphens matter, and a class whose own name fits is found without importing the others.

    Examples
    --------
    >>> find_by_short_name("l-bfgs", "closerthan.optimize")
    <class 'closerthan.optimize.lbfgs.LBFGS'>
    """
    wanted = _plain(short_name)
    found = _find(lambda name: _plain(name) == wanted, packages)
    if found is None:
        fitting = (c for c in _classes(packages) if _plain(_short_name(c)) == wanted)
        found = next(fitting, None)
    return found


def short_names(*packages: str) -> list[str]:
    """Return the short names of all public estimators of some packages.

    Parameters
    ----------
    *packages : str
        As of `find_class`.

    Returns
    -------
    list of str
        In the order in which they are defined, module by module.

    Examples
    --------
    >>> short_names("closerthan.losses")
    ['gnmds', 'ckl', 'ste', 't-ste', 'soe']
    """
    return [_short_name(found) for found in _classes(packages)]


def class_names(*packages: str) -> list[str]:
    """Return the names of all public estimators of some packages; this imports their modules.

    Parameters
    ----------
    *packages : str
        As of `find_class`.

    Returns
    -------
    list of str
        In the order in which they are defined, module by module.

    Examples
    --------
    >>> class_names("closerthan.losses")
    ['GNMDS', 'CKL', 'STE', 'TSTE', 'SOE']
    """
    return [found.__name__ for found in _classes(packages)]


def lazy_face(package: str, names: str = r"\w+") -> tuple[Callable[[str], Any], Callable[[], list]]:
    """Return `__getattr__` and `__dir__` of a package that imports its modules when asked.

    PEP 562. What its modules define at their top level in public are its attributes, and so are
    the modules themselves. `__all__` has the former, and what the package itself imports under a
    public name.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    names : str
        A regular expression of the definitions to show, by default all.

    Returns
    -------
    __getattr__, __dir__ : functions
    """

    def __getattr__(name):
        if name == "__all__":
            return everything()
        if not name.startswith("_"):
            for module in _modules(package):
                if re.fullmatch(names, name) and name in _defined_in(package, module):
                    return getattr(import_module(module), name)
            if f"{package}.{name}" in _modules(package):
                return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def everything():
        own = {
            name
            for name, value in vars(sys.modules[package]).items()
            if not name.startswith("_") and not isinstance(value, ModuleType)
        }
        found = (name for module in _modules(package) for name in _defined_in(package, module))
        return sorted(own.union(name for name in found if re.fullmatch(names, name)))

    def __dir__():
        modules = (module.rpartition(".")[2] for module in _modules(package))
        return sorted({*everything(), *(name for name in modules if not name.startswith("_"))})

    return __getattr__, __dir__


def _find(is_wanted, packages):
    for module, name in _definitions(packages):
        if is_wanted(name):
            found = getattr(import_module(module), name)
            if _is_estimator(found):
                return found
    return None


@cache
def _classes(packages):
    found = (getattr(import_module(module), name) for module, name in _definitions(packages))
    return [definition for definition in found if _is_estimator(definition)]


def _short_name(found):
    return getattr(found, "short_name", found.__name__.lower())


def _plain(name):
    return str(name).replace("-", "").lower()


def _is_estimator(found):
    """Whether it is a class of scikit-learn's kind that can be instantiated."""
    return inspect.isclass(found) and hasattr(found, "get_params") and not inspect.isabstract(found)


def _definitions(packages):
    """Module and name of each public class and function of some packages."""
    for package in packages:
        for module in _modules(package):
            for name in _defined_in(package, module):
                yield module, name


def _defined_in(package, module):
    """The public classes and functions that a module of a package defines at its top level.

    A module that has no source, such as a compiled one, is imported to see them.
    """
    source = None if module in sys.modules else _source(package, module)
    if source is not None:
        return re.findall(r"^(?:class|def) ([A-Za-z]\w*)", source, re.MULTILINE)
    return [
        name
        for name, value in list(vars(import_module(module)).items())
        if not name.startswith("_")
        and getattr(value, "__name__", None) == name
        and getattr(value, "__module__", None) == module
    ]


@cache
def _source(package, module):
    """The source of a module of a package, or None if there is none."""
    return _modules(package)[module].loader.get_source(module)


@cache
def _modules(package):
    """Each module of a package and its spec, its face and its subpackages left out.

    A single module stands for itself.
    """
    if package in sys.modules and not hasattr(sys.modules[package], "__path__"):
        return {package: None}  # its spec is not needed, and `__main__` may have none
    spec = find_spec(package)
    if spec.submodule_search_locations is None:
        return {package: spec}
    return {
        f"{package}.{module.name}": module.module_finder.find_spec(f"{package}.{module.name}")
        for module in iter_modules(spec.submodule_search_locations)
        if not module.ispkg
    }
