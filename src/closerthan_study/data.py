"""The data station: fetch, verify, parse and check each data set; keep it as .npz and .json."""

import inspect
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from closerthan._core.writing import replacing
from closerthan.datasets.fetch import DataUnavailable
from closerthan.datasets.loader import find_files, find_loader, load
from closerthan_study.files import write_json
from closerthan_study.folders import DATASETS
from closerthan_study.seeds import seed_sequence

_REMEDY = (
    "Set CLOSERTHAN_DATA_MIRROR (or data.mirror in config/config.yaml) to a folder that has these "
    "files, or put them into the cache folder. Then run again."
)


_AT_ONCE = 4  # downloads


def find_absent(spec):
    """Return the data sets that are not made and not whole in cache or mirror. Fetches nothing."""

    offline = partial(_why_missing, offline=True)
    return list(_find_missing(spec, lambda names: [offline(n, _options(spec, n)) for n in names]))


def fetch_all(spec, path):
    """Fetch all data sets that are not made; write which are missing, and what was tried.

    Returns what to say of missing data. Nothing is written if some are missing and `data.strict`
    is set.
    """

    def fetch(name, options):
        why = _why_missing(name, options)
        print(f"{name}: {'missing' if why else 'here'}", flush=True)
        return why

    def fetch_some(names):  # options import loaders, in one thread
        return pool.map(fetch, names, [_options(spec, name) for name in names])

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        missing = _find_missing(spec, fetch_some)
    said = [say_missing(spec, missing), f"Missing: {', '.join(missing)}."]
    if missing and spec.config.data.strict:
        return "\n".join([*said, "data.strict is set.", *missing.values()])
    write_json(path, missing)
    said += [say_remedy(missing), "results/reports/index.html lists where each was looked for."]
    return "\n".join(said) if missing else ""


def _find_missing(spec, ask):
    """Return why data sets cannot be had; a fallback counts if an experiment has nothing else."""
    found, made = {}, {path.stem for path in Path(spec.results, "data").glob("*.npz")}
    while more := [n for n in spec.wanted(_missing(found)) if n not in made | found.keys()]:
        found |= zip(more, ask(more), strict=True)
    return _missing(found)


def _missing(found):
    return {name: why for name, why in found.items() if why}


def _options(spec, name):
    """Return all options of a loader: its own, and where to look for files."""
    data = spec.config.data
    return {**options_of(spec, name), "mirror": data.mirror, "cache": data.cache}


def _why_missing(name, options, offline=False):
    """Return why a data set cannot be had: what was tried. None if it can."""
    try:
        find_files(name, folders=DATASETS, **options, offline=offline)
    except DataUnavailable as error:
        return str(error)
    except ValueError as error:  # a file that is not the registered one is as good as none
        return f"{name} is not to be had:\n  {error}"
    return None


def say_missing(spec, missing):
    """Say in one line how many data sets could not be had, and what this does to experiments.

    An experiment is missing if none of its data sets is left and nothing replaces them, and
    incomplete if only some are left or replaced.
    """
    experiments = spec.experiments.values()
    left = {experiment.words for experiment, _ in spec.pairs(missing)}
    absent = [e for e in experiments if e.words not in left]
    hit = [e for e in experiments if {*e.datasets, *e.also_reads} & set(missing)]
    counts = {"missing": len(absent), "incomplete": len(hit) - len(absent)}
    effects = [
        f"{n} experiment{'s' if n > 1 else ''} {'are' if n > 1 else 'is'} {state}"
        for state, n in counts.items()
        if n
    ]
    first = f"{len(missing)} of {len({*spec.wanted(), *missing})} data sets could not be had"
    return "; ".join(filter(None, [first, " and ".join(effects)])) + "."


def list_tried(why):
    """Return the places that a `DataUnavailable` lists: where a file was looked for."""
    return [line.strip() for line in why.splitlines()[1:] if line.startswith("  ")]


def say_remedy(missing):
    """Say what to do about missing data sets, including options that replace a file.

    >>> say_remedy({"words": "or give `vectors`, a path"}).split(". ")[-1]
    'For words you can instead give `vectors`, a path, in config/config.yaml.'
    """
    options = [
        f"For {name} you can instead{line.removeprefix('or')}, in config/config.yaml."
        for name, why in missing.items()
        for line in why.splitlines()
        if line.startswith("or give ")
    ]
    return " ".join([_REMEDY, *options])


def make_data(spec, name, npz, record):
    """Load one data set; write its arrays (.npz) and its record (.json)."""
    dataset = load(name, folders=DATASETS, **_options(spec, name))
    with replacing(npz) as temporary:
        np.savez(temporary, **dataset.arrays())
    write_json(record, {"name": name, **dataset.info})


def options_of(spec, name):
    """Return the options that the loader of a data set takes, with their values."""
    takes = inspect.signature(find_loader(name, DATASETS)).parameters
    options = {
        "random_state": seed_sequence(spec.seed, name),  # for generated data sets
        "vectors": spec.config.words.vectors,
    }
    return {key: value for key, value in options.items() if key in takes}
