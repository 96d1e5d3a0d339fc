"""The settings that a user changes: config/config.yaml and the command line."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from closerthan_study.spec.scales import SCALES
from closerthan_study.spec.validation import ROOT, ConfigError, Model

# Snakemake passes the values in `--config data='{...}'` as text.
_TEXTS = {"": None, "null": None, "~": None, "none": None, "true": True, "false": False}


def _read(value):
    return _TEXTS.get(value.lower(), value) if isinstance(value, str) else value


def in_one_way(path):
    """Return one path for all spellings, of which Snakemake would take each for another file."""
    here = os.path.realpath(".")
    for whole in (os.path.abspath(path), os.path.realpath(path)):
        if Path(whole).is_relative_to(here):
            return os.path.relpath(whole, here)
    return os.path.abspath(path)


def check_places(config):
    """Refuse an address in place of a folder, and results among files of something else."""
    mirror = os.environ.get("CLOSERTHAN_DATA_MIRROR")
    places = {"CLOSERTHAN_DATA_MIRROR": mirror, "data.mirror": config.data.mirror}
    places |= {"data.cache": config.data.cache, "results": config.results}
    for key, place in places.items():
        if place and re.match(r"\w+:/", place):
            raise ConfigError(f"{key}: {place} is an address; it must be a folder of this machine")
    whole = Path(config.results).resolve()
    for base in (Path.cwd().resolve(), ROOT):
        guest = base / (config.root or ".")  # whose results are in its own folder
        base = guest if whole.is_relative_to(guest) else base
        inner = whole.parts[len(base.parts) :] if whole.is_relative_to(base) else ()
        top = base / inner[0] if inner else whole
        sources = any(top.glob("*.ipynb")) or any(top.rglob("*.py")) or any(top.rglob("*.yaml"))
        if base.is_relative_to(whole) or (inner and top.name != "results" and sources):
            why = f"{top} has other files; name a folder for results alone, such as results"
            raise ConfigError(f"results: {why}")
    here = next(folder for folder in (whole, *whole.parents) if folder.exists())
    if not os.access(here, os.W_OK) or not os.access(".", os.W_OK):
        why = f"{here} or this folder cannot be written"
        raise ConfigError(f"results: {why}; name another with snakemake --directory")


Folder = Annotated[str | None, BeforeValidator(_read)]


class Data(Model):
    """Where data sets are looked for, and whether a missing one is an error."""

    mirror: Folder = None
    cache: Folder = None
    strict: Annotated[bool, BeforeValidator(_read)] = False


class WordVectors(Model):
    """The vectors of the data set `words`."""

    vectors: Folder = None


class Folders(Model):
    """Folders of another project that bring tasks and data sets."""

    tasks: list[str] = []
    datasets: list[str] = []


class Config(Model):
    """The contents of config/config.yaml. Folders are relative to this clone.

    `root` is a folder beside the study whose config/studies and notebooks are run instead of the
    study's own.
    """

    scale: Literal[tuple(SCALES)]
    studies: Annotated[list[str], Field(min_length=1)]
    seed: Annotated[int, Field(ge=0)]
    results: Annotated[str, AfterValidator(in_one_way)]
    data: Data
    words: WordVectors
    root: Folder = None
    folders: Folders = Folders()
