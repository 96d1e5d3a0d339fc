"""Find public functions and methods without annotations."""

import inspect
import re
from importlib import import_module
from pathlib import Path

API = Path(__file__).parents[1] / "docs/api.md"


def listed(package, page=API):
    """Return the modules of a package that a page lists, by their names for users."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^   ({package}(?:\.[a-z._]+)?)$", text, re.MULTILINE)


def public(package, page=API):
    """Yield functions and methods of classes that users call, each with its full name."""
    for module in map(import_module, listed(package, page)):
        for name in dir(module):
            found = getattr(module, name)
            home = str(getattr(found, "__module__", ""))
            ours = hasattr(module, "__path__") and home.startswith("closerthan")
            if name.startswith("_") or not (ours or home == module.__name__):
                continue
            if inspect.isclass(found):
                yield from methods(found)
            elif inspect.isfunction(found):
                yield f"{home}.{name}", found


def methods(cls):
    """Yield the public methods that a class or one of our classes before it defines."""
    for base in cls.__mro__:
        for name, member in vars(base).items():
            function = getattr(member, "fget", None) or getattr(member, "__func__", member)
            own = base.__module__.startswith("closerthan") and inspect.isfunction(function)
            if own and (name == "__init__" or not name.startswith("_")):
                yield f"{base.__module__}.{base.__name__}.{name}", function


def lacking(function):
    """Return the arguments without annotation, and "return" if it has none."""
    signature = inspect.signature(function)
    names = [p.name for p in signature.parameters.values() if p.annotation is p.empty]
    if signature.return_annotation is signature.empty and function.__name__ != "__init__":
        names.append("return")
    return [name for name in names if name not in ("self", "cls")]
