"""Draw comparisons: sampled or given by people, split into parts, with noise."""

import numpy as np
import pandas as pd

from closerthan.comparisons.noise import swap_answers
from closerthan.comparisons.sample import (
    all_triplets,
    sample_from_labels,
    sample_from_points,
    split,
)


def draw_comparisons(experiment, data, seeds, choose_objects):
    """Return the comparisons and the objects of one trial.

    A comparison has a part (train, validation or test) and noise, the share of answers swapped. An
    object has a part ("item" is embedded, "query" only searches), its id, its row and a label.
    """
    settings, noises = experiment.comparisons, experiment.noises
    choice, sampling, splitting, *noising = seeds.spawn(3 + len(noises))
    objects = choose_objects(settings, data, np.random.default_rng(choice))
    labels = objects.label[objects.part == "item"].to_numpy()
    train, others = _split(settings, _answers(settings, data, labels, sampling), splitting)
    tables = []
    for noise, seed in zip(noises, noising, strict=True):
        noisy, _ = swap_answers(train, noise, random_state=np.random.default_rng(seed))
        for part, triplets in {"train": noisy, **others}.items():
            table = pd.DataFrame(triplets.astype(np.int32), columns=["i", "j", "k"])
            tables.append(table.assign(noise=noise, part=part))
    return pd.concat(tables, ignore_index=True), objects


def every_object(settings, data, rng):
    """Let every object of a data set take part."""
    keys = ("points", "distances", "labels", "features", "object_names")
    objects = np.arange(len(next(data[key] for key in keys if key in data)))
    return pd.DataFrame({"part": "item", "object": objects, "row": objects, "label": -1})


def _answers(settings, data, labels, seed):
    rng = np.random.default_rng(seed)
    match settings.source:
        case "people":
            return data["comparisons"]
        case "distances":
            if "distances" in data:
                return all_triplets(data["distances"])
            from scipy.spatial.distance import pdist, squareform  # which takes a while to import

            return all_triplets(squareform(pdist(data["points"])))
        case "points":
            return sample_from_points(data["points"], settings.total, random_state=rng)
        case "labels":
            return sample_from_labels(labels, settings.total, random_state=rng)


def _split(settings, triplets, seed):
    """Return the training triplets, and the others by their part."""
    train, rest = split(triplets, settings.n_train, random_state=np.random.default_rng(seed))
    n = settings.n_validation or 0
    if len(rest) <= n:
        raise ValueError(
            f"n_train={len(train)} and n_validation={n} of {len(triplets)} comparisons leave none "
            "to test on"
        )
    parts = {"validation": rest[:n], "test": rest[n:][: settings.n_test]}
    return train, {part: triplets for part, triplets in parts.items() if len(triplets)}
