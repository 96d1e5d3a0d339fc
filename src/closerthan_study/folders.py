"""Folders outside the study that bring tasks and data sets.

A run names them in its configuration, and `Spec` adds them before anything is looked up by name.
"""

from pathlib import Path

TASKS: list[Path] = []  # with a folder for each task, as `closerthan_study.tasks`
DATASETS: list[
    Path
] = []  # with a module and a YAML file for each data set, as `closerthan.datasets`


def add(tasks=(), datasets=()):
    """Add folders that are not known yet."""
    for known, some in ((TASKS, tasks), (DATASETS, datasets)):
        known += [folder for folder in map(Path, some) if folder not in known]
