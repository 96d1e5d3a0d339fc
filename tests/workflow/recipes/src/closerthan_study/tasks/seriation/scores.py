"""Scores of seriation: how well the order is found."""

import pandas as pd
from scipy.stats import spearmanr

from closerthan_study.tasks import scoring

MEASURES = {"order": "rank correlation of the places found with the true ones, without its sign"}


class Scoring(scoring.Scoring):
    """Scores of places; see `closerthan_study.tasks.scoring.Scoring`."""

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        features = self.setup.data["features"]
        places = self.setup.fits(method.name, "embedding.parquet")
        places = places.merge(self.setup.objects, on=["trial", "object"])
        rows = [
            {**keys, "order": abs(spearmanr(found.x0, features[found.row, 0]).statistic)}
            for keys, found in scoring.by_run(places)
        ]
        return scoring.tidy(pd.DataFrame(rows).assign(epoch=0.0), ["order"])
