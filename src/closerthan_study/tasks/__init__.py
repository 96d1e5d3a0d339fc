"""What can be learned: a folder a task, and what all of them share in `base`.

A task is found by the name of its folder, and so are its modules: `experiment` (what an experiment
of it may say), `draw` (what a trial is given), `fit`, `score` and `measures` (names of scores).
"""

import pkgutil
from importlib import import_module


def names():
    """Return the names of all tasks.

    Examples
    --------
    >>> names()
    ['answers', 'mds', 'online', 'ordinal', 'similarity']
    """
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


def module(task, name):
    """Return a module of a task: experiment, draw, fit, score or measures."""
    return import_module(f"{__name__}.{task}.{name}")
