"""Scores of fits to answers: errors, probabilities, sizes, and how stable the maps are."""

import numpy as np
import pandas as pd

from closerthan_study.tasks import scoring
from closerthan_study.tasks.answers.maps import distance_of_maps
from closerthan_study.tasks.answers.parts import is_simulated
from closerthan_study.tasks.base import KEYS

MEASURES = [
    *("test_error", "log_loss", "calibration_error", "epochs", "n_train", "n_components"),
    *("strength", "lapse", "start_spread"),
]
BINNED = ["predicted", "observed"]


class Scoring(scoring.Scoring):
    """Scores of fits to answers; see `closerthan_study.tasks.scoring.Scoring`."""

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        curves = self.read(method.name)
        whole = curves[curves.k.isna()] if "k" in curves else curves
        rows = [scoring.tidy(whole, MEASURES)]
        if "k" in curves:
            binned = curves[curves.k.notna()]
            rows.append(binned.melt([*KEYS, "k"], BINNED, "measure").dropna(subset="value"))
        maps = self.read(method.name, "embedding.parquet")  # none of what has a score alone
        if not maps.empty and not is_simulated(self.dataset):  # which are others in each trial
            rows.append(resample_spread(maps))
        return pd.concat(rows, ignore_index=True)

    def seconds(self, method):
        """Return the seconds of the fits."""
        return scoring.tidy(self.read(method.name, "seconds.parquet"), ["seconds"])


def resample_spread(embeddings):
    """Return for each fit how far its map is from those of the other trials, in the mean."""
    rows = []
    of_run = [key for key in KEYS if key != "trial"]
    for keys, of_trials in embeddings.groupby(of_run, dropna=False):
        axes = of_trials.filter(regex=r"^x\d+$").dropna(axis="columns", how="all").columns
        maps = {
            trial: of_trial.sort_values("object")[axes].to_numpy(float)
            for trial, of_trial in of_trials.groupby("trial")
        }
        for trial, points in maps.items():
            distances = [distance_of_maps(points, maps[other]) for other in maps if other != trial]
            if distances:
                row = dict(zip(of_run, keys, strict=True)) | {"trial": trial}
                rows.append({**row, "value": np.mean(distances)})
    return pd.DataFrame(rows, columns=[*KEYS, "value"]).assign(measure="resample_spread")
