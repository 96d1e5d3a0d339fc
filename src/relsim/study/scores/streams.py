"""Scores of streams: errors, rank, trace and eigenpairs of kernels over the triplets they saw."""

from pathlib import Path

import pandas as pd

from relsim.study.fits.streams import KEYS
from relsim.study.scores.tidy import read_fits, words, write_scores

CURVES = [
    *("test_error", "train_error", "rank", "eigenpairs", "trace"),
    *("negative_eigenvalues", "projection_distance"),
]
TUNED = ["tau", "step_size"]


def make_scores(spec, experiment, dataset, data, objects, folder):
    """Score every fit of an experiment on a data set; see `relsim.study.scores.make_scores`."""
    timed = []
    for method in experiment.methods.values():
        names = {**words(experiment, dataset, method), "noise": 0.0}
        table = score(read_fits(spec, experiment, dataset, method.name))
        write_scores(Path(folder, f"{method.name}.parquet"), table.assign(**names))
        if not method.control:
            seconds = read_fits(spec, experiment, dataset, method.name, "seconds.parquet")
            timed.append(tidy(seconds, ["seconds"]).assign(**names))
    write_scores(Path(folder, "seconds.parquet"), pd.concat(timed, ignore_index=True))


def score(curves):
    """Return the scores of one method as tidy rows: its curves, and what they end with."""
    last = curves[curves.triplets == curves.triplets.max()]
    last = last.assign(final_error=last.test_error)
    return pd.concat([tidy(curves, CURVES), tidy(last, ["final_error", *TUNED])])


def tidy(table, measures):
    """Return those measures that a table has, one row a value."""
    present = [name for name in measures if name in table]
    return table.melt([*KEYS, "triplets", "epoch"], present, "measure").dropna(subset="value")
