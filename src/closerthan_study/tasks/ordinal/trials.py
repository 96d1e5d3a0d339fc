"""Draw the comparisons and objects of a trial of ordinal embedding."""

import numpy as np
import pandas as pd

from closerthan_study.reading import tabulate_objects
from closerthan_study.tasks.comparisons import draw_comparisons, every_object


def draw(setup, trial):
    """Return the comparisons and the objects of a trial; see `draw_comparisons`."""
    seeds = setup.seed("comparisons", trial)
    return draw_comparisons(setup.experiment, setup.data, seeds, choose_objects)


def choose_objects(settings, data, rng):
    """Draw the items and queries of a retrieval experiment; other experiments use all objects."""
    if settings.n_items is None:
        return every_object(settings, data, rng)
    labels = data["labels"]
    classes = np.unique(labels)
    n_classes = min(settings.n_classes, len(classes))
    rows = {"item": [], "query": []}
    for label in np.sort(rng.choice(classes, n_classes, replace=False)):
        chosen = rng.permutation(np.flatnonzero(labels == label))
        n_items, n_queries = settings.n_items, settings.n_queries
        if len(chosen) < n_items + n_queries:
            raise ValueError(
                f"class {label} has {len(chosen)} objects; {n_items} items and {n_queries} "
                "queries are asked for"
            )
        rows["item"].append(chosen[:n_items])
        rows["query"].append(chosen[n_items : n_items + n_queries])
    chosen = {part: np.concatenate(some) for part, some in rows.items()}
    tables = [tabulate_objects(some, labels[some], part) for part, some in chosen.items()]
    return pd.concat(tables, ignore_index=True)
