"""Finds estimators by name, so that no list of them has to be maintained.

A lookup imports the modules of a package and searches the subclasses of scikit-learn's
`BaseEstimator`. Other packages can add classes with entry points. The name of the group is the name
of the package that is searched:

.. code-block:: toml

    [project.entry-points."closerthan.losses"]
    squared-hinge = "mypackage.losses:SquaredHinge"

Groups are ``closerthan.losses``, ``closerthan.optimize`` (solvers) and ``closerthan.penalties``.
Groups of models for studies are ``closerthan.mds``, ``closerthan.bilinear``,
``closerthan.mahalanobis``, ``closerthan.kernels`` and ``closerthan.ordinal``. The name of an entry
point is the short name of the class. If names clash, closerthan's own class is taken.
"""

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

__all__ = ["class_names", "find_by_short_name", "find_class", "short_names"]


def find_class(class_name: str, *packages: str) -> type:
    """Return the public estimator class with a given name from the given packages.

    Parameters
    ----------
    class_name : str
        Name of the class, such as "SVRG".
    *packages : str
        Names of packages or modules, searched in this order.

    Returns
    -------
    type

    Raises
    ------
    ValueError
        If there is no such class. The message lists the known classes.

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
    for package in packages:
        own = (found for found in _own(package) if found.__name__ == class_name)
        others = (entry.load() for entry in _others(package) if entry.attr == class_name)
        for found in chain(own, others):
            return found
    known = ", ".join(class_names(*packages))
    raise ValueError(f"no class {class_name!r} in {', '.join(packages)}; there are {known}")


def find_by_short_name(short_name: str, package: str) -> type | None:
    """Return the class with a short name such as "t-ste" or "l-bfgs", or None.

    The short name is the attribute `short_name` of the class, by default the class name in lower
    case. Case and hyphens do not matter.

    Examples
    --------
    >>> find_by_short_name("l-bfgs", "closerthan.optimize")
    <class 'closerthan.optimize.lbfgs.LBFGS'>
    """
    wanted = _plain(short_name)
    own = (found for found in _own(package) if _plain(_short_name(found)) == wanted)
    others = (entry.load() for entry in _others(package) if _plain(entry.name) == wanted)
    return next(chain(own, others), None)


def short_names(package: str) -> list[str]:
    """Return the short names of all public estimators of a package, module by module.

    Examples
    --------
    >>> short_names("closerthan.losses")
    ['gnmds', 'ckl', 'ste', 't-ste', 'soe', 'smooth-soe']
    """
    return [*map(_short_name, _own(package)), *(entry.name for entry in _others(package))]


def class_names(*packages: str) -> list[str]:
    """Return the names of all public estimators of some packages, module by module.

    Examples
    --------
    >>> class_names("closerthan.losses")
    ['GNMDS', 'CKL', 'STE', 'TSTE', 'SOE', 'SmoothSOE']
    """
    own = [found.__name__ for package in packages for found in _own(package)]
    return [*own, *(entry.attr for package in packages for entry in _others(package))]


def make_named(
    parameter: str, short_name: Any, package: str, also: str, words: Sequence[str] = ()
) -> Any:
    """Return an instance of the class with a short name; if unknown, list the names in an error."""
    found = find_by_short_name(short_name, package)
    if found is None:
        names = ", ".join([*words, *short_names(package)])
        raise ValueError(f"{parameter}={short_name!r}; it must be {also} or one of {names}")
    return found()


def lazy_face(package: str, names: str = r"\w+") -> tuple[Callable[[str], Any], Callable[[], list]]:
    """Return `__getattr__` and `__dir__` (PEP 562) of a package that imports its modules late.

    The attributes of the package are its modules, and the classes and functions in them with names
    that match the regular expression `names`. `__all__` has these classes and functions, and
    everything that the package imports.
    """
    folder = Path(sys.modules[package].__path__[0])
    paths = {path.stem: path for path in sorted(folder.glob("[a-z]*.py"))}

    @cache
    def places():
        """Return the module of each name, by reading the files, because imports are slow."""
        shown = re.compile(rf"^(?:class|def) ((?!_)(?:{names}))\b", re.MULTILINE)
        texts = {module: path.read_text(encoding="utf-8") for module, path in paths.items()}
        return {found[1]: module for module in texts for found in shown.finditer(texts[module])}

    def everything():
        known = vars(sys.modules[package]).items()
        own = {name for name, value in known if not isinstance(value, ModuleType)}
        return sorted(name for name in own | places().keys() if not name.startswith("_"))

    def __getattr__(name):
        if name == "__all__":
            return everything()
        if name in places():
            return getattr(import_module(f"{package}.{places()[name]}"), name)
        if name in paths:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return __getattr__, lambda: sorted({*everything(), *paths})


@cache
def _own(package):
    """Return the public estimators defined in a package or module."""
    from sklearn.base import BaseEstimator  # imported here, because `lazy_face` does not need it

    for module in iter_modules(getattr(import_module(package), "__path__", ())):
        if not module.ispkg and not module.name.startswith("_"):
            import_module(f"{package}.{module.name}")
    inside = (
        found
        for found in dict.fromkeys(_subclasses(BaseEstimator))
        if f"{found.__module__}.".startswith(f"{package}.") and _is_public(found)
    )
    return sorted(inside, key=lambda found: found.__module__)


@cache
def _others(package):
    """Return the entry points of other packages in this group."""
    return list(entry_points(group=package))


def _subclasses(base):
    for found in base.__subclasses__():
        yield found
        yield from _subclasses(found)


def _is_public(found):
    """Return whether a class is public in its module and not abstract."""
    module, name = sys.modules.get(found.__module__), found.__name__
    is_current = getattr(module, name, None) is found
    return is_current and not name.startswith("_") and not inspect.isabstract(found)


def _short_name(found):
    return getattr(found, "short_name", found.__name__.lower())


def _plain(name):
    return str(name).replace("-", "").lower()
