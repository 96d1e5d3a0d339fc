"""Score fits to answers: errors, probabilities, sizes, stability of maps."""

import numpy as np
import pandas as pd

from closerthan_study.reading import coordinates
from closerthan_study.tasks import scoring
from closerthan_study.tasks.base import KEYS
from closerthan_survey.tasks.answers.maps import distance_of_maps
from closerthan_survey.tasks.answers.split import is_simulated

MEASURES = {
    "test_error": "share of test comparisons that do not hold, ties included",
    "log_loss": "mean negative log-probability of the test answers, in nats",
    "calibration_error": "expected calibration error: mean distance between the probability of the "
    "likelier answer and the share of the answers that agree with it",
    "predicted": "mean probability of the likelier answer, among the test answers of bin k",
    "observed": "share of the answers that are the likelier one, among those of bin k",
    "epochs": "epochs until the method stopped",
    "n_train": "number of training comparisons",
    "n_components": "dimension of an embedding, as tuned or given",
    "strength": "weight of the penalty",
    "lapse": "lapse rate: share of answers given at random",
    "seconds": "seconds of learning so far, in a file of its own",
    "start_spread": "Procrustes distance of two fits to the same answers from different random "
    "starts",
    "resample_spread": "mean Procrustes distance of a trial's fit to the fits of all other trials, "
    "which have other training answers",
}

BINNED = ["predicted", "observed"]


class Scoring(scoring.Scoring):
    """Scores of fits to answers; see `closerthan_study.tasks.scoring.Scoring`."""

    costs = ("seconds",)

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        curves = self.setup.fits(method.name)
        whole = curves[curves.k.isna()] if "k" in curves else curves
        rows = [scoring.tidy(whole, [*MEASURES])]
        if "k" in curves:
            binned = curves[curves.k.notna()]
            rows.append(binned.melt([*KEYS, "k"], BINNED, "measure").dropna(subset="value"))
        maps = self.setup.fits(method.name, "embedding.parquet")  # empty for models without points
        if not maps.empty and not is_simulated(self.setup.dataset):  # new objects in each trial
            rows.append(resample_spread(maps))
        return pd.concat(rows, ignore_index=True)


def resample_spread(embeddings):
    """Return for each fit the mean distance of its map to the maps of the other trials."""
    rows = []
    of_run = [key for key in KEYS if key != "trial"]
    for keys, of_trials in embeddings.groupby(of_run, dropna=False):
        placed = of_trials.sort_values("object").dropna(axis="columns", how="all")
        maps = {trial: coordinates(table) for trial, table in placed.groupby("trial")}
        for trial, points in maps.items():
            distances = [distance_of_maps(points, maps[other]) for other in maps if other != trial]
            if distances:
                row = dict(zip(of_run, keys, strict=True)) | {"trial": trial}
                rows.append({**row, "value": np.mean(distances)})
    return pd.DataFrame(rows, columns=[*KEYS, "value"]).assign(measure="resample_spread")
