"""The tasks: one folder for each, found by its name, with modules named after the stations."""

import pkgutil
from importlib import import_module

from closerthan.datasets.registry import package_of
from closerthan_study import folders


def names():
    """Return the names of all tasks.

    >>> {'mds', 'online', 'ordinal', 'similarity'} <= {*names()}
    True
    """
    return sorted(_packages())


def package(task):
    """Return the name of the package of a task."""
    return f"{_packages()[task]}.{task}"


def module(task, name):
    """Return a module of a task: settings, trials, fits or scores."""
    return import_module(f"{package(task)}.{name}")


def _packages():
    """Return by task the package that has it."""
    places = {__name__: __path__, **{package_of(f): [str(f)] for f in folders.TASKS}}
    found = ((place, m) for place, path in places.items() for m in pkgutil.iter_modules(path))
    return {module.name: place for place, module in found if module.ispkg}
