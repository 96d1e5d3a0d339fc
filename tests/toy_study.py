"""A paper with one small experiment, written as files, whose stations a test runs one by one."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import yaml

from closerthan_study import tasks
from closerthan_study.configuration import Spec
from closerthan_study.reading import coordinates
from closerthan_study.scores import make_scores
from closerthan_study.tasks import base
from closerthan_study.tasks.setup import Setup
from closerthan_study.trials import make_trials

WORDS = ("papers", "toy")  # study and experiment, in every path
VARIANTS = ("paper", "released-code", "monotone", "projected", "tuned", "default")


class Fits(NamedTuple):
    """What the fits of a method have made, as the station wrote it."""

    curves: pd.DataFrame
    learned: pd.DataFrame
    seconds: pd.DataFrame


class ToyStudy:
    """One experiment on data that a test has made.

    Parameters
    ----------
    folder : path-like
        Where config/ and results/ go.
    arrays : dict of str to ndarray
        The data.
    dataset : str
        The registered name that the data go by.
    losses : dict
    sizes : dict
        What the scale says.
    **experiment
        As in a study file.
    """

    def __init__(
        self, folder, arrays, *, dataset="synthetic", losses=None, sizes=None, **experiment
    ):
        self.root, self.dataset = folder, dataset
        methods = experiment.pop("methods")
        methods = {name: {"label": name, **fields} for name, fields in methods.items()}
        experiment |= {"shows": "Fig. 0", "datasets": [dataset], "methods": methods}
        experiment["scales"] = {"smoke": {"trials": 2, "epochs": 8, **(sizes or {})}}
        write_study(folder, {"toy": experiment}, losses)
        self.spec = Spec(config(folder), folder)
        self.experiment = self.spec.experiment(*WORDS)
        self.npz = folder / "results" / "data" / f"{dataset}.npz"
        self.npz.parent.mkdir(parents=True, exist_ok=True)
        np.savez(self.npz, **arrays)
        self.trials = self.folder("trials")

    def folder(self, station):
        """Return where a station keeps what it makes."""
        return self.spec.folder(station, self.experiment, self.dataset)

    @property
    def setup(self):
        """The experiment on its data set, with what the stations have made so far."""
        return Setup(self.spec, self.experiment, self.dataset)

    def make_trials(self):
        """Run the trials station; return the comparisons, if there are some, and the objects."""
        make_trials(self.spec, *WORDS, self.experiment.place(self.dataset))
        comparisons = self.trials / "comparisons.parquet"
        return pd.read_parquet(comparisons) if comparisons.exists() else None, self.objects

    @property
    def objects(self):
        """The objects of all trials."""
        return pd.read_parquet(self.trials / "objects.parquet")

    def make_fits(self, method, trials=None, folder=None):
        """Fit the given trials of a method, all by default; return its tables."""
        folder = folder or self.folder("fits") / "0"
        trials = range(self.experiment.trials) if trials is None else trials
        fitting = tasks.module(self.experiment.task, "fit").Fitting(self.setup)
        base.make_fits(fitting, {method: list(trials)}, folder, list)
        return Fits(*(pd.read_parquet(folder / f"{method}.{suffix}") for suffix in base.SUFFIXES))

    def make_scores(self):
        """Score every method, all of which must have been fitted; return one table."""
        make_scores(self.spec, *WORDS, self.experiment.place(self.dataset))
        files = [self.folder("scores") / f"{method}.parquet" for method in self.experiment.methods]
        return pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)


def config(folder, **changes):
    """Return a config.yaml for a folder."""
    content = {"scale": "smoke", "studies": ["papers"], "seed": 7}
    content |= {"results": str(folder / "results"), "data": {}, "words": {}}
    return content | changes


def write_study(folder, experiments, losses=None):
    """Write the file of a paper with some experiments."""
    content = {"title": "Toys", "summary": "Small.", "reference": "Nobody, 2026"}
    content |= {"variants": dict.fromkeys(VARIANTS, ""), "losses": losses or {}}
    path = folder / "config" / "studies" / "papers" / "study.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(content | {"experiments": experiments}, sort_keys=False))


def pick(table, **keys):
    """Return the rows of a table that have some values."""
    for key, value in keys.items():
        table = table[table[key] == value]
    return table


def points_of(table, **keys):
    """Return the points of the rows of a table that have some values, by object."""
    return coordinates(pick(table, **keys).sort_values("object"))


def assert_shards_make_no_difference(toy, method, folder):
    """Check that the tables of a method repeat to the byte, in one job and, sorted, in many."""
    whole = toy.make_fits(method)
    toy.make_fits(method, folder=folder / "again")
    trials = reversed(range(toy.experiment.trials))
    shards = [toy.make_fits(method, [trial], folder=folder / str(trial)) for trial in trials]
    for number, suffix in enumerate(base.SUFFIXES[:2]):
        places = toy.folder("fits") / "0", folder / "again"
        files = [place / f"{method}.{suffix}" for place in places]
        assert files[0].read_bytes() == files[1].read_bytes()
        table, others = whole[number], pd.concat(shard[number] for shard in shards)
        if not table.empty:
            table, others = (t.sort_values("trial", kind="stable") for t in (table, others))
        pd.testing.assert_frame_equal(
            table.reset_index(drop=True), others.reset_index(drop=True), check_exact=True
        )


def files_of(folder):
    """Return the content of every file of a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}
