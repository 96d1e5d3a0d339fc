"""What a result depends on: the code that makes it, found by following imports.

A rule of the workflow has a digest of that code among its parameters, and runs again when it has
changed, which Snakemake does not notice by itself. Docstrings and comments do not count.
"""

import ast
import hashlib
from functools import cache
from importlib.metadata import distributions, packages_distributions, version
from pathlib import Path

import grimp

from closerthan.datasets.registry import modules
from closerthan_study import tasks
from closerthan_study.facts import facts
from closerthan_study.spec import ROOT

# What finds things by name knows all of them, and hands out one: who asks depends on that alone.
REGISTRIES = {"closerthan.discovery", "closerthan.datasets.loader", "closerthan.datasets.registry"}

ROOTS = ("closerthan", "closerthan_study")


@cache
def digest(*names):
    """Return a digest of modules, or all of a package, and of what they import of our two packages.

    Of a package also what is no code counts, such as templates; of another distribution that adds
    classes to it by entry points, its version.
    """
    found = hashlib.sha256()
    for module in sorted(modules_behind(*names)):
        found.update(module.encode())
        for path in _files_of(module):
            found.update(_content(path))
        found.update("".join(sorted(_added().get(module, []))).encode())
    return found.hexdigest()[:16]


def modules_behind(*names):
    """Return the names of some modules and of all that they import, directly or not.

    A registry stops the walk: see `code_of_fits` for how what it hands out is counted.

    Examples
    --------
    >>> "closerthan.losses" in modules_behind("closerthan.ordinal")
    True
    >>> "closerthan.optimize.svrg" in modules_behind("closerthan.losses")
    False
    """
    graph = _graph()
    found, todo = set(), [name for start in names for name in _all_in(start)]
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo += [
                name
                for name in graph.find_modules_directly_imported_by(module)
                if name not in REGISTRIES
            ]
    return found


def code_of_data(dataset):
    """Return what a data set is made by: the digest of station and loader, its registry entry."""
    loader = f"closerthan.datasets.{modules()[dataset]}"
    code = digest("closerthan_study.data", "closerthan.datasets.loader", loader)
    return code, str(facts()[dataset])


def code_of_trials(task):
    """Return the digest of what draws the trials of a task."""
    return digest("closerthan_study.trials", *_modules(task, "experiment", "draw"))


def code_of_fits(task):
    """Return what fits the methods of a task: all its models and losses, and others' versions."""
    method = tasks.module(task, "experiment").Method
    places = [*method.packages, *method.solvers]
    ours = [name for name in places if name.split(".")[0] in ROOTS]
    others = {name.split(".")[0] for name in places if name not in ours}
    code = digest("closerthan_study.fits", *_modules(task, "experiment", "fit"), *ours)
    return " ".join([code, *sorted(map(_version, others))])


def code_of_scores(task):
    """Return the digest of what scores the fits of a task."""
    return digest("closerthan_study.scores", *_modules(task, "experiment", "score"))


def _modules(task, *names):
    return [f"closerthan_study.tasks.{task}.{name}" for name in names]


@cache
def _added():
    """What other distributions add to our packages by entry points, and their versions."""
    found = {}
    for other in distributions():
        for entry in other.entry_points:
            added = f"{entry.value} {other.name} {other.version} "
            found.setdefault(entry.group, set()).add(added)
    return found


@cache
def _version(module):
    """The distributions that a module of others comes from, and their versions."""
    return " ".join(f"{owner} {version(owner)}" for owner in packages_distributions()[module])


@cache
def _graph():
    return grimp.build_graph(*ROOTS, cache_dir=None)


def _all_in(module):
    graph = _graph()
    return {module} | set(graph.find_descendants(module))


def _files_of(module):
    """Return the file of a module; of a package also what is no code in it, such as templates."""
    path = ROOT / "src" / Path(*module.split("."))
    if not path.is_dir():
        return [path.with_suffix(".py")]
    others = (file for file in path.rglob("*.*") if file.suffix != ".py" and file.is_file())
    return [path / "__init__.py", *sorted(f for f in others if "__pycache__" not in f.parts)]


@cache
def _content(path):
    if path.suffix != ".py":
        return path.read_bytes()
    return ast.dump(_without_docstrings(ast.parse(path.read_bytes()))).encode()


def _without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    return tree
