"""The comparisons station: triplets of every trial, split, with noise in the training part."""

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform

from relsim.comparisons import (
    all_triplets,
    sample_from_labels,
    sample_from_points,
    split,
    swap_answers,
)
from relsim.datasets import make_gaussian
from relsim.study.data import read_data
from relsim.study.files import replacing
from relsim.study.mixture import draw_mixture
from relsim.study.objects import draw_objects
from relsim.study.retrieval import draw_retrieval
from relsim.study.seeds import seed_sequence

_NONE = pd.DataFrame(columns=["i", "j", "k", "noise", "part"])  # maps are learned from objects


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
        swapped), part (train, validation or test), i, j, k.
    objects : path-like
        Parquet: trial, part ("item" is embedded, "query" only searches), object (the id in the
        comparisons), row (of the data set), label (-1 where there is none). For maps, which are
        learned without comparisons, see `relsim.study.objects`; for similarities,
        `relsim.study.retrieval`.
    """
    data = read_data(npz)
    tables, lists = [], []
    for trial in sorted({*experiment.tuned_on, *range(experiment.trials)}):
        if experiment.points:
            data = _drawn(spec, experiment, trial)
        words = (experiment.study, experiment.name, dataset, "comparisons", trial)
        seed = seed_sequence(spec.seed, *words)
        if experiment.learns == "map":
            sample, objects_of_trial = [_NONE], draw_objects(experiment, dataset, data, seed)
        elif experiment.learns == "similarity":
            sample, objects_of_trial = draw_retrieval(experiment.comparisons, data["labels"], seed)
            sample = [sample]
        else:
            sample, objects_of_trial = _sample(experiment, data, seed)
        tables += [table.assign(trial=trial) for table in sample]
        lists.append(objects_of_trial.assign(trial=trial))
    with replacing(comparisons) as temporary:
        pd.concat(tables, ignore_index=True).to_parquet(temporary, index=False)
    with replacing(objects) as temporary:
        pd.concat(lists, ignore_index=True).to_parquet(temporary, index=False)


def _drawn(spec, experiment, trial):
    """Return what the comparisons of a trial are sampled from, if it has objects of its own."""
    if experiment.learns == "similarity":
        return {"labels": draw_mixture(spec, experiment, trial).labels}
    return {"points": draw_points(spec, experiment, trial)}


def read_comparisons(path, trial, noise=0.0, parts=("train", "test")):
    """Return the triplets of some parts of one trial, by default the training and test ones."""
    filters = [("trial", "==", trial), ("noise", "==", noise)]
    table = pd.read_parquet(path, filters=filters)
    tables = (table[table.part == part] for part in parts)
    return tuple(part[["i", "j", "k"]].to_numpy(np.int64) for part in tables)


def draw_points(spec, experiment, trial):
    """Return the true points of a trial, in an experiment in which every trial has its own.

    They are as the experiment's `points` say, the parameters of `relsim.datasets.make_gaussian`,
    and come from the seed alone, so no file holds them.
    """
    words = (experiment.study, experiment.name, "points", trial)
    random_state = seed_sequence(spec.seed, *words)
    return make_gaussian(**experiment.points, random_state=random_state).points


def _sample(experiment, data, seeds):
    """Sample the comparisons and the objects of one trial."""
    settings, noises = experiment.comparisons, experiment.noises
    choice, sampling, splitting, *noising = seeds.spawn(3 + len(noises))
    objects = _choose_objects(settings, data, np.random.default_rng(choice))
    labels = objects.label[objects.part == "item"].to_numpy()
    train, others = _split(settings, _answers(settings, data, labels, sampling), splitting)
    tables = []
    for noise, seed in zip(noises, noising, strict=True):
        noisy, _ = swap_answers(train, noise, random_state=np.random.default_rng(seed))
        for part, triplets in {"train": noisy, **others}.items():
            table = pd.DataFrame(triplets.astype(np.int32), columns=["i", "j", "k"])
            tables.append(table.assign(noise=noise, part=part))
    return tables, objects


def _answers(settings, data, labels, seed):
    rng = np.random.default_rng(seed)
    match settings["source"]:
        case "people":
            return data["triplets"]
        case "distances":
            if "distances" in data:
                return all_triplets(data["distances"])
            return all_triplets(squareform(pdist(data["points"])))
        case "points":
            return sample_from_points(data["points"], _total(settings), random_state=rng)
        case "labels":
            return sample_from_labels(labels, _total(settings), random_state=rng)


def _total(settings):
    return sum(settings.get(key, 0) for key in ("n_train", "n_validation", "n_test"))


def _split(settings, triplets, seed):
    """Return the training triplets, and the others by their part."""
    train, rest = split(triplets, settings["n_train"], random_state=np.random.default_rng(seed))
    n = settings.get("n_validation", 0)
    if len(rest) <= n:
        raise ValueError(
            f"n_train={len(train)} and n_validation={n} of {len(triplets)} comparisons leave none "
            "to test on"
        )
    parts = {"validation": rest[:n], "test": rest[n:][: settings.get("n_test")]}
    return train, {part: triplets for part, triplets in parts.items() if len(triplets)}


def _choose_objects(settings, data, rng):
    """Draw the items and queries of a retrieval experiment; elsewhere take every object."""
    if "n_items" not in settings:
        keys = ("points", "distances", "labels", "features")
        n = len(next(data[key] for key in keys if key in data))
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
