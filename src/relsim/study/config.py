"""The YAML files under config/, read and validated by workflow/schemas/."""

from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).parents[3]
SCHEMAS = ROOT / "workflow" / "schemas"


class ConfigError(ValueError):
    """Something under config/ is not as it must be; the message names the file and the key."""


def read_config(path, schema):
    """Return what a YAML file under config/ holds, validated by workflow/schemas/."""
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file")
    try:
        content = yaml.safe_load(path.read_bytes())
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not YAML: {error}") from error
    validate(content, schema, path)
    return content


def validate(content, schema, path):
    """Raise a ConfigError that names the first key of a file that breaks its schema."""
    schema = yaml.safe_load((SCHEMAS / f"{schema}.schema.yaml").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    error = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if error is None:
        return
    where = ".".join(map(str, error.absolute_path))
    message = error.message
    if error.validator == "additionalProperties":
        unknown = set(error.instance) - set(error.schema["properties"])
        message = (
            f"unknown key {min(unknown, key=str)}; allowed: {', '.join(error.schema['properties'])}"
        )
    elif error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        message = f"{error.instance!r} is not allowed; allowed: {allowed}"
    elif error.validator == "oneOf":
        message = "a method has exactly one of solver and variants, model and variants, or control"
    raise ConfigError(f"{path}: {where + ': ' if where else ''}{message}")
