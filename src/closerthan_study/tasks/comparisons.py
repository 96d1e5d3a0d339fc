"""Draw comparisons: sampled or given by people, split into parts, with noise."""

import numpy as np
import pandas as pd

from closerthan.comparisons import sample
from closerthan.comparisons.noise import swap_answers
from closerthan_study.reading import tabulate_objects, tabulate_triplets


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
        parts = {"train": noisy, **others}
        tables += [tabulate_triplets(some, part, noise) for part, some in parts.items()]
    return pd.concat(tables, ignore_index=True), objects


def every_object(settings, data, rng):
    """Let every object of a data set take part."""
    keys = ("points", "distances", "labels", "features", "object_names")
    return tabulate_objects(range(len(next(data[key] for key in keys if key in data))))


def _answers(settings, data, labels, seed):
    rng = np.random.default_rng(seed)
    sampled = settings.n_train + (settings.n_validation or 0) + (settings.n_test or 0)
    match settings.source:
        case "people":
            return data["comparisons"]
        case "distances":
            if "distances" in data:
                return sample.all_triplets(data["distances"])
            from scipy.spatial.distance import pdist, squareform  # which takes a while to import

            return sample.all_triplets(squareform(pdist(data["points"])))
        case "points":
            return sample.sample_from_points(data["points"], sampled, random_state=rng)
        case "labels":
            return sample.sample_from_labels(labels, sampled, random_state=rng)


def _split(settings, triplets, seed):
    """Return the training triplets, and the others by their part."""
    rng = np.random.default_rng(seed)
    train, rest = sample.split(triplets, settings.n_train, by="screen", random_state=rng)
    n = settings.n_validation or 0
    if len(rest) <= n:
        raise ValueError(
            f"n_train={len(train)} and n_validation={n} of {len(triplets)} comparisons leave none "
            "to test on"
        )
    parts = {"validation": rest[:n], "test": rest[n:][: settings.n_test]}
    return train, {part: triplets for part, triplets in parts.items() if len(triplets)}
