"""The trials station: what each trial of an experiment is given, and how much that is."""

import pandas as pd

from closerthan.files.writing import replacing
from closerthan_study import tasks
from closerthan_study.files import write_json
from closerthan_study.reading import read_data


def make_trials(spec, study, experiment, dataset):
    """Draw all trials of an experiment on a data set, or on each of a collection.

    Makes, in the folder of the station:

    * objects.parquet: trial (negative ones are there to tune on), part, object (the id in the
      comparisons), row (of the data set), label; see the `draw` of each task;
    * comparisons.parquet: trial, noise (share of the answers swapped), part (train, validation,
      test or tuning), i, j, k; not for tasks that learn without comparisons;
    * drawn.json: how many there are of both.
    """
    for name in spec.members(study, experiment, dataset):
        _draw_trials(spec, spec.experiment(study, experiment), name)


def _draw_trials(spec, experiment, dataset):
    draw = tasks.part(experiment.task, "draw").draw
    data = read_data(f"{spec.results}/data/{dataset}.npz")
    drawn = {"comparisons": [], "objects": []}
    for trial in sorted({*experiment.tuned_on, *range(experiment.trials)}):
        tables = draw(spec, experiment, dataset, data, trial)
        for found, table in zip(drawn.values(), tables, strict=True):
            if table is not None:
                found.append(table.assign(trial=trial))
    folder = spec.folder("trials", experiment, dataset)
    tables = {key: pd.concat(found, ignore_index=True) for key, found in drawn.items() if found}
    for key, table in tables.items():
        with replacing(folder / f"{key}.parquet") as temporary:
            table.to_parquet(temporary, index=False)
    write_json(folder / "drawn.json", record_of(experiment, tables))


def record_of(experiment, tables):
    """Return how much each trial is given, as JSON can hold it."""
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
