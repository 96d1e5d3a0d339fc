"""The tasks: one folder for each. `base` has the code that they share.

A task is found by the name of its folder. Its modules are `experiment` (the keys of its
experiments), `draw` (the data of a trial), `fit`, `score` and `measures` (the names of scores).
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
    """Return a module of a task: experiment, draw, fit, score or measures."""
    return import_module(f"{__name__}.{task}.{name}")
