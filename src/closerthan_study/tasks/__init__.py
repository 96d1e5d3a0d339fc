"""The tasks: one folder for each. `base` has the code that they share.

A task is found by the name of its folder. Its modules are named after the stations: `settings`
(what a study may say of its experiments), `trials`, `fits` and `scores`.
"""

import pkgutil
from importlib import import_module


def names():
    """Return the names of all tasks.

    Examples
    --------
    >>> names()
    ['answers', 'mds', 'odd_ones', 'online', 'ordinal', 'similarity']
    """
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


def module(task, name):
    """Return a module of a task: settings, trials, fits or scores."""
    return import_module(f"{__name__}.{task}.{name}")
