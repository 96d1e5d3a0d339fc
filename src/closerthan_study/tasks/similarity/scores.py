"""Score learned similarities: mean average precision of rankings, learning curves."""

from functools import cached_property

import numpy as np
import pandas as pd

from closerthan_study.reading import coordinates
from closerthan_study.tasks import scoring
from closerthan_study.tasks.base import KEYS
from closerthan_study.tasks.similarity import ranking
from closerthan_study.tasks.similarity.trials import Collection, Objects

MEASURES = {
    "hinge": "mean hinge loss of the steps so far, each taken before its update",
    "squared_hinge": "mean squared hinge loss of the steps so far, each taken before its update",
    "mistake_rate": "share of the steps so far whose triplet did not hold before",
    "duality_gap": "primal objective less the dual objective",
    "gap_bound": "bound of Theorem 1 on the expected duality gap",
    "over_gap_bound": "largest ratio so far of the duality gap to the bound of Theorem 1",
    "descent_gap": "objective of stochastic gradient descent less the highest dual objective",
    "over_descent_gap": "ratio of the duality gap to the gap of stochastic gradient descent",
    "reg": "weight of the penalty of SDCA, as tuned",
    "C": "aggressiveness of OASIS, as tuned",
    "gamma": "price of leaving the bounds of ITML, as tuned",
    "eta": "weight of a loss in LEGO, as tuned",
    "ridge": "ridge of RCA, as tuned",
}

CURVES = [
    *("hinge", "squared_hinge", "mistake_rate"),
    *("duality_gap", "gap_bound", "over_gap_bound", "descent_gap", "over_descent_gap"),
]


class Scoring(scoring.Scoring):
    """Scores of similarities; see `closerthan_study.tasks.scoring.Scoring`."""

    costs = ("seconds",)

    @cached_property
    def collection(self):
        """The objects of every trial."""
        return Collection(self.setup)

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        curves = self.setup.fits(method.name)
        if "gap_bound" in curves:
            ratio = curves.duality_gap / curves.gap_bound
            fits = [curves[key] for key in KEYS]
            curves["over_gap_bound"] = ratio.groupby(fits, dropna=False).cummax()
            curves["over_descent_gap"] = curves.duality_gap / curves.descent_gap
        last = curves.groupby(KEYS, dropna=False, as_index=False).nth(-1)
        table = [scoring.tidy(curves, CURVES), scoring.tidy(last, method.tuned)]
        if self.experiment.ranks:
            matrices = self.setup.fits(method.name, "embedding.parquet")
            found = self.rankings(method, last, matrices)
            table.append(scoring.tidy(last.assign(MAP=found), ["MAP"]))
        return pd.concat(table, ignore_index=True)

    def rankings(self, method, fits, matrices):
        """Return the mean average precision of each fit."""
        nothing = {"sweep": 0.0, "batch_size": 0.0}  # missing; NaN does not equal NaN
        by_fit = {} if method.control else dict(list(matrices.fillna(nothing).groupby(KEYS)))
        found = []
        for keys in fits.fillna(nothing)[KEYS].itertuples(index=False, name=None):
            matrix = None if method.control else coordinates(by_fit[keys])
            found.append(self._ranking(method, matrix, keys[-1]))
        return found

    def _ranking(self, method, matrix, trial):
        queries = self.collection.of_trial(trial, "query")
        items = self.collection.of_trial(trial, "item", "validation")
        background = self.collection.background(trial)
        if method.control == "random":
            rng = np.random.default_rng(self.setup.seed("random", trial))
            queries, items = (Objects(_noise(rng, x.labels), x.labels) for x in (queries, items))
            background = (_noise(rng, chunk) for chunk in background)
        given = ranking.is_bilinear(method), matrix, queries, items
        if not self.collection.drawn:
            return ranking.average_precision_by(*given)
        return ranking.average_precision_among(*given, background)


def _noise(rng, objects):
    return rng.normal(size=(len(objects), 2))
