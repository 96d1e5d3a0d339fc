"""The trials station: the objects and comparisons of each trial, and their numbers."""

import pandas as pd

from closerthan_study import tasks
from closerthan_study.files import write_json, write_table
from closerthan_study.tasks.setup import making


def make_trials(spec, study, experiment, dataset):
    """Draw all trials of an experiment on a data set, or on each of a collection."""
    with making("trials", spec, study, experiment, dataset) as places:
        for setup, folder in places:
            _draw_trials(setup, folder)


def _draw_trials(setup, folder):
    experiment = setup.experiment
    draw = tasks.module(experiment.task, "trials").draw
    drawn = {"comparisons": [], "objects": []}
    for trial in sorted({*experiment.tuned_on, *range(experiment.trials)}):
        for found, table in zip(drawn.values(), draw(setup, trial), strict=True):
            if table is not None:
                found.append(table.assign(trial=trial))
    tables = {key: pd.concat(found, ignore_index=True) for key, found in drawn.items() if found}
    for key, table in tables.items():
        write_table(folder / f"{key}.parquet", table)
    write_json(folder / "drawn.json", record_of(experiment, tables))


def record_of(experiment, tables):
    """Return the sizes of trials, in types that JSON has."""
    record = {"trials": experiment.trials, "noise": experiment.noises}
    points = getattr(experiment, "points", None)
    if points:
        record["points"] = points.model_dump()
    for key, table in tables.items():
        table = table[table.trial >= 0]
        if "noise" in table:
            table = table[table.noise == table.noise.min()]
        counts = table.groupby(["part", "trial"]).size().groupby("part").agg(["min", "max"])
        record[key] = {
            part: int(low) if low == high else [int(low), int(high)]
            for part, low, high in counts.itertuples()
        }
    return record
