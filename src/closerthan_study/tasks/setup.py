"""An experiment on one data set: the results of its stations, and its random numbers."""

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from closerthan_study.files import replacing_folder
from closerthan_study.reading import read_data, read_table
from closerthan_study.seeds import seed_sequence


@dataclass(frozen=True, eq=False)
class Setup:
    """An experiment of the configuration `spec`, on one of its data sets."""

    spec: object
    experiment: object
    dataset: str

    def seed(self, *words):
        """Return the random source of what some words name here."""
        return self.seed_of_experiment(self.dataset, *words)

    def seed_of_study(self, *words):
        """Return the random source that the experiments of a study share for a data set."""
        return seed_sequence(self.spec.seed, self.experiment.study, self.dataset, *words)

    def seed_of_experiment(self, *words):
        """Return the random source that the data sets of an experiment share."""
        return seed_sequence(self.spec.seed, *self.experiment.words, *words)

    def folder(self, station, batch=""):
        """Return the folder of a station's results."""
        return self.spec.folder(station, self.experiment, self.dataset, batch)

    @property
    def losses(self):
        """The losses of the study: a class and its parameters, by name."""
        return self.spec.losses(self.experiment.study)

    @cached_property
    def data(self):
        """The arrays of the data set, by name."""
        return self.arrays_of(self.dataset)

    def arrays_of(self, dataset):
        """Return the arrays of a data set that the experiment reads, its own or another."""
        return read_data(f"{self.spec.results}/data/{dataset}.npz")

    @cached_property
    def objects(self):
        """The objects of all trials."""
        return read_table(self.folder("trials") / "objects.parquet")

    def objects_of(self, trial):
        """Return the objects of one trial."""
        return self.objects[self.objects.trial == trial]

    def comparisons(self, trial, noise=0.0, parts=("train", "test")):
        """Return the triplets of one trial, an array of shape (n, 3) for each of its `parts`."""
        filters = [("trial", "==", trial), ("noise", "==", noise)]
        table = read_table(self.folder("trials") / "comparisons.parquet", filters=filters)
        tables = (table[table.part == part] for part in parts)
        return tuple(some[["i", "j", "k"]].to_numpy(np.int64) for some in tables)

    def fits(self, method, suffix="parquet"):
        """Return one table of the fits of a method, its batches put together."""
        files = self.spec.fits(self.experiment, self.dataset, method, suffix)
        return pd.concat(map(read_table, files), ignore_index=True)


@contextmanager
def making(station, spec, study, experiment, place, batch=""):
    """Yield the setup of each data set of a job, with a folder that is never there in part."""
    end = Path(spec.results, station, study, experiment, place, str(batch))
    wanted = spec.experiment(study, experiment)
    names = [name for e, name in spec.pairs() if e is wanted and e.place(name) == place]
    found = [Setup(spec, wanted, name) for name in names]
    with replacing_folder(end) as new:
        yield [(setup, new / setup.folder(station, batch).relative_to(end)) for setup in found]
