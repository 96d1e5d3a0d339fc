"""Scores of online learning: errors, rank, trace and eigenpairs over the triplets seen."""

import pandas as pd

from relsim.study.tasks import scoring

CURVES = [
    *("test_error", "train_error", "rank", "eigenpairs", "trace"),
    *("negative_eigenvalues", "projection_distance"),
]


class Scoring(scoring.Scoring):
    """Scores of kernels that saw a stream; see `relsim.study.tasks.scoring.Scoring`."""

    def score(self, method):
        """Return the scores of one method as tidy rows: its curves, and what they end with."""
        curves = self.read(method.name)
        last = curves[curves.triplets == curves.triplets.max()]
        last = last.assign(final_error=last.test_error)
        measures = ["final_error", *method.tuned]
        return pd.concat([scoring.tidy(curves, CURVES), scoring.tidy(last, measures)])

    def seconds(self, method):
        """Return the seconds of the processor so far."""
        return scoring.tidy(self.read(method.name, "seconds.parquet"), ["seconds"])
