"""Draw the objects of a seriation trial from the data set."""

import numpy as np
import pandas as pd


def draw(setup, trial):
    """Return no comparisons, and the objects of a trial."""
    rng = np.random.default_rng(setup.seed("objects", trial))
    rows = rng.permutation(len(setup.data["features"]))[: setup.experiment.objects.n_objects]
    objects = {"part": "item", "object": range(len(rows)), "row": rows, "label": -1}
    return None, pd.DataFrame(objects)
