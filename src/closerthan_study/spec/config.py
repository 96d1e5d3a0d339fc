"""The settings that a user changes: config/config.yaml and the command line."""

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from closerthan_study.spec.scales import SCALES
from closerthan_study.spec.validation import Model

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


Folder = Annotated[str | None, BeforeValidator(_read)]


class Data(Model):
    """Where data sets are looked for, and whether a missing one is an error."""

    mirror: Folder = None
    cache: Folder = None
    strict: Annotated[bool, BeforeValidator(_read)] = False


class WordVectors(Model):
    """The vectors of the data set `words`."""

    vectors: Folder = None


class Config(Model):
    """The contents of config/config.yaml."""

    scale: Literal[tuple(SCALES)]
    studies: Annotated[list[str], Field(min_length=1)]
    seed: Annotated[int, Field(ge=0)]
    results: Annotated[str, AfterValidator(in_one_way)]
    data: Data
    words: WordVectors
