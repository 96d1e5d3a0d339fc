"""What the scores of all tasks share: tidy rows, one a value, and how they are kept."""

from abc import ABC, abstractmethod
from pathlib import Path

import pandas as pd
from threadpoolctl import threadpool_limits

from closerthan.files.writing import replacing
from closerthan_study.tasks.base import KEYS

COLUMNS = [
    *("study", "experiment", "dataset", "method", "variant", "loss", "batch_size"),
    *("noise", "sweep", "trial", "epoch", "triplets", "measure", "k", "value"),
]


class Scoring(ABC):
    """How good what the fits of an experiment on one data set have learned is."""

    def __init__(self, spec, experiment, dataset, data, trials):
        self.spec = spec
        self.experiment = experiment
        self.dataset = dataset
        self.data = data
        self.trials = Path(trials)

    def read(self, method, suffix="parquet"):
        """Return one table of the fits of a method, its shards put together."""
        files = self.spec.fits(self.experiment, self.dataset, method, suffix)
        return pd.concat(map(pd.read_parquet, files), ignore_index=True)

    @abstractmethod
    def score(self, method):
        """Return the scores of a method as tidy rows."""

    def seconds(self, method):
        """Return its seconds as tidy rows, which never repeat; None where they do not count."""
        return None


def tidy(table, measures):
    """Return those measures that a table has and that are not missing, a row a value."""
    present = [name for name in measures if name in table]
    keys = [name for name in (*KEYS, "epoch", "triplets") if name in table]
    return table.melt(keys, present, "measure").dropna(subset="value")


def make_scores(scoring, folder):
    """Score every fit: a Parquet file a method, and seconds.parquet where they count."""
    experiment, timed = scoring.experiment, []
    names = {"study": experiment.study, "experiment": experiment.name, "dataset": scoring.dataset}
    with threadpool_limits(1):
        for name, method in experiment.methods.items():
            words = {**names, "method": name}
            _write(Path(folder, f"{name}.parquet"), scoring.score(method).assign(**words))
            seconds = None if method.control else scoring.seconds(method)
            if seconds is not None:
                timed.append(seconds.assign(**words))
    if timed:
        _write(Path(folder, "seconds.parquet"), pd.concat(timed, ignore_index=True))


def _write(path, table):
    """Write rows, sorted, with every column and always the same types."""
    table = table.reindex(columns=COLUMNS).sort_values(COLUMNS, ignore_index=True)
    whole = dict.fromkeys(("batch_size", "triplets", "k"), "Int64")
    table = table.astype({**whole, "sweep": float, "epoch": float, "noise": float})
    with replacing(path) as temporary:
        table.to_parquet(temporary, index=False)
