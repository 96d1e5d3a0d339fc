"""Scores of seriation: how well the order is found."""

import pandas as pd
from scipy.stats import spearmanr

from closerthan_study.reading import read_data
from closerthan_study.tasks import scoring
from closerthan_study.tasks.base import KEYS


class Scoring(scoring.Scoring):
    """Scores of places; see `closerthan_study.tasks.scoring.Scoring`."""

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        features = read_data(self.data)["features"]
        objects = pd.read_parquet(self.trials / "objects.parquet")
        places = self.read(method.name, "embedding.parquet").merge(objects, on=["trial", "object"])
        rows = [
            dict(zip(KEYS, keys, strict=True))
            | {"order": abs(spearmanr(found.x0, features[found.row, 0]).statistic)}
            for keys, found in places.groupby(KEYS, dropna=False)
        ]
        return scoring.tidy(pd.DataFrame(rows).assign(epoch=0.0), ["order"])
