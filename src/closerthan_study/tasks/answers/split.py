"""The split of the answers of a trial, as a table: those to learn from, those to predict."""

from pathlib import Path

import numpy as np
import pandas as pd

from closerthan.comparisons.answers import Answers
from closerthan_study.facts import facts

SPLIT = ("train", "test")
_COLUMNS = {3: ["i", "j", "k"], 4: ["i", "j", "l", "k"]}


def is_simulated(dataset):
    """Return whether a data set is generated, and so drawn anew in every trial."""
    return facts()[dataset]["n_objects"] is None


def answers_of(data):
    """Return the answers that the arrays of a data set hold."""
    keys = ("comparisons", "screen", "participant", "time", "weight")
    return Answers(**{key: data[key] for key in keys if key in data})


def tabulate_answers(answers):
    """Return a row a comparison: its objects, screen and weight."""
    comparisons = answers.comparisons.astype(np.int32)
    table = pd.DataFrame(comparisons, columns=_COLUMNS[comparisons.shape[1]])
    return table.assign(screen=answers.screen.astype(np.int32), weight=answers.sample_weight)


def read_split(folder, trial):
    """Return the answers to learn from and those to predict, of a trial."""
    path = Path(folder, "comparisons.parquet")
    table = pd.read_parquet(path, filters=[("trial", "==", trial)])
    return tuple(_read(table[table.part == part]) for part in SPLIT)


def _read(table):
    columns = [name for name in _COLUMNS[4] if name in table]
    first = np.diff(table.screen, prepend=-1) > 0
    return Answers(
        table[columns].to_numpy(np.int64), table.screen.to_numpy(), weight=table.weight[first]
    )
