"""Scores of similarities: mean average precision of the rankings, and the curves of learning."""

from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from relsim.study.fits.similarities import KEYS
from relsim.study.retrieval import (
    Collection,
    Objects,
    mean_average_precision,
    mean_average_precision_among,
)
from relsim.study.scores.tidy import read_fits, words, write_scores
from relsim.study.seeds import seed_sequence

CURVES = ["hinge", "squared_hinge", "mistake_rate", "duality_gap", "gap_bound"]
TUNED = ["reg", "C", "gamma", "eta", "ridge"]


def make_scores(spec, experiment, dataset, data, objects, folder):
    """Score every fit of an experiment on a data set; see `relsim.study.scores.make_scores`."""
    judge = Judge(spec, experiment, dataset, data, objects)
    timed = []
    for method in experiment.methods.values():
        names = {**words(experiment, dataset, method), "loss": "none", "noise": 0.0}
        curves = read_fits(spec, experiment, dataset, method.name)
        last = curves.groupby(KEYS, dropna=False, as_index=False).nth(-1)
        table = [tidy(curves, CURVES), tidy(last, TUNED)]
        if experiment.ranks:
            matrices = read_fits(spec, experiment, dataset, method.name, "embedding.parquet")
            table.append(tidy(last.assign(MAP=judge.rankings(method, last, matrices)), ["MAP"]))
        table = pd.concat(table, ignore_index=True)
        write_scores(Path(folder, f"{method.name}.parquet"), table.assign(**names))
        if not method.control:
            seconds = read_fits(spec, experiment, dataset, method.name, "seconds.parquet")
            timed.append(tidy(seconds, ["seconds"]).assign(**names))
    write_scores(Path(folder, "seconds.parquet"), pd.concat(timed, ignore_index=True))


def tidy(table, measures):
    """Return those measures that a table has, one row a value."""
    present = [name for name in measures if name in table]
    return table.melt([*KEYS, "triplets", "epoch"], present, "measure").dropna(subset="value")


class Judge:
    """What the rankings of an experiment on one data set are worth."""

    def __init__(self, spec, experiment, dataset, data, objects):
        self.spec = spec
        self.words = (experiment.study, experiment.name, dataset, "random")
        self.collection = Collection(spec, experiment, dataset, data, objects)

    def rankings(self, method, fits, matrices):
        """Return the mean average precision of each fit.

        Parameters
        ----------
        method : Method
        fits : DataFrame
            A row a fit: its variant, swept value and trial.
        matrices : DataFrame
            What they have learned; without rows for a control.

        Returns
        -------
        list of float
        """
        nothing = {"sweep": 0.0}  # where nothing is swept; NaN does not equal NaN
        by_fit = {} if method.control else dict(list(matrices.fillna(nothing).groupby(KEYS)))
        found = []
        with threadpool_limits(1):
            for keys in fits.fillna(nothing)[KEYS].itertuples(index=False, name=None):
                matrix = None
                if not method.control:
                    matrix = by_fit[keys].filter(regex=r"^x\d+$").to_numpy()
                found.append(self._ranking(method, matrix, keys[-1]))
        return found

    def _ranking(self, method, matrix, trial):
        queries = self.collection.of_trial(trial, "query")
        items = self.collection.of_trial(trial, "item", "validation")
        background = self.collection.background(trial)
        if method.control == "random":
            rng = np.random.default_rng(seed_sequence(self.spec.seed, *self.words, trial))
            queries, items = (Objects(_noise(rng, x.labels), x.labels) for x in (queries, items))
            background = (_noise(rng, chunk) for chunk in background)
        if not self.collection.drawn:
            return mean_average_precision(method.model, matrix, queries, items)
        return mean_average_precision_among(method.model, matrix, queries, items, background)


def _noise(rng, objects):
    return rng.normal(size=(len(objects), 2))
