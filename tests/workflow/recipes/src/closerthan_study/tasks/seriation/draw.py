"""What a trial of seriation is given: some objects of the data set."""

import numpy as np
import pandas as pd

from closerthan_study.seeds import seed_sequence


def draw(spec, experiment, dataset, data, trial):
    """Return no comparisons, and the objects of a trial."""
    words = (experiment.study, experiment.name, dataset, "objects", trial)
    rng = np.random.default_rng(seed_sequence(spec.seed, *words))
    rows = rng.permutation(len(data["features"]))[: experiment.objects.n_objects]
    objects = {"part": "item", "object": range(len(rows)), "row": rows, "label": -1}
    return None, pd.DataFrame(objects)
