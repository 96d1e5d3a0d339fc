"""Check what the digest of compiled functions is made of: the sources of all that they import."""

import ast
import importlib
import pkgutil
import sys
from pathlib import Path

from closerthan._core import compiled


def check_digests(monkeypatch, *packages):
    """Check that an edit changes the digests of the modules that import it, and of no others.

    Return the names of the modules of the packages that compile functions.
    """
    compiling = [name for name in names_of_modules(packages) if "@compiled" in source(name)]
    for name in compiling:
        importlib.import_module(name)
    monkeypatch.setattr(compiled, "_sources", {})
    before = {name: compiled._digest(name) for name in compiling}
    houses = {"closerthan", *(name.partition(".")[0] for name in compiling)}
    for edited in set().union(*map(behind, compiling)):
        if edited.partition(".")[0] not in houses:
            continue
        stamp, _, imported = compiled._sources[edited]
        with monkeypatch.context() as patch:
            patch.setitem(compiled._sources, edited, (stamp, "another", imported))
            changed = {name for name in compiling if compiled._digest(name) != before[name]}
        assert changed == {name for name in compiling if edited in behind(name)}, edited
    return compiling


def with_own_cache(*packages):
    """Return the modules with a cache of numba alone; what is inlined into others needs none."""
    return {name for name in names_of_modules(packages) if "cache=True" in source(name)}


def names_of_modules(packages):
    """Return the names of all modules of the packages."""
    return [m.name for p in packages for m in pkgutil.walk_packages(p.__path__, f"{p.__name__}.")]


def behind(name):
    """Return the modules that a module imports at its top level, directly or not, by syntax."""
    found, todo = set(), [name]
    while todo:
        name = todo.pop()
        house, *names = name.split(".")
        if house not in sys.modules or not house.startswith("closerthan"):
            continue
        path = Path(sys.modules[house].__path__[0], *names)
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if name in found or not path.is_file():
            continue
        found.add(name)
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Import):
                todo += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name} has a relative import"
                todo += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def source(name):
    """Return the text of a module."""
    return Path(importlib.util.find_spec(name).origin).read_text()
