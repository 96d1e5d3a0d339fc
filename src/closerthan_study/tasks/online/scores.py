"""Score online learning: errors, rank, trace and eigenpairs by triplets so far."""

import numpy as np
import pandas as pd

from closerthan_study.tasks import scoring
from closerthan_study.tasks.base import KEYS

MEASURES = {
    "half_tied_error": "test error, if a tie counts as half an error",
    "train_error": "share of the training triplets so far that do not hold, ties included",
    "stream_seconds": "the same, as if batch were fitted again at every checkpoint of the stream",
    "step_seconds": "seconds of an update, or of a batch step on as many triplets as objects",
    "eigenpairs": "eigenpairs computed so far",
    "eigenpairs_deviation": "standard deviation of the eigenpairs over trials",
    "removed": "negative eigenvalues removed so far",
    "removed_share": "the same, divided by the steps that were made",
    "trace": "trace of the kernel",
    "rank": "number of eigenvalues above 1e-6 of the largest",
    "tau": "weight of the trace, as tuned",
    "negative_eigenvalues": "largest number after any update so far, before the projection",
    "projection_distance": "largest distance so far of a projection from the nearest positive "
    "semidefinite matrix, relative to its norm",
    "gradient_error": "largest error of an entry of (4.11), as printed",
    "mended_gradient_error": "the same, with the inequality of (4.13) turned round",
    "entrywise_gradient_error": "the same, beside the gradient of separate entries",
}

CURVES = [
    *("test_error", "half_tied_error", "train_error", "rank", "trace"),
    *("eigenpairs", "removed", "removed_share"),
    *("negative_eigenvalues", "projection_distance"),
    *("gradient_error", "mended_gradient_error", "entrywise_gradient_error"),
]


class Scoring(scoring.Scoring):
    """Scores of kernels learned from a stream; see `closerthan_study.tasks.scoring.Scoring`."""

    def score(self, method):
        """Return the scores of one method as tidy rows: learning curves and final values."""
        curves = self.setup.fits(method.name)
        last = curves[curves.triplets == curves.triplets.max()]
        last = last.rename(columns={"test_error": "final_error"})
        if "eigenpairs" in last:
            of_run = last.groupby([key for key in KEYS if key != "trial"], dropna=False)
            last["eigenpairs_deviation"] = of_run.eigenpairs.transform("std")
        measures = ["final_error", "eigenpairs_deviation"]
        curves = scoring.tidy(curves, [*CURVES, *method.tuned])
        return pd.concat([curves, scoring.tidy(last, measures)])

    def seconds(self, method):
        """Return the processor seconds so far, as spent and as with a fit at every checkpoint."""
        curves = self.setup.fits(method.name, "seconds.parquet")
        curves["stream_seconds"] = curves.seconds
        if self.experiment.sizes:
            curves["step_seconds"] = curves.seconds / (curves.triplets if method.goes_on else 1)
        elif not method.goes_on:  # a scale may fit it at only some checkpoints
            every = max(map(self.experiment.marks, self.experiment.methods), key=len)
            own = self.experiment.marks(method.name)
            so_far = [np.searchsorted(m, curves.triplets, side="right") for m in (every, own)]
            curves["stream_seconds"] *= so_far[0] / so_far[1]
        return scoring.tidy(curves, ["seconds", "stream_seconds", "step_seconds"])
