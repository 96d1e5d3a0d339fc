"""Score online learning: errors, rank, trace and eigenpairs by triplets so far."""

import numpy as np
import pandas as pd

from closerthan_study.tasks import scoring

MEASURES = {
    "train_error": "share of the training triplets so far that do not hold, ties included",
    "stream_seconds": "the same, as if batch were fitted again at every checkpoint of the stream",
    "eigenpairs": "eigenpairs computed so far",
    "trace": "trace of the kernel",
    "rank": "number of eigenvalues above 1e-6 of the largest",
    "tau": "weight of the trace, as tuned",
    "negative_eigenvalues": "largest number after any update so far, before the projection",
    "projection_distance": "largest distance so far of a projection from the nearest positive "
    "semidefinite matrix, relative to its norm",
}

CURVES = [
    *("test_error", "train_error", "rank", "eigenpairs", "trace"),
    *("negative_eigenvalues", "projection_distance"),
]


class Scoring(scoring.Scoring):
    """Scores of kernels learned from a stream; see `closerthan_study.tasks.scoring.Scoring`."""

    def score(self, method):
        """Return the scores of one method as tidy rows: learning curves and final values."""
        curves = self.setup.fits(method.name)
        last = curves[curves.triplets == curves.triplets.max()]
        last = last.assign(final_error=last.test_error)
        measures = ["final_error", *method.tuned]
        return pd.concat([scoring.tidy(curves, CURVES), scoring.tidy(last, measures)])

    def seconds(self, method):
        """Return the processor seconds so far, as spent and as with a fit at every checkpoint."""
        curves = self.setup.fits(method.name, "seconds.parquet")
        curves["stream_seconds"] = curves.seconds
        if not method.goes_on:  # a scale may fit it at only some checkpoints
            every = max(map(self.experiment.marks, self.experiment.methods), key=len)
            own = self.experiment.marks(method.name)
            so_far = [np.searchsorted(m, curves.triplets, side="right") for m in (every, own)]
            curves["stream_seconds"] *= so_far[0] / so_far[1]
        return scoring.tidy(curves, ["seconds", "stream_seconds"])
