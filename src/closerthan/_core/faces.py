"""Faces: packages that import their modules only when one of their names is asked for (PEP 562)."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def lazy_face(
    package: str, places: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package whose names stand in a table.

    `places` has the module of each public name, relative to the package: ``{"SVRG": "svrg"}``. The
    attributes are these names and the public modules of the package.
    """

    def __getattr__(name):
        if name in places:
            return getattr(import_module(f"{package}.{places[name]}"), name)
        is_public = name.isidentifier() and not name.startswith("_")
        if is_public and find_spec(f"{package}.{name}"):
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def __dir__():
        from pkgutil import iter_modules

        face = import_module(package)
        modules = (module.name for module in iter_modules(face.__path__))
        return sorted({*face.__all__, *(name for name in modules if not name.startswith("_"))})

    return __getattr__, __dir__
