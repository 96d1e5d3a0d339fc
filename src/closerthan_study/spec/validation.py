"""The base of all models of config/. Errors name the file, the key and the allowed values."""

from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

ROOT = Path(__file__).parents[3]

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C, ten times as quick


class ConfigError(ValueError):
    """A file under config/ is wrong. The message names the file and the key."""


class Model(BaseModel):
    """A part of a file under config/: frozen, without unknown keys or silent conversions."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _only_known_keys(cls, content):
        if cls.model_config["extra"] == "allow":
            return content
        fields = cls.model_fields.items()
        ours = [name for name, field in fields if field.exclude]  # not allowed in a file
        theirs = [field.alias or name for name, field in fields if not field.exclude]
        for key in content if isinstance(content, dict) else ():
            if key not in (*theirs, *ours):
                refuse(f"unknown key {key}; allowed: {', '.join(theirs)}")
        return content


def refuse(message):
    """Raise the error of a validator; the message follows the key when it is shown."""
    raise PydanticCustomError("refused", "{message}", {"message": message})


def check_name(name, names, what):
    """Return a name of a file, or raise an error with the allowed names if it is unknown.

    >>> check_name("ste", ["gnmds", "ste"], "unknown loss")
    'ste'
    """
    if name not in names:
        words = ", ".join(str(known) for known in names if known is not None)
        raise ConfigError(f"{what} {name}; allowed: {words or 'none'}")
    return name


def check_names(some, names, what):
    """Check each of some names as `check_name` does."""
    for name in some or ():
        check_name(name, names, what)


def _as_list(value):
    return [value] if isinstance(value, str) else value


def _number(value):
    if type(value) not in (int, float):
        refuse(f"{value!r} is not a number (YAML wants 5.0e-4, not 5e-4)")
    return value


Count = Annotated[int, Field(ge=1)]
# Not converted: seeds are made from the text of the settings, in which 0 and 0.0 differ.
Number = Annotated[int | float, BeforeValidator(_number)]
Name = Annotated[str, Field(pattern=r"^[\w-]+$")]  # part of a path
Share = Annotated[Number, Field(gt=0, lt=1)]
Noises = Annotated[list[Annotated[Number, Field(ge=0, le=0.5)]], Field(min_length=1)]
# A single word needs no brackets.
Words = Annotated[list[str], BeforeValidator(_as_list)]


def read_yaml(path):
    """Return the mapping in a YAML file under config/."""
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file")
    try:
        content = yaml.load(path.read_bytes(), Loader=_Loader)
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: {content!r} is not a mapping")
    return content


def validate(model, content, path, key="", context=None):
    """Return a model of the content that a file has under `key`."""
    try:
        return model.model_validate(content, context=context)
    except ValidationError as error:
        raise ConfigError(f"{path}: {_message(error.errors()[0], key)}") from None


def _message(error, key):
    """Say in one line which key is wrong, and why."""
    loc = [str(word) for word in error["loc"] if not _is_tag(word)]
    missing = error["type"] == "missing"
    where = ".".join([key, *loc[: len(loc) - missing]] if key else loc[: len(loc) - missing])
    what = f"{loc[-1]} is missing" if missing else error["msg"].partition(" or instance of ")[0]
    what = what.removeprefix("Value error, ").replace("Input", repr(error["input"]), 1)
    return f"{where}: {what}" if where else what


def _is_tag(word):
    """Return whether a word is pydantic's name for one of several types, and not a key."""
    return isinstance(word, str) and (word == "str" or "[" in word or "constrained-" in word)
