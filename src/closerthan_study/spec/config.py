"""The settings that a user changes: config/config.yaml and the command line."""

import os
import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from closerthan_study.spec.scales import SCALES
from closerthan_study.spec.validation import ConfigError, Model

RESULTS = "results"  # the folder that a run writes to

# Snakemake passes the values in `--config data='{...}'` as text.
_TEXTS = {"": None, "null": None, "~": None, "none": None, "true": True, "false": False}


def _read(value):
    return _TEXTS.get(value.lower(), value) if isinstance(value, str) else value


def check_places(config):
    """Refuse an address in place of a folder, and a folder that cannot be written."""
    mirror = os.environ.get("CLOSERTHAN_DATA_MIRROR")
    places = {"CLOSERTHAN_DATA_MIRROR": mirror, "data.mirror": config.data.mirror}
    for key, place in {**places, "data.cache": config.data.cache}.items():
        if place and re.match(r"\w+:/", place):
            raise ConfigError(f"{key}: {place} is an address; it must be a folder of this machine")
    if config.results != RESULTS:
        raise ConfigError(f"results: a run elsewhere is snakemake --directory {config.results}")
    if not os.access(RESULTS if os.path.exists(RESULTS) else ".", os.W_OK):
        where = "run in another folder with snakemake --directory"
        raise ConfigError(f"{os.path.abspath(RESULTS)} cannot be written; {where}")


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
    results: str = RESULTS  # another folder only in programs that read a run
    data: Data
    words: WordVectors
    root: Folder = None
    folders: Folders = Folders()
