"""The comparisons station: triplets of every trial, split, with noise in the training part."""

import numpy as np
import pandas as pd

from relsim.comparisons import (
    all_triplets,
    sample_from_labels,
    sample_from_points,
    split,
    swap_answers,
)
from relsim.study.data import read_data
from relsim.study.files import replacing
from relsim.study.seeds import seed_sequence


def make_comparisons(spec, experiment, dataset, npz, comparisons, objects):
    """Write the comparisons of all trials of an experiment on a data set.

    Parameters
    ----------
    spec : Spec
    experiment : Experiment
    dataset : str
    npz : path-like
        The data station's arrays.
    comparisons : path-like
        Parquet: trial (negative ones are there to tune steps on), noise (share of the answers
        swapped), part (train or test), i, j, k.
    objects : path-like
        Parquet: trial, part ("item" is embedded, "query" only searches), object (the id in the
        comparisons), row (of the data set), label (-1 where there is none).
    """
    data = read_data(npz)
    tables, lists = [], []
    for trial in range(-experiment.tuning_trials, experiment.trials):
        words = (experiment.study, experiment.name, dataset, "comparisons", trial)
        sample, objects_of_trial = _sample(experiment, data, seed_sequence(spec.seed, *words))
        tables += [table.assign(trial=trial) for table in sample]
        lists.append(objects_of_trial.assign(trial=trial))
    with replacing(comparisons) as temporary:
        pd.concat(tables, ignore_index=True).to_parquet(temporary, index=False)
    with replacing(objects) as temporary:
        pd.concat(lists, ignore_index=True).to_parquet(temporary, index=False)


def read_comparisons(path, trial, noise):
    """Return the training and the test triplets of one trial."""
    filters = [("trial", "==", trial), ("noise", "==", noise)]
    table = pd.read_parquet(path, filters=filters)
    parts = (table[table.part == part] for part in ("train", "test"))
    return tuple(part[["i", "j", "k"]].to_numpy(np.int64) for part in parts)


def _sample(experiment, data, seeds):
    """Sample the comparisons and the objects of one trial."""
    settings, noises = experiment.comparisons, experiment.noises
    choice, sampling, splitting, *noising = seeds.spawn(3 + len(noises))
    objects = _choose_objects(settings, data, np.random.default_rng(choice))
    labels = objects.label[objects.part == "item"].to_numpy()
    train, test = _split(settings, _answers(settings, data, labels, sampling), splitting)
    tables = []
    for noise, seed in zip(noises, noising, strict=True):
        noisy, _ = swap_answers(train, noise, random_state=np.random.default_rng(seed))
        for part, triplets in (("train", noisy), ("test", test)):
            table = pd.DataFrame(triplets.astype(np.int32), columns=["i", "j", "k"])
            tables.append(table.assign(noise=noise, part=part))
    return tables, objects


def _answers(settings, data, labels, seed):
    rng = np.random.default_rng(seed)
    match settings["source"]:
        case "people":
            return data["triplets"]
        case "distances":
            return all_triplets(data["distances"])
        case "points":
            n = settings["n_train"] + settings["n_test"]
            return sample_from_points(data["points"], n, random_state=rng)
        case "labels":
            n = settings["n_train"] + settings["n_test"]
            return sample_from_labels(labels, n, random_state=rng)


def _split(settings, triplets, seed):
    train, test = split(triplets, settings["n_train"], random_state=np.random.default_rng(seed))
    return train, test[: settings.get("n_test")]


def _choose_objects(settings, data, rng):
    """Draw the items and queries of a retrieval experiment; elsewhere take every object."""
    if "n_items" not in settings:
        n = len(next(data[key] for key in ("points", "distances", "labels") if key in data))
        objects = np.arange(n)
        return pd.DataFrame({"part": "item", "object": objects, "row": objects, "label": -1})
    labels = data["labels"]
    classes = np.unique(labels)
    n_classes = min(settings["n_classes"], len(classes))
    rows = {"item": [], "query": []}
    for label in np.sort(rng.choice(classes, n_classes, replace=False)):
        chosen = rng.permutation(np.flatnonzero(labels == label))
        n_items, n_queries = settings["n_items"], settings["n_queries"]
        if len(chosen) < n_items + n_queries:
            raise ValueError(
                f"class {label} has {len(chosen)} objects; {n_items} items and {n_queries} "
                "queries are asked for"
            )
        rows["item"].append(chosen[:n_items])
        rows["query"].append(chosen[n_items : n_items + n_queries])
    tables = []
    for part, chosen in rows.items():
        chosen = np.concatenate(chosen)
        table = {"part": part, "object": np.arange(len(chosen)), "row": chosen}
        tables.append(pd.DataFrame(table).assign(label=labels[chosen]))
    return pd.concat(tables, ignore_index=True)
