"""The fits of all tasks: the runs of each method, the tuning, the loop over trials, the tables."""

import inspect
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from closerthan_study.files import write_table
from closerthan_study.origin import origin
from closerthan_study.reading import tabulate
from closerthan_study.spec.experiment import NONE

# What tells the runs of a method apart, in every table; missing where a task has no use for it.
KEYS = ["variant", "loss", "batch_size", "noise", "sweep", "trial"]
# Learning curves, what was learned, and what never repeats: the costs of the curves, and what made
# the fits.
SUFFIXES = ("parquet", "embedding.parquet", "seconds.parquet")
_COSTS = ["seconds", "megabytes"]


@dataclass(frozen=True, eq=False)
class Run:
    """One way in which a method is run, in every trial."""

    method: object
    variant: str
    loss: str
    batch_size: float
    noise: float
    sweep: tuple | None  # name and value of the parameter that is swept

    def keys(self, trial):
        """Return the values of `KEYS`."""
        value = float(self.sweep[1]) if self.sweep else np.nan
        values = self.variant, self.loss, self.batch_size, self.noise, value, trial
        return dict(zip(KEYS, values, strict=True))

    @property
    def settings(self):
        """The settings of the variant. Some may be tuned."""
        return self.method.variant(self.variant)

    @property
    def fixed(self):
        """The parameters before tuning."""
        parameters = self.settings.settings(self.loss)
        if self.batch_size > 0:
            parameters["batch_size"] = self.batch_size
        if self.sweep:
            name, value = self.sweep
            parameters[name] = value
        return parameters


def runs_of(experiment, method, losses):
    """Return every way in which a method of an experiment is run."""
    if method.control:
        sizes = method.batch_sizes_of(CONTROL)[:1]
        settings = product([CONTROL], [NONE], sizes, experiment.noises, [None])
        return [Run(method, *values) for values in settings]
    return [
        Run(method, *values)
        for variant in method.variants
        for values in product(
            [variant],
            method.losses_of(losses),
            method.batch_sizes_of(variant),
            experiment.noises,
            method.sweeps or [None],
        )
    ]


def tabulate_map(points):
    """Return a table of the points of a map, one row for each object."""
    return tabulate(points, dtype=np.float32).assign(object=range(len(points)))


def build(learner, settings):
    """Return an estimator with those of the settings that it takes."""
    takes = inspect.signature(learner).parameters
    return learner(**{name: value for name, value in settings.items() if name in takes})


CONTROL = "control"  # the variant of what learns nothing


class Fitting(ABC):
    """The fits of an experiment on one data set."""

    def __init__(self, setup):
        self.setup = setup
        self.experiment = setup.experiment
        self.comparisons = lru_cache(maxsize=4)(setup.comparisons)  # all methods need them
        self._found = {}

    @abstractmethod
    def fit(self, run, parameters, trial):
        """Return the curve, with its `epoch` and `seconds`, and what was learned, or None."""

    def error(self, run, parameters, trial):
        """Return the error that tuning minimizes, of a fit with these parameters."""
        raise NotImplementedError(f"{self.experiment.task} tunes nothing")

    def parameters(self, run, trial, *more):
        """Return the parameters of a run, and those of them that were tuned, one after another.

        `error` takes `more`, too.
        """
        key = run, trial if self.experiment.tunes_every_trial else None, *more
        if key not in self._found:
            parameters = run.fixed
            for name, values in run.settings.grid.items():
                errors = [self.error(run, {**parameters, name: v}, trial, *more) for v in values]
                parameters[name] = values[int(np.argmin(errors))]
            self._found[key] = parameters, {name: parameters[name] for name in run.settings.grid}
        return self._found[key]


def fit_methods(fitting, batch, folder, progress):
    """Fit methods in every way and trial, and write a table of each `SUFFIXES` a method.

    All methods of a trial are fitted one after another, so that a slow minute of the machine
    affects all of them. BLAS has one thread, so that the number of cores does not change a bit.
    """
    found = {name: ([], [], []) for name in batch}
    made_by = origin(fitting.setup.spec.clone)
    with threadpool_limits(1), warnings.catch_warnings():
        # That a solver diverges is a result here, and so is a graph that falls apart.
        warnings.simplefilter("ignore")
        for run, trial in progress(in_turn(fitting, batch)):
            parameters, tuned = fitting.parameters(run, trial)
            curve, learned = fitting.fit(run, parameters, trial)
            keys = run.keys(trial)
            tuned = {name: value for name, value in tuned.items() if name not in curve}
            curves, tables, seconds = found[run.method.name]
            curve = curve.assign(**keys)
            clock = ["triplets", "epoch", *_COSTS]
            timed = curve[[*KEYS, *(name for name in clock if name in curve)]]
            seconds.append(timed.assign(**made_by))
            curves.append(curve.drop(columns=_COSTS, errors="ignore").assign(**tuned))
            if learned is not None:
                tables.append(learned.assign(**keys))
    for name, tables in found.items():
        for table, suffix in zip(tables, SUFFIXES, strict=True):
            table = pd.concat(table, ignore_index=True) if table else pd.DataFrame()
            if suffix == "seconds.parquet":
                table = table.dropna(subset="seconds")
            write_table(Path(folder, f"{name}.{suffix}"), table)


def in_turn(fitting, batch):
    """Return every run with a trial: trial by trial, noise by noise, and in these all methods."""
    experiment = fitting.experiment
    losses = list(fitting.setup.losses)
    runs = [run for name in batch for run in runs_of(experiment, experiment.methods[name], losses)]
    trials = sorted({trial for of_method in batch.values() for trial in of_method})
    return [
        (run, trial)
        for trial, noise in product(trials, experiment.noises)
        for run in runs
        if run.noise == noise and trial in batch[run.method.name]
    ]
