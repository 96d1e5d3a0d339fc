"""Write a paper with one small experiment as files, so that tests run its stations one by one."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
import yaml

from closerthan_study import tasks
from closerthan_study.configuration import Spec
from closerthan_study.figures.page import Page
from closerthan_study.reading import coordinates
from closerthan_study.scores import make_scores
from closerthan_study.tasks import base
from closerthan_study.tasks.scoring import COLUMNS
from closerthan_study.tasks.setup import Setup
from closerthan_study.trials import make_trials

WORDS = ("papers", "toy")  # study and experiment, in every path
STATIONS = ("trials", "fits", "scores")
VARIANTS = ("paper", "released-code", "monotone", "projected", "tuned", "default")


class Fits(NamedTuple):
    """The fits of a method, as the station wrote them."""

    curves: pd.DataFrame
    learned: pd.DataFrame
    seconds: pd.DataFrame


class ToyStudy:
    """An experiment on a test's own data.

    Parameters
    ----------
    folder : path-like
        Where config/ and results/ go.
    arrays : dict of str to ndarray
        The data.
    dataset : str
        The registered name for the data.
    losses : dict
    sizes : dict
        The scale's settings.
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
        """The experiment on its data set, with the results so far."""
        return Setup(self.spec, self.experiment, self.dataset)

    def make_trials(self):
        """Run the trials station; return the comparisons, if there are any, and the objects."""
        make_trials(self.spec, *WORDS, self.experiment.place(self.dataset))
        comparisons = self.trials / "comparisons.parquet"
        return pd.read_parquet(comparisons) if comparisons.exists() else None, self.objects

    @property
    def objects(self):
        """Return the objects of all trials."""
        return pd.read_parquet(self.trials / "objects.parquet")

    def make_fits(self, method, trials=None, folder=None):
        """Fit the given trials of a method, all by default; return its tables."""
        folder = folder or self.folder("fits") / "0"
        trials = range(self.experiment.trials) if trials is None else trials
        fitting = tasks.module(self.experiment.task, "fits").Fitting(self.setup)
        base.fit_methods(fitting, {method: list(trials)}, folder, list)
        return Fits(*(pd.read_parquet(folder / f"{method}.{suffix}") for suffix in base.SUFFIXES))

    def make_scores(self):
        """Score every method after its fits; return one table."""
        make_scores(self.spec, *WORDS, self.experiment.place(self.dataset))
        files = [self.folder("scores") / f"{method}.parquet" for method in self.experiment.methods]
        return pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)

    def make_all(self):
        """Fit every method; return the table of scores."""
        for method in self.experiment.methods:
            self.make_fits(method)
        return self.make_scores()

    @property
    def seconds(self):
        """Return the scores that differ from run to run."""
        return pd.read_parquet(self.folder("scores") / "seconds.parquet")


def config(folder, **changes):
    """Return a config.yaml for a folder."""
    content = {"scale": "smoke", "studies": ["papers"], "seed": 7}
    content |= {"results": str(folder / "results"), "data": {}, "words": {}}
    return content | changes


def write_study(folder, experiments, losses=None, name="papers", **head):
    """Write a paper's file with some experiments."""
    content = {"title": "Toys", "summary": "Small.", "reference": "Nobody, 2026"}
    content |= {"variants": dict.fromkeys(VARIANTS, ""), "losses": losses or {}, **head}
    path = folder / "config" / "studies" / name / "study.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(content | {"experiments": experiments}, sort_keys=False))


def make_page(folder, name="papers", scale="smoke", **study):
    """Write a paper's file; return its page, with results in the same folder."""
    write_study(folder, name=name, **study)
    return Page(name, config(folder, studies=[name], scale=scale), root=folder)


def write_scores(page, experiment, dataset, tables, drawn, record):
    """Write the results of an experiment on a data set: scores by method, and counts."""
    folders = {station: page.spec.folder(station, experiment, dataset) for station in STATIONS}
    data = Path(page.spec.results, "data")
    for folder in (*folders.values(), data):
        folder.mkdir(parents=True, exist_ok=True)
    for method, table in tables.items():
        table.to_parquet(folders["scores"] / f"{method}.parquet")
    (folders["trials"] / "drawn.json").write_text(json.dumps(drawn))
    (data / f"{dataset}.json").write_text(json.dumps({"name": dataset, **record}))
    return folders


def pick(table, **keys):
    """Return the rows of a table that have some values."""
    for key, value in keys.items():
        table = table[table[key] == value]
    return table


def points_of(table, **keys):
    """Return the points in the rows of a table that have some values, by object."""
    return coordinates(pick(table, **keys).sort_values("object"))


def files_of(folder):
    """Return the content of every file in a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def tidy_scores():
    """Make all scores of a study; check what holds in every task, and return the scores."""

    def make(toy):
        table = toy.make_all()
        assert list(table.columns) == COLUMNS
        assert not table.duplicated([name for name in COLUMNS if name != "value"]).any()
        assert set(table.method) == set(toy.experiment.methods)
        assert set(table.study) == {"papers"} and set(table.experiment) == {"toy"}
        timed = {name for name, method in toy.experiment.methods.items() if not method.control}
        assert set(toy.seconds.method) == timed
        before = files_of(toy.folder("scores"))
        toy.make_scores()
        assert files_of(toy.folder("scores")) == before
        return table

    return make


def check_repeats(toy, method, folder):
    """Check that a method's tables repeat to the byte, in one job and, if sorted, in many.

    Return the tables.
    """
    whole = toy.make_fits(method)
    toy.make_fits(method, folder=folder / "again")
    trials = reversed(range(toy.experiment.trials))
    shards = [toy.make_fits(method, [trial], folder=folder / str(trial)) for trial in trials]
    assert "seconds" not in whole.curves
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
    return whole
