"""The scores of all tasks: tidy rows, one for each value, and their files."""

from abc import ABC, abstractmethod

import pandas as pd
from threadpoolctl import threadpool_limits

from closerthan_study.files import write_table
from closerthan_study.tasks.base import KEYS

COLUMNS = [
    *("study", "experiment", "dataset", "method", "variant", "loss", "batch_size"),
    *("noise", "sweep", "trial", "epoch", "triplets", "measure", "k", "value"),
]


class Scoring(ABC):
    """The scores of the fits of an experiment on one data set."""

    costs = ()  # what never repeats: seconds, megabytes; none if they do not count

    def __init__(self, setup):
        self.setup = setup
        self.experiment = setup.experiment

    @abstractmethod
    def score(self, method):
        """Return the scores of a method as tidy rows."""

    def seconds(self, method):
        """Return its `costs` as tidy rows, or None."""
        table = self.setup.fits(method.name, "seconds.parquet") if self.costs else None
        return None if table is None else tidy(table, self.costs)


def tidy(table, measures):
    """Return those measures that a table has and that are not missing, a row a value."""
    present = [name for name in measures if name in table]
    keys = [name for name in (*KEYS, "epoch", "triplets") if name in table]
    return table.melt(keys, present, "measure").dropna(subset="value")


def by_run(table, *more):
    """Yield the rows of each run with its `KEYS`, and more columns, as a mapping."""
    names = [*KEYS, *more]
    for values, rows in table.groupby(names, dropna=False):
        yield dict(zip(names, values, strict=True)), rows


def when_reached(curves, column, within):
    """Return the first epoch or second at which each curve is within its target."""
    reached = curves.assign(value=curves[column].where(within))
    values = reached.groupby(KEYS, dropna=False).value.min().reset_index()
    measure = {"epoch": "epochs_to_error", "seconds": "seconds_to_error"}[column]
    return values.assign(measure=measure)


def score_fits(scoring, folder):
    """Score every fit: a Parquet file for each method, and seconds.parquet."""
    experiment, timed = scoring.experiment, []
    names = {"study": experiment.study, "experiment": experiment.name}
    names["dataset"] = scoring.setup.dataset
    with threadpool_limits(1):
        for name, method in experiment.methods.items():
            columns = {**names, "method": name}
            scores = scoring.score(method).assign(**columns)
            _write(folder / f"{name}.parquet", scores)
            seconds = None if method.control else scoring.seconds(method)
            if seconds is not None:
                timed.append(seconds.assign(**columns))
    timed = timed or [scores.head(0)]  # always a file, so that a missing one is noticed
    _write(folder / "seconds.parquet", pd.concat(timed, ignore_index=True))


def _write(path, table):
    """Write rows, sorted, with every column and always the same types."""
    table = table.reindex(columns=COLUMNS).sort_values(COLUMNS, ignore_index=True)
    whole = dict.fromkeys(("batch_size", "triplets", "k"), "Int64")
    write_table(path, table.astype({**whole, "sweep": float, "epoch": float, "noise": float}))
