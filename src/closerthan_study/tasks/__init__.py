"""The tasks: one folder for each, found by its name, with modules named after the stations."""

import pkgutil
from importlib import import_module


def names():
    """Return the names of all tasks.

    >>> names()
    ['answers', 'mds', 'odd_ones', 'online', 'ordinal', 'similarity']
    """
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


def module(task, name):
    """Return a module of a task: settings, trials, fits or scores."""
    return import_module(f"{__name__}.{task}.{name}")
