"""Compare the sections of docstrings with the code: names, defaults, lists of words."""

import ast
import inspect
import re
from importlib import import_module
from pkgutil import walk_packages
from textwrap import dedent
from types import MappingProxyType


def faults_of(wrong, *packages):
    """Return what a function finds wrong, by the name of the thing."""
    return {f"{t.__module__}.{t.__qualname__}": [*wrong(t)] for t in things_in(*packages)}


def things_in(*packages):
    """Yield the functions, classes and methods of some packages."""
    for package in packages:
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            for thing in vars(import_module(found.name)).values():
                if getattr(thing, "__module__", None) == found.name and callable(thing):
                    yield thing
                    members = vars(thing).values() if inspect.isclass(thing) else ()
                    members = (getattr(member, "__func__", member) for member in members)
                    yield from filter(inspect.isfunction, members)


def section(thing, title):
    """Yield the names and the type of each entry of a section of a docstring."""
    doc = f"\n{inspect.cleandoc(thing.__doc__ or '')}\n"
    rest = doc.partition(f"\n{title}\n{'-' * len(title)}\n")[2]
    for line in re.split(r"\n.+\n---+\n", rest)[0].splitlines():
        if line and not line[0].isspace():
            names, _, kind = line.partition(" : ")
            yield [name.lstrip("*") for name in names.split(", ")], kind


def says(kind, default):
    """Tell whether the end of a type says the default, or that there is none."""
    if kind.endswith("optional"):
        return default is None
    if "default" not in kind:
        return default is inspect.Parameter.empty
    said = kind.split("default ")[-1]
    try:
        return repr(ast.literal_eval(said)) == repr(default)
    except (SyntaxError, ValueError):
        return said in (repr(default), getattr(default, "__name__", None))


def wrong_parameters(thing, words=MappingProxyType({})):
    """Yield what "Parameters" says wrong: names, defaults, and words between braces.

    `words` has the words by the name of a parameter, such as "loss", or "OnlineKernel.loss".
    """
    entries = [*section(thing, "Parameters")]
    taken = dict(inspect.signature(thing).parameters) if entries else {}
    yield from {name for names, _ in entries for name in names} ^ (taken.keys() - {"self", "cls"})
    for names, kind in entries:
        for name in taken.keys() & names if kind else ():
            said = re.search(r"\{.+?\}", kind)
            allowed = words.get(f"{thing.__name__}.{name}", words.get(name))
            if not says(kind, taken[name].default):
                yield f"{name} : {kind}, and not {taken[name].default!r}"
            if said and allowed and ast.literal_eval(said[0]) != {*allowed}:
                yield f"{name} : {kind}, and not {allowed}"


def wrong_attributes(cls):
    """Yield the entries of "Attributes" that neither a class nor one of its bases has."""
    known = {*dir(cls), "n_features_in_"}  # scikit-learn sets the last one
    for base in cls.__mro__ if inspect.isclass(cls) else ():
        if base.__module__.startswith("closerthan"):
            for node in ast.walk(ast.parse(dedent(inspect.getsource(base)))):
                if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
                    known.add(getattr(node, "attr", None) or node.id)
    yield from {name for names, _ in section(cls, "Attributes") for name in names} - known
