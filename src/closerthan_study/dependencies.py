"""Find the code that a result depends on, by following imports; docstrings do not count."""

import ast
import hashlib
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions, version
from itertools import chain
from pathlib import Path

import grimp

from closerthan.datasets.registry import modules, package_of
from closerthan_study import folders, tasks
from closerthan_study.facts import facts
from closerthan_study.origin import LIBRARIES

# These modules find things by name. A caller depends only on the thing that it asks for.
REGISTRIES = {"closerthan.discovery", "closerthan.datasets.loader", "closerthan.datasets.registry"}
# These say something about a fit and change no number in it.
_SAID = "_core.progress", "_core.shown", "_core.warn", "ordinal.folding"
SAYINGS = {f"closerthan.{name}" for name in _SAID}


def roots():
    """Return the names of the packages whose modules count."""
    more = [package_of(folder).partition(".")[0] for folder in (*folders.TASKS, *folders.DATASETS)]
    return ("closerthan", "closerthan_study", *sorted({*more} - {"closerthan", "closerthan_study"}))


@cache
def digest(*names):
    """Return a digest of modules or packages, and of all that they import from our packages.

    Other files of a package count too.
    """
    found = hashlib.sha256()
    for module in sorted(modules_behind(*names)):
        found.update(module.encode())
        for path in _files_of(module):
            found.update(_content(path))
    return found.hexdigest()[:16]


def modules_behind(*names):
    """Return the names of some modules and of all that they import, directly or not.

    The walk stops at a registry (`code_of_fits` shows how its classes are counted) and at what only
    warns.

    Examples
    --------
    >>> "closerthan.losses" in modules_behind("closerthan.ordinal")
    True
    >>> "closerthan.optimize.svrg" in modules_behind("closerthan.losses")
    False
    """
    graph = _graph(roots())
    found, todo = set(), [*names, *chain(*map(graph.find_descendants, names))]
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo += [
                name
                for name in graph.find_modules_directly_imported_by(module)
                if name not in REGISTRIES | SAYINGS
            ]
    return found


def code_of_data(dataset):
    """Return the code of a data set: the digest of station and loader, and its registry entry."""
    code = digest(
        "closerthan_study.data", "closerthan.datasets.loader", modules(folders.DATASETS)[dataset]
    )
    return code, str(facts()[dataset])


def code_of_trials(task):
    """Return the digest of the code that draws the trials of a task."""
    return digest("closerthan_study.trials", *_modules(task, "settings", "trials"))


def code_of_fits(task, methods):
    """Return the code that fits a task with some methods, and the versions of libraries.

    The code is that of the station, and of the classes that the methods name.
    """
    places = {method.learner.__module__ for method in methods if method.learner}
    places = places.union(*(method.by_name.values() for method in methods))
    ours = [name for name in places if name.split(".")[0] in roots()]
    others = {name.split(".")[0] for name in places if name not in ours}
    code = digest("closerthan_study.fits", *_modules(task, "settings", "fits"), *ours)
    return f"{code} {_versions(*sorted(others))}"


@cache
def _versions(*packages):
    names = {*LIBRARIES, *chain(*(packages_distributions()[name] for name in packages))}
    return " ".join(f"{name} {version(name)}" for name in sorted(names))


def code_of_scores(task):
    """Return the digest of the code that scores the fits of a task."""
    return digest("closerthan_study.scores", *_modules(task, "settings", "scores"))


def _modules(task, *names):
    return [f"{tasks.package(task)}.{name}" for name in names]


@cache
def _graph(packages):
    return grimp.build_graph(*packages, cache_dir=None)


def _files_of(module):
    """Return the file of a module and its template; for a package all of its other files too."""
    package, *names = module.split(".")
    path = Path(import_module(package).__path__[0], *names)
    if not path.is_dir():
        return [path.with_suffix(".py"), *sorted(path.parent.glob(f"{path.name}.*.j2"))]
    others = (file for file in path.rglob("*.*") if file.suffix != ".py" and file.is_file())
    return [path / "__init__.py", *sorted(f for f in others if "__pycache__" not in f.parts)]


@cache
def _content(path):
    if path.suffix != ".py":
        return path.read_bytes()
    return repr(_tree(_without_docstrings(ast.parse(path.read_bytes())))).encode()


def _tree(node):
    """Return the same for all versions of Python: in some, `ast.dump` shows what is empty."""
    if isinstance(node, ast.JoinedStr):
        node.values = [each for each in node.values if getattr(each, "value", None) != ""]
    if isinstance(node, ast.AST):
        fields = [(name, _tree(value)) for name, value in ast.iter_fields(node)]
        return type(node).__name__, [field for field in fields if field[1] not in (None, [])]
    return [_tree(value) for value in node] if isinstance(node, list) else node


def _without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    return tree
