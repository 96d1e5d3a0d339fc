"""Write and read the training and held-out answers of a trial as a table."""

from pathlib import Path

import numpy as np
import pandas as pd

from closerthan.comparisons.answers import Answers
from closerthan_study.facts import facts
from closerthan_study.reading import read_table

SPLIT = ("train", "test")
_COLUMNS = {3: ["i", "j", "k"], 4: ["i", "j", "l", "k"]}


def is_simulated(dataset):
    """Return whether a data set is simulated, so that every trial draws it anew."""
    return facts()[dataset]["n_objects"] is None


def tabulate_answers(answers):
    """Return a table with one row per comparison: objects, screen, weight and participant."""
    comparisons = answers.comparisons.astype(np.int32)
    table = pd.DataFrame(comparisons, columns=_COLUMNS[comparisons.shape[1]])
    table = table.assign(screen=answers.screen.astype(np.int32), weight=answers.sample_weight)
    if answers.participant is None:
        return table
    return table.assign(participant=answers.participant[answers.screen].astype(str))


def read_split(folder, trial):
    """Return the training answers and the held-out answers of a trial."""
    path = Path(folder, "comparisons.parquet")
    table = read_table(path, filters=[("trial", "==", trial)])
    return tuple(_read(table[table.part == part]) for part in SPLIT)


def _read(table):
    columns = [name for name in _COLUMNS[4] if name in table]
    first = np.diff(table.screen, prepend=-1) > 0
    of_screen = {name: table[name][first] for name in ("weight", "participant") if name in table}
    return Answers(table[columns].to_numpy(np.int64), table.screen.to_numpy(), **of_screen)
