"""Make a result again: record the command that made it and its files, and read the record."""

import hashlib
import json
import shlex
import warnings
from importlib.metadata import version
from pathlib import Path

_BESIDE = {"out", "overwrite", "as_json", "jobs"}  # options that do not change a result


def recipe_of(context, *paths):
    """Return what makes a result again: the version, the command, and the digests of its files."""
    words = ["closerthan", context.info_name]
    for option in context.command.params:
        is_given = context.get_parameter_source(option.name).name == "COMMANDLINE"
        if is_given and option.name not in _BESIDE:
            value = context.params[option.name]
            name = f"{option.opts[-1]}=" if option.param_type_name == "option" else ""
            for one in value if isinstance(value, list | tuple) else [value]:
                words.append(name.rstrip("=") if one is True else f"{name}{one}")
    files = {str(path): sha256_of(path) for path in paths if path is not None}
    return {"version": version("closerthan"), "command": shlex.join(words), "files": files}


def with_recipe(arguments):
    """Put the arguments that a file records in the place of ``--again FILE``; others come later."""
    split = (one.split("=", 1) if one.startswith("--again=") else [one] for one in arguments)
    words = [word for some in split for word in some]
    if "--again" not in words[:-1]:
        return words
    place = words.index("--again")
    path = Path(words[place + 1]).expanduser()
    try:
        made = json.loads(path.read_text(encoding="utf-8"))
        files, command, own = made["files"], shlex.split(made["command"]), made["version"]
    except (ValueError, KeyError, TypeError):
        fault = "no command is recorded here; give the embed.json of a map that a command made"
        raise ValueError(f"{path}: {fault}") from None
    for file, digest in files.items():
        if sha256_of(Path(file)) != digest:
            raise ValueError(f"{file}: the file has changed since; restore it, or omit --again")
    if own != version("closerthan"):
        warnings.warn(f"{path}: made by closerthan {own}; this is another version", stacklevel=2)
    return [*command[2:], *words[:place], *words[place + 2 :]]


def sha256_of(path):
    """Return the SHA-256 of a file; of a folder, that of the lines that sha256sum would print."""
    if path.is_dir():
        files = sorted(file.relative_to(path) for file in path.rglob("*") if file.is_file())
        lines = "".join(f"{sha256_of(path / file)}  {file.as_posix()}\n" for file in files)
        return hashlib.sha256(lines.encode()).hexdigest()
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
