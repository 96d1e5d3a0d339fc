"""What a user changes: config/config.yaml, with what the command line says."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from closerthan_study.spec.model import Model
from closerthan_study.spec.scales import SCALES

# Snakemake hands over what `--config data='{...}'` holds as text.
_TEXTS = {"": None, "null": None, "~": None, "none": None, "true": True, "false": False}


def _read(value):
    return _TEXTS.get(value.lower(), value) if isinstance(value, str) else value


Folder = Annotated[str | None, BeforeValidator(_read)]


class Data(Model):
    """Where data sets are looked for, and what to do without them."""

    mirror: Folder = None
    cache: Folder = None
    strict: Annotated[bool, BeforeValidator(_read)] = False


class WordVectors(Model):
    """Which vectors the data set `words` has."""

    vectors: Folder = None


class Config(Model):
    """The contents of config/config.yaml."""

    scale: Literal[tuple(SCALES)]
    studies: Annotated[list[str], Field(min_length=1)]
    seed: Annotated[int, Field(ge=0)]
    results: str
    data: Data
    words: WordVectors
